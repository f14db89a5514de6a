// A picture of a page, at the magnification that it opens with or at another: node viewer/tools/screenshot.mjs PAGE PNG [TIME_S] [MAGNIFICATION] [light|dark] [PANEL] [DEFORMATION]
import { openBrowser } from '../tests/browser.mjs';
import { openPage, ready } from '../tests/open_page.mjs';

const [file, picture, time = '0', magnification = '', colorScheme = 'light', panel = '', deformation = '1'] = process.argv.slice(2);
if (!picture || !['light', 'dark'].includes(colorScheme)) {
  console.error('usage: screenshot.mjs PAGE PNG [TIME_S] [MAGNIFICATION] [light|dark] [PANEL] [DEFORMATION]');
  process.exit(2);
}
const browser = await openBrowser();
try {
  const { page, complaints } = await openPage(browser, file, { viewport: { width: 1280, height: 760 }, colorScheme });
  await ready(page);
  await page.evaluate(([t, m, d]) => {
    if (!window.freeplayViewer.setTime) return;   // a study
    window.freeplayViewer.setTime(Number(t));
    if (m) window.freeplayViewer.setMagnification(Number(m));
    window.freeplayViewer.setDeformation(Number(d));
  }, [time, magnification, deformation]);
  if (panel) await page.click(`[data-tab="${panel}"]`, { timeout: 5000 });
  await page.waitForTimeout(1000);  // the curves are drawn after the scene
  await page.screenshot({ path: picture });
  for (const complaint of complaints) console.error(complaint);
} finally {
  await browser.close();
}
