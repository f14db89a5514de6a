// What everybody needs: text that can be read, a page that the keyboard alone can use, nothing that jumps under the mouse, small screens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faintTexts, shiftsUnderMouse, walkByKeyboard } from './access_checks.mjs';
import { settled } from './open_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { withPage } = syntheticPages();
const FULL = { spring: true, stops: { lower: -0.4, upper: 1 }, totalRows: 5000, losses: { impact_loss: 0.1 }, drift: 0.02, crowd: 14 };
const tabs = (page) => page.$$eval('[data-tab]', (list) => list.map((node) => node.dataset.tab));

describe('every text has enough contrast', () => {
  for (const colorScheme of ['light', 'dark']) {
    it(colorScheme, () => withPage(FULL, async (page) => {
      for (const [time, names] of [[0.4, ['curves']], [0.7, await tabs(page)]]) {
        await page.evaluate((t) => window.freeplayViewer.setTime(t), time);
        for (const name of names) {
          await tab(page, name);
          await settled(page);
          assert.deepEqual(await faintTexts(page), [], `panel ${name}, ${time} s`);
        }
      }
      await page.keyboard.press('?');
      assert.deepEqual(await faintTexts(page), [], 'help');
    }, { colorScheme }));
  }
});

// Lines and marks: WCAG asks for 3 against what is beside them.
describe('marks of contacts have enough contrast', () => {
  for (const colorScheme of ['light', 'dark']) {
    it(colorScheme, () => withPage({}, async (page) => {
      const low = await page.evaluate(() => {
        const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
        const light = (hex) => {
          const [r, g, b] = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        return ['--slip', '--stick', '--contact', '--impact', '--accent'].map((name) => [name, contrast(value(name), value('--card'))]).filter(([, c]) => c < 3);
      });
      assert.deepEqual(low, []);
    }, { colorScheme }));
  }
});

describe('the keyboard', () => {
  it('reaches everything that can be used, and one sees where it is', () => withPage(FULL, async (page) => {
    const { missed, unseen, reached } = await walkByKeyboard(page);
    assert.deepEqual(missed, []);
    assert.deepEqual(unseen, []);
    assert.ok(reached > 25, `${reached} places`);
  }));
  it('uses what it has reached: switches, sliders, buttons, edges, the list of impacts', () => withPage({ hold: [2, 3] }, async (page) => {
    const focus = async (selector) => { await page.keyboard.press('Tab'); await page.focus(selector); };
    const isOn = () => page.$eval('.toggles input', (box) => box.checked);
    await focus('.toggles input');
    const before = await isOn();
    await page.keyboard.press(' ');
    assert.equal(await isOn(), !before);
    assert.equal(await page.evaluate(() => window.freeplayViewer.playing), false);
    await focus('#clearance');
    const M = await page.evaluate(() => window.freeplayViewer.magnification);
    for (let i = 0; i < 5; ++i) await page.keyboard.press('ArrowLeft');
    assert.ok(await page.evaluate(() => window.freeplayViewer.magnification) < M);
    await focus('.edge.vertical');
    const width = () => page.$eval('.left', (node) => node.getBoundingClientRect().width);
    const wide = await width();
    await page.keyboard.press('ArrowLeft');
    assert.ok(await width() < wide - 5);
    await focus('[data-tab=impacts]');
    await page.keyboard.press('Enter');
    await focus('.impact-list');
    await page.keyboard.press('ArrowDown');
    const first = await page.evaluate(() => window.freeplayViewer.time);
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await page.evaluate(() => window.freeplayViewer.time), first);
  }));
  it('still plays by the space bar after a click', () => withPage({}, async (page) => {
    await page.click('.toggles input');
    await page.keyboard.press(' ');
    assert.equal(await page.evaluate(() => window.freeplayViewer.playing), true);
  }));
});

describe('under the mouse', () => {
  it('nothing shifts', () => withPage(FULL, async (page) => {
    for (const name of ['curves', 'impacts', 'summary']) {
      await tab(page, name);
      assert.deepEqual(await shiftsUnderMouse(page, 'button, select, .u-over, .impact-row, .lens, .strips, .tile'), [], `panel ${name}`);
    }
  }));
});

describe('small screens', () => {
  for (const [width, height] of [[1280, 720], [1024, 768], [390, 844]]) {
    it(`${width} by ${height}: title, tabs, controls and help fit`, () => withPage({ title: 'Slider-crank with a clearance joint', totalRows: 5000 }, async (page) => {
      const wide = await page.evaluate(() => [...document.querySelectorAll('.top > *, .tabs nav, .transport > *, .legend > *')].filter((node) => node.checkVisibility())
        .filter((node) => { const box = node.getBoundingClientRect(); return box.right > innerWidth + 0.5 || box.left < -0.5; }).map((node) => node.outerHTML.slice(0, 80)));
      assert.deepEqual(wide, []);
      assert.ok(await page.$eval('.top h1', (node) => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 3), 'the title is cut');
      assert.equal(await page.$$eval('.tabs nav button', (list) => new Set(list.map((node) => Math.round(node.getBoundingClientRect().top))).size), 1, 'rows of tabs');
      // One row that scrolls where it is too long, and shows by fading that there are more.
      const bar = () => page.$eval('.tabs nav', (nav) => ({ more: [nav.classList.contains('before'), nav.classList.contains('after')], shown: [...nav.children].map((node) => {
        const box = node.getBoundingClientRect(), frame = nav.getBoundingClientRect();
        return box.left >= frame.left - 0.5 && box.right <= frame.right + 0.5;
      }) }));
      const { more, shown } = await bar();
      assert.deepEqual(more, [false, shown.includes(false)]);
      await page.$eval('.tabs nav button:last-child', (node) => node.click());
      await settled(page);
      await settled(page);
      const atEnd = await bar();
      assert.deepEqual(atEnd.more, [shown.includes(false), false]);
      assert.ok(atEnd.shown.at(-1), 'the chosen tab is in sight');
      assert.ok(await page.$$eval('.lens figcaption b', (list) => list.every((node) => node.scrollWidth <= node.parentElement.clientWidth)), 'names of lenses');
      await page.keyboard.press('?');
      const box = await page.$eval('.help-box', (node) => { const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top, bottom, cut: node.scrollWidth > node.clientWidth }; });
      assert.ok(box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height && !box.cut, JSON.stringify(box));
    }, { viewport: { width, height } }));
  }
});
