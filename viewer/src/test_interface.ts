// window.freeplayViewer: what browser tests (and a curious console) may use. Stable and small:
//   ready                 promise: the first frame is on the screen
//   time, setTime(t)      the time cursor, s
//   firstFrame            ms from the start of navigation to the first frame
//   frameCost             {frames, mean, median}: frames since it began to play (at most 1000), and ms of script in each
//   first, last           ends of the record, s
//   window, setWindow(from, to)   the part of the time that the curves show, s
//   rate                  speed: simulated over real time
//   playing, setPlaying(on)
//   magnification, setMagnification(M)
//   deformation, setDeformation(M), largestDeformation   magnification of elastic bodies
//   axisPoint(name, s)    {s, place}: the node of a beam next to the length s of its axis, and where it is drawn, m
//   axisRest(name, s)     where that would be on the straight beam, body axes
//   shapePosition(name)   where the point at which the shape `body.shape` is given is drawn, m
//   channel(name)         value of a channel at the time cursor, or null
//   bodies                names
//   bodyPosition(name)    centre of mass as drawn (magnified), m; truePosition(name) as recorded
//   bodyPoint(name, p)    where the point p of a body is drawn (magnified), p from the centre of mass in body axes, m
//   joints                joints with play: {name, clearance}
//   drawnPlay(name), truePlay(name)   shift of the child's joint point in the parent's joint axes, m
//   drawnTurn(name)       angle, rad, at which the shape `body.shape` is drawn, or null where it does not turn
//   film                  what `freeplay view --film` uses: film/studio.ts
//   ghostPosition(name)   where the body of the second run is drawn, or null where there is none
//   ghostShift            by how much the second run is drawn beside the first, m
//   curve(name, both | difference | first)   {drawn, data}: what a panel of curves draws of a channel
//   mark                  the time that others are measured against, or null
//   bearingMap(name)      what the surface around a part with play has carried, by place (geometry/bearing_map.ts), or null
//   bearingCells(name)    how many places of a joint's surfaces have a colour
//   trace                 {body, path}: the path of the point that was clicked, m
//   spectrum(name)        {frequency, amplitude} of a channel over the window, Hz and its unit
//   section(period)       points of the phase portrait every `period` s, 0: once per turn
//   axis, setAxis(time | angle), axisAt(t)   what the curves stand over
//   tips                  ends of the arrows: {at, value, unit, role}; arrowLength(N): how long an arrow is, m
//   setGlow(s)            for how long an impact is shown while the page does not play, s of the run
//   lens(name)            {factor, layers, marks, text}: what the lens of a joint shows, in its own units, or null
//   contactForce(name)    force at a contact point, N, or null where the page has no place for it
//   contactPlace(name)    where its arrow starts, as drawn (magnified), m, or null
//   contactNormal(name)   direction of its normal, or null where it has none now
//   contacts              contact points that have a place: {name, mode}, the mode as recorded at the time cursor
//   stops(name)           marks of a joint's stops: {side, place}, m
//   cameraInside          whether the camera is inside of a part; isInside(list of places): of each
//   onScreen(p)           where a place in the world is in the picture: x and y from -1 to 1
//   window                the part of the time that curves and timeline show
//   detailRows            rows of the part that was fetched when one zoomed (served pages)
//   roles                 names of the modes 0, 1, 2: open, slip, stick, or contact where that is all the run knows
//   pixelsOf(mode, p)     pixels that have the colour of a contact mode: slip, stick, contact;
//                         with p, a place in the world, only those within 12 pixels of it
//   chains                links of the chains of forces: {body, force, from, to, radius}, N and m
//   couplings             what is drawn of couplings: {name, kind}
//   station(name, i)      where a station of an elastic body of knots or nodes is drawn, body axes
//   colorAt(p)            red, green and blue, 0 to 255, of the picture at a place in the world
//   pixels()              {width, height, background, other, colors}: how many pixels differ from the background
import { Color, Quaternion, Vector3 } from 'three';
import { bearingMap } from './geometry/bearing_map';
import type { App } from './state/app';
import type { Composer } from './film/composer';
import { filmStudio } from './film/studio';
import { curvesOf, type Compared } from './panels/curves';
import type { Lenses } from './panels/lens';
import { modesOf } from './data/modes';
import type { phasePanel } from './panels/phase';
import type { PointTrace } from './scene/point_trace';
import type { spectrumPanel } from './panels/spectrum_panel';
import { relative } from './geometry/joint_frames';
import { theme } from './toolkit/theme';

