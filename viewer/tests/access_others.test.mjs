// Contrast, keyboard and layout shift of the other pages: of a study, of two runs, and of a comparison as the command writes it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { faintTexts, shiftsUnderMouse, walkByKeyboard } from './access_checks.mjs';
import { settled } from './open_page.mjs';
import { BASINS, FALL, GRID, LINE, SAMPLE, writeStudyPage } from './synthetic_study.mjs';
import { syntheticPages, tab } from './with_page.mjs';

const { FREEPLAY_COMMAND: freeplay, FREEPLAY_COMPARE_MODEL: model } = process.env;
const { shared, withPage, withWritten, withAnyPage } = syntheticPages();
const CONTROLS = 'button, select, input, .u-over, tr, .legend > *';

async function isForEverybody(page, { least, name = '' }) {
  await settled(page);
  assert.deepEqual(await faintTexts(page), [], `contrast${name}`);
  assert.deepEqual(await shiftsUnderMouse(page, CONTROLS), [], `layout shift${name}`);
  const { missed, unseen, reached } = await walkByKeyboard(page);
  assert.deepEqual([missed, unseen], [[], []], `keyboard${name}`);
  assert.ok(reached >= least, `${reached} places of the keyboard${name}`);
}

for (const colorScheme of ['light', 'dark']) {
  describe(`for everybody, ${colorScheme}`, () => {
    for (const [kind, options] of Object.entries({ line: LINE, grid: GRID, sample: SAMPLE, fall: FALL, basins: BASINS })) {
      it(`the page of a study, ${kind}`, () => withWritten('study.html', (file) => writeStudyPage(file, options), (page) => isForEverybody(page, { least: 8 }), { colorScheme }));
    }
    it('the page of two runs', () => withPage({ rows: 201, second: { rows: 77, gapScale: 0.25 }, names: ['worn', 'new'] }, async (page) => {
      for (const name of await page.$$eval('[data-tab]', (list) => list.map((node) => node.dataset.tab))) {
        await tab(page, name);
        await settled(page);
        assert.deepEqual(await faintTexts(page), [], `contrast of ${name}`);
      }
      await tab(page, 'curves');
      await isForEverybody(page, { least: 25 });
    }, { colorScheme }));
    it('the page of a comparison', { skip: !model && 'needs FREEPLAY_COMMAND and FREEPLAY_COMPARE_MODEL' }, () => {
      const folder = join(shared.folder, 'compare');
      const { status, stderr } = spawnSync(freeplay, ['compare', model, '--set', 'simulate.duration=12 ms', '--with', 'lemke', '--with', 'moreau-jean', '--out', folder], { encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      return withAnyPage(join(folder, 'compare.html'), async (page) => {
        await page.waitForSelector('.live .uplot');
        await isForEverybody(page, { least: 3 });
      }, { colorScheme });
    });
  });
}

describe('the list of runs', () => {
  it('is one place of the tabulator, in which arrows go from run to run and enter chooses', () => withWritten('study.html', (file) => writeStudyPage(file, GRID), async (page) => {
    assert.equal(await page.locator('tr[data-row][tabindex="0"]').count(), 1);
    await page.focus('tr[data-row][tabindex="0"]');
    const focused = () => page.evaluate(() => Number(document.activeElement.dataset.row));
    const first = await focused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), first + 2);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => window.freeplayViewer.chosen), first + 2);
    await page.keyboard.press('End');
    assert.ok(await focused() > first + 50);
    await page.keyboard.press('Home');
    assert.equal(await focused(), first);
  }));
  it('keeps the focus where it is sorted', () => withWritten('study.html', (file) => writeStudyPage(file, GRID), async (page) => {
    await page.focus('.run-list th:nth-child(2) button');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.closest('th')?.getAttribute('aria-sort')), 'ascending');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.closest('th')?.getAttribute('aria-sort')), 'descending');
  }));
});
