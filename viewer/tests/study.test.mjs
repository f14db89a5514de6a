// The page of a study: its pictures, the run under a click, and what it says of runs that failed.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ready, settled } from './open_page.mjs';
import { pageText, syntheticBlock } from './synthetic_page.mjs';
import { BASINS, FALL, GRID, LINE, logistic, SAMPLE, studyBlock, writeStudyPage } from './synthetic_study.mjs';
import { browserPages } from './with_page.mjs';

const { shared, withFile } = browserPages();
function withStudy(options, action, browserOptions, hash = '') {
  const file = join(shared.folder, 'study.html');
  writeStudyPage(file, options);
  return withFile(hash ? `file://${file}${hash}` : file, async (page) => {
    await settled(page);
    await action(page, file);
  }, browserOptions);
}
const viewer = (page, action, argument) => page.evaluate(action, argument);
async function clickAt(page, x, y) {
  const [px, py] = await viewer(page, ([a, b]) => window.freeplayViewer.place(a, b), [x, y]);
  const box = await page.locator('.study-canvas').boundingBox();
  await page.mouse.click(box.x + px, box.y + py);
  await settled(page);
}
const colors = (page, least = 30) => page.$eval('.study-canvas', (canvas, pixels) => {
  // Of a copy: the browser complains about a canvas of the screen that is read again and again.
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }), context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height), seen = new Map();
  for (let i = 0; i < data.length; i += 4) { const key = data.slice(i, i + 4).join(); seen.set(key, (seen.get(key) ?? 0) + 1); }
  return [...seen.values()].filter((count) => count > pixels).length;
}, least);

describe('a study over one parameter', () => {
  it('is curves, and a click on a point shows its run and the commands for it', () => withStudy(LINE, async (page) => {
    assert.equal(await viewer(page, () => window.freeplayViewer.choice.kind), 'curves');
    await clickAt(page, 6e-4, 700);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 5);
    const card = await page.textContent('.run-card');
    assert.match(card, /Run 5 completed/);
    assert.match(card, /c600 µm/);
    assert.match(card, /peak700 N/);
    assert.match(card, /no warnings/);
    assert.deepEqual(await page.$$eval('.command code', (nodes) => nodes.map((node) => node.textContent)), [
      'freeplay view results/study --run 5', "freeplay run synthetic.yaml --set friction=0.1 --set 'c=0.0006000000000000001 m'"]);
  }));
  it('does not call rows of compiled code free of warnings, but those that the engine has done', () => {
    const study = { ...LINE.header.study, backend: 'compiled' };
    const left = { name: 'left_to_engine', unit: '1', values: LINE.measures[0].values.map((_, row) => (row === 4 ? 1 : 0)) };
    return withStudy({ ...LINE, measures: [...LINE.measures, left], header: { ...LINE.header, study } }, async (page) => {
      await clickAt(page, 6e-4, 700);
      assert.match(await page.textContent('.run-card'), /compiled code, not watched for warnings/);
      await clickAt(page, 5e-4, 600);
      assert.match(await page.textContent('.run-card'), /Run 4.*no warnings/s);
    });
  });
  it('shows a run that failed where its parameter is, with the reason, as text', () => withStudy(LINE, async (page) => {
    assert.match(await page.textContent('.top'), /1 without measures/);
    assert.match(await page.textContent('.study-picture .legend'), /× without a value: 1/);
    const box = await page.locator('.study-canvas').boundingBox(), [px] = await viewer(page, () => window.freeplayViewer.place(4e-4, 200));
    const bottom = await viewer(page, () => { const v = window.freeplayViewer; for (let y = 2000; y > 0; --y) if (v.runAt(v.place(4e-4, 200)[0], y) === 3) return y; return null; });
    await page.mouse.click(box.x + px, box.y + bottom - 3);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 3);
    assert.match(await page.textContent('.run-card .reason'), /<i>no<\/i> solution/);
    assert.equal(await page.locator('.run-card i, .run-list i').count(), 0);
    await page.locator('.only-failed').check();
    assert.equal(await page.locator('tr[data-row]').count(), 1);
  }));
  it('has its state in the address', () => withStudy(LINE, async (page) => {
    assert.deepEqual(await viewer(page, () => [window.freeplayViewer.chosen, window.freeplayViewer.choice.kind, window.freeplayViewer.choice.logY]), [7, 'scatter', true]);
    await viewer(page, () => window.freeplayViewer.choose(2));
    await page.waitForFunction(() => /run=2/.test(window.location.hash));
  }, {}, '#picture=scatter&logy=1&run=7'));
  it('goes from run to run by keys, and sorts the list', () => withStudy(LINE, async (page) => {
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 1);
    const head = page.locator('.run-table th button', { hasText: 'peak' });
    await head.click();
    await page.locator('.run-table th button', { hasText: 'peak' }).click();
    const order = await page.$$eval('tr[data-row]', (rows) => rows.map((row) => Number(row.dataset.row)));
    assert.deepEqual([order[0], order[order.length - 1]], [10, 3], 'the largest first, without a value last');
  }));
  it('zooms by a drag, and shows all by a double click', () => withStudy(LINE, async (page) => {
    const at = (x, y) => viewer(page, ([a, b]) => window.freeplayViewer.place(a, b), [x, y]), box = await page.locator('.study-canvas').boundingBox();
    const before_ = await at(6e-4, 700), a = await at(5e-4, 500), b = await at(8e-4, 1000);
    await page.mouse.move(box.x + a[0], box.y + a[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + b[0], box.y + b[1], { steps: 4 });
    await page.mouse.up();
    assert.notDeepEqual(await at(6e-4, 700), before_);
    await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 20);
    assert.deepEqual(await at(6e-4, 700), before_);
  }));
});

