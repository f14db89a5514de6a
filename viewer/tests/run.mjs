// node tests/run.mjs FREEPLAY EXAMPLES WORK: runs every example (long ones shortened), makes its page by `freeplay view`
// and tests the pages and the synthetic ones in a browser, the speed of the slider-crank's first.
// With names after WORK only those examples.
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examplePages } from '../tools/example_pages.mjs';

const LANES = 2;              // test files side by side: a page that loads waits for the browser more than it computes
const TIMED = 'slider_crank';

const [freeplay, examples, work, ...only] = process.argv.slice(2);
if (!work) {
  console.error('usage: node tests/run.mjs FREEPLAY EXAMPLES WORK [EXAMPLE...]');
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const synthetic = ['page', 'access', 'study', 'reading', 'space', 'film', 'two_runs', 'chains', 'impacts', 'forces', 'first_glance', 'couplings'];
let good = true;

// What a test file prints comes in one piece, so that files side by side can be read; its last line is how long it took.
async function test(name, environment = {}) {
  const begin = Date.now(), said = [];
  const child = spawn(process.execPath, ['--test', join(here, `${name}.test.mjs`)], { env: { ...process.env, ...environment } });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(text));
  const status = await new Promise((done) => { child.on('close', done); });
  process.stdout.write(`${Buffer.concat(said)}# ${name}.test.mjs took ${((Date.now() - begin) / 1000).toFixed(1)} s\n`);
  if (status !== 0) good = false;
}

// Speed is measured before the others, alone.
let timed;
if (only.length === 0 || only.includes(TIMED)) {
  [timed] = await examplePages(freeplay, examples, work, [TIMED]);
  await test('speed', { FREEPLAY_VIEWER_SPEED_PAGE: timed });
}
// A thousand bodies; with FREEPLAY_VIEWER_CROWDS=1, on a quiet machine, more of them too.
if (only.length === 0 || timed) await test('crowd_speed');

const command = { FREEPLAY_COMMAND: resolve(freeplay) }, model = resolve(examples, `${TIMED}.yaml`);
const tasks = [
  // The pages of the examples, half of them in each lane.
  async () => {
    const others = (await examplePages(freeplay, examples, work, only, timed ? [TIMED] : [])).concat(timed ?? []);
    for (const half of [0, 1]) {
      const pages = others.filter((_, i) => i % 2 === half);
      if (pages.length > 0) tasks.unshift(() => test('examples', { FREEPLAY_VIEWER_PAGES: pages.join('\n') }));
    }
  },
  ...(timed ? [() => test('film_command', { FREEPLAY_COMMAND: freeplay, FREEPLAY_FILM_RESULT: dirname(timed) }), () => test('study_command', { ...command, FREEPLAY_STUDY_MODEL: model })] : []),
  () => test('bearings', { ...command, FREEPLAY_EXAMPLES: resolve(examples) }),
  ...synthetic.map((name) => () => test(name, command)), ...['compare', 'access_others'].map((name) => () => test(name, { ...command, FREEPLAY_COMPARE_MODEL: model })),
];
async function lane() {
  for (let task = tasks.shift(); task; task = tasks.shift()) await task();
}
await Promise.all(Array.from({ length: LANES }, lane));
process.exit(good ? 0 : 1);
