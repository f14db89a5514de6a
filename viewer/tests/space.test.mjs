// What a spatial scene shows beside its parts: shadows, how a ball turns, the axes of the world and gravity; and crowds of bodies.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RADIUS, writeCrowdPage } from './crowd_page.mjs';
import { settled } from './open_page.mjs';
import { browserPages } from './with_page.mjs';

const { withWritten } = browserPages();
const withCrowd = (options, action, browserOptions) => withWritten('crowd.html', (file) => writeCrowdPage(file, options), action, browserOptions);
const at = (page, t) => page.evaluate((time) => window.freeplayViewer.setTime(time), t).then(() => settled(page));
const bright = ([r, g, b]) => 0.3 * r + 0.6 * g + 0.1 * b;
const colorAt = (page, p) => page.evaluate((place) => window.freeplayViewer.colorAt(place), p);

// The sun stands at (0.6, -1.2, 3) from what is lit where gravity is -z (scene/daylight.ts).
const shadowOf = (height) => [-0.6 / 3 * height, (1.2 / 3) * height, 0];

for (const theme of ['light', 'dark']) {
  describe(`a ball above a floor, ${theme}`, () => {
    it('throws a shadow where the sun puts it, and none where it is not', () => withCrowd({ rise: 0.3 }, async (page) => {
      await at(page, 1);
      const shade = await colorAt(page, shadowOf(RADIUS + 0.3));
      await at(page, 0);   // the ball lies on the floor: its shadow is elsewhere
      const lit = await colorAt(page, shadowOf(RADIUS + 0.3));
      assert.ok(bright(shade) < 0.9 * bright(lit), `the floor has ${shade} in the shadow and ${lit} without it`);
    }, { colorScheme: theme }));
  });
}

describe('a ball between a floor and a wall', () => {
  // The ray from the ball's centre, 0.25 m high, against the sun meets the plane of the wall after k = 0.1, 50 mm below the floor.
  it('throws no shadow through the floor', () => withCrowd({ rise: 0.2, wall: -0.06 }, async (page) => {
    const below = [-0.06, 0.12, RADIUS + 0.2 - 0.3], seen = [];
    for (const t of [1, 0]) {
      await at(page, t);
      const [x, y] = await page.evaluate((place) => window.freeplayViewer.onScreen(place), below);
      assert.ok(Math.abs(x) < 1 && Math.abs(y) < 1, `${[x, y]} is not in the picture`);
      seen.push(bright(await colorAt(page, below)));
    }
    assert.ok(Math.abs(seen[0] - seen[1]) < 3, `${seen[0]} below the floor where the shadow would be, ${seen[1]} without the ball above`);
  }));
});

describe('the grid of a floor', () => {
  // A wall behind the ball cuts the floor; the floor of a ball that flies far reaches a hundred times farther than the picture.
  for (const [which, options] of [['below a ball', {}], ['that ends at a wall', { wall: -0.06 }], ['below a ball that flies far', { rise: 20 }]]) {
    it(`has lines between the ball and the camera: ${which}`, () => withCrowd(options, async (page) => {
      // Rows of the picture below the ball: a line is darker or brighter than what is a few pixels beside it.
      const crossed = await page.evaluate(() => {
        const canvas = document.querySelector('.scene canvas'), { width, height } = canvas, copy = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true });
        window.freeplayViewer.onScreen([0, 0, 0]);   // draws; the picture can be copied until the task ends
        copy.drawImage(canvas, 0, 0);
        return [0.9, 0.94, 0.98].map((part) => {
          const { data } = copy.getImageData(0, Math.floor(part * height), width, 1), bright = (x) => (data[4 * x] + data[4 * x + 1] + data[4 * x + 2]) / 3;
          let lines = 0;
          for (let x = 6; x < width - 6; ++x) {
            if (Math.abs(bright(x) - bright(x - 6)) > 4 && Math.abs(bright(x) - bright(x + 6)) > 4 && Math.abs(bright(x - 6) - bright(x + 6)) < 2) { ++lines; x += 6; }
          }
          return lines;
        });
      });
      assert.ok(crossed.every((lines) => lines >= 2), `${crossed} lines in the rows`);
    }));
  }
});

