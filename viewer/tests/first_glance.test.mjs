// What one sees without having clicked anything: motion, the play of the joints, and the lens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { withPage } = syntheticPages();
const near = (a, b, tolerance, what) => assert.ok(Math.abs(a - b) <= tolerance, `${what}: ${a} instead of ${b}`);

describe('a page that is opened', () => {
  it('plays', () => withPage({}, async (page) => {
    await page.waitForFunction(() => window.freeplayViewer.time > 0);
    assert.ok(await page.evaluate(() => window.freeplayViewer.playing));
  }, { reducedMotion: 'no-preference' }));
  it('waits where less motion is asked for', () => withPage({}, async (page) => {
    await settled(page);
    assert.deepEqual(await page.evaluate(() => [window.freeplayViewer.playing, window.freeplayViewer.time]), [false, 0]);
  }));
  it('magnifies the play so that it can be seen, and says by how much', () => withPage({}, async (page) => {
    // A journal of 10 mm with a clearance of 1 mm: two thirds of the journal are 6.7 times the clearance, so 5.
    assert.equal(await page.evaluate(() => window.freeplayViewer.magnification), 5);
    assert.equal((await page.textContent('.caption')).trim(), '5× clearance');
    await page.keyboard.press('0');
    assert.equal(await page.evaluate(() => window.freeplayViewer.magnification), 1);
    assert.ok(await page.locator('.caption').isHidden(), 'what is true to scale needs no stamp');
  }));
  it('shows what has no play as it is', () => withPage({ ball: 0.02 }, async (page) => {
    assert.equal(await page.evaluate(() => window.freeplayViewer.magnification), 1);
    assert.ok(await page.locator('.caption').isHidden());
    assert.equal(await page.locator('.lens').count(), 0);
  }));
  it('draws the forces first', () => withPage({}, async (page) => {
    assert.match(await page.locator('.plot .chip').first().textContent(), /normal_force/);
  }));
  // A pile records totals of its group, a belt the tension of its strands: they come before the place of some body.
  it('shows the loads of groups and drives where no contact or joint has any', () => withPage({ ball: 0.02, placed: false, load: 'impulse', totals: { 'grains.normal_force': 'N', 'grains.penetration': 'm', 'motor.torque': 'N m' } }, async (page) => {
    const panels = await page.$$eval('.plot', (list) => list.map((plot) => [...plot.querySelectorAll('.chip')].map((chip) => chip.textContent)));
    assert.deepEqual(panels[0], ['grains.normal_force']);
    assert.ok(panels.some((names) => names.includes('motor.torque')) && !panels.flat().includes('grains.penetration'), JSON.stringify(panels));
  }));
  it('has curves as high as there is room, and three of them on a laptop', () => withPage({}, async (page) => {
    const plots = () => page.evaluate(() => {
      const body = document.querySelector('.tab-body').getBoundingClientRect();
      return [...document.querySelectorAll('.plot')].map((plot) => { const { bottom, height } = plot.getBoundingClientRect(); return { below: body.bottom - bottom, height, drawn: plot.querySelector('canvas').getBoundingClientRect().height }; });
    });
    for (const height of [720, 950]) {
      await page.setViewportSize({ width: 1280, height });
      await settled(page);
      const all = await plots(), last = all[all.length - 1];
      assert.equal(all.length, 3);
      assert.ok(last.below >= 0 && last.below < 30, `at ${height} px ${last.below} px are left below the last of them`);
      for (const plot of all) near(plot.drawn, plot.height, 70, 'a plot fills its frame below its names');
    }
  }));
  it('has the cursor at its time in curves that are shown later, too', () => withPage({}, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setTime(0.5));
    await tab(page, 'energy');
    await settled(page);
    const places = await page.$$eval('.plot', (list) => list.map((plot) => [plot.querySelector('.cursor'), plot.querySelector('.u-over')].map((node) => node.getBoundingClientRect())).map(([cursor, over]) => (cursor.left - over.left) / over.width));
    assert.equal(places.length, 2);
    for (const place of places) near(place, 0.5, 0.01, 'of the width');
  }));
  // 0.4 pm in a mechanism of 0.2 m is rounding.
  it('has no curve of a gap that never opens', async () => {
    const chips = (page) => page.$$eval('.plot .chip', (list) => list.map((node) => node.textContent));
    await withPage({ gapScale: 1e-9 }, async (page) => assert.ok(!(await chips(page)).includes('pin.gap')));
    await withPage({}, async (page) => assert.ok((await chips(page)).includes('pin.gap')));
  });
  it('has no curve of a gap by which rigid bodies sink in, but of one under a force law', async () => {
    const chips = (page) => page.$$eval('.plot .chip', (list) => list.map((node) => node.textContent));
    await withPage({ gapScale: -1 }, async (page) => assert.ok(!(await chips(page)).includes('pin.gap')));
    await withPage({ gapScale: -1, modes: 'contact' }, async (page) => assert.ok((await chips(page)).includes('pin.gap')));
  });
  it('keeps the axes of the world clear of lenses that grow', () => withPage({}, async (page) => {
    const gap = () => page.evaluate(() => {
      const [axes, lens] = ['.compass', '.lens'].map((name) => document.querySelector(name).getBoundingClientRect());
      return Math.max(lens.left - axes.right, axes.top - lens.bottom);
    });
    assert.ok(await gap() >= 0);
    await page.addStyleTag({ content: '.lens { height: 330px; }' });
    await settled(page);
    await settled(page);
    assert.ok(await gap() >= 0, `${await gap()} pixels`);
  }));
  it('has no curve of sums that stay as they are, and none of a force that is zero', async () => {
    const chips = (page) => page.$$eval('.plot .chip', (list) => list.map((node) => node.textContent));
    await withPage({ rests: true }, async (page) => assert.ok(!(await chips(page)).some((name) => name.startsWith('energy.'))));
    await withPage({}, async (page) => assert.ok((await chips(page)).includes('energy.total')));
    await withPage({ load: 'impulse', totals: { 'pin.force_x': 'N', 'pin.force_y': ['N', 0] } }, async (page) => {
      const shown = await chips(page);
      assert.ok(shown.includes('pin.force_x') && !shown.includes('pin.force_y'), shown.join(', '));
    });
  });
  it('leaves the room of the timeline to the mechanism where no contact ever closes', async () => {
    await withPage({ hold: [2, 3], impacts: [] }, async (page) => assert.equal(await page.locator('.timeline').count(), 0));
    await withPage({ hold: [2, 3] }, async (page) => assert.equal(await page.locator('.timeline').count(), 1));
  });
  it('marks centres of mass by quarters of two colours', () => withPage({}, async (page) => {
    const quarters = await page.evaluate(() => {
      const v = window.freeplayViewer, centre = v.bodyPosition('crank'), width = document.querySelector('.scene canvas').clientWidth;
      const pixel = 0.02 / width / (v.onScreen([0.01, 0, 0])[0] - v.onScreen([0, 0, 0])[0]);
      return [2, 3, 4, 5].map((radius) => [45, 135, 225, 315].map((degrees) => {
        const angle = (degrees * Math.PI) / 180;
        return v.colorAt([centre[0] + radius * pixel * Math.cos(angle), centre[1] + radius * pixel * Math.sin(angle), 0]).reduce((a, b) => a + b) / 3;
      }));
    });
    assert.ok(quarters.some(([a, b, c, d]) => Math.abs(a - c) < 12 && Math.abs(b - d) < 12 && Math.abs(a - b) > 40), JSON.stringify(quarters));
  }, { viewport: { width: 1500, height: 950 } }));
  it('keeps the mechanism clear of the lens, on a phone too', async () => {
    for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
      await withPage({}, async (page) => {
        const { scene, lens, places } = await page.evaluate(() => {
          const box = (name) => { const { left, top, right, bottom, width, height } = document.querySelector(name).getBoundingClientRect(); return { left, top, right, bottom, width, height }; };
          const tour = Array.from({ length: 41 }, (_, i) => { window.freeplayViewer.setTime(i / 40); return window.freeplayViewer.onScreen(window.freeplayViewer.bodyPosition('crank')); });
          return { scene: box('.scene'), lens: box('.lens'), places: tour };
        });
        for (const [x, y] of places) {
          const left = scene.left + (0.5 + 0.5 * x) * scene.width, top = scene.top + (0.5 - 0.5 * y) * scene.height;
          assert.ok(left < lens.left || top > lens.bottom, `at ${viewport.width} px ${[left, top]} is below the lens, which begins at ${lens.left} and ends at ${lens.bottom}`);
          assert.ok(Math.abs(x) < 1 && Math.abs(y) < 1, `${[x, y]} is not in the picture`);
        }
      }, { viewport });
    }
  });
});

