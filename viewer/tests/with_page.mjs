// Synthetic pages in a browser, for test files: `const { withPage } = syntheticPages()` at their top.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openBrowser } from './browser.mjs';
import { openPage, ready } from './open_page.mjs';
import { writeSyntheticPage, writeSyntheticPair } from './synthetic_page.mjs';

export function syntheticPages() {
  const shared = {};
  before(async () => {
    shared.folder = mkdtempSync(join(tmpdir(), 'freeplay-viewer-'));
    shared.browser = await openBrowser();
  });
  after(async () => {
    await shared.browser?.close();
    rmSync(shared.folder, { recursive: true, force: true });
  });
  // `second` and `names` in the options make a page of two runs. A page that the browser complains about fails.
  async function withPage(options, action, browserOptions) {
    const file = join(shared.folder, 'page.html');
    if (options.second) writeSyntheticPair(file, options, options.second, options.names);
    else writeSyntheticPage(file, options);
    const { page, complaints, close } = await openPage(shared.browser, file, browserOptions);
    try {
      await ready(page);
      await action(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  }
  return { shared, withPage };
}
export const tab = (page, name) => page.click(`[data-tab="${name}"]`);
