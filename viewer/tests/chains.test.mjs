// Chains of forces: links from the centres of bodies to the contacts that carry load, as wide as the force. On made-up rows, and of a tower by the command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RADIUS, writeCrowdPage } from './crowd_page.mjs';
import { settled } from './open_page.mjs';
import { browserPages } from './with_page.mjs';

const { shared, withFile, withWritten } = browserPages();
const links = (page) => page.evaluate(() => window.freeplayViewer.chains);
const at = (page, t) => page.evaluate((time) => window.freeplayViewer.setTime(time), t).then(() => settled(page));
const near = (a, b, tolerance) => a.every((value, k) => Math.abs(value - b[k]) < tolerance);

// Discs in a square grid at distances of 3 radii. Contacts half way between the first two, and of the first with the ground; none in the first row.
const FORCES = (row) => (row === 0 ? [] : [[1, 2, 1.5 * RADIUS, 0, 0, 10], [1, 0, 0, -RADIUS, 0, 2.5]]);

describe('chains of forces', () => {
  const withCrowd = (forces, action, options) => withWritten('crowd.html', (file) => writeCrowdPage(file, { count: 121, planar: true, ...forces }), action, options);
  it('join centres and contact points, and the ground has no link', () => withCrowd({ forces: FORCES }, async (page) => {
    await at(page, 0);
    assert.deepEqual(await links(page), []);
    await at(page, 0.5);
    const found = await links(page);
    assert.deepEqual(found.map(({ body, force }) => [body, force]), [['ball_1', 10], ['ball_2', 10], ['ball_1', 2.5]]);
    assert.ok(near(found[0].from, [0, 0, 0], 1e-6) && near(found[0].to, [1.5 * RADIUS, 0, 0], 1e-6));
    assert.ok(near(found[1].from, [3 * RADIUS, 0, 0], 1e-6));
    assert.ok(Math.abs(found[2].radius / found[0].radius - 0.25) < 1e-6, 'a quarter of the force is a quarter of the width');
  }));
  for (const colorScheme of ['light', 'dark']) {
    it(`are drawn over the bodies, ${colorScheme}, and the switch takes them away`, () => withCrowd({ forces: FORCES }, async (page) => {
      await at(page, 0.5);
      const color = () => page.evaluate((p) => window.freeplayViewer.colorAt(p), [0.7 * RADIUS, 0.002 * RADIUS, 0]);
      const shown = await color();
      await page.click('label.toggle:has-text("chains") input');
      await settled(page);
      const hidden = await color(), difference = Math.abs(shown[0] - hidden[0]) + Math.abs(shown[1] - hidden[1]) + Math.abs(shown[2] - hidden[2]);
      assert.ok(difference > 120, `${shown} with the chain, ${hidden} without`);
      assert.match(await page.textContent('.chain-scale'), /widest 10 N/);
    }, { colorScheme }));
  }
  it('are not offered where the run has kept none', () => withCrowd({}, async (page) => assert.equal(await page.locator('label.toggle:has-text("chains")').count(), 0)));
});

// Three balls of 2 kg: what tests/scenes/contact_forces_test.cpp has the numbers of.
const TOWER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'tests', 'models', 'physics', 'tower_of_balls.yaml');
const { FREEPLAY_COMMAND: freeplay } = process.env;
describe('chains of a real run', { skip: freeplay === undefined }, () => {
  it('carry the weights of a tower', async () => {
    const { folder } = shared;
    for (const words of [['run', TOWER, '--out', 'tower'], ['view', 'tower']]) {
      const { status, stderr } = spawnSync(freeplay, words, { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
    }
    await withFile(join(folder, 'tower', 'view.html'), async (page) => {
      await at(page, 0.01);
      const found = await links(page), loads = (body) => found.filter((link) => link.body === body).map(({ force }) => force).sort((a, b) => a - b);
      for (const [body, expected] of [['ball_1', [40, 60]], ['ball_2', [20, 40]], ['ball_3', [20]]]) assert.ok(near(loads(body), expected, 1e-3) && loads(body).length === expected.length, `${body} bears ${loads(body)}`);
    });
  });
});
