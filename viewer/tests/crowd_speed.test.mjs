// How long crowds take per frame. Runs alone (run.mjs sees to that), and the median counts: other work on the machine hits single frames. Larger crowds
// take a software renderer to its limits: by hand, FREEPLAY_VIEWER_CROWDS=1.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeCrowdPage } from './crowd_page.mjs';
import { browserPages } from './with_page.mjs';

// ms of script per frame: half of what a screen of 60 Hz leaves, and what leaves 30 pictures a second.
// A machine without a screen card takes half a minute for the picture of ten thousand balls, in which no script runs: of balls fewer are measured.
const CROWDS = [{ planar: false, count: 1000, most: 8, frames: 15 }, { planar: true, count: 1000, most: 8, frames: 15 }];
const LARGE = [{ planar: false, count: 3000, most: 33, frames: 3 }, { planar: true, count: 10000, most: 33, frames: 3 }];

describe('script per frame', () => {
  const { withWritten } = browserPages();
  for (const { planar, count, most, frames } of process.env.FREEPLAY_VIEWER_CROWDS === '1' ? [...CROWDS, ...LARGE] : CROWDS) {
    it(`of ${count} ${planar ? 'discs' : 'balls'} is less than ${most} ms`, () => withWritten('crowd.html', (file) => writeCrowdPage(file, { count, planar }), async (page) => {
      const medians = [];
      while (medians.length < 3 && !(Math.min(...medians) < most)) {
        await page.evaluate(() => window.freeplayViewer.setPlaying(true));   // counts from here
        await page.waitForFunction((wanted) => window.freeplayViewer.frameCost.frames >= wanted, frames, { timeout: 120000 });
        medians.push(await page.evaluate(() => window.freeplayViewer.frameCost.median));
      }
      const text = `${medians.map((median) => median.toFixed(2)).join(', ')} ms of script per frame, medians of ${frames} frames`;
      console.log(`${count} ${planar ? 'discs' : 'balls'}: first frame after ${Math.round(await page.evaluate(() => window.freeplayViewer.firstFrame))} ms, ${text}`);
      assert.ok(medians.every((median) => median > 0) && Math.min(...medians) < most, text);
    }, { viewport: { width: 300, height: 200 } }));   // what is measured does not depend on it, what one waits for does
  }
});
