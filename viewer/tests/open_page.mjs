// Opens a page and collects what the browser complains about. Unless a test asks for motion the page waits for play: what is
// looked at must not run away.
import { pathToFileURL } from 'node:url';

export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1000, height: 640 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) complaints.push(message.text()); });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  // How long a page takes is measured by speed.test.mjs, alone; here a busy machine may take its time.
  await page.goto(address.includes('://') ? address : pathToFileURL(address).href, { timeout: 180000 });
  return { page, complaints, close: () => context.close() };
}
export const ready = (page) => page.evaluate(() => window.freeplayViewer.ready);
// Two frames: what was asked for is on the screen.
export const settled = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));
