// What the page says about forces: newtons at the arrows, and blows as impulses.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { syntheticPages } from './with_page.mjs';

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
