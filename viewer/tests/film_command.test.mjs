// `freeplay view --film` (FREEPLAY_COMMAND, FREEPLAY_FILM_RESULT): the films that the command writes, and what it says where it cannot.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openBrowser } from './browser.mjs';
import { lookAtFilm, lookAtGif } from './look_at_film.mjs';

const { FREEPLAY_COMMAND: freeplay, FREEPLAY_FILM_RESULT: result } = process.env;
const found = (name) => process.env.PATH.split(delimiter).map((folder) => join(folder, name)).find((path) => existsSync(path));
let folder, browser;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'freeplay-film-test-'));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});
const view = (words, path = process.env.PATH) => spawnSync(freeplay, ['view', result, ...words], { encoding: 'utf8', env: { ...process.env, PATH: path } });
// 20 ms at a fiftieth of the speed: one second.
const SHORT = ['--from', '20ms', '--to', '40 ms', '--speed', '1/50', '--size', '320x180'];
function made(name, path) {
  const file = join(folder, name), { status, stdout, stderr } = view(['--film', file, ...SHORT], path);
  assert.equal(status, 0, stderr);
  return { file, stdout };
}

describe('freeplay view --film', () => {
  it('writes WebM', async () => {
    const { file, stdout } = made('a.webm');
    assert.match(stdout, /a\.webm {2}\d+ kB, 320x180 pixels, 1\.0 s in 30 frames\n$/);
    const film = await lookAtFilm(browser, readFileSync(file), [0.05, 0.5, 0.95]);
    assert.deepEqual([film.width, film.height], [320, 180]);
    assert.ok(Math.abs(film.duration - 1) < 0.005);
    assert.ok(film.pictures.every(({ colors }) => colors > 20) && new Set(film.pictures.map(({ sum }) => sum)).size === 3, JSON.stringify(film.pictures));
  });
  it('writes GIF', async () => {
    const { file } = made('a.gif');
    const film = await lookAtGif(browser, readFileSync(file), [0, 24]);
    assert.deepEqual([film.frames, film.width, film.height], [25, 320, 180]);
    assert.ok(film.pictures.every(({ colors }) => colors > 20) && film.pictures[0].sum !== film.pictures[1].sum);
  });
  it('gives every picture to ffmpeg for MP4', () => {
    // In place of ffmpeg a script that keeps what it is given: its last word is the file.
    const tools = join(folder, 'tools');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'ffmpeg'), '#!/bin/sh\nfor last; do :; done\necho "$*" >"$0.words"\nexec cat >"$last"\n');
    chmodSync(join(tools, 'ffmpeg'), 0o755);
    const { file } = made('fake.mp4', `${tools}${delimiter}${process.env.PATH}`), bytes = readFileSync(file);
    const sizes = [];
    for (let at = bytes.indexOf('\x89PNG', 0, 'latin1'); at >= 0; at = bytes.indexOf('\x89PNG', at + 1, 'latin1')) sizes.push(`${bytes.readUInt32BE(at + 16)}x${bytes.readUInt32BE(at + 20)}`);
    assert.deepEqual(sizes, Array(30).fill('320x180'));
    assert.match(readFileSync(join(tools, 'ffmpeg.words'), 'utf8'), /-framerate 30 .*yuv420p/);
    writeFileSync(join(tools, 'ffmpeg'), '#!/bin/sh\necho "no such encoder" >&2\nexit 1\n');
    const broken = view(['--film', join(folder, 'broken.mp4'), ...SHORT], `${tools}${delimiter}${process.env.PATH}`);
    assert.equal(broken.status, 6);
    assert.match(broken.stderr, /ffmpeg cannot write the film: no such encoder/);
    assert.ok(!existsSync(join(folder, 'broken.mp4')));
  });
  it('writes MP4, as ffprobe sees it', { skip: found('ffmpeg') && found('ffprobe') ? false : 'needs ffmpeg' }, () => {
    const { file } = made('a.mp4');
    const { stdout } = spawnSync('ffprobe', ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries', 'stream=codec_name,width,height,nb_read_frames:format=duration', file], { encoding: 'utf8' });
    const { streams: [stream], format } = JSON.parse(stdout);
    assert.deepEqual([stream.codec_name, stream.width, stream.height, stream.nb_read_frames], ['h264', 320, 180, '30']);
    assert.ok(Math.abs(Number(format.duration) - 1) < 0.01, format.duration);
  });
  it('says what is missing, or wrong', () => {
    const bare = join(folder, 'bare');
    mkdirSync(bare);
    const says = (words, pattern, path) => {
      const { status, stderr } = view(words, path);
      assert.equal(status, 2, `${words}: ${stderr}`);
      assert.match(stderr, pattern);
    };
    says(['--film', 'a.webm'], /needs the browser chromium.*\n.*apt install chromium/, bare);
    symlinkSync(found('chromium') ?? '/usr/bin/chromium', join(bare, 'chromium'));
    says(['--film', 'a.mp4'], /needs ffmpeg.*\n.*NAME\.webm/, bare);
    says(['--film', 'a.avi'], /no ending that says what it is/);
    says(['--speed', '2'], /those of a film.*\n.*--film/);
    says(['--film', 'a.webm', '--speed', '-1'], /not a ratio above zero/);
    says(['--film', 'a.webm', '--size', '10x10'], /is not a size/);
    says(['--film', 'a.webm', '--from', '3 kg'], /is not a time/);
    says(['--film', 'a.webm', '-o', 'b.html'], /no page/);
    const { status, stderr } = view(['--film', join(folder, 'late.webm'), '--from', '100 s']);
    assert.equal(status, 6);
    assert.match(stderr, /outside of the run/);
  });
});
