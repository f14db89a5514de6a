// Every page of FREEPLAY_VIEWER_PAGES (files, one per line; `run.mjs` makes those of all examples) in a real browser.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openBrowser } from './browser.mjs';
import { openPage, ready, settled } from './open_page.mjs';

const pages = (process.env.FREEPLAY_VIEWER_PAGES ?? '').split('\n').filter(Boolean);
const AT_REST = new Set(['box_stack']);               // these must not move: that is what they show
const MAGNIFICATION = 5;
// Directions with play, by type of joint (docs/theory/contact.md).
const ACROSS = { prismatic: [1, 2], cylindrical: [0, 1], revolute: [0, 1], spherical: [0, 1, 2] };

let browser;
before(async () => { browser = await openBrowser(); });
after(() => browser?.close());

it('there are pages to test', () => assert.ok(pages.length > 0, 'FREEPLAY_VIEWER_PAGES names no page'));

pages.forEach((file, index) => {
  const name = basename(file, '.html');
  describe(name, () => {
    let page, complaints, close;
    before(async () => {
      ({ page, complaints, close } = await openPage(browser, file, { viewport: { width: 860, height: 560 }, colorScheme: index % 2 ? 'dark' : 'light' }));
      await ready(page);
    });
    after(() => close());
    const viewer = (action, argument) => page.evaluate(action, argument);

    it('shows its first frame soon, and it is not blank', async () => {
      const first = await viewer(() => window.freeplayViewer.firstFrame);
      // Other tests run at the same time, so this finds pages that hang; speed.test.mjs asserts the target.
      assert.ok(first < 6000, `first frame after ${first} ms`);
      const bodies = await viewer(() => window.freeplayViewer.bodies.length);
      assert.ok(bodies > 0, 'no body is drawn');
      // The paper of planar scenes is not enough: hide it in the count by asking for more colours than it has.
      const { other, colors } = await viewer(() => window.freeplayViewer.pixels());
      assert.ok(other > 400 && colors > 12, `${other} pixels in ${colors} colours`);
    });

    it('moves its bodies when one scrubs', async () => {
      const positions = () => viewer(() => window.freeplayViewer.bodies.map((body) => window.freeplayViewer.bodyPosition(body)));
      const places = [];
      const box = await page.locator('.scrub').boundingBox();
      for (const part of [0.15, 0.7]) {
        await page.mouse.click(box.x + part * box.width, box.y + box.height / 2);
        await settled(page);
        places.push(await positions());
      }
      const time = await viewer(() => window.freeplayViewer.time);
      assert.ok(time > 0.5 * await viewer(() => window.freeplayViewer.last));
      const moved = places[0].some((p, i) => places.some((other) => Math.hypot(...p.map((x, k) => x - other[i][k])) > 1e-7));
      assert.equal(moved, !AT_REST.has(name));
    });

    it('magnifies the clearance of its joints', async () => {
      const joints = await viewer(() => window.freeplayViewer.joints);
      for (const joint of joints) {
        // At the time, of twenty, at which the part is farthest from the middle.
        const { drawn, real } = await viewer(([name_, M, across]) => {
          const v = window.freeplayViewer;
          const size = (shift) => Math.hypot(...across.map((k) => shift[k]));
          let best = v.first, most = -1;
          v.setMagnification(1);
          for (let i = 0; i <= 20; ++i) {
            v.setTime(v.first + ((v.last - v.first) * i) / 20);
            if (size(v.truePlay(name_)) > most) { most = size(v.truePlay(name_)); best = v.time; }
          }
          v.setTime(best);
          v.setMagnification(M);
          const result = { drawn: size(v.drawnPlay(name_)), real: size(v.truePlay(name_)) };
          v.setMagnification(1);
          return result;
        }, [joint.name, MAGNIFICATION, ACROSS[joint.type]]);
        assert.ok(real > 0, `${joint.name} never leaves the middle`);
        const factor = drawn / real;
        assert.ok(Math.abs(factor - MAGNIFICATION) < 0.05 * MAGNIFICATION, `${joint.name}: ${factor} instead of ${MAGNIFICATION}`);
      }
    });

    it('goes to an impact that is clicked', async () => {
      await page.click('[data-tab="impacts"]');
      const row = page.locator('.impact-row:not(.head)').nth(0);
      if (await row.count() === 0) {
        assert.match(await page.textContent('.impacts'), /No impacts/);
        return;
      }
      await viewer(() => window.freeplayViewer.setTime(window.freeplayViewer.last));
      const shown = Number((await row.locator('span').first().textContent()).replace(/−/g, '-'));
      await row.click();
      const time = await viewer(() => window.freeplayViewer.time);
      assert.ok(Math.abs(time - shown) <= 1e-6 * Math.max(1e-9, Math.abs(shown)) + 1e-12, `${time} instead of ${shown}`);
    });

    it('opens every panel and plays, and the browser has nothing to complain about', async () => {
      for (const tab of await page.$$('[role=tab]')) {
        await tab.click();
        await settled(page);
      }
      await page.keyboard.press('Home');
      await page.keyboard.press('Space');
      await page.waitForFunction(() => window.freeplayViewer.time > window.freeplayViewer.first);
      await page.keyboard.press('Space');
      assert.deepEqual(complaints, []);
    });
  });
});
