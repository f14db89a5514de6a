// A served page has only some of the rows. When the window of time narrows, the rows in it are asked for.
import type { App } from './app';

const ROWS = 6000;
const WAIT = 250;   // ms without another change

export function refineOnZoom(app: App, changed: () => void): void {
  if (!app.source.served || !app.run.thinned) return;
  let timer = 0, asked = 0;
  app.window.listen(() => {
    window.clearTimeout(timer);
    if (app.window.whole) return;
    timer = window.setTimeout(async () => {
      const ticket = ++asked;
      const width = app.window.to - app.window.from;
      const from = Math.max(app.run.first, app.window.from - 0.1 * width), to = Math.min(app.run.last, app.window.to + 0.1 * width);
      try {
        const block = await app.source.part(from, to, ROWS);
        if (ticket !== asked || block.header.rows < 2) return;
        app.run.detail = block;
        app.run.seek(app.run.time);
        changed();
      } catch (error) {
        app.message(`no finer data: ${(error as Error).message}`);
      }
    }, WAIT);
  });
}
