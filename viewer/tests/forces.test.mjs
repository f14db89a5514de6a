// What the page says about forces: newtons at the arrows, blows as impulses, and what the bore has carried where.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { withPage } = syntheticPages();

describe('arrows', () => {
  it('end where their scale says, and say how many newtons they are', () => withPage({}, async (page) => {
    const found = await page.evaluate(() => {
      const v = window.freeplayViewer;
      v.setTime(0.4);
      return { tips: v.tips, place: v.contactPlace('pin_1'), long: v.arrowLength(Math.hypot(50, 5)) };
    });
    assert.equal(found.tips.length, 1);
    const [{ at, value, unit, role }] = found.tips;
    assert.ok(Math.abs(value - Math.hypot(50, 5)) < 1e-4 && unit === 'N' && role === 'slip');
    assert.ok(Math.abs(Math.hypot(...at.map((x, k) => x - found.place[k])) - found.long) < 1e-9);
    await settled(page);
    assert.equal(await page.locator('.labels.forces span:visible').textContent(), '50.2 N');
    assert.match(await page.textContent('.force-key'), /^\d+ N$/);
    await page.keyboard.press('c');
    await settled(page);
    assert.equal(await page.locator('.labels.forces span:visible').count(), 0);
  }));
  it('of blows say their impulses, also in the lens', () => withPage({ blow: 0.1, impacts: [[0.1, 1.5]] }, async (page) => {
    const found = await page.evaluate(() => {
      const v = window.freeplayViewer;
      v.setTime(0.105);
      v.setGlow(0.02);
      return { tips: v.tips, lens: v.lens('pin').text };
    });
    assert.deepEqual(found.tips.map(({ value, unit, role }) => [value, unit, role]), [[1.5, 'N s', 'impact']]);
    assert.match(found.lens, /^impact +1\.5 N s$/);
  }));
});

describe('the map of a bearing', () => {
  it('has the peak, the impulse and the place of what the bore carried', () => withPage({ rows: 4001 }, async (page) => {
    const map = await page.evaluate(() => window.freeplayViewer.bearingMap('pin'));
    assert.equal(map.kind, 'round');
    const [{ peak, impulse }] = map.walls, bins = peak.length;
    // 50 N from 0.25 s on, for 0.75 s.
    assert.ok(Math.abs(impulse.reduce((a, b) => a + b) - 37.5) < 0.02, String(impulse.reduce((a, b) => a + b)));
    assert.ok(peak.every((force) => Math.abs(force - 50) < 1e-4));
    // The contact circles three times a second. It begins at 270 degrees and makes 2.25 turns: the last quarter is passed three times.
    const once = 50 / 3 / bins, at = (degrees) => impulse[Math.floor((((degrees + 180) % 360) / 360) * bins)];
    for (const [degrees, passes] of [[300, 3], [340, 3], [20, 2], [100, 2], [200, 2]]) {
      assert.ok(Math.abs(at(degrees) / once - passes) < 0.2, `${at(degrees) / once} passes at ${degrees} degrees`);
    }
    await tab(page, 'bearings');
    await settled(page);
    assert.match(await page.textContent('.bearings'), /pin.*largest force50 N at \d+°.*impulse37\.[45]\d? N s in all/s);
  }));
});
