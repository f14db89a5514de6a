// Small pictures of examples for the gallery of the documentation: the mechanism alone, some tenths into its run.
//   node viewer/tools/thumbnails.mjs FREEPLAY EXAMPLES WORK OUT [NAME...]     runs the examples into WORK, writes OUT/NAME.png
import { mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openBrowser } from '../tests/browser.mjs';
import { openPage, ready, settled } from '../tests/open_page.mjs';
import { examplePages } from './example_pages.mjs';

const SIZE = { width: 300, height: 190 };
const INTO_THE_RUN = 0.37;
// Of small parts on a long way: how far into the run, and by how many steps of the wheel the picture comes nearer to which body.
const NEARER = { conveyor: { part: INTO_THE_RUN, body: 'part', steps: 4 } };
const SCENE_ALONE = `.top, .tabs, .transport, .timeline, .edge, .scene-controls, .insets, .caption, .compass, .scale-bar, .force-key, .labels { display: none !important; }
  .left { flex: 1 0 100% !important; }`;

// The wheel over the canvas zooms towards the place under it.
async function approach(page, body, steps) {
  const { left, top, width, height } = await page.$eval('canvas', (canvas) => { const { left, top, width, height } = canvas.getBoundingClientRect(); return { left, top, width, height }; });
  const [x, y] = await page.evaluate((name) => window.freeplayViewer.onScreen(window.freeplayViewer.bodyPosition(name)), body);
  await page.mouse.move(left + ((x + 1) / 2) * width, top + ((1 - y) / 2) * height);
  for (let i = 0; i < steps; ++i) {
    await page.mouse.wheel(0, -100);
    await settled(page);
  }
}

const [freeplay, examples, work, out, ...only] = process.argv.slice(2);
if (!out) {
  console.error('usage: thumbnails.mjs FREEPLAY EXAMPLES WORK OUT [NAME...]');
  process.exit(2);
}
const pages = await examplePages(freeplay, examples, work, only);
mkdirSync(out, { recursive: true });
const browser = await openBrowser();
try {
  for (const file of pages) {
    const { page, close } = await openPage(browser, file, { viewport: SIZE, colorScheme: 'light' });
    await ready(page);
    await page.addStyleTag({ content: SCENE_ALONE });
    const name = basename(file, '.html'), { part, body, steps } = NEARER[name] ?? { part: INTO_THE_RUN, body: '', steps: 0 };
    await page.evaluate((into) => { const v = window.freeplayViewer; v.setTime(v.first + into * (v.last - v.first)); }, part);
    await settled(page);
    await page.keyboard.press('f');
    await settled(page);
    if (steps > 0) await approach(page, body, steps);
    const picture = join(out, `${name}.png`);
    await page.screenshot({ path: picture });
    console.log(`${picture}: ${statSync(picture).size} bytes`);
    await close();
  }
} finally {
  await browser.close();
}