describe('a ball that turns on its place', () => {
  // Its fields are octants: seen from the side between +x and +z the shade changes with a quarter of a turn about x, and comes back with a half.
  it('changes its shade by quarters of a turn', () => withCrowd({}, async (page) => {
    await page.click('.views >> text=z');
    await settled(page);
    const place = [RADIUS * 0.4, RADIUS * 0.4, RADIUS + RADIUS * 0.8], shades = [];
    for (const t of [0, 0.25, 0.5]) {
      await at(page, t);
      shades.push(bright(await colorAt(page, place)));
    }
    assert.ok(Math.abs(shades[0] - shades[1]) > 15, `shades ${shades}`);
    assert.ok(Math.abs(shades[0] - shades[2]) < 3, `shades ${shades}`);
  }));
});

describe('the axes of the world', () => {
  const painted = (page) => page.evaluate(() => {
    const canvas = document.querySelector('.compass'), { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height), sides = [0, 0];
    for (let i = 3; i < data.length; i += 4) if (data[i] > 0) ++sides[((i >> 2) % width) < 0.4 * width ? 0 : 1];
    const box = canvas.getBoundingClientRect(), scene = canvas.parentElement.getBoundingClientRect();
    return { gravity: sides[0], axes: sides[1], right: scene.right - box.right, bottom: scene.bottom - box.bottom };
  });
  it('are drawn in the lower right corner, with gravity', () => withCrowd({}, async (page) => {
    const { gravity, axes, right, bottom } = await painted(page);
    assert.ok(gravity > 40 && axes > 100, `${gravity} and ${axes} pixels`);
    assert.ok(right < 12 && bottom < 12);
  }));
  it('stand without gravity where there is none', () => withCrowd({ gravity: [0, 0, 0] }, async (page) => {
    const { gravity, axes } = await painted(page);
    assert.equal(gravity, 0);
    assert.ok(axes > 100);
  }));
});

for (const planar of [false, true]) {
  describe(`${planar ? 'discs' : 'balls'} that are many`, () => {
    it('are drawn as a crowd: where they are, and turning', () => withCrowd({ count: 121, planar }, async (page) => {
      const drawn = await page.evaluate(() => window.freeplayViewer.pixels());
      assert.ok(drawn.other > 0.05 * drawn.width * drawn.height, `${drawn.other} of ${drawn.width * drawn.height} pixels`);
      if (!planar) return;
      // Each has a spoke from its middle to its rim, which turns with it.
      const spoke = async (t) => { await at(page, t); return bright(await colorAt(page, [0.6 * RADIUS, 0, 0])); };
      const [before_, later] = [await spoke(0), await spoke(0.25)];
      assert.ok(before_ < later - 10, `${before_} on the spoke, ${later} beside it`);
    }));
  });
}

describe('the camera', () => {
  // Over the middle of the canvas unless a place says where.
  const zoom = async (page, steps, place = null) => {
    const { left, top, width, height } = await page.$eval('canvas', (canvas) => { const { left, top, width, height } = canvas.getBoundingClientRect(); return { left, top, width, height }; });
    const [x, y] = place ? await page.evaluate((p) => window.freeplayViewer.onScreen(p), place) : [0, 0];
    await page.mouse.move(left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height);
    for (let i = 0; i < steps; ++i) await page.mouse.wheel(0, -200);
    await settled(page);
  };
  const inside = (page) => page.evaluate(() => window.freeplayViewer.cameraInside);
  it('knows whether it is inside of a part', () => withCrowd({}, async (page) => {
    assert.deepEqual(await page.evaluate((z) => window.freeplayViewer.isInside([[0, 0, z], [0, 0, 3 * z], [0.9 * z, 0, z], [1.1 * z, 0, z]]), RADIUS), [true, false, true, false]);
  }));
  for (const count of [1, 9, 400]) {
    it(`stays outside of ${count} balls, from each side and however near one zooms`, () => withCrowd({ count }, async (page) => {
      for (const view of ['3d', 'x', 'y', 'z']) {
        await page.click(`.views >> text="${view}"`);
        await settled(page);
        assert.equal(await inside(page), false, `fit ${view}`);
        await zoom(page, 30, [0, 0, RADIUS]);
        assert.equal(await inside(page), false, `zoomed, ${view}`);
        await page.click('.views >> text="fit"');
        await settled(page);
        assert.equal(await inside(page), false, `fit again after ${view}`);
      }
    }));
  }
  it('stays outside of a ball that it follows', () => withCrowd({ rise: 1 }, async (page) => {
    await page.selectOption('select[aria-label="follow a body"]', '1');
    await zoom(page, 30, [0, 0, RADIUS]);
    for (const t of [0.2, 0.7, 1, 0]) {
      await at(page, t);
      await zoom(page, 3);
      assert.equal(await inside(page), false, `at ${t} s`);
    }
  }));
});
