// Reading values: the crank angle as an axis, the state of the page in its address, the path of a point, spectrum, section, findings.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openPage, ready, settled } from './open_page.mjs';
import { pageText, syntheticBlock, writeSyntheticPage } from './synthetic_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';
import { deflateSync } from 'node:zlib';

const { shared, withFile, withPage } = syntheticPages();
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} instead of ${b}`);
const at = (hash, action, options = {}) => {
  const file = join(shared.folder, 'addressed.html');
  writeSyntheticPage(file, options);
  return withFile(`file://${file}${hash}`, async (page) => {
    await settled(page);
    await action(page);
  });
};

describe('the angle of the crank', () => {
  // One turn in one second: 360 degrees per second.
  it('is an axis of the curves, on which a click and a zoom mean the same times', () => withPage({}, async (page) => {
    await page.selectOption('select.axis', 'angle');
    await settled(page);
    assert.equal(await page.evaluate(() => window.freeplayViewer.axis), 'angle');
    near(await page.evaluate(() => window.freeplayViewer.axisAt(0.25)), 90, 1e-3, 'axis');
    const box = await page.locator('.u-over').first().boundingBox();
    await page.mouse.click(box.x + 0.25 * box.width, box.y + 20);
    near(await page.evaluate(() => window.freeplayViewer.time), 0.25, 0.01, 'time');
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await settled(page);
    assert.match(await page.locator('.readout').first().textContent(), /500 ms +180 °/);
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.75 * box.width, box.y + 20, { steps: 3 });
    await page.mouse.up();
    const [from, to] = await page.evaluate(() => window.freeplayViewer.window);
    near(from, 0.5, 0.01, 'from');
    near(to, 0.75, 0.01, 'to');
  }));
  it('is not offered where nothing turns', () => withPage({ to: 0.5 }, async (page) => {
    assert.equal(await page.locator('select.axis').count(), 0);
  }));
});

