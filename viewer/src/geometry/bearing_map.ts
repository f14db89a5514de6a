// What the surface around a part with play has carried: the largest force, the impulse and the sliding work by place, around a
// bore (or rod or socket), or along the walls of a guide. Places are in the joint's axes on the parent. The counterpart of
// `freeplay plot --bearing`, with the same sums.
import { Quaternion, Vector3 } from 'three';
import type { Block, ContactPoint } from '../data/data_block';
import type { Joint } from './joint_frames';
import { locatesEvents } from '../data/phases';
import type { Poses } from './poses';
import type { Run } from '../data/run';

export const ROUND_BINS = 72, GUIDE_BINS = 60;

export interface Loads { peak: Float64Array; impulse: Float64Array; work: Float64Array }   // N, N s, J by place
export type LoadQuantity = keyof Loads;
export const LOAD_QUANTITIES: { what: LoadQuantity; title: string; unit: string }[] = [
  { what: 'peak', title: 'largest force', unit: 'N' }, { what: 'impulse', title: 'impulse', unit: 'N s' }, { what: 'work', title: 'sliding work', unit: 'J' },
];
// A bore is one wall without a name; a sleeve in space has one at either end, `end 1` and `end 2`; a guide up to four, `+y`, `-y`, `+z` and `-z`.
export interface Wall extends Loads { name: string }
export interface BearingMap {
  kind: 'round' | 'guide';
  walls: Wall[];
  from: number;                  // along a guide, m; around a bore -pi
  to: number;
  hasWork: boolean;
}

interface Sample { point: ContactPoint; work: number | undefined; strikes: Map<number, number> }   // impulses by row
interface Load { wall: string; at: number; force: number; impulse: number; work: number }

export const largestOf = (map: BearingMap, what: LoadQuantity): number => map.walls.reduce((most, wall) => wall[what].reduce((a, b) => Math.max(a, b), most), 0);
export const sumOf = (map: BearingMap, what: LoadQuantity): number => map.walls.reduce((all, wall) => wall[what].reduce((a, b) => a + b, all), 0);

// Under integrators that locate events a blow is an impulse beside the forces and part of none of them. It belongs to the first row that
// is not before it. In time stepping the forces of the rows have the blows within.
function strikesByRow(block: Block): Map<string, Map<number, number>> {
  const byName = new Map<string, Map<number, number>>();
  if (!locatesEvents(block)) return byName;
  const { header, impacts } = block, time = block.columns[0];
  const column = (name: string) => impacts[header.impacts.columns.findIndex((c) => c.name === name)];
  const at = column('time'), contact = column('contact'), impulse = column('normal_impulse');
  if (!at || !contact || !impulse) return byName;
  Array.from(at, (_, i) => i).sort((a, b) => at[a] - at[b]).reduce((row, i) => {
    while (row < time.length && time[row] < at[i]) ++row;
    if (row === 0 || row === time.length) return row;
    const name = header.contacts[contact[i]], rows = byName.get(name) ?? new Map<number, number>();
    rows.set(row, (rows.get(row) ?? 0) + impulse[i]);
    byName.set(name, rows);
    return row;
  }, 0);
  return byName;
}

// `guide.normal_force_1` has its losses in `guide.friction_loss_1`.
function samplesOf(joint: Joint, run: Run): Sample[] {
  const strikes = strikesByRow(run.whole);
  return run.header.contact_points.filter((p) => p.contact === joint.data.name && p.normal_force !== null && p.normal && p.point).map((point) => ({
    point, work: run.column(run.header.columns[point.normal_force!].name.replace(/\.normal_force(?=_|$)/, '.friction_loss')),
    strikes: strikes.get(point.name) ?? new Map<number, number>(),
  }));
}

// Which wall a load in the direction `pressed` (joint axes) belongs to; null where it goes along the axis, as on a collar. Points 1 and 2
// of a sleeve are its ends.
function wallOf(kind: BearingMap['kind'], isSleeve: boolean, sample: number, pressed: Vector3): string | null {
  if (kind === 'guide') {
    const axis = Math.abs(pressed.y) >= Math.abs(pressed.z) ? 'y' : 'z';
    return `${pressed[axis] > 0 ? '+' : '-'}${axis}`;
  }
  if (!isSleeve) return '';
  return sample < 2 ? `end ${sample + 1}` : null;
}