describe('pictures of studies', () => {
  it('of a grid are a map with a cell for each run', () => withStudy(GRID, async (page) => {
    assert.equal(await viewer(page, () => window.freeplayViewer.choice.kind), 'map');
    await clickAt(page, 8e-3, 0.6);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 76);
    await clickAt(page, 6e-3, 0.7);   // a cell that has no value
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 57);
    assert.match(await page.textContent('.run-card'), /refused.*no clearance/s);
    assert.ok(await colors(page) > 30, 'a map has many colours');
  }));
  it('of beginnings are basins: a colour for each motion, and a click chooses the run', () => withStudy(BASINS, async (page) => {
    assert.equal(await viewer(page, () => window.freeplayViewer.choice.kind), 'basins');
    const color = (x, y) => viewer(page, ([a, b]) => {
      const canvas = document.querySelector('.study-canvas'), copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }), context = copy.getContext('2d');
      context.drawImage(canvas, 0, 0);
      const [px, py] = window.freeplayViewer.place(a, b), ratio = canvas.width / canvas.clientWidth;
      return [...context.getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data].join();
    }, [x, y]);
    const above = await color(3, 10), below = await color(15, 5);
    assert.notEqual(above, below);
    for (const [x, y] of [[0, 0], [7, 7], [10, 14]]) assert.equal(await color(x, y), above, `${x}, ${y}`);
    for (const [x, y] of [[8, 7], [19, 15], [4, 1]]) assert.equal(await color(x, y), below, `${x}, ${y}`);
    const { runs } = BASINS.attractors, legend = await page.textContent('.study-picture .legend');
    assert.ok(legend.includes(`period 1: x = 0 (${runs[0]})`) && legend.includes(`period 2: x = <b>1</b> (${runs[1]})`) && legend.includes('× without points of the section: 1'), legend);
    assert.match(await page.textContent('.study-note'), /^2 motions/);
    await clickAt(page, 12, 3);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 195);
    await page.selectOption('[aria-label="across"]', 'v0');
    await settled(page);
    assert.equal(await color(10, 3), above, 'the axes have changed places');
  }));
  it('of a section are a bifurcation diagram by density, whose runs can be chosen', () => withStudy(logistic(), async (page) => {
    assert.equal(await viewer(page, () => window.freeplayViewer.choice.kind), 'diagram');
    const [r, x] = [2.8 + 1.2 * 30 / 99, 0.75];
    await clickAt(page, r, x);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 30);
    assert.match(await page.textContent('.study-note'), /10 000 points of the section, stronger where there are more/);
    assert.ok(await colors(page) > 6);
  }));
  it('of a sample are distributions, scatter and sensitivities', () => withStudy(SAMPLE, async (page) => {
    assert.deepEqual(await viewer(page, () => window.freeplayViewer.kinds), ['curves', 'scatter', 'distribution', 'sensitivity']);
    assert.equal(await page.locator('.share-row').count(), 2);
    assert.match(await page.textContent('.sensitivity'), /c0\.90\.95mu0\.020\.1.*50 blocks.*1 with failed runs/s);
    await page.click('[data-kind="distribution"]');
    await settled(page);
    assert.match(await page.textContent('.study-note'), /mean 748\.8 N ± 144\.7 N, median 749 N/);
    await page.click('[data-kind="scatter"]');
    await clickAt(page, SAMPLE.parameters[0].values[17], SAMPLE.measures[0].values[17]);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 17);
    const plain = await colors(page, 5);
    await page.selectOption('[aria-label="colour"]', 'mu');
    assert.ok(await colors(page, 5) > plain + 10);
  }));
  it('of spectra are a waterfall: bright where the line is, dark elsewhere, and a click chooses the run', () => withStudy(FALL, async (page) => {
    assert.equal(await viewer(page, () => window.freeplayViewer.choice.kind), 'waterfall');
    const brightness = (c, f) => viewer(page, ([x, y]) => {
      const canvas = document.querySelector('.study-canvas'), copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }), context = copy.getContext('2d');
      context.drawImage(canvas, 0, 0);
      const [px, py] = window.freeplayViewer.place(x, y), ratio = canvas.width / canvas.clientWidth, [r, g, b] = context.getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data;
      return 0.3 * r + 0.6 * g + 0.1 * b;
    }, [c, f]);
    for (const i of [0, 5, 10]) {
      const c = 1e-4 * (i + 1), f = 10 * (i + 1);
      assert.ok(await brightness(c, f) > 180, `the line of run ${i}`);
      assert.ok(await brightness(c, f === 60 ? 30 : 60) < 60, `beside the line of run ${i}`);
    }
    await clickAt(page, 6e-4, 40);
    assert.equal(await viewer(page, () => window.freeplayViewer.chosen), 5);
    assert.match(await page.textContent('.study-note'), /slider\.x by powers of ten, Hann window of 500 ms, bands of 2 Hz; 1 runs? without a spectrum/);
  }));
  it('of many points are drawn within a moment, and the page stays below 5 MB', () => withStudy(logistic(400, 500), async (page, file) => {
    assert.ok(statSync(file).size < 5e6, `${statSync(file).size} bytes`);
    const cost = await viewer(page, () => window.freeplayViewer.redraw());
    assert.ok(cost < 400, `${cost} ms for 200 000 points`);
  }));
  it('can be seen in the dark, and on a small screen', async () => {
    for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
      await withStudy(GRID, async (page) => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= viewport.width, `${wide} px at ${viewport.width}`);
        const box = await page.locator('.study-canvas').boundingBox();
        assert.ok(box.width > 250 && box.height > 150, JSON.stringify(box));
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
      }, { viewport, colorScheme: 'dark' });
    }
  });
  it('keep hostile names as text', () => withStudy({
    ...LINE, parameters: [{ ...LINE.parameters[0], name: '<img src=x onerror=alert(1)>' }], measures: [{ ...LINE.measures[0], name: '</script><b>peak' }],
    header: { ...LINE.header, title: '<b>title</b>', folder: "'re sults; rm -rf'", model_file: "a'; rm.yaml" },
  }, async (page) => {
    await viewer(page, () => window.freeplayViewer.choose(1));
    assert.equal(await page.locator('main img, main b:not(.study-tip b), h1 b').count(), 0);
    assert.match((await page.$$eval('.command code', (nodes) => nodes[1].textContent)), /^freeplay run 'a'\\''; rm\.yaml' --set friction=0\.1 --set '<img src=x onerror=alert\(1\)>=0\.0002 m'$/);
  }));
});

