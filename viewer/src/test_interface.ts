// window.freeplayViewer: what browser tests (and a curious console) may use. Stable and small:
//   ready                 promise: the first frame is on the screen
//   time, setTime(t)      the time cursor, s
//   firstFrame            ms from the start of navigation to the first frame
//   frameCost             {frames, mean}: frames since it began to play, and ms of script in each on average
//   first, last           ends of the record, s
//   playing, setPlaying(on)
//   magnification, setMagnification(M)
//   bodies                names
//   bodyPosition(name)    centre of mass as drawn (magnified), m; truePosition(name) as recorded
//   joints                joints with play: {name, clearance}
//   drawnPlay(name), truePlay(name)   shift of the child's joint point in the parent's joint axes, m
//   drawnTurn(name)       angle, rad, at which the shape `body.shape` is drawn, or null where it does not turn
//   contactForce(name)    force at a contact point, N, or null where the page has no place for it
//   contactPlace(name)    where its arrow starts, as drawn (magnified), m, or null
//   window                the part of the time that curves and timeline show
//   detailRows            rows of the part that was fetched when one zoomed (served pages)
//   pixelsOf(mode)        pixels that have the colour of a contact mode: slip, stick, or contact where that is all the run knows
//   pixels()              {width, height, background, other, colors}: how many pixels differ from the background
import { Color, Quaternion, Vector3 } from 'three';
import type { App } from './state/app';
import { relative } from './geometry/joint_frames';
import { theme } from './toolkit/theme';

export function testInterface(app: App, firstFrame: number, cost: { frames: number; total: number }) {
  const { run, playback, scene } = app;
  const { mechanism } = scene;
  const bodyOf = (name: string) => {
    const index = mechanism.poses.indexOf(name);
    if (index < 0) throw new Error(`no body '${name}'`);
    mechanism.update(scene.pixel);
    return index;
  };
  const play = (name: string, drawn: boolean) => {
    const joint = mechanism.joints.find((j) => j.data.name === name);
    if (!joint) throw new Error(`no joint '${name}'`);
    mechanism.update(scene.pixel);
    const shift = new Vector3();
    const source = drawn ? mechanism.magnifier : mechanism.poses;
    relative(joint, source.position, source.rotation, shift, new Quaternion());
    return shift.toArray();
  };
  return {
    firstFrame,
    get frameCost() { return { frames: cost.frames, mean: cost.total / Math.max(1, cost.frames) }; },
    get time() { return run.time; },
    get first() { return run.first; },
    get last() { return run.last; },
    get playing() { return playback.playing; },
    get magnification() { return mechanism.magnifier.magnification; },
    get largestMagnification() { return mechanism.largest; },
    get bodies() { return mechanism.poses.names.filter((_, i) => i > 0 && mechanism.poses.known[i]); },
    get joints() { return mechanism.joints.filter((j) => j.play).map((j) => ({ name: j.data.name, clearance: j.data.clearance, type: j.data.type })); },
    get notes() { return mechanism.notes; },
    get dark() { return theme.dark; },
    setTime: (t: number) => playback.setTime(t),
    setPlaying: (on: boolean) => playback.setPlaying(on),
    setMagnification: (M: number) => app.setMagnification(M),
    bodyPosition: (name: string) => mechanism.magnifier.position[bodyOf(name)].toArray(),
    truePosition: (name: string) => mechanism.poses.position[bodyOf(name)].toArray(),
    drawnPlay: (name: string) => play(name, true),
    truePlay: (name: string) => play(name, false),
    drawnTurn: (name: string) => { mechanism.update(scene.pixel); return mechanism.drawnTurn(name); },
    contactForce: (name: string) => mechanism.arrows.forceAt(name),
    contactPlace: (name: string) => { mechanism.update(scene.pixel); return mechanism.arrows.placeAt(name); },
    get window() { return [app.window.from, app.window.to]; },
    get detailRows() { return run.detail?.header.rows ?? 0; },
    pixels: () => countPixels(scene.readPixels()),
    pixelsOf: (role: 'slip' | 'stick' | 'contact') => countColor(scene.readPixels().data, theme.colors[role]),
  };
}

function countPixels({ width, height, data }: { width: number; height: number; data: Uint8Array }) {
  const background = [data[0], data[1], data[2]];   // a corner of the picture
  const counts = new Map<number, number>();
  for (let i = 0; i < data.length; i += 4) {
    const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const most = [...counts.entries()].sort((a, b) => b[1] - a[1])[0];
  return { width, height, corner: background, background: most[0], other: width * height - most[1], colors: counts.size };
}

function countColor(data: Uint8Array, name: string): number {
  const { r, g, b } = new Color().setStyle(name, 'srgb').convertLinearToSRGB();
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (Math.abs(data[i] - 255 * r) + Math.abs(data[i + 1] - 255 * g) + Math.abs(data[i + 2] - 255 * b) < 12) ++count;
  }
  return count;
}
