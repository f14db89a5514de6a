// How long crowds take per frame. Runs alone (run.mjs sees to that).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openBrowser } from './browser.mjs';
import { writeCrowdPage } from './crowd_page.mjs';
import { openPage, ready } from './open_page.mjs';

// ms of script per frame: half of what a screen of 60 Hz leaves, and what leaves 30 pictures a second.
// A machine without a screen card takes half a minute for the picture of ten thousand balls, in which no script runs: of balls fewer are measured.
const CROWDS = [{ planar: false, count: 1000, most: 8, frames: 8 }, { planar: false, count: 3000, most: 33, frames: 3 }, { planar: true, count: 1000, most: 8, frames: 8 },
  { planar: true, count: 10000, most: 33, frames: 3 }];

describe('script per frame', () => {
  let browser, folder;
  before(async () => { browser = await openBrowser(); folder = mkdtempSync(join(tmpdir(), 'freeplay-viewer-')); });
  after(async () => { await browser?.close(); rmSync(folder, { recursive: true, force: true }); });
  for (const { planar, count, most, frames } of CROWDS) {
    it(`of ${count} ${planar ? 'discs' : 'balls'} is less than ${most} ms`, async () => {
      const file = join(folder, 'crowd.html'), means = [];
      writeCrowdPage(file, { count, planar });
      const { page, close } = await openPage(browser, file, { viewport: { width: 600, height: 400 } });
      try {
        await ready(page);
        while (means.length < 3 && !(Math.min(...means) < most)) {
          await page.evaluate(() => window.freeplayViewer.setPlaying(true));   // counts from here
          await page.waitForFunction((wanted) => window.freeplayViewer.frameCost.frames >= wanted, frames, { timeout: 120000 });
          means.push(await page.evaluate(() => window.freeplayViewer.frameCost.mean));
        }
        const text = `${means.map((mean) => mean.toFixed(2)).join(', ')} ms of script per frame, means of ${frames} frames`;
        console.log(`${count} ${planar ? 'discs' : 'balls'}: first frame after ${Math.round(await page.evaluate(() => window.freeplayViewer.firstFrame))} ms, ${text}`);
        assert.ok(Math.min(...means) < most, text);
      } finally {
        await close();
      }
    });
  }
});
