// Pictures and films that the page makes. The films are looked at by the browser's own players, which know nothing of how they were written.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { syntheticPages } from './with_page.mjs';
import { lookAtFilm, lookAtGif } from './look_at_film.mjs';

const { shared, withPage } = syntheticPages();
const make = (page, request) => page.evaluate(async (options) => {
  const { film } = window.freeplayViewer;
  const plan = await film.begin(options);
  for (let i = 0; i < plan.frames; ++i) await film.add(i);
  const data = await film.finish();
  film.end();
  return { plan, data };
}, request);

describe('a film', () => {
  it('as WebM has the frames, the size and the duration that were asked for, and moves', () => withPage({}, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setTime(0.9));
    // From 0.2 s to 0.6 s at a fifth of the speed: 2 s, 60 pictures.
    const { plan, data } = await make(page, { kind: 'webm', width: 320, height: 240, from: 0.2, to: 0.6, speed: 0.2, refit: true });
    assert.deepEqual([plan.frames, plan.rate, plan.width, plan.height], [60, 30, 320, 240]);
    const film = await lookAtFilm(shared.browser, Buffer.from(data, 'base64'), [0.1, 1.0, 1.9]);
    assert.deepEqual([film.width, film.height], [320, 240]);
    assert.ok(Math.abs(film.duration - 2) < 0.005, `${film.duration} s`);
    assert.ok(film.pictures.every(({ colors }) => colors > 20), `blank: ${JSON.stringify(film.pictures)}`);
    assert.equal(new Set(film.pictures.map(({ sum }) => sum)).size, 3, 'nothing moves');
    // The page goes on where it was.
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0.9);
    assert.ok(await page.evaluate(() => window.freeplayViewer.pixels().other) > 400);
  }));
  it('as GIF too', () => withPage({}, async (page) => {
    const { plan, data } = await make(page, { kind: 'gif', width: 200, height: 120, from: 0, to: 0.5, speed: 0.5, refit: true });
    assert.deepEqual([plan.frames, plan.rate], [25, 25]);
    const film = await lookAtGif(shared.browser, Buffer.from(data, 'base64'), [0, 12, 24]);
    assert.deepEqual([film.frames, film.width, film.height, film.frameTime], [25, 200, 120, 0.04]);
    assert.ok(film.pictures.every(({ colors }) => colors > 20), `blank: ${JSON.stringify(film.pictures)}`);
    assert.equal(new Set(film.pictures.map(({ sum }) => sum)).size, 3, 'nothing moves');
  }));
  it('shows its pictures at their times, magnified as asked for', () => withPage({}, async (page) => {
    const found = await page.evaluate(async () => {
      const v = window.freeplayViewer;
      const plan = await v.film.begin({ kind: 'png', width: 200, height: 120, from: 0.25, to: 0.75, speed: 0.1, magnify: 3 });
      v.film.picture(75);
      const result = { plan, time: v.time, M: v.magnification };
      v.film.end();
      return result;
    });
    assert.equal(found.plan.frames, 150);
    assert.ok(Math.abs(found.time - 0.5) < 1e-12 && found.M === 3, JSON.stringify(found));
  }));
  it('that cannot be made says why', () => withPage({}, async (page) => {
    const why = (request) => page.evaluate((options) => window.freeplayViewer.film.begin(options).then(() => '', (error) => error.message), request);
    assert.match(await why({ kind: 'webm', width: 200, height: 100, from: 2, to: 3 }), /outside of the run/);
    assert.match(await why({ kind: 'webm', width: 200, height: 100, speed: 1e-9 }), /more than 20000/);
  }));
  it('is recorded by the button, for the part that is zoomed', () => withPage({}, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setWindow(0.4, 0.5));
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120000 }), page.click('button:has-text("film")')]);
    assert.match(download.suggestedFilename(), /^synthetic_5x\.webm$/);
    const film = await lookAtFilm(shared.browser, readFileSync(await download.path()), [0.1]);
    const { rate, box } = await page.evaluate(() => ({ rate: window.freeplayViewer.rate, box: document.querySelector('.scene').getBoundingClientRect() }));
    assert.ok(Math.abs(film.duration - 0.1 / rate) < 0.04, `${film.duration} s at the speed ${rate}`);
    assert.ok(Math.abs(film.width / film.height - box.width / box.height) < 0.02 && film.height >= 700);
  }));
});

describe('a picture', () => {
  it('has two to four times the pixels of the page, a caption and a name that tells what it is', () => withPage({}, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setTime(0.25));
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('p')]);
    assert.equal(download.suggestedFilename(), 'synthetic_250ms_5x.png');
    const png = readFileSync(await download.path());
    const width = png.readUInt32BE(16), height = png.readUInt32BE(20);
    const box = await page.locator('.scene').boundingBox();
    assert.ok(width / box.width >= 2 && width / box.width <= 4.01 && Math.abs(width / height - box.width / box.height) < 0.02, `${width} x ${height}`);
    // The stamp is drawn in the colour of the page's accent, in the upper left corner.
    const blue = await page.evaluate(async (data) => {
      const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
      const context = new OffscreenCanvas(300, 160).getContext('2d');
      context.drawImage(image, 0, 0);
      const pixels = context.getImageData(0, 0, 300, 160).data;
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4) if (Math.abs(pixels[i] - 0x0b) + Math.abs(pixels[i + 1] - 0x63) + Math.abs(pixels[i + 2] - 0xc5) < 30) ++count;
      return count;
    }, png.toString('base64'));
    assert.ok(blue > 100, `${blue} pixels of the stamp`);
  }));
});
