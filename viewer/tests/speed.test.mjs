// How fast the page FREEPLAY_VIEWER_SPEED_PAGE is. Runs alone (run.mjs sees to that), in a browser that is already warm.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openBrowser } from './browser.mjs';
import { openPage, ready } from './open_page.mjs';

const FIRST_FRAME = 2000;   // ms
const SCRIPT = 8;           // ms per frame: half of what a screen of 60 Hz leaves
const file = process.env.FREEPLAY_VIEWER_SPEED_PAGE;

describe('the page of the slider-crank', () => {
  let browser;
  before(async () => {
    assert.ok(file, 'FREEPLAY_VIEWER_SPEED_PAGE names no page');
    browser = await openBrowser();
    const { page, close } = await openPage(browser, file);
    await ready(page);
    await close();
  });
  after(() => browser?.close());

  // Of three, since a machine may have other things to do for a moment.
  it(`shows its first frame within ${FIRST_FRAME} ms`, async () => {
    const times = [];
    for (let i = 0; i < 3; ++i) {
      const { page, close } = await openPage(browser, file);
      await ready(page);
      times.push(Math.round(await page.evaluate(() => window.freeplayViewer.firstFrame)));
      await close();
    }
    console.log(`first frame after ${times.join(', ')} ms`);
    assert.ok(Math.min(...times) < FIRST_FRAME, `first frame after ${times.join(', ')} ms`);
  });

  it(`takes less than ${SCRIPT} ms of script per frame while it plays`, async () => {
    const { page, close } = await openPage(browser, file);
    await ready(page);
    const means = [];
    while (means.length < 3 && !(Math.min(...means) < SCRIPT)) {
      await page.evaluate(() => window.freeplayViewer.setPlaying(true));   // counts from here
      await page.waitForFunction(() => window.freeplayViewer.frameCost.frames >= 60, null, { timeout: 60000 });
      means.push(await page.evaluate(() => window.freeplayViewer.frameCost.mean));
    }
    const time = await page.evaluate(() => window.freeplayViewer.time);
    await close();
    const text = `${means.map((mean) => mean.toFixed(2)).join(', ')} ms of script per frame, means of 60 frames`;
    console.log(text);
    assert.ok(time > 0, 'it does not play');
    assert.ok(means.every((mean) => mean > 0) && Math.min(...means) < SCRIPT, text);
  });
});
