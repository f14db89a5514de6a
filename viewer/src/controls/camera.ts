// Pictures and films of the scene, as files.
import type { App } from '../state/app';
import { Film } from '../film/film';
import type { Composer } from '../film/composer';
import { timesText } from '../data/stamps';
import { button, el } from '../toolkit/dom';

const PICTURE_WIDTH = 3200;            // pixels that a picture should have, by two to four per pixel of the page
const FILM_HEIGHT = 720;               // pixels that a film has at least

export interface Camera { readonly button: HTMLElement; readonly busy: boolean; picture(): void; film(): void }

// slider_crank_30ms_10x: the model, the time, what is magnified.
export function fileName(app: App, isMoving: boolean): string {
  const { run, scene } = app, M = scene.mechanism.magnifier.magnification;
  const stem = run.header.model_file.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 60) || 'freeplay';
  const time = isMoving ? '' : `_${String(Number((1e3 * run.time).toPrecision(6))).replace('-', 'm')}ms`;
  return `${stem}${time}${M === 1 ? '' : `_${timesText(M).replace('×', 'x').replace(/\s/g, '')}`}`;
}

function save(data: Uint8Array | string, name: string, type: string): void {
  const url = typeof data === 'string' ? data : URL.createObjectURL(new Blob([data as Uint8Array<ArrayBuffer>], { type }));
  el('a', { href: url, download: name }).click();
  if (typeof data !== 'string') window.setTimeout(() => URL.revokeObjectURL(url), 60000);
}

export function pictureButtons(app: App, composer: Composer): Camera {
  const { scene, window: shown } = app;
  let busy = false, isStopped = false;
  const size = () => ({ width: scene.element.clientWidth, height: scene.element.clientHeight });
  const picture = () => {
    if (busy) return;
    const { width, height } = size(), ratio = Math.min(4, Math.max(2, PICTURE_WIDTH / width));
    composer.begin(width, height, ratio, false);
    save(composer.frame().toDataURL('image/png'), `${fileName(app, false)}.png`, 'image/png');
    composer.end();
  };
  const record = async () => {
    const { width, height } = size(), ratio = Math.min(2, Math.max(1, FILM_HEIGHT / height));
    const film = new Film(app, composer, { kind: 'webm', width, height, ratio, from: shown.from, to: shown.to });
    try {
      await film.open();
      for (let i = 0; i < film.plan.frames && !isStopped; ++i) {
        await film.add(i);
        if (i % 10 === 0) app.message(`film: ${Math.round((100 * i) / film.plan.frames)} % of ${(film.plan.frames / film.plan.rate).toFixed(1)} s; r stops it`);
        await new Promise((done) => setTimeout(done, 0));   // the page stays alive
      }
      if (isStopped) return app.message('no film was saved');
      save(await film.finish(), `${fileName(app, true)}.webm`, 'video/webm');
      app.message('the film is saved');
    } finally {
      film.close();
    }
  };
  const film = () => {
    if (busy) { isStopped = true; return; }
    busy = true;
    isStopped = false;
    control.classList.add('on');
    record().catch((error: Error) => app.message(`no film: ${error.message}`)).finally(() => { busy = false; control.classList.remove('on'); });
  };
  const control = button('film', 'record the time that the curves show as a film (r)', film);
  return { button: control, get busy() { return busy; }, picture, film };
}
