// A study by the command itself: its page in a browser, a run that is made by a click, and the command that the page shows.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openBrowser } from './browser.mjs';
import { openPage, ready } from './open_page.mjs';

const { FREEPLAY_COMMAND: freeplay, FREEPLAY_STUDY_MODEL: model } = process.env;
let browser, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'freeplay-study-'));
  const { status, stderr } = spawnSync(freeplay, ['sweep', model, '--over', 'c=0.2mm:1mm:5', '--measure', 'peak=max(abs(guide.force_y))', '--out', 'study', '--quiet'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a real study', () => {
  it('is a page whose command gives the run that was clicked', async () => {
    assert.equal(spawnSync(freeplay, ['view', 'study'], { cwd: folder }).status, 0);
    const { page, complaints, close } = await openPage(browser, join(folder, 'study', 'view.html'));
    await ready(page);
    await page.evaluate(() => window.freeplayViewer.choose(3));
    const peak = await page.$$eval('.run-card td', (cells) => cells.map((cell) => cell.textContent)[1]);
    const commands = await page.$$eval('.command code', (nodes) => nodes.map((node) => node.textContent));
    // As it stands there, by a shell; `run` needs the model where it is, and the measure.
    assert.equal(commands[0], 'freeplay view study --run 3');
    const run = spawnSync('/bin/sh', ['-c', `${commands[1].replace('freeplay run slider_crank.yaml', `'${freeplay}' run '${model}'`)} --set 'measure.peak=max(abs(guide.force_y))' --json --quiet`], { cwd: folder, encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const measured = JSON.parse(run.stdout).measures.peak;
    assert.equal(`${Number((measured / 1e3).toPrecision(6))} kN`, peak);
    assert.deepEqual(complaints, []);
    await close();
  });
  it('has a waterfall where one was asked for, of all its runs', async () => {
    const { status, stderr } = spawnSync(freeplay, ['view', 'study', '--waterfall', 'crank.omega', '--waterfall', 'guide.force_y', '-o', 'fall.html'], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const { page, complaints, close } = await openPage(browser, join(folder, 'fall.html'));
    await ready(page);
    assert.equal(await page.evaluate(() => window.freeplayViewer.choice.kind), 'waterfall');
    assert.deepEqual(await page.$$eval('select[aria-label="of"] option', (list) => list.map((option) => option.value)), ['crank.omega', 'guide.force_y']);
    assert.match(await page.textContent('.study-note'), /amplitudes of crank.omega/);
    assert.deepEqual(complaints, []);
    await close();
  });
  it('is served, and a click makes the run and opens it', async () => {
    const server = spawn(freeplay, ['view', 'study', '--serve'], { cwd: folder });
    try {
      const address = await new Promise((found) => { server.stdout.on('data', (text) => { const match = /http:\/\/localhost:\d+\//.exec(String(text)); if (match) found(match[0]); }); });
      const { page, complaints, close } = await openPage(browser, address);
      await ready(page);
      await page.evaluate(() => window.freeplayViewer.choose(2));
      await page.click('text=open this run');
      await page.waitForURL(/run\/2\/$/, { timeout: 60000 });
      await ready(page);
      assert.ok(await page.evaluate(() => window.freeplayViewer.bodies.includes('slider')));
      assert.deepEqual(complaints, []);
      await close();
    } finally {
      server.kill('SIGINT');
    }
  });
});