describe('the address', () => {
  it('opens the page as it says', () => at('#t=0.3&from=0.2&to=0.6&panel=signals&magnify=3&axis=angle&curves=%5B%5B%22pin.gap%22%5D%5D', async (page) => {
    assert.deepEqual(await page.evaluate(() => { const v = window.freeplayViewer; return [v.time, v.window, v.magnification, v.axis, v.playing]; }), [0.3, [0.2, 0.6], 3, 'angle', false]);
    assert.equal(await page.getAttribute('[data-tab="signals"]', 'aria-selected'), 'true');
    await tab(page, 'curves');
    assert.deepEqual(await page.$$eval('.plot .chip', (chips) => chips.map((chip) => chip.textContent)), ['pin.gap']);
  }));
  it('follows what one does', () => withPage({}, async (page) => {
    const says = (pattern) => page.waitForFunction((source) => new RegExp(source).test(window.location.hash), pattern);
    await page.evaluate(() => { window.freeplayViewer.setTime(0.4); window.freeplayViewer.setWindow(0.25, 0.75); });
    await tab(page, 'energy');
    await says('t=0\\.4.*from=0\\.25&to=0\\.75.*panel=energy');
    await page.evaluate(() => window.freeplayViewer.setPlaying(true));
    await page.waitForFunction(() => !/[#&]t=/.test(window.location.hash));
  }));
  it('with nonsense in it opens the page as ever', () => at('#t=soon&from=9&to=-3&panel=nothing&magnify=NaN&axis=x&curves=[[1]]&<b>', async (page) => {
    assert.deepEqual(await page.evaluate(() => [window.freeplayViewer.time, window.freeplayViewer.window]), [0, [0, 1]]);
    assert.ok(await page.locator('.plot .chip').count() > 0);
  }));
});

describe('the path of a point', () => {
  it('is drawn where a part is clicked, as it is drawn there', () => withPage({ ball: 0.03 }, async (page) => {
    // A ball that goes around on a circle of 0.1 m (with its play of 0.6 mm).
    const [x, y] = await page.evaluate(() => { const v = window.freeplayViewer; v.setTime(0.25); return v.onScreen(v.bodyPosition('crank')); });
    const box = await page.locator('.scene > canvas').first().boundingBox();
    await page.mouse.click(box.x + (0.5 + 0.5 * x) * box.width, box.y + (0.5 - 0.5 * y) * box.height);
    const { body, path } = await page.evaluate(() => window.freeplayViewer.trace);
    assert.equal(body, 'crank');
    assert.ok(path.length > 100);
    for (const [px, py] of path) near(Math.hypot(px, py), 0.1, 0.004, 'radius');
    assert.equal(await page.evaluate(() => window.freeplayViewer.time), 0.25, 'the time is as it was');
    await page.mouse.click(box.x + 8, box.y + 0.5 * box.height);
    assert.equal((await page.evaluate(() => window.freeplayViewer.trace)).body, null);
  }));
});

describe('signals', () => {
  it('have a spectrum with frequencies in Hz and amplitudes in the unit of the channel', () => withPage({ rows: 1001 }, async (page) => {
    await tab(page, 'signals');
    await page.click('[data-signal="spectrum"]');
    // x goes around once per second by 0.1 m and, with the play, three times by 0.6 mm.
    const { frequency, amplitude } = await page.evaluate(() => window.freeplayViewer.spectrum('crank.x'));
    near(frequency[0], 1, 1e-9, 'first line');
    near(frequency[2], 3, 1e-9, 'third line');
    near(await page.evaluate(() => window.freeplayViewer.spectrum('pin.point_x').amplitude[2]), 0.01, 2e-5, 'a sine of 10 mm at 3 Hz');
    assert.ok(amplitude[0] > 0.09);
    assert.match(await page.textContent('.peak-line'), /3 Hz: 10 mm/);
    await page.selectOption('[aria-label="window"]', 'flat top');
    near(await page.evaluate(() => window.freeplayViewer.spectrum('pin.point_x').amplitude[2]), 0.01, 1e-4, 'flat top');
  }));
  it('have a section, once per turn or per period', () => withPage({ rows: 1001 }, async (page) => {
    await tab(page, 'signals');
    assert.equal((await page.evaluate(() => window.freeplayViewer.section(0))).length, 2, 'one turn has two ends');
    const points = await page.evaluate(() => window.freeplayViewer.section(0.125));
    assert.equal(points.length, 9);
    assert.match(await page.textContent('.phase-panel .hint'), /9 points, every 0\.125 s/);
    await page.selectOption('[aria-label="how it is drawn"]', 'density');
    await settled(page);
    assert.match(await page.textContent('.phase-panel .hint'), /stronger where it spends more time/);
  }));
});

describe('the timeline', () => {
  it('has times under it', () => withPage({}, async (page) => {
    const colored = await page.$eval('.time-ruler', (canvas) => canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v > 0));
    assert.ok(colored);
  }));
});

describe('tiles of the summary', () => {
  it('are what the command has found out, where the page has that', async () => {
    const block = syntheticBlock({}), size = block.readUInt32LE(0), header = JSON.parse(block.subarray(4, 4 + size).toString());
    header.findings = {
      peak_force: { name: '<i>pin</i>', value: 1234, window: 1e-3, impulse: 1.234, time: 0.5 },
      blows: { count: 17, impacts: 40, window: 1e-3, hardest: [{ element: 'pin', impulse: 2.5, unit: 'N s', hardest_time: 0.75 }] }, turns: { channel: 'crank.angle', count: 1 },
      contact_share: { pin: 0.42 }, losses: { impact: 3, friction: 1, damping: 0 }, drift: { largest: 0.64, compared_with: 'losses', measure: 4, grade: 'large', advice: 'too much; <b>a cure</b>', sentence: '' },
    };
    let json = Buffer.from(JSON.stringify(header));
    json = Buffer.concat([json, Buffer.alloc((8 - ((4 + json.length) % 8)) % 8, ' ')]);
    const length = Buffer.alloc(4), file = join(shared.folder, 'found.html');
    length.writeUInt32LE(json.length);
    writeFileSync(file, pageText(deflateSync(Buffer.concat([length, json, block.subarray(4 + size)])).toString('base64')));
    const { page, complaints, close } = await openPage(shared.browser, file);
    await ready(page);
    await tab(page, 'summary');
    const text = await page.textContent('.tiles');
    for (const pattern of [/1\.234 kN.*<i>pin<\/i>/, /2\.5 N s/, /17 in 1 turn/, /42 %/, /4 J.*impacts 75 %, friction 25 %/, /16 %of the losses: too much; <b>a cure<\/b>/]) assert.match(text, pattern);
    assert.equal(await page.locator('.tiles i, .tiles span b').count(), 0);
    assert.deepEqual(complaints, []);
    await close();
  });
});