describe('a study that is served', () => {
  it('lets the server make a run, says how far it is, and opens it', async () => {
    let asked = 0;
    const server = createServer((request, response) => {
      const send = (type, body) => { response.writeHead(200, { 'Content-Type': type }); response.end(body); };
      if (request.url === '/' || request.url === '/run/4/') send('text/html; charset=utf-8', pageText('serve:'));
      else if (request.url === '/data') send('application/octet-stream', studyBlock(LINE));
      else if (request.url === '/run/4/data') send('application/octet-stream', syntheticBlock({ title: 'run four' }));
      else if (request.url === '/run/4/make') send('application/json', JSON.stringify({ state: ++asked < 3 ? 'running' : 'done', message: '' }));
      else if (request.url === '/run/3/make') send('application/json', JSON.stringify({ state: 'failed', message: 'error: <b>no clearance</b>' }));
      else { response.writeHead(404); response.end(); }
    }).listen(0, '127.0.0.1');
    await new Promise((done) => { server.once('listening', done); });
    try {
      await withFile(`http://127.0.0.1:${server.address().port}/`, async (page) => {
        await viewer(page, () => window.freeplayViewer.choose(3));
        await page.click('text=open this run');
        await page.waitForSelector('.making-failed:not([hidden])');
        assert.equal(await page.textContent('.making-failed'), 'error: <b>no clearance</b>');
        await viewer(page, () => window.freeplayViewer.choose(4));
        await page.click('text=open this run');
        await page.waitForURL(/run\/4\/$/);
        await ready(page);
        assert.match(await page.textContent('h1'), /run four/);
        assert.equal(asked, 3);
      });
    } finally {
      server.close();
    }
  });
});
