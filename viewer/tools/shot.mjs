// Takes a picture of a page: node tools/shot.mjs PAGE PICTURE.png [--dark] [--tab NAME] [--time T] [--clearance M] [--size WxH]
import { parseArgs } from 'node:util';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../tests/browser.mjs';

const { values, positionals: [page, picture] } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: 'boolean' }, tab: { type: 'string' }, time: { type: 'string' }, clearance: { type: 'string' }, size: { type: 'string', default: '1400x820' }, key: { type: 'string' } },
});
const [width, height] = values.size.split('x').map(Number);
const browser = await openBrowser();
const tab = await browser.newPage({ viewport: { width, height }, colorScheme: values.dark ? 'dark' : 'light' });
tab.on('console', (message) => console.log(message.type(), message.text()));
tab.on('pageerror', (error) => console.log('error', error.message));
const start = Date.now();
await tab.goto(pathToFileURL(page).href);
await tab.evaluate(() => window.freeplayViewer.ready);
console.log(`${page}: first frame after ${Date.now() - start} ms`);
if (values.tab) await tab.click(`[data-tab="${values.tab}"]`);
if (values.clearance) await tab.evaluate((M) => window.freeplayViewer.setMagnification(M), Number(values.clearance));
if (values.time) await tab.evaluate((t) => window.freeplayViewer.setTime(t), Number(values.time));
if (values.key) await tab.keyboard.press(values.key);
await tab.waitForTimeout(400);
await tab.screenshot({ path: picture });
await browser.close();
