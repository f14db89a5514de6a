// Bearing maps: what the surface around a part with play has carried where, on the panel and on the part.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { FREEPLAY_COMMAND: freeplay, FREEPLAY_EXAMPLES: examples } = process.env;
const { shared, withPage, withFile } = syntheticPages();
const total = (numbers) => numbers.reduce((a, b) => a + b, 0);

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
  it('adds blows to the forces where the run locates events, and not where forces have them within', async () => {
    const sums = {};
    for (const [kind, events] of [['forces', null], ['events', { list: [[0.25, 0, 'impact'], [0.5, 0, 'impact'], [0.75, 0, 'impact']] }]]) {
      await withPage({ rows: 4001, events }, async (page) => {
        const { walls } = await page.evaluate(() => window.freeplayViewer.bearingMap('pin'));
        sums[kind] = { all: total(walls[0].impulse), bins: walls[0].impulse };
      });
    }
    // Of 1.5, 0.3 and 2.5 N s, the contact at 270, 180 and 90 degrees.
    assert.ok(Math.abs(sums.events.all - sums.forces.all - 4.3) < 1e-5, JSON.stringify([sums.events.all, sums.forces.all]));
    const more = sums.events.bins.map((impulse, i) => impulse - sums.forces.bins[i]), near = (bin) => total(more.slice(Math.max(0, bin - 1), bin + 2));
    for (const [degrees, impulse] of [[-90, 1.5], [90, 2.5]]) {
      assert.ok(Math.abs(near((degrees + 180) / 5) - impulse) < 1e-5, `${near((degrees + 180) / 5)} N s at ${degrees} degrees`);
    }
  });
});

