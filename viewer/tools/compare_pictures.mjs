// The pictures of a comparison's page for the documentation: its beginning, and its curves with the growth of the perturbed twin.
//   node viewer/tools/compare_pictures.mjs COMPARE.html docs/images/compare_slider_crank.png docs/images/compare_curves.png
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBrowser } from '../tests/browser.mjs';

const [file, beginning, curves] = process.argv.slice(2);
if (!curves) {
  console.error('usage: compare_pictures.mjs COMPARE.html BEGINNING.png CURVES.png');
  process.exit(2);
}
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1120, height: 1060 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForSelector('canvas');
  await page.waitForTimeout(1000);   // all charts are alive
  await page.screenshot({ path: beginning });
  // Of the sections only those two stay.
  await page.evaluate(() => {
    const isShown = (heading) => ['Curves', 'How far ahead the run can be predicted'].includes(heading.textContent.trim());
    let shown = false;
    for (const node of [...document.querySelector('h2').parentElement.children]) {
      if (node.tagName === 'H2') shown = isShown(node);
      if (!shown) node.remove();
    }
  });
  await page.setViewportSize({ width: 1120, height: await page.evaluate(() => document.documentElement.scrollHeight) });
  await page.waitForTimeout(500);
  await page.screenshot({ path: curves, fullPage: true });
} finally {
  await browser.close();
}
