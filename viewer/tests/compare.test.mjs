// The curves of a comparison's page: alive where scripts run, pictures where they do not. On made-up curves, and of the command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { browserPages } from './with_page.mjs';

const script = readFileSync(join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'compare.js'), 'utf8');
const HOSTILE = '<img src=x onerror="window.hit=1">';
const time = Array.from({ length: 101 }, (_, i) => i / 100);
// The second run is 0.5 above the first from 0.4 s on; the third has no data.
const CURVES = {
  reference: 0, runs: [{ label: 'lemke', style: 0, has_data: true }, { label: HOSTILE, style: 1, has_data: true }, { label: 'refused', style: 2, has_data: false }],
  channels: [{ name: 'crank.omega', unit: 'rad/s', time, values: [time.map((t) => Math.sin(t)), time.map((t) => Math.sin(t) + (t >= 0.4 ? 0.5 : 0)), time.map(() => null)] },
    { name: 'slider.x', unit: 'm', time, values: [time, time.map((t) => (t > 0.9 ? null : t)), time.map(() => null)] }],
  marks: [{ run: 1, time: 0.4 }], shaded_from: 0.8,
};
const page_ = (curves) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><style>:root { --paper: #fff; --ink: #111; --soft: #666; --line: #ddd; --panel: #eee; --shade: #0001; --c0: #000; --c1: #d50; --c2: #07b; }
  .charts { display: grid; grid-template-columns: 1fr 1fr; }</style></head><body><div class="legend" id="legend"><span>lemke</span><span>other</span></div><div class="charts" id="charts">
  ${curves.channels.map(() => '<div class="live"><svg class="chart"></svg></div>').join('')}</div><script type="application/json" id="curves">${JSON.stringify(curves).replace(/</g, '\\u003c')}</script><script>${script}</script></body></html>`;

const { shared, withAnyPage } = browserPages();
const withCurves = (action, options) => { const file = join(shared.folder, 'compare.html'); writeFileSync(file, page_(CURVES)); return withAnyPage(file, action, options); };
const data = (page, channel) => page.evaluate((name) => window.freeplayCompare.data(name), channel);

describe('the curves of a comparison', () => {
  it('take the place of the pictures, and show runs or their differences from the reference', () => withCurves(async (page) => {
    assert.equal(await page.locator('.live svg').count(), 0);
    assert.equal(await page.locator('.live .uplot').count(), 2);
    assert.ok(Math.abs((await data(page, 'crank.omega'))[2][50] - (Math.sin(0.5) + 0.5)) < 1e-12);
    await page.selectOption('.live-bar select', 'differences');
    const [, first, second, third] = await data(page, 'crank.omega');
    assert.deepEqual(await page.evaluate(() => window.freeplayCompare.shownRuns()), [HOSTILE]);
    assert.ok(first.every((value) => value === 0) && third.every((value) => value === null));
    assert.ok(Math.abs(second[39]) < 1e-12 && Math.abs(second[40] - 0.5) < 1e-12);
    assert.equal((await data(page, 'slider.x'))[2][95], null);
    assert.match(await page.textContent('.live h3'), /difference of crank\.omega \[rad\/s\]/);
  }));
  it('say values under the pointer, as text, in all charts', () => withCurves(async (page) => {
    const box = await page.locator('.live .u-over').first().boundingBox();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
    await settled(page);
    const said = await page.$$eval('.live-readout', (list) => list.map((node) => (node.hidden ? '' : node.textContent)));
    assert.match(said[0], /500 ms/);
    assert.match(said[0], /lemke {2}0\.47943 rad\/s/);
    assert.ok(said[0].includes('<img src='), said[0]);
    assert.match(said[1], /500 mm/);
    assert.equal(await page.evaluate(() => window.hit), undefined);
  }));
  it('zoom by a drag, all of them, and show all by a double click', () => withCurves(async (page) => {
    const box = await page.locator('.live .u-over').first().boundingBox(), to = (part) => [box.x + part * box.width, box.y + 0.5 * box.height];
    await page.mouse.move(...to(0.25));
    await page.mouse.down();
    await page.mouse.move(...to(0.75), { steps: 4 });
    await page.mouse.up();
    const [from, until] = await page.evaluate(() => window.freeplayCompare.window);
    assert.ok(Math.abs(from - 0.25) < 0.01 && Math.abs(until - 0.75) < 0.01, `${from} to ${until}`);
    await page.mouse.dblclick(...to(0.5));
    assert.deepEqual(await page.evaluate(() => window.freeplayCompare.window), [0, 1]);
  }));
  it('hide a run by its name in the legend, also by the keyboard', () => withCurves(async (page) => {
    await page.focus('#legend button');
    await page.keyboard.press('Enter');
    assert.deepEqual(await page.evaluate(() => window.freeplayCompare.shownRuns()), [HOSTILE]);
    assert.equal(await page.getAttribute('#legend button', 'aria-pressed'), 'false');
  }));
  it('stay pictures without scripts', () => withCurves(async (page) => assert.equal(await page.locator('.live svg').count(), 2), { javaScriptEnabled: false }));
});

const { FREEPLAY_COMMAND: freeplay, FREEPLAY_COMPARE_MODEL: model } = process.env;
describe('a real comparison', { skip: freeplay === undefined || model === undefined }, () => {
  it('begins with the answer and a table, links to the moving page, and its curves live', async () => {
    const { folder } = shared;
    const { status, stderr } = spawnSync(freeplay, ['compare', model, '--with', 'lemke', '--with', 'moreau-jean', '--out', 'out', '--quiet'], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const file = join(folder, 'out', 'compare.html');
    assert.ok(statSync(file).size < 5e6);
    await withAnyPage(file, async (page) => {
      const top = await page.evaluate(() => ['.headline', 'table', 'a[href^="view_both.html"]', '#charts'].map((name) => document.querySelector(name).getBoundingClientRect().top));
      assert.deepEqual(top, [...top].sort((a, b) => a - b));
      const [times, first, second] = await data(page, await page.evaluate(() => window.freeplayCompare.curves.channels[0].name));
      assert.ok(times.length > 500 && first.some((value, i) => value !== second[i]));
      await page.selectOption('.live-bar select', 'differences');
      // At the end it is the difference of what the two results hold.
      const [, , difference] = await data(page, 'energy.total');
      const last = (run) => { const { stdout } = spawnSync(freeplay, ['export', join('out', run), '--csv', '-', '--channels', 'energy.total'], { cwd: folder, encoding: 'utf8' }); return Number(stdout.trim().split('\n').pop().split(',')[1]); };
      assert.ok(Math.abs(difference[difference.length - 1] - (last('moreau-jean') - last('lemke'))) < 1e-7, 'of values near 7 J with nine digits');
    }, { viewport: { width: 1280, height: 900 } });
    for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 720 }]) {
      await withAnyPage(file, async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), `the page is wider than ${viewport.width} px`), { viewport });
    }
  });
});