// What a result says, read from the tables of the command: its forces over the rows, and the impulses of its impacts.
function tableOf(result, ...words) {
  const { status, stdout, stderr } = spawnSync(freeplay, ['export', result, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(status, 0, stderr);
  const lines = stdout.split('\n').filter((line) => line && !line.startsWith('#')), names = lines[0].split(',');
  return lines.slice(1).map((line) => { const cells = line.split(','); return Object.fromEntries(names.map((name, i) => [name, cells[i]])); });
}
function runOf(name, ...words) {
  const folder = join(shared.folder, name);
  const { status, stderr } = spawnSync(freeplay, ['run', join(examples, `${name}.yaml`), '--out', folder, '--quiet', ...words], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const page = join(folder, 'view.html');
  assert.equal(spawnSync(freeplay, ['view', folder, '-o', page]).status, 0);
  return { folder, page };
}

describe('the map of a real run', { skip: !examples && 'needs FREEPLAY_COMMAND and FREEPLAY_EXAMPLES' }, () => {
  it('has the forces and the blows of a guide whose events were located', () => {
    const { folder, page: file } = runOf('slider_crank', '--set', 'simulate.integrator=event-driven', '--set', 'simulate.duration=55 ms');
    const points = [1, 2, 3, 4], rows = tableOf(folder, '--csv', '-', '--channels', points.map((k) => `guide.normal_force_${k}`).join(','));
    const pushed = total(rows.slice(1).map((row, i) => (row.time - rows[i].time) * total(points.map((k) => Number(row[`guide.normal_force_${k}`])))));
    const struck = total(tableOf(folder, '--impacts', '-').filter(({ contact }) => contact.startsWith('guide')).map(({ normal_impulse }) => Number(normal_impulse)));
    assert.ok(pushed > 0.01 && struck > 0.1, `${pushed} and ${struck} N s`);
    return withFile(file, async (page) => {
      const map = await page.evaluate(() => window.freeplayViewer.bearingMap('guide'));
      assert.deepEqual(map.walls.map(({ name }) => name), ['+y', '-y']);
      const all = total(map.walls.map(({ impulse }) => total(impulse)));
      assert.ok(Math.abs(all - pushed - struck) < 1e-4 * (pushed + struck), `${all} instead of ${pushed} + ${struck} N s`);
    });
  });
  it('loses little of the blows of a run of which a page has every other row', () => {
    const { folder, page: file } = runOf('slider_crank');
    const points = [1, 2, 3, 4], rows = tableOf(folder, '--csv', '-', '--channels', points.map((k) => `guide.normal_force_${k}`).join(','));
    const pushed = total(rows.slice(1).map((row, i) => (row.time - rows[i].time) * total(points.map((k) => Number(row[`guide.normal_force_${k}`])))));
    return withFile(file, async (page) => {
      const map = await page.evaluate(() => window.freeplayViewer.bearingMap('guide')), all = total(map.walls.map(({ impulse }) => total(impulse)));
      assert.ok(Math.abs(all - pushed) < 0.02 * pushed, `${all} instead of ${pushed} N s`);
    });
  });
  it('has the whole wall of a bearing in the picture, beside the lens', () => {
    const { page: file } = runOf('worn_bearing', '--set', 'simulate.duration=100 ms');
    return withFile(file, async (page) => {
      for (const viewport of [{ width: 1280, height: 760 }, { width: 1500, height: 950 }]) {
        await page.setViewportSize(viewport);
        await settled(page);
        await page.keyboard.press('f');
        await settled(page);
        const places = await page.evaluate(() => [[-0.021, 0, 0], [0.021, 0, 0], [0, 0.021, 0], [0, -0.021, 0]].map((place) => window.freeplayViewer.onScreen(place)));
        for (const [x, y] of places) assert.ok(Math.abs(x) < 1 && Math.abs(y) < 1, `${[x, y]} is outside of the picture of ${viewport.width} pixels`);
      }
    });
  });
  // Of time stepping: the blows are within the forces.
  for (const [name, joint, duration, walls] of [['revolute_clearance', 'pin', '2 s', ['end 1', 'end 2']], ['cylindrical_clearance', 'sleeve', '50 ms', ['end 1', 'end 2']],
    ['rssr_clearance', 'socket', '20 ms', ['']], ['prismatic_clearance', 'sleeve', '50 ms', ['+z', '-y', '-z']]]) {
    it(`has the walls and the sums of ${name}`, () => {
      const { folder, page: file } = runOf(name, '--set', `simulate.duration=${duration}`);
      return withFile(file, async (page) => {
        const map = await page.evaluate((of) => window.freeplayViewer.bearingMap(of), joint);
        assert.deepEqual(map.walls.map((wall) => wall.name), walls);
        const rows = tableOf(folder, '--csv', '-');
        const forces = Object.keys(rows[0]).filter((channel) => new RegExp(`^${joint}\\.normal_force(_[0-9]+)?$`).test(channel)).slice(0, walls[0].startsWith('end') ? 2 : Infinity);
        const pushed = total(rows.slice(1).map((row, r) => (row.time - rows[r].time) * total(forces.map((channel) => Number(row[channel])))));
        const all = total(map.walls.map(({ impulse }) => total(impulse)));
        assert.ok(pushed > 0 && Math.abs(all - pushed) < 1e-4 * pushed, `${all} instead of ${pushed} N s`);
        await tab(page, 'bearings');
        await settled(page);
        if (walls.length === 2) assert.match(await page.textContent('.bearings'), /largest force, end 1.*largest force, end 2/s);
      });
    });
  }
});

describe('colours on the part', () => {
  const RAMP_END = [253, 231, 37];   // viridis, at the largest value
  const near = (color, wanted) => color.every((part, k) => Math.abs(part - wanted[k]) < 12);
  it('are off at first, follow the bore and name their scale', () => withPage({ rows: 1001 }, async (page) => {
    // The middle of the drawn wall of the bore, on the left, where the contact came twice and three times.
    const wall = () => page.evaluate(() => {
      const v = window.freeplayViewer, gap = 0.011 - 0.01, wide = 0.35 * 0.01;
      return v.colorAt([-(0.01 + v.magnification * gap + wide / 2), 0.0005, 0]);
    });
    await page.evaluate(() => window.freeplayViewer.setMagnification(3));
    assert.equal(await page.isHidden('.surface-key'), true);
    const bare = await wall();
    await page.selectOption('#bearing-colour', 'peak');
    await settled(page);
    // 50 N everywhere: every place has the colour of the largest.
    assert.ok(near(await wall(), RAMP_END) && !near(bare, RAMP_END), `${bare} and then ${await wall()}`);
    assert.equal(await page.evaluate(() => window.freeplayViewer.bearingCells('pin')), 72);
    assert.match(await page.textContent('.surface-key'), /^largest force0 +50 N$/);
    await page.evaluate(() => window.freeplayViewer.setMagnification(6));
    assert.ok(near(await wall(), RAMP_END), 'the colours do not go with the magnified bore');
    await page.selectOption('#bearing-colour', 'work');
    assert.match(await page.textContent('.surface-key'), /^sliding work.*none$/);
    await page.selectOption('#bearing-colour', '');
    await page.evaluate(() => window.freeplayViewer.setMagnification(3));   // as at first: outlines are near the place
    await settled(page);
    assert.deepEqual([await wall(), await page.isHidden('.surface-key')], [bare, true]);
  }));
  it('are not offered where nothing has play', () => withPage({ ball: 0.01 }, async (page) => {
    assert.equal(await page.locator('#bearing-colour').count(), 0);
  }));
});
