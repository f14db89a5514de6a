// What everybody needs: text that can be read, a page that the keyboard alone can use, nothing that jumps under the mouse, small screens.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled } from './open_page.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { withPage } = syntheticPages();
const FULL = { spring: true, stops: { lower: -0.4, upper: 1 }, totalRows: 5000, losses: { impact_loss: 0.1 }, drift: 0.02, crowd: 14 };
const tabs = (page) => page.$$eval('[data-tab]', (list) => list.map((node) => node.dataset.tab));

// Texts whose contrast is below what WCAG 2.1 asks for at level AA: 4.5, and 3 for large ones. A background that one sees through is laid over what is below it.
const faintTexts = (page) => page.evaluate(() => {
  const rgba = (text) => {
    const paper = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
    paper.fillStyle = text;
    paper.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = paper.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((k) => top[k] * top[3] + below[k] * (1 - top[3]));
  const behind = (node) => {
    if (!node) return [255, 255, 255];
    const own = rgba(getComputedStyle(node).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, behind(node.parentElement));
  };
  const light = (color) => {
    const [r, g, b] = color.map((x) => x / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const node of document.querySelectorAll('body *')) {
    const text = [...node.childNodes].filter((child) => child.nodeType === Node.TEXT_NODE).map((child) => child.textContent.trim()).join('');
    if (!text || node.closest('script, style, noscript, option') || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (node.matches(':disabled') || node.querySelector(':disabled')) continue;   // may be faint by the same rules
    const style = getComputedStyle(node), size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (size === 0) continue;
    const below = behind(node), a = light(over(rgba(style.color), below)), b = light(below);
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < (large ? 3 : 4.5)) found.push(`${contrast.toFixed(2)} ${node.tagName.toLowerCase()}.${node.className} '${text.slice(0, 30)}' ${style.color}`);
  }
  return [...new Set(found)];
});

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
    await page.evaluate(() => document.activeElement?.blur());
    const reached = new Set(), unseen = [];
    for (let i = 0; i < 120; ++i) {
      await page.keyboard.press('Tab');
      const { id, seen } = await page.evaluate(() => {
        const node = document.activeElement;
        node.dataset.reached ??= String(document.querySelectorAll('[data-reached]').length + 1);
        const { outlineStyle, outlineWidth } = getComputedStyle(node);
        return { id: node === document.body ? 'body' : node.dataset.reached, seen: node === document.body || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) ? '' : node.outerHTML.slice(0, 80) };
      });
      if (seen) unseen.push(seen);
      if (reached.has(id)) break;
      reached.add(id);
    }
    const missed = await page.evaluate(() => [...document.querySelectorAll('button, select, input, [tabindex]')]
      .filter((node) => !node.disabled && node.tabIndex >= 0 && node.checkVisibility() && !node.dataset.reached).map((node) => node.outerHTML.slice(0, 100)));
    assert.deepEqual(missed, []);
    assert.deepEqual([...new Set(unseen)], []);
    assert.ok(reached.size > 25, `${reached.size} places`);
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
    await page.evaluate(() => {
      window.shifts = [];
      new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((entry) => !entry.hadRecentInput).map((entry) => entry.value))).observe({ type: 'layout-shift' });
    });
    for (const name of ['curves', 'impacts', 'summary']) {
      await tab(page, name);
      await page.waitForTimeout(600);   // what a click moves is wanted, for half a second
      const places = await page.$$eval('button, select, .u-over, .impact-row, .lens, .strips, .tile', (list) => list.filter((node) => node.checkVisibility()).slice(0, 40)
        .map((node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }));
      await page.evaluate(() => { window.shifts.length = 0; });
      for (const [x, y] of places) await page.mouse.move(x, y);
      await page.waitForTimeout(100);
      assert.deepEqual(await page.evaluate(() => window.shifts), [], `panel ${name}`);
    }
  }));
});

describe('small screens', () => {
  for (const [width, height, rows] of [[1280, 720, 1], [1024, 768, 1], [390, 844, 2]]) {
    it(`${width} by ${height}: title, tabs, controls and help fit`, () => withPage({ title: 'Slider-crank with a clearance joint', totalRows: 5000 }, async (page) => {
      const wide = await page.evaluate(() => [...document.querySelectorAll('.top > *, .tabs nav > *, .transport > *, .legend > *')].filter((node) => node.checkVisibility())
        .filter((node) => { const box = node.getBoundingClientRect(); return box.right > innerWidth + 0.5 || box.left < -0.5; }).map((node) => node.outerHTML.slice(0, 80)));
      assert.deepEqual(wide, []);
      assert.ok(await page.$eval('.top h1', (node) => node.scrollWidth <= node.clientWidth + 1 && node.scrollHeight <= node.clientHeight + 3), 'the title is cut');
      assert.ok((await page.$$eval('.tabs nav button', (list) => new Set(list.map((node) => Math.round(node.getBoundingClientRect().top))).size)) <= rows, 'rows of tabs');
      assert.ok(await page.$$eval('.lens figcaption b', (list) => list.every((node) => node.scrollWidth <= node.parentElement.clientWidth)), 'names of lenses');
      await page.keyboard.press('?');
      const box = await page.$eval('.help-box', (node) => { const { left, right, top, bottom } = node.getBoundingClientRect(); return { left, right, top, bottom, cut: node.scrollWidth > node.clientWidth }; });
      assert.ok(box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height && !box.cut, JSON.stringify(box));
    }, { viewport: { width, height } }));
  }
});
