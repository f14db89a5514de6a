// Bundles src/ into one self-contained page, dist/viewer.html, and src/compare into the script of the comparison's page, compare.js beside it. The same sources give the same bytes on every machine:
// no time stamps, no paths, versions pinned by package-lock.json.
import { build } from 'esbuild';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const target = process.argv[2] ?? join(here, 'dist', 'viewer.html');

async function bundle(entry) {
  const result = await build({
    entryPoints: [join(here, 'src', entry)],
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2021',
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

// What would end a script or a style element must not stand inside of one.
const inScript = (text) => text.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--');

// Bundled code stays under its own licences, and they ask for their text to come along.
async function licences() {
  const texts = await Promise.all(['three', 'uplot', 'fflate'].map(async (name) =>
    `${name}\n\n${(await readFile(join(here, 'node_modules', name, 'LICENSE'), 'utf8')).trim()}`));
  const text = `This page contains code of these projects.\n\n${texts.join('\n\n')}\n`;
  if (text.includes('--') || text.includes('<!')) throw new Error('a licence text would end the comment that holds it');
  return text;
}

const [script, style, page, licenceTexts] = await Promise.all([
  bundle('main.ts'),
  bundle('style.css'),
  readFile(join(here, 'src', 'page.html'), 'utf8'),
  licences(),
]);
if (/<\/style/i.test(style)) throw new Error('the style sheet contains </style');
const html = page.replace('LICENCES', () => licenceTexts).replace('/*STYLE*/', () => style).replace('/*SCRIPT*/', () => inScript(script));
const places = html.split('FREEPLAY_DATA').length - 1;
if (places !== 1) throw new Error(`FREEPLAY_DATA must occur once in the page, but occurs ${places} times`);
await mkdir(dirname(target), { recursive: true });
await writeFile(target, html);
console.log(`${target}: ${(html.length / 1024).toFixed(0)} kB`);

// The style comes along as a text, which the script puts into the page.
const [liveScript, liveStyle] = await Promise.all([bundle('compare/live.ts'), bundle('compare/live.css')]);
const PLACE = '"COMPARE_STYLE"';
if (liveScript.split(PLACE).length !== 2) throw new Error(`${PLACE} must occur once in the script of the comparison`);
const licence = (await readFile(join(here, 'node_modules', 'uplot', 'LICENSE'), 'utf8')).trim();
const live = `/* uplot\n\n${licence}\n*/\n${liveScript.replace(PLACE, () => JSON.stringify(liveStyle))}\n`;
await writeFile(join(dirname(target), 'compare.js'), inScript(live));
console.log(`${join(dirname(target), 'compare.js')}: ${(live.length / 1024).toFixed(0)} kB`);
