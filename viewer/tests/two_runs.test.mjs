// Two runs on one page, and reading values off the curves.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { CLEARANCE } from './synthetic_page.mjs';
import { syntheticPages } from './with_page.mjs';

const { withPage } = syntheticPages();
const PAIR = { rows: 201, second: { rows: 77, gapScale: 0.25 }, names: ['worn', '<b>new</b>'] };

describe('a page of two runs', () => {
  it('draws the second as a ghost at the same time, and can leave it out', () => withPage({ ...PAIR, second: { ...PAIR.second, ways: 2 } }, async (page) => {
    const [first, ghost] = await page.evaluate(() => {
      const v = window.freeplayViewer;
      v.setMagnification(1);
      v.setTime(0.25);
      return [v.bodyPosition('crank'), v.ghostPosition('crank')];
    });
    // The second crank has twice the arm: at a quarter of a turn 0.1 m and 0.2 m up, each with its play.
    assert.ok(Math.abs(first[1] - (0.1 - 0.6 * CLEARANCE)) < 1e-5, String(first));
    assert.ok(Math.abs(ghost[1] - (0.2 - 0.6 * CLEARANCE)) < 1e-4, String(ghost));
    const pixels = () => page.evaluate(() => window.freeplayViewer.pixels().other);
    const both = await pixels();
    await page.locator('.runs-key input').uncheck();
    assert.ok(await pixels() < both, 'the ghost is not drawn, or stays');
  }));
  it('draws the second beside the first where that is asked for, and all of both is seen', () => withPage({ ...PAIR, second: { ...PAIR.second, ways: 2 } }, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setMagnification(1));
    await page.selectOption('.beside', 'beside');
    await settled(page);
    const { shift, places } = await page.evaluate(() => {
      const v = window.freeplayViewer, shift_ = v.ghostShift, add = (p) => p.map((x, k) => x + shift_[k]), seen = [];
      for (const t of [0, 0.25, 0.5, 0.75]) { v.setTime(t); seen.push(v.onScreen(v.bodyPosition('crank')), v.onScreen(add(v.ghostPosition('crank')))); }
      return { shift: shift_, places: seen };
    });
    // The larger crank goes around on 0.2 m: 0.4 m apart at least.
    assert.ok(Math.hypot(...shift) > 0.4, String(shift));
    for (const place of places.flat()) assert.ok(Math.abs(place) <= 1, `outside of the picture: ${place}`);
    await page.selectOption('.beside', 'over');
    assert.deepEqual(await page.evaluate(() => window.freeplayViewer.ghostShift), [0, 0, 0]);
  }));
  it('calls them by their names, which stay text', () => withPage(PAIR, async (page) => {
    assert.match(await page.textContent('.runs-key'), /worn.*<b>new<\/b>/);
    assert.equal(await page.locator('.runs-key b').count(), 0);
  }));
  it('has the curves of both, and their difference at the times of the first', () => withPage(PAIR, async (page) => {
    const curve = (compared) => page.evaluate((kind) => window.freeplayViewer.curve('pin.gap', kind), compared);
    assert.deepEqual((await curve('both')).drawn, ['first', 'second']);
    assert.deepEqual((await curve('first')).drawn, ['first']);
    const { drawn, data } = await curve('difference');
    assert.deepEqual(drawn, ['difference']);
    assert.equal(data[1].length, 201);
    // 0.4 c against a quarter of it.
    for (const value of data[1]) assert.ok(Math.abs(value - 0.3 * CLEARANCE) < 1e-9, String(value));
    await page.selectOption('.compared', 'difference');
    await settled(page);
  }));
  it('draws a run whose channels the other does not have', () => withPage({ ...PAIR, second: { rows: 50, joint: 'other' } }, async (page) => {
    assert.deepEqual((await page.evaluate(() => window.freeplayViewer.curve('pin.gap', 'both'))).drawn, ['first']);
  }));
});

describe('values of the curves', () => {
  const over = (page) => page.locator('.u-over').first();
  it('are read under the mouse without moving anything', () => withPage({}, async (page) => {
    const places = () => page.$$eval('.plot, .chip, .u-over', (nodes) => nodes.map((node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x, y, width, height]; }));
    const before = await places(), box = await over(page).boundingBox();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await settled(page);
    assert.match(await page.locator('.readout').first().textContent(), /500 ms.*normal_force +50 N/);
    assert.deepEqual(await places(), before);
  }));
  it('are measured against a mark', () => withPage({}, async (page) => {
    const box = await over(page).boundingBox();
    await page.keyboard.down('Shift');
    await page.mouse.click(box.x + 0.1 * box.width, box.y + 20);
    await page.keyboard.up('Shift');
    const mark = await page.evaluate(() => window.freeplayViewer.mark);
    assert.ok(Math.abs(mark - 0.1) < 0.01, String(mark));
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0, 'the mark is not the time');
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await settled(page);
    // No force at the mark, 50 N here.
    assert.match(await page.locator('.readout').first().textContent(), /Δ [34]\d\d.* ms.*50 N +Δ 50 N/);
    await page.keyboard.down('Shift');
    await page.mouse.click(box.x + 0.1 * box.width, box.y + 20);
    await page.keyboard.up('Shift');
    assert.equal(await page.evaluate(() => window.freeplayViewer.mark), null);
  }));
  it('repeat over the part that is zoomed', () => withPage({}, async (page) => {
    const times = await page.evaluate(async () => {
      const v = window.freeplayViewer, seen = [];
      v.setWindow(0.4, 0.42);
      v.setTime(0);
      v.setPlaying(true);
      for (let i = 0; i < 12; ++i) await new Promise((done) => requestAnimationFrame(() => { seen.push(v.time); done(); }));
      v.setPlaying(false);
      return seen.slice(3);
    });
    assert.ok(times.every((t) => t >= 0.4 && t <= 0.42), String(times));
  }));
});
