// Impacts as blows, and what a run comes to.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { withPage } = syntheticPages();
const rows = (page) => page.$$eval('.impact-row:not(.head)', (list) => list.map((row) => [...row.children].map((cell) => cell.textContent)));
// The run has no force window: a thousandth of its second stands for it. Two strikes within it; a hop of a tenth within a hundred windows; another
// blow; one after it that is too hard for a hop.
const STRIKES = [[0.1, 1.0], [0.1005, 2.0], [0.15, 0.19], [0.4, 1.0], [0.45, 0.5]];

describe('blows', () => {
  it('are strikes within a window and small hops together, with sums', () => withPage({ impacts: STRIKES, hold: [2, 3] }, async (page) => {
    await tab(page, 'impacts');
    await settled(page);
    assert.deepEqual(await rows(page), [['0.100500', 'pin ×3', '3.190', '−2.000', '319.0'], ['0.400000', 'pin_1', '1.000', '−1.000', '100.0'], ['0.450000', 'pin_1', '0.500', '−0.500', '50.0']]);
    assert.match(await page.textContent('.impacts .sums'), /^3 blows, 5 impacts · together 4\.69 N s · 469 mJ lost$/);
    await page.locator('.toggle', { hasText: 'blows' }).locator('input').uncheck();
    assert.equal((await rows(page)).length, 5);
    assert.match(await page.textContent('.impacts .sums'), /^5 impacts/);
  }));
  it('have numbers whose points stand below each other', () => withPage({ impacts: [[0.1, 123.4], [0.4, 5.5], [0.6, 0.004]], hold: [2, 3] }, async (page) => {
    await tab(page, 'impacts');
    assert.deepEqual((await rows(page)).map((cells) => cells[2]), ['123.4', '5.5', '4.0e−3']);
    assert.match(await page.textContent('.impact-row.head'), /normal impulse, N s.*energy lost, J/);
  }));
  it('are one while the contact is held', () => withPage({ impacts: [[0.2, 1], [0.5, 0.9], [0.8, 0.8]], hold: [0.15, 0.6] }, async (page) => {
    await tab(page, 'impacts');
    assert.deepEqual((await rows(page)).map((cells) => cells[1]), ['pin ×2', 'pin_1']);
  }));
  it('take their window from the run', () => withPage({ impacts: [[0.2, 1], [0.23, 0.9]], hold: [2, 3], peaks: [{ name: 'pin', unit: 'N', value: 20, window: 0.05, time: 0.2 }] }, async (page) => {
    await tab(page, 'impacts');
    assert.deepEqual((await rows(page)).map((cells) => cells[1]), ['pin ×2']);
  }));
  it('that give energy say so', () => withPage({ impacts: [[0.2, -1], [0.5, 1]], hold: [2, 3] }, async (page) => {
    await tab(page, 'impacts');
    assert.equal((await rows(page))[0].at(-1), 'gained 100.0');
    assert.match(await page.textContent('.impacts .sums'), /more energy than they came with/);
  }));
  it('are drawn over time, where a click goes to them', () => withPage({ impacts: STRIKES, hold: [2, 3] }, async (page) => {
    await tab(page, 'impacts');
    await settled(page);
    const box = await page.locator('.impact-chart canvas').boundingBox();
    // 1 N s lies between 0.01 and 10: two thirds up. The plot begins 58 pixels from the left and ends 8 from the right.
    const x = box.x + 58 + 0.4 * (box.width - 66), y = box.y + 8 + (1 / 3) * (box.height - 12);
    await page.mouse.click(x + 2, y + 2);
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0.4);
  }));
});

describe('the tiles of the summary', () => {
  const tiles = async (page) => {
    await tab(page, 'summary');
    return page.$$eval('.tile', (list) => list.map((tile) => [...tile.children].map((part) => part.textContent).concat(tile.className)));
  };
  it('say what the run comes to', () => withPage({
    impacts: STRIKES, hold: [0.25, 0.5], losses: { impact_loss: 3, friction_loss: 1 }, drift: 0.02, rows: 2001,
    peaks: [{ name: 'hinge', unit: 'N m', value: 900, window: 1e-3, time: 0.3 }, { name: 'pin', unit: 'N', value: 250, window: 1e-3, time: 0.1 }],
  }, async (page) => {
    const found = await tiles(page), by = Object.fromEntries(found.map(([title, ...rest]) => [title, rest]));
    assert.deepEqual(by['peak force'].slice(0, 2), ['250 N', 'in pin, mean of 1 ms (250 mN s), at 100 ms']);
    assert.deepEqual(by['hardest blow'].slice(0, 2), ['3.19 N s', 'in pin at 100.5 ms']);
    // The contact is held at the last two.
    assert.deepEqual(by['blows per turn'].slice(0, 2), ['2', '2 in 1 turn of crank.angle']);
    assert.deepEqual(by['in contact'].slice(0, 2), ['25.1 %', 'of the time: pin 25.1 %']);
    assert.deepEqual(by.losses.slice(0, 2), ['4 J', 'impacts 75 %, friction 25 %']);
    // 0.02 J of 4 J is half a per cent.
    assert.match(by['energy drift'].join(' '), /^0\.5 % of the losses: small tile small$/);
    await page.click('.tile:has-text("peak force")');
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0.1);
  }));
  it('judge a drift by what it is compared with', () => withPage({ losses: { impact_loss: 0.1 }, drift: 0.02 }, async (page) => {
    // No peaks in the result: the rows say 50 N from 0.25 s on.
    assert.deepEqual((await tiles(page)).find(([title]) => title === 'peak force').slice(1, 3), ['50 N', 'in pin_1, of the rows, at 250 ms']);
    assert.match((await tiles(page)).find(([title]) => title === 'energy drift').join(' '), /20 % of the losses: too much to trust them tile large/);
  }));
  it('of a run without losses compare with its motion', () => withPage({ drift: 0.05 }, async (page) => {
    // The kinetic energy goes from 1 J to 2 J.
    assert.match((await tiles(page)).find(([title]) => title === 'energy drift').join(' '), /5 % of the kinetic energy that comes and goes: a smaller step would tell tile noticeable/);
  }));
});
