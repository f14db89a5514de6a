// Every page of FREEPLAY_VIEWER_PAGES (files, one per line; `run.mjs` makes those of all examples) in a real browser.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openBrowser } from './browser.mjs';
import { openPage, ready, settled } from './open_page.mjs';

const pages = (process.env.FREEPLAY_VIEWER_PAGES ?? '').split('\n').filter(Boolean);
const AT_REST = new Set(['box_stack']);               // these must not move: that is what they show
const MAGNIFICATION = 5;
const LARGEST = 5e6;   // bytes of a page
// Directions with play, by type of joint (docs/theory/contact.md).
const ACROSS = { prismatic: [1, 2], cylindrical: [0, 1], revolute: [0, 1], spherical: [0, 1, 2], pin_in_slot: [1] };

// Where closed points must be, by the shape of their first partner: `body` has its origin and the tips of its unit axes.
const FIRST_PARTNER = { slider_crank: 'slider', rattleback: 'stone' };
const inBody = (place, { origin, axes }) => axes.map((tip) => tip.reduce((sum, x, k) => sum + (x - origin[k]) * (place[k] - origin[k]), 0));
const POINTS_TO_SEE = {
  // A corner of the block, 100 mm long and 50 mm high, whose normal points from the wall to the block.
  slider_crank({ place, normal }, body) {
    const [x, y] = inBody(place, body);
    assert.ok(Math.abs(Math.abs(x) - 50e-3) < 1e-6 && Math.abs(Math.abs(y) - 25e-3) < 1e-6, `${[x, y]} is no corner of the block`);
    assert.ok(normal[1] * y < 0 && Math.abs(normal[1]) > 0.999, `the normal ${normal} at ${[x, y]} does not push the block back`);
  },
  // On the table and on the ellipsoid at once, which is turned by 2 degrees and lies 10 mm above the centre of mass.
  rattleback({ place, normal }, body) {
    const [x, y, z] = inBody(place, body), c = Math.cos(Math.PI / 90), s = Math.sin(Math.PI / 90);
    assert.ok(Math.abs(place[2]) < 1e-6, `${place} is not on the table`);
    const on = ((c * x + s * y) / 0.2) ** 2 + ((c * y - s * x) / 0.03) ** 2 + ((z - 0.01) / 0.02) ** 2;
    assert.ok(Math.abs(on - 1) < 1e-3, `${place} is not on the stone: ${on}`);
    assert.ok(normal[2] > 0.9999, `the normal is ${normal}`);
  },
};