export function testInterface(app: App, lenses: Lenses, composer: Composer, firstFrame: number, cost: number[],
  panels: { trace: PointTrace; phase: ReturnType<typeof phasePanel>; spectrum: ReturnType<typeof spectrumPanel> }) {
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
    relative(joint, drawn ? joint.drawn : joint.real, source.position, source.rotation, shift, new Quaternion());
    return shift.toArray();
  };
  return {
    firstFrame,
    get frameCost() { const n = cost.length; return { frames: n, mean: cost.reduce((a, b) => a + b, 0) / Math.max(1, n), median: [...cost].sort((a, b) => a - b)[n >> 1] ?? 0 }; },
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
    get chains() {
      mechanism.update(scene.pixel);
      return mechanism.chains.links(mechanism.magnifier.position).map(({ body, ...link }) => ({ body: mechanism.poses.names[body], ...link }));
    },
    setTime: (t: number) => playback.setTime(t),
    setPlaying: (on: boolean) => playback.setPlaying(on),
    get deformation() { return mechanism.poses.deformations.magnification; },
    get largestDeformation() { return mechanism.elastic.largest; },
    setDeformation: (M: number) => app.setDeformation(M),
    // The nearest node of a beam to the length s of its axis, and where it is drawn.
    axisPoint: (name: string, s: number) => {
      const body = bodyOf(name), { position, rotation } = mechanism.magnifier, beam = mechanism.poses.deformations.beams.get(body);
      if (!beam) throw new Error(`'${name}' is not elastic`);
      const node = beam.nodes.reduce((best, x, k) => (Math.abs(x - s) < Math.abs(beam.nodes[best] - s) ? k : best), 0);
      const at = new Vector3();
      beam.drawnSection(node, at, new Quaternion());
      return { s: beam.nodes[node], place: at.applyQuaternion(rotation[body]).add(position[body]).toArray() };
    },
    axisRest: (name: string, s: number) => {
      const { start } = mechanism.poses.deformations.beams.get(bodyOf(name))!.data;
      return [start[0] + s, start[1], start[2]];
    },
    shapePosition: (name: string) => { mechanism.update(scene.pixel); return mechanism.shapePosition(name); },
    // A channel at the cursor.
    channel: (name: string) => { const column = run.column(name); return column === undefined ? null : run.now(column); },
    setMagnification: (M: number) => app.setMagnification(M),
    bodyPosition: (name: string) => mechanism.magnifier.position[bodyOf(name)].toArray(),
    bodyPoint: (name: string, point: [number, number, number]) => {
      const body = bodyOf(name), { position, rotation } = mechanism.magnifier;
      return new Vector3(...point).applyQuaternion(rotation[body]).add(position[body]).toArray();
    },
    truePosition: (name: string) => mechanism.poses.position[bodyOf(name)].toArray(),
    drawnPlay: (name: string) => play(name, true),
    truePlay: (name: string) => play(name, false),
    film: filmStudio(app, composer),
    // Of a page of two runs.
    ghostPosition: (name: string) => {
      const { ghost } = scene;
      if (!ghost) return null;
      ghost.update(scene.pixel);
      return ghost.magnifier.position[ghost.poses.indexOf(name)].toArray();
    },
    get ghostShift() { return scene.ghostShift.toArray(); },
    curve: (name: string, compared: Compared) => {
      const { drawn, data } = curvesOf(app, [run.column(name)!], compared);
      return { drawn: drawn.map(({ of }) => of), data };
    },
    bearingMap: (name: string) => {
      const joint = mechanism.joints.find((j) => j.data.name === name), map = joint ? bearingMap(joint, run, mechanism.poses) : null;
      return map && { ...map, walls: map.walls.map((wall) => ({ name: wall.name, peak: [...wall.peak], impulse: [...wall.impulse], work: [...wall.work] })) };
    },
    bearingCells: (name: string) => mechanism.bearings.cells(name),
    arrowLength: (load: number) => mechanism.arrows.lengthOfLoad(load),
    get tips() { mechanism.update(scene.pixel); return mechanism.arrows.tips(100).map(({ at, value, unit, role }) => ({ at: at.toArray(), value, unit, role })); },
    setGlow: (time: number) => { mechanism.arrows.glow = time; },
    get trace() { const { trace } = panels; return { body: trace.body < 0 ? null : mechanism.poses.names[trace.body], point: trace.point.toArray(), path: trace.path.map((p) => p.toArray()) }; },
    spectrum: (name: string) => { panels.spectrum.choose(name); const found = panels.spectrum.spectrum(); return found && { frequency: [...found.frequency], amplitude: [...found.amplitude] }; },
    section: (period: number) => { panels.phase.setLook('section', period); return panels.phase.sectionPoints(); },
    get axis() { return app.axis.kind; },
    setAxis: (kind: 'time' | 'angle') => app.axis.set(kind),
    axisAt: (t: number) => app.axis.at(t),
    get mark() { return app.mark.time; },
    lens: (name: string) => {
      mechanism.update(scene.pixel);
      return lenses.list.find((lens) => lens.joint.data.name === name)?.drawn(scene.camera.quaternion) ?? null;
    },
    drawnTurn: (name: string) => { mechanism.update(scene.pixel); return mechanism.drawnTurn(name); },
    contactForce: (name: string) => mechanism.arrows.forceAt(name),
    contactPlace: (name: string) => { mechanism.update(scene.pixel); return mechanism.arrows.placeAt(name); },
    contactNormal: (name: string) => mechanism.arrows.normalAt(name),
    get contacts() { return mechanism.arrows.points.map((p) => ({ name: p.name, mode: p.mode === null ? null : run.held(p.mode) })); },
    stops: (name: string) => { mechanism.update(scene.pixel); return mechanism.stopPlaces(name); },
    onScreen: (p: [number, number, number]) => { scene.invalidate(); scene.frame(); return new Vector3(...p).project(scene.camera).toArray().slice(0, 2); },
    get cameraInside() { scene.frame(); return scene.isInside(scene.camera.position); },
    isInside: (places: [number, number, number][]) => places.map((place) => scene.isInside(new Vector3(...place))),
    setWindow: (from: number, to: number) => app.window.set(from, to),
    get rate() { return playback.rate; },
    get window() { return [app.window.from, app.window.to]; },
    get detailRows() { return run.detail?.header.rows ?? 0; },
    get roles() { return modesOf(run.header).map((mode) => mode.role); },
    pixels: () => countPixels(scene.readPixels()),
    get couplings() { return mechanism.couplings.map(({ name, kind }) => ({ name, kind })); },
    station: (name: string, i: number) => mechanism.stations.get(bodyOf(name))?.place(i, mechanism.poses.deformations.magnification) ?? null,
    colorAt: (p: [number, number, number]) => {
      const { width, height, data } = scene.readPixels(), { x, y } = new Vector3(...p).project(scene.camera);
      const at = 4 * (Math.floor((0.5 + 0.5 * y) * height) * width + Math.floor((0.5 + 0.5 * x) * width));
      return [...data.slice(at, at + 3)];
    },
    pixelsOf: (role: 'slip' | 'stick' | 'contact', near?: [number, number, number]) => {
      const picture = scene.readPixels();
      return countColor(picture, theme.colors[role], near ? new Vector3(...near).project(scene.camera) : null);
    },
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

const AROUND = 12;   // pixels

// `near` in the camera's coordinates, from -1 to 1.
function countColor({ width, height, data }: { width: number; height: number; data: Uint8Array }, name: string, near: Vector3 | null): number {
  const { r, g, b } = new Color().setStyle(name, 'srgb').convertLinearToSRGB();
  const x = near ? (0.5 + 0.5 * near.x) * width : 0, y = near ? (0.5 + 0.5 * near.y) * height : 0;   // rows count from below
  let count = 0;
  for (let i = 0, pixel = 0; i < data.length; i += 4, ++pixel) {
    if (near && Math.hypot((pixel % width) - x, Math.floor(pixel / width) - y) > AROUND) continue;
    if (Math.abs(data[i] - 255 * r) + Math.abs(data[i + 1] - 255 * g) + Math.abs(data[i + 2] - 255 * b) < 12) ++count;
  }
  return count;
}
