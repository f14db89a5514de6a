// A picture of a page: node viewer/tools/screenshot.mjs PAGE PNG [TIME_S] [MAGNIFICATION] [light|dark]
import { chromium } from 'playwright-core';
import { pathToFileURL } from 'node:url';

const [page_file, picture, time = '0', magnification = '1', scheme = 'light'] = process.argv.slice(2);
if (!picture) {
  console.error('usage: screenshot.mjs PAGE PNG [TIME_S] [MAGNIFICATION] [light|dark]');
  process.exit(2);
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await (await browser.newContext({ viewport: { width: 1280, height: 760 }, colorScheme: scheme })).newPage();
await page.goto(pathToFileURL(page_file).href);
await page.evaluate(() => window.freeplayViewer.ready);
await page.evaluate(([t, m]) => {
  window.freeplayViewer.setTime(Number(t));
  window.freeplayViewer.setMagnification(Number(m));
}, [time, magnification]);
await page.waitForTimeout(1000);  // the curves are drawn after the scene
await page.screenshot({ path: picture });
await browser.close();
