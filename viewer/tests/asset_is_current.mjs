// node tests/asset_is_current.mjs WORK: builds the page from its sources and compares it with the committed one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const viewer = dirname(dirname(fileURLToPath(import.meta.url)));
const work = process.argv[2];
if (!work) {
  console.error('usage: node tests/asset_is_current.mjs WORK');
  process.exit(2);
}
mkdirSync(work, { recursive: true });
const built = join(work, 'viewer.html');
for (const [name, ...args] of [
  [join(viewer, 'node_modules', 'typescript', 'bin', 'tsc'), '--noEmit', '-p', viewer],
  [join(viewer, 'tools', 'build.mjs'), built],
]) {
  const { status } = spawnSync(process.execPath, [name, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
for (const name of ['viewer.html', 'compare.js']) {
  if (readFileSync(join(work, name)).equals(readFileSync(join(viewer, 'dist', name)))) continue;
  console.error(`viewer/dist/${name} is not what viewer/src gives: run ./dev viewer and commit it`);
  process.exit(1);
}
