// Gears, racks and belts of couplings, bushings that give and stations of elastic bodies, on a page that is made here: a pinion of radius 40 mm at the origin turns one
// radian in a second and drives a wheel of 60 mm, which stands at (100 mm, 0), a rack below and, by a belt, a pulley above. The beam `mast` bends by q = 0.1 t.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { openBrowser } from './browser.mjs';
import { openPage, ready, settled } from './open_page.mjs';
import { pageText } from './synthetic_page.mjs';

const ROWS = 101, time = Array.from({ length: ROWS }, (_, i) => i / (ROWS - 1));
function block() {
  const columns = [], parts = [], poses = {};
  let size = 0;
  const add = (name, unit, value) => {
    const bytes = Buffer.from(Float64Array.from(time.map(value)).buffer);
    columns.push({ name, unit, type: 'f64', offset: size });
    parts.push(bytes);
    size += bytes.length;
    return columns.length - 1;
  };
  add('time', 's', (t) => t);
  const body = (name, x, y, angle) => { poses[name] = { x: add(`${name}.x`, 'm', x), y: add(`${name}.y`, 'm', y), angle: add(`${name}.angle`, 'rad', angle) }; };
  body('pinion', () => 0, () => 0, (t) => t);
  body('wheel', () => 0.1, () => 0, (t) => -t / 1.5);
  body('rack', (t) => 0.04 * t, () => -0.04, () => 0);
  body('pulley', () => 0.1, () => 0.16, (t) => (-t / 1.5) * 2);
  body('arm', (t) => 0.3 + 0.001 * t, () => 0, () => 0);   // on a bushing that gives 1 mm
  body('mast', () => -0.2, () => 0.1, () => 0);
  add('mast.modal_1', 'm', (t) => 0.1 * t);
  const joint = (name, type, child, at, model = 'ideal') => ({ name, type, model, parent: 'ground', child, at_parent: [...at, 0], at_child: [0, 0, 0], axis: type === 'prismatic' ? [1, 0, 0] : [0, 0, 1], rotation: [1, 0, 0, 0] });
  const terms = (...list) => list.map(([name, factor]) => ({ joint: name, coordinate: 0, factor }));
  const header = {
    freeplay_view: 1, title: 'A train', model_file: 'train.yaml', status: 'completed', summary: null, contacts: [], total_rows: ROWS, rows: ROWS, time_from: 0, time_to: 1, columns, poses, contact_points: [],
    impacts: { total: 0, shown: 0, columns: [] },
    geometry: {
      space: 'planar', gravity: [0, 0, 0], springs: [], shapes: [], contacts: [],
      bodies: [{ name: 'ground' }, ...['pinion', 'wheel', 'rack', 'pulley', 'arm'].map((name) => ({ name, mass: 1 })),
        { name: 'mast', mass: 1, stations: { places: [[-0.1, 0, 0], [0, 0, 0], [0.1, 0, 0]], modes: [[[0, 0, 0], [0, 0.3, 0], [0, 1, 0]]], is_axis: true, height: 0 } }],
      joints: [joint('p', 'revolute', 'pinion', [0, 0]), joint('w', 'revolute', 'wheel', [0.1, 0]), joint('r', 'prismatic', 'rack', [0, -0.04]), joint('q', 'revolute', 'pulley', [0.1, 0.16]),
        joint('rubber', 'revolute', 'arm', [0.3, 0], 'bushing')],
      couplings: [{ name: 'mesh', angle: false, terms: terms(['p', 0.04], ['w', 0.06]) }, { name: 'toothed', angle: false, terms: terms(['p', 0.04], ['r', -1]) },
        { name: 'band', angle: false, terms: terms(['w', 0.06], ['q', -0.03]) }, { name: 'claws', angle: true, terms: terms(['p', 1], ['p', -1]) }],
    },
  };
  let json = Buffer.from(JSON.stringify(header));
  json = Buffer.concat([json, Buffer.alloc((8 - ((4 + json.length) % 8)) % 8, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...parts]);
}

describe('couplings and what gives', () => {
  let browser, folder, page, complaints, close;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'freeplay-viewer-'));
    const file = join(folder, 'train.html');
    writeFileSync(file, pageText(deflateSync(block()).toString('base64')));
    browser = await openBrowser();
    ({ page, complaints, close } = await openPage(browser, file, { viewport: { width: 1500, height: 950 } }));
    await ready(page);
  });
  after(async () => {
    await close?.();
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const at = async (t) => { await page.evaluate((x) => window.freeplayViewer.setTime(x), t); await settled(page); };
  const isPaper = async (...places) => {
    const { background } = await page.evaluate(() => window.freeplayViewer.pixels());
    const colors = [];
    for (const p of places) colors.push(await page.evaluate((place) => window.freeplayViewer.colorAt(place), p));
    return colors.map(([r, g, b]) => ((r << 16) | (g << 8) | b) === background);
  };

  it('are known by the joints that they couple', async () => {
    assert.deepEqual(await page.evaluate(() => window.freeplayViewer.couplings), [{ name: 'mesh', kind: 'gear' }, { name: 'toothed', kind: 'rack' }, { name: 'band', kind: 'belt' }]);
  });
  // Its first tooth stands in the direction of the other wheel; the others follow in equal steps, each a tip of 0.3 pitches. The pinion turns by the angle t.
  it('have teeth that turn with the wheel', async () => {
    const teeth = 14, pitch = (2 * Math.PI * 0.04) / teeth, ring = (k) => [(0.04 + 0.2 * pitch) * Math.cos(k), (0.04 + 0.2 * pitch) * Math.sin(k), 0];
    for (const t of [0, 0.5]) {
      await at(t);
      const tip = t + (2 * Math.PI * 4) / teeth, gap = tip + Math.PI / teeth;
      assert.deepEqual(await isPaper(ring(tip), ring(gap)), [false, true], `at ${t} s`);
    }
  });
  it('fit into the picture', async () => {
    for (const p of [[0.166, 0, 0], [0.1, 0.19, 0], [0, -0.044, 0]]) {
      const [x, y] = await page.evaluate((place) => window.freeplayViewer.onScreen(place), p);
      assert.ok(Math.abs(x) < 1 && Math.abs(y) < 1, `${p} is at ${x}, ${y}`);
    }
  });
  it('show how far a bushing gives, and magnify it with the deformation', async () => {
    await at(1);
    const largest = await page.evaluate(() => window.freeplayViewer.largestDeformation);
    assert.ok(largest >= 2, `${largest}`);
    for (const M of [1, 2]) {
      await page.evaluate((m) => window.freeplayViewer.setDeformation(m), M);
      const [x] = await page.evaluate(() => window.freeplayViewer.bodyPosition('arm'));
      assert.ok(Math.abs(x - 0.3 - 0.001 * M) < 2e-5, `${x} with ${M}`);
    }
  });
  it('draw elastic bodies of knots by their stations', async () => {
    await at(0.5);
    for (const M of [1, 2]) {
      await page.evaluate((m) => window.freeplayViewer.setDeformation(m), M);
      const [x, y] = await page.evaluate(() => window.freeplayViewer.station('mast', 2));
      assert.ok(Math.abs(x - 0.1) < 1e-12 && Math.abs(y - 0.05 * M) < 1e-9, `${x}, ${y} with ${M}`);
    }
    assert.deepEqual(complaints, []);
  });
});
