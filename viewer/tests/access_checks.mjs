// What tests of access ask of a page: texts that are too faint, places that the tabulator does not reach, what jumps under the mouse.

// Texts whose contrast is below what WCAG 2.1 asks for at level AA: 4.5, and 3 for large ones. A background that one sees through is laid over what is below it.
export const faintTexts = (page) => page.evaluate(() => {
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

// Tabs through the page until a place comes again: what is not reached, where one does not see that one is there, and how many places there are.
export async function walkByKeyboard(page) {
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
  return { missed, unseen: [...new Set(unseen)], reached: reached.size };
}

// Goes with the mouse over what `selector` names, at most 40 places, and returns the layout shifts of that.
export async function shiftsUnderMouse(page, selector) {
  await page.evaluate(() => {
    if (window.shifts) return;
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((entry) => !entry.hadRecentInput).map((entry) => entry.value))).observe({ type: 'layout-shift' });
  });
  await page.waitForTimeout(600);   // what a click moves is wanted, for half a second
  const places = await page.$$eval(selector, (list) => list.filter((node) => node.checkVisibility()).slice(0, 40)
    .map((node) => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }));
  await page.evaluate(() => { window.shifts.length = 0; });
  for (const [x, y] of places) await page.mouse.move(x, y);
  await page.waitForTimeout(100);
  return page.evaluate(() => window.shifts);
}
