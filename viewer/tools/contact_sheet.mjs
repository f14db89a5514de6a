// Contact sheets of pages: every page at three sizes, light and dark, some tenths into its run, as tiles of a few pictures.
//   node viewer/tools/contact_sheet.mjs WORK PAGE.html...     writes WORK/sheet_SIZE_THEME.png and one picture per page
//   node viewer/tools/contact_sheet.mjs WORK --examples FREEPLAY FOLDER [EXAMPLE...]   makes the pages first (`./dev pages`)
// SHEETS="wide_light phone_dark" makes only these of the six.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../tests/browser.mjs';
import { openPage, ready, settled } from '../tests/open_page.mjs';
import { examplePages } from './example_pages.mjs';

const SIZES = { wide: { width: 1500, height: 950 }, laptop: { width: 1280, height: 720 }, phone: { width: 390, height: 844 } };
const looks = (process.env.SHEETS?.split(' ') ?? Object.keys(SIZES).flatMap((size) => ['light', 'dark'].map((theme) => `${size}_${theme}`)))
  .map((name) => { const [size, colorScheme] = name.split('_'); return { name, size, colorScheme }; });
const TILE = { wide: 500, laptop: 500, phone: 200 };
const ACROSS = { wide: 4, laptop: 4, phone: 9 };
const INTO_THE_RUN = 0.37;

const [work, ...rest] = process.argv.slice(2);
const isMade = rest[0] === '--examples';   // of a folder, by the command
if (rest.length < (isMade ? 3 : 1)) {
  console.error('usage: contact_sheet.mjs WORK PAGE...\n       contact_sheet.mjs WORK --examples FREEPLAY FOLDER [EXAMPLE...]');
  process.exit(2);
}
const pages = isMade ? await examplePages(rest[1], rest[2], join(work, 'pages'), rest.slice(3)) : rest;
mkdirSync(work, { recursive: true });
const pictureOf = (file, look) => join(work, `${basename(file, '.html')}_${look.name}.png`);

// All looks of a page, which is opened once: a machine without a screen card takes seconds to open one.
async function photograph(browser, file) {
  let { size: shown } = looks[0];
  const { page, complaints, close } = await openPage(browser, file, { viewport: SIZES[shown], colorScheme: looks[0].colorScheme });
  try {
    await ready(page);
    await page.evaluate((part) => { const v = window.freeplayViewer; v.setTime?.(v.first + part * (v.last - v.first)); }, INTO_THE_RUN);
    for (const look of looks) {
      await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
      if (look.size !== shown) {
        await page.setViewportSize(SIZES[shown = look.size]);
        await settled(page);
        await page.keyboard.press('f');   // the camera fits the mechanism as where the page is opened at this size
      }
      await settled(page);
      await page.screenshot({ path: pictureOf(file, look), timeout: 180000 });   // a busy machine without a screen card takes long
    }
  } finally {
    await close();
  }
  for (const complaint of complaints) console.error(`${basename(file)}: ${complaint}`);
}

const escaped = (text) => text.replace(/[&<"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '"': '&quot;' })[c]);

async function sheet(browser, pictures, size, path) {
  const context = await browser.newContext({ viewport: { width: ACROSS[size] * (TILE[size] + 10) + 10, height: 400 } });
  const page = await context.newPage();
  const list = join(work, 'sheet.html');
  writeFileSync(list, `<!doctype html><body style="margin:5px;display:flex;flex-wrap:wrap;font:13px sans-serif">${pictures.map(({ name, picture }) =>
    `<figure style="margin:5px;width:${TILE[size]}px"><img src="${escaped(basename(picture))}" style="width:100%;border:1px solid #999"><figcaption>${escaped(name)}</figcaption></figure>`).join('')}`);
  await page.goto(pathToFileURL(list).href);
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  await page.screenshot({ path, fullPage: true, timeout: 180000 });
  await context.close();
}

const browser = await openBrowser();
try {
  for (const file of pages) await photograph(browser, file);
  for (const look of looks) {
    const path = join(work, `sheet_${look.name}.png`);
    await sheet(browser, pages.map((file) => ({ name: basename(file, '.html'), picture: pictureOf(file, look) })), look.size, path);
    console.log(path);
  }
} finally {
  await browser.close();
}
