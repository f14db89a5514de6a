// Small pictures of examples for the gallery of the documentation: the mechanism alone, some tenths into its run.
//   node viewer/tools/thumbnails.mjs FREEPLAY EXAMPLES WORK OUT [NAME...]     runs the examples into WORK, writes OUT/NAME.png
import { mkdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openBrowser } from '../tests/browser.mjs';
import { openPage, ready, settled } from '../tests/open_page.mjs';
import { examplePages } from './example_pages.mjs';

const SIZE = { width: 300, height: 190 };
const INTO_THE_RUN = 0.37;
const SCENE_ALONE = `.top, .tabs, .transport, .timeline, .edge, .scene-controls, .insets, .caption, .compass, .scale-bar, .force-key, .labels { display: none !important; }
  .left { flex: 1 0 100% !important; }`;

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
    await page.evaluate((part) => { const v = window.freeplayViewer; v.setTime(v.first + part * (v.last - v.first)); }, INTO_THE_RUN);
    await settled(page);
    await page.keyboard.press('f');
    await settled(page);
    const picture = join(out, `${basename(file, '.html')}.png`);
    await page.screenshot({ path: picture });
    console.log(`${picture}: ${statSync(picture).size} bytes`);
    await close();
  }
} finally {
  await browser.close();
}
