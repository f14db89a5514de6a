// The pages of examples, made by the command: for tests and contact sheets.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

// What takes more than a few seconds is shortened: the page is looked at, not the physics.
const SHORTER = { belt_drive: ['--set', 'simulate.duration=5 ms'], roller_chain: ['--set', 'simulate.duration=5 ms'], spheres_in_box: ['--set', 'N=20', '--set', 'simulate.duration=0.2 s'] };

// Waits without stopping what else this process does.
export async function command(freeplay, ...args) {
  const child = spawn(freeplay, args), said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(text));
  const status = await new Promise((done, fail) => { child.on('close', done).on('error', fail); });
  if (status !== 0) {
    console.error(`${basename(freeplay)} ${args.join(' ')}: exit status ${status}\n${Buffer.concat(said)}`);
    process.exit(1);
  }
}

// Runs every example in the folder, or those named in `only`, less those in `without`, and returns the files of their pages: WORK/NAME/NAME.html.
export async function examplePages(freeplay, examples, work, only = [], without = []) {
  const pages = [];
  for (const file of readdirSync(examples).filter((name) => name.endsWith('.yaml')).sort()) {
    const name = basename(file, '.yaml');
    if ((only.length > 0 && !only.includes(name)) || without.includes(name)) continue;
    const folder = join(work, name);
    mkdirSync(folder, { recursive: true });
    await command(freeplay, 'run', join(examples, file), '--out', folder, ...(SHORTER[name] ?? []));
    const page = join(folder, `${name}.html`);
    await command(freeplay, 'view', join(folder, 'result.h5'), '-o', page);
    pages.push(page);
  }
  return pages;
}
