// node tests/run.mjs FREEPLAY EXAMPLES WORK: runs every example (long ones shortened), makes its page by `freeplay view`
// and tests the pages and the synthetic ones in a browser, the speed of the slider-crank's first.
// With names after WORK only those examples.
import { spawnSync } from 'node:child_process';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { examplePages } from '../tools/example_pages.mjs';

const [freeplay, examples, work, ...only] = process.argv.slice(2);
if (!work) {
  console.error('usage: node tests/run.mjs FREEPLAY EXAMPLES WORK [EXAMPLE...]');
  process.exit(2);
}
const pages = examplePages(freeplay, examples, work, only);

const here = dirname(fileURLToPath(import.meta.url));
function run(files, environment) {
  const { status } = spawnSync(process.execPath, ['--test', ...files.map((name) => join(here, name))], {
    stdio: 'inherit', env: { ...process.env, ...environment },
  });
  return status === 0;
}
// Speed is measured before the others, which run side by side.
const timed = pages.find((page) => basename(page) === 'slider_crank.html');
let good = timed === undefined || run(['speed.test.mjs'], { FREEPLAY_VIEWER_SPEED_PAGE: timed });
// Crowds take a software renderer to its limits: by hand, FREEPLAY_VIEWER_CROWDS=1 on a quiet machine.
if (process.env.FREEPLAY_VIEWER_CROWDS === '1') good = run(['crowd_speed.test.mjs'], {}) && good;
good = run(['page.test.mjs', 'space.test.mjs', 'couplings.test.mjs', 'access.test.mjs', 'first_glance.test.mjs', 'two_runs.test.mjs', 'study.test.mjs', 'reading.test.mjs', 'forces.test.mjs', 'impacts.test.mjs', 'film.test.mjs', 'chains.test.mjs', 'compare.test.mjs', 'examples.test.mjs'], { FREEPLAY_VIEWER_PAGES: pages.join('\n'), FREEPLAY_COMMAND: resolve(freeplay), FREEPLAY_COMPARE_MODEL: resolve(examples, 'slider_crank.yaml') }) && good;
if (timed !== undefined) good = run(['study_command.test.mjs'], { FREEPLAY_COMMAND: resolve(freeplay), FREEPLAY_STUDY_MODEL: resolve(examples, 'slider_crank.yaml') }) && good;
if (timed !== undefined) good = run(['film_command.test.mjs'], { FREEPLAY_COMMAND: freeplay, FREEPLAY_FILM_RESULT: dirname(timed) }) && good;
process.exit(good ? 0 : 1);
