// Pages in a browser, for test files: `const { withFile } = browserPages()` or `const { withPage } = syntheticPages()` at their top. One browser and one
// folder per test file; every page has a context of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { openBrowser } from './browser.mjs';
import { openPage, ready } from './open_page.mjs';
import { writeSyntheticPage, writeSyntheticPair } from './synthetic_page.mjs';

export function browserPages() {
  const shared = {};
  before(async () => {
    shared.folder = mkdtempSync(join(tmpdir(), 'freeplay-viewer-'));
    shared.browser = await openBrowser();
  });
  after(async () => {
    await shared.browser?.close();
    rmSync(shared.folder, { recursive: true, force: true });
  });
  // A page of `freeplay view`, by its file or address, when it is ready. One that the browser complains about fails.
  const withFile = (file, action, browserOptions) => withAnyPage(file, async (page) => {
    await ready(page);
    await action(page);
  }, browserOptions);
  async function withAnyPage(file, action, browserOptions) {
    const { page, complaints, close } = await openPage(shared.browser, file, browserOptions);
    try {
      await action(page);
      assert.deepEqual(complaints, []);
    } finally {
      await close();
    }
  }
  // `write` makes a page of the name in the folder of this test file.
  const withWritten = (name, write, action, browserOptions) => {
    const file = join(shared.folder, name);
    write(file);
    return withFile(file, action, browserOptions);
  };
  return { shared, withFile, withAnyPage, withWritten };
}

export function syntheticPages() {
  const { shared, withWritten, ...others } = browserPages();
  // `second` and `names` in the options make a page of two runs.
  const withPage = (options, action, browserOptions) => withWritten('page.html', (file) => {
    if (options.second) writeSyntheticPair(file, options, options.second, options.names);
    else writeSyntheticPage(file, options);
  }, action, browserOptions);
  return { shared, withPage, withWritten, ...others };
}
export const tab = (page, name) => page.click(`[data-tab="${name}"]`);