// The part of the time that the force of a row stands for: that of the step that ends there. Where rows are left out, half of the time
// to the rows on either side: the mean of a blow over its window is a plateau, of which the page may have the ends only.
function timeOf(run: Run, row: number): number {
  const time = run.whole.columns[0], before = time[row] - time[row - 1];
  return run.thinned ? (before + (row + 1 < time.length ? time[row + 1] - time[row] : 0)) / 2 : before;
}

// Every load of the run by place. Moves the cursor of the run and puts it back.
function loadsOf(joint: Joint, run: Run, poses: Poses, kind: BearingMap['kind']): Load[] {
  const { columns } = run.whole, time = columns[0], keep = run.time, samples = samplesOf(joint, run), found: Load[] = [];
  const isSleeve = !run.planar && kind === 'round' && joint.data.type !== 'spherical';
  // In space a sleeve is the child: it touches its rod on the side that it has moved away from.
  const side = isSleeve ? 1 : -1;
  const axes = new Quaternion(), pressed = new Vector3(), place = new Vector3(), origin = new Vector3();
  const read = (out: Vector3, triple: (number | null)[], row: number) => {
    const value = (k: number) => { const c = triple[k]; return c === null || c === undefined ? 0 : columns[c][row]; };
    return out.set(value(0), value(1), value(2));
  };
  for (let row = 1; row < time.length; ++row) {
    const dt = timeOf(run, row);
    let isPlaced = false;
    samples.forEach(({ point, work, strikes }, i) => {
      const force = columns[point.normal_force!][row], done = work === undefined ? 0 : columns[work][row] - columns[work][row - 1];
      const impulse = force * dt + (strikes.get(row) ?? 0);
      if (!(force > 0 || impulse > 0 || done > 0)) return;
      if (!isPlaced) {
        run.seek(time[row]);
        poses.update();
        axes.copy(poses.rotation[joint.parent]).multiply(joint.real.frameParent).invert();
        origin.copy(joint.real.atParent).applyQuaternion(poses.rotation[joint.parent]).add(poses.position[joint.parent]);
        isPlaced = true;
      }
      read(pressed, point.normal!, row).applyQuaternion(axes).multiplyScalar(side);
      read(place, point.point!, row).sub(origin).applyQuaternion(axes);
      const wall = wallOf(kind, isSleeve, i, pressed);
      if (wall === null || !(pressed.lengthSq() > 0) || !Number.isFinite(pressed.lengthSq()) || (kind === 'guide' && !Number.isFinite(place.x))) return;
      found.push({
        wall, at: kind === 'guide' ? place.x : Math.atan2(pressed.y, pressed.x), force: Math.max(0, force), impulse: Number.isFinite(impulse) ? impulse : 0,
        work: Number.isFinite(done) ? done : 0,
      });
    });
  }
  run.seek(keep);
  poses.update();
  return found;
}

// Null where the joint has no play, or nothing of it was recorded or ever loaded.
export function bearingMap(joint: Joint, run: Run, poses: Poses): BearingMap | null {
  const { type, clearance } = joint.data, kind = type === 'prismatic' || type === 'pin_in_slot' ? 'guide' : 'round';
  if (!joint.play || !(clearance! > 0) || !poses.known[joint.parent] || !poses.known[joint.child]) return null;
  const loads = loadsOf(joint, run, poses, kind);
  if (loads.length === 0) return null;
  let from = -Math.PI, to = Math.PI;
  if (kind === 'guide') {
    from = loads.reduce((low, { at }) => Math.min(low, at), Infinity);
    to = loads.reduce((high, { at }) => Math.max(high, at), -Infinity);
    if (!(to > from)) to = from + clearance!;
  }
  const bins = kind === 'guide' ? GUIDE_BINS : ROUND_BINS;
  const walls = new Map<string, Wall>();
  for (const { wall, at, force, impulse, work } of loads) {
    if (!walls.has(wall)) walls.set(wall, { name: wall, peak: new Float64Array(bins), impulse: new Float64Array(bins), work: new Float64Array(bins) });
    const bin = Math.min(bins - 1, Math.floor(((at - from) / (to - from)) * bins)), sums = walls.get(wall)!;
    sums.peak[bin] = Math.max(sums.peak[bin], force);
    sums.impulse[bin] += impulse;
    sums.work[bin] += work;
  }
  const hasWork = samplesOf(joint, run).some(({ work }) => work !== undefined);
  return { kind, walls: [...walls.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), from, to, hasWork };
}