// Elastic bodies: a place on the axis, m, and the number of the station that recorded where it is.
const STATIONS = { cantilever_impact: ['beam', 1, 3], spinning_beam: ['beam', 1, 2], bar_impact: ['bar', 0.5, 1] };

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
      assert.ok(first < 30000, `first frame after ${first} ms`);
      assert.ok(statSync(file).size < LARGEST, `${statSync(file).size} bytes`);
      assert.equal(await viewer(() => window.freeplayViewer.cameraInside), false, 'the camera is inside of a part');
      const bodies = await viewer(() => window.freeplayViewer.bodies.length);
      assert.ok(bodies > 0, 'no body is drawn');
      // The paper of planar scenes is not enough: hide it in the count by asking for more colours than it has.
      const { other, colors } = await viewer(() => window.freeplayViewer.pixels());
      assert.ok(other > 400 && colors > 12, `${other} pixels in ${colors} colours`);
    });

    it('moves its bodies when one scrubs', async () => {
      // A gear turns about its centre of mass: two points beside that one tell.
      const positions = () => viewer((lever) => window.freeplayViewer.bodies.flatMap((body) => [[0, 0, 0], [lever, 0, 0], [0, lever, 0]]
        .map((point) => window.freeplayViewer.bodyPoint(body, point))), 0.1);
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

    it('draws elastic bodies as they are bent, and magnifies that', async () => {
      if (!STATIONS[name]) return;
      const [body, s, station] = STATIONS[name];
      const found = await viewer(([body_, s_, station_]) => {
        const v = window.freeplayViewer, out = [];
        for (const part of [0.2, 0.35, 0.6]) {
          v.setTime(v.first + (v.last - v.first) * part);
          v.setDeformation(1);
          const real = v.axisPoint(body_, s_), recorded = [v.channel(`${body_}.x_${station_}`), v.channel(`${body_}.y_${station_}`), 0];
          const tip = v.shapePosition(`${body_}.tip`);
          v.setDeformation(2);
          out.push({ real, recorded, tip, straight: v.bodyPoint(body_, v.axisRest(body_, s_)), twice: v.axisPoint(body_, s_).place, contacts: v.contacts.map((c) => v.contactPlace(c.name)), twiceTip: v.shapePosition(`${body_}.tip`) });
          v.setDeformation(1);
        }
        return out;
      }, [body, s, station]);
      const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
      for (const { real, recorded, tip, straight, twice, contacts, twiceTip } of found) {
        // Between two rows both are straight lines, of a curve; the columns have single precision.
        assert.ok(Math.abs(real.s - s) < 1e-12 && apart(real.place, recorded) < 5e-7, `${real.place} instead of ${recorded}`);
        const bent = apart(real.place, straight);
        assert.ok(apart(twice, real.place) > 0.9 * bent && apart(twice, real.place) < 1.1 * bent + 1e-9, `${twice} is not twice as far from ${straight} as ${real.place}`);
        if (!tip || s !== 1) continue;
        assert.ok(apart(tip, real.place) < 1e-12 && apart(twiceTip, twice) < 1e-12, 'the shape at the end does not move with it');
        for (const place of contacts) assert.ok(apart(place, twiceTip) < 1e-3, `the contact at ${place} has left the tip, ${twiceTip}`);
      }
    });

    it('marks closed contact points where they are, and has a switch for it', async () => {
      const box = page.locator('.toggle', { hasText: 'contacts' }).locator('input');
      // The first of many times at which a point is closed.
      const found = await viewer(() => {
        const v = window.freeplayViewer;
        for (let i = 1; i <= 500; ++i) {
          v.setTime(v.first + ((v.last - v.first) * i) / 500);
          const closed = v.contacts.find((contact) => contact.mode > 0);
          if (closed) return { ...closed, place: v.contactPlace(closed.name), normal: v.contactNormal(closed.name), roles: v.roles };
        }
        return null;
      });
      if (!found) {
        assert.ok(!POINTS_TO_SEE[name], 'no contact point is ever closed');
        return;
      }
      assert.ok(Math.abs(Math.hypot(...found.normal) - 1) < 1e-5, `the normal is ${found.normal}`);
      POINTS_TO_SEE[name]?.(found, await viewer((body) => {
        const at = (p) => window.freeplayViewer.bodyPoint(body, p);
        return { origin: at([0, 0, 0]), axes: [at([1, 0, 0]), at([0, 1, 0]), at([0, 0, 1])] };
      }, FIRST_PARTNER[name]));
      const pixels = () => viewer(([role, place]) => window.freeplayViewer.pixelsOf(role, place), [found.roles[found.mode], found.place]);
      const on = await pixels();
      await box.uncheck();
      const off = await pixels();
      await box.check();
      assert.ok(on > 25 && off < on / 2, `${on} pixels of the mark with the switch on, ${off} with it off`);
    });

    it('goes to an impact that is clicked', async () => {
      await page.click('[data-tab="impacts"]');
      const row = page.locator('.impact-row:not(.head)').nth(0);
      if (await row.count() === 0) {
        assert.match(await page.textContent('.impacts'), /No impacts/);
        return;
      }
      await viewer(() => window.freeplayViewer.setTime(window.freeplayViewer.last));
      const text = (await row.locator('span').first().textContent()).replace(/−/g, '-'), shown = Number(text), decimals = text.split('.')[1].length;
      await row.click();
      const time = await viewer(() => window.freeplayViewer.time);
      assert.ok(Math.abs(time - shown) <= 0.501 * 10 ** -decimals, `${time} instead of ${shown}`);
    });

    // The tile has the number of `freeplay info`; the table groups the impacts that the page carries by the same rule.
    it('has as many blows in its table as the command has found', async () => {
      await page.click('[data-tab="impacts"]');
      const sums = await page.locator('.impacts .sums').allTextContents();
      if (sums.length === 0 || / strongest/.test(sums[0])) return;   // no impacts, or not all of them
      const number = (text) => Number(text.replace(/\D/g, '')), rows = number(sums[0].split(' blow')[0]);
      await page.click('[data-tab="summary"]');
      const tiles = await page.$$eval('.tile', (list) => list.map((tile) => [...tile.children].map((part) => part.textContent)));
      const [title, value, text] = tiles.find(([name]) => name.startsWith('blows'));
      assert.equal(rows, number(title === 'blows' ? value : text.split(' in ')[0]));
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