describe('the lens', () => {
  const BORE = 0.74, GAP = 0.2;   // of its half width
  const centre = (outline) => [0, 1].map((k) => outline.reduce((sum, p) => sum + p[k], 0) / outline.length);
  it('shows the journal where it is in the bore, and the contact on its surface', () => withPage({ rows: 2001 }, async (page) => {
    for (const t of [0.3, 0.45, 0.8]) {
      const lens = await page.evaluate((time) => { window.freeplayViewer.setTime(time); return window.freeplayViewer.lens('pin'); }, t);
      // The eccentricity circles at 0.6 c, three times as fast as the crank; the normal points at the middle of the bearing.
      const angle = 6 * Math.PI * t, journal = lens.layers.find((layer) => layer.role === 'child');
      const [x, y] = centre(journal.outline);
      near(x, 0.6 * GAP * Math.cos(angle), 1e-3, 'x');
      near(y, 0.6 * GAP * Math.sin(angle), 1e-3, 'y');
      assert.equal(lens.marks.length, 1);
      near(lens.marks[0].at[0], x + (BORE - GAP) * Math.cos(angle), 2e-3, 'contact x');
      near(lens.marks[0].at[1], y + (BORE - GAP) * Math.sin(angle), 2e-3, 'contact y');
      // 50 N along the normal, 5 N across.
      near(lens.marks[0].to[0] * -Math.cos(angle) + lens.marks[0].to[1] * -Math.sin(angle), 50 / Math.hypot(50, 5), 1e-3, 'direction');
      assert.match(lens.text, t < 0.6 ? /^slip +50\.2 N$/ : /^stick +50\.2 N$/);
      // 1 mm at a journal of 10 mm is drawn as 0.2 at 0.54.
      near(lens.factor, (GAP / (BORE - GAP)) / 0.1, 1e-9, 'factor');
    }
    assert.match(await page.evaluate(() => { window.freeplayViewer.setTime(0.1); return window.freeplayViewer.lens('pin').text; }), /no contact/);
  }));
  it('does not depend on the magnification of the scene', () => withPage({}, async (page) => {
    const at = (M) => page.evaluate((m) => { window.freeplayViewer.setTime(0.3); window.freeplayViewer.setMagnification(m); return window.freeplayViewer.lens('pin'); }, M);
    assert.deepEqual(await at(1), await at(10));
  }));
  it('is drawn, says what the contact does, and can be taken away', () => withPage({}, async (page) => {
    await page.evaluate(() => window.freeplayViewer.setTime(0.3));
    await settled(page);
    const colors = await page.$eval('.lens canvas', (canvas) => {
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(Array.from({ length: data.length / 4 }, (_, i) => data.slice(4 * i, 4 * i + 4).join())).size;
    });
    assert.ok(colors > 20, `${colors} colours`);
    assert.match(await page.textContent('.lens figcaption'), /pin c = 1 mm.*slip +50\.2 N/);
    await page.locator('.toggle', { hasText: 'lens' }).locator('input').uncheck();
    assert.ok(await page.locator('.lens').isHidden());
  }));
});
