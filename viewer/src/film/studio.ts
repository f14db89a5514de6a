// What `freeplay view --film` asks of the page, over the browser's own protocol: texts and numbers only.
import type { App } from '../state/app';
import type { Composer } from './composer';
import { Film, type FilmPlan, type FilmRequest } from './film';

export interface Studio {
  begin(request: FilmRequest & { magnify?: number }): Promise<FilmPlan>;
  add(i: number): Promise<void>;         // to a film that the browser encodes
  picture(i: number): string;            // a PNG, base64
  finish(): Promise<string>;             // the film, base64
  end(): void;
}

const PIECE = 0x8000;   // characters that one call may have

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += PIECE) text += String.fromCharCode(...bytes.subarray(i, i + PIECE));
  return btoa(text);
}

export function filmStudio(app: App, composer: Composer): Studio {
  let film: Film | null = null;
  const current = () => {
    if (!film) throw new Error('no film has begun');
    return film;
  };
  return {
    async begin(request) {
      if (request.magnify !== undefined) app.setMagnification(request.magnify);
      film = new Film(app, composer, request);
      await film.open();
      return film.plan;
    },
    add: (i) => current().add(i),
    picture: (i) => current().draw(i).toDataURL('image/png').replace(/^.*?,/, ''),
    finish: async () => base64(await current().finish()),
    end() {
      film?.close();
      film = null;
    },
  };
}
