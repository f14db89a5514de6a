// node tests/run.mjs FREEPLAY EXAMPLES WORK: runs every example (long ones shortened), makes its page by `freeplay view`
// and tests the pages and the synthetic ones in a browser, the speed of the slider-crank's first.
// With names after WORK only those examples.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [freeplay, examples, work, ...only] = process.argv.slice(2);
if (!work) {
  console.error('usage: node tests/run.mjs FREEPLAY EXAMPLES WORK [EXAMPLE...]');
  process.exit(2);
}
// What takes more than a few seconds is shortened: the page is tested, not the physics.
const SHORTER = { belt_drive: ['--set', 'simulate.duration=5 ms'], roller_chain: ['--set', 'simulate.duration=5 ms'], spheres_in_box: ['--set', 'N=20', '--set', 'simulate.duration=0.2 s'] };

function command(...args) {
  const { status, stdout, stderr } = spawnSync(freeplay, args, { encoding: 'utf8' });
  if (status !== 0) {
    console.error(`${basename(freeplay)} ${args.join(' ')}: exit status ${status}\n${stdout}${stderr}`);
    process.exit(1);
  }
}

const pages = [];
for (const file of readdirSync(examples).filter((name) => name.endsWith('.yaml')).sort()) {
  const name = basename(file, '.yaml');
  if (only.length > 0 && !only.includes(name)) continue;
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  command('run', join(examples, file), '--out', folder, ...(SHORTER[name] ?? []));
  const page = join(folder, `${name}.html`);
  command('view', join(folder, 'result.h5'), '-o', page);
  pages.push(page);
}

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
good = run(['page.test.mjs', 'examples.test.mjs'], { FREEPLAY_VIEWER_PAGES: pages.join('\n') }) && good;
process.exit(good ? 0 : 1);
