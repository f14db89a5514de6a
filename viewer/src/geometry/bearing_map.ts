// What the surface around a part with play has carried: the largest force, the impulse and the sliding work by place, around a
// bore (or rod), or along the two walls of a guide. Places are in the joint's axes on the parent.
import { Quaternion, Vector3 } from 'three';
import type { ContactPoint } from '../data/data_block';
import type { Joint } from './joint_frames';
import type { Poses } from './poses';
import type { Run } from '../data/run';

export const ROUND_BINS = 72, GUIDE_BINS = 40;

export interface Loads { peak: Float64Array; impulse: Float64Array; work: Float64Array }   // N, N s, J by place
export interface BearingMap {
  kind: 'round' | 'guide';
  walls: Loads[];                // one around a bore; of a guide the wall at +y, then the one at -y
  from: number;                  // along a guide, m
  to: number;
  hasWork: boolean;
}

interface Sample { point: ContactPoint; work: number | undefined }

const emptyLoads = (bins: number): Loads => ({ peak: new Float64Array(bins), impulse: new Float64Array(bins), work: new Float64Array(bins) });

// `guide.normal_force_1` has its losses in `guide.friction_loss_1`.
function samplesOf(joint: Joint, run: Run): Sample[] {
  return run.header.contact_points.filter((p) => p.contact === joint.data.name && p.normal_force !== null && p.normal && p.point).map((point) => ({
    point, work: run.column(run.header.columns[point.normal_force!].name.replace(/\.normal_force(?=_|$)/, '.friction_loss')),
  }));
}

// The part of time that a row stands for.
function timeOf(time: ArrayLike<number>, row: number): number {
  const before = row > 0 ? time[row] - time[row - 1] : 0, after = row + 1 < time.length ? time[row + 1] - time[row] : 0;
  return (before + after) / 2;
}

// Null where the joint has no such surface, or nothing of it was recorded. Moves the cursor of the run and puts it back.
export function bearingMap(joint: Joint, run: Run, poses: Poses): BearingMap | null {
  const { type, clearance } = joint.data;
  const isGuide = run.planar && (type === 'prismatic' || type === 'pin_in_slot'), samples = samplesOf(joint, run);
  if (!joint.play || !(clearance! > 0) || samples.length === 0) return null;
  if (!isGuide && (type === 'prismatic' || type === 'spherical' || type === 'pin_in_slot')) return null;
  const { columns } = run.whole, time = columns[0], keep = run.time;
  const axes = new Quaternion(), normal = new Vector3(), place = new Vector3(), origin = new Vector3();
  const value = (triple: (number | null)[], k: number, row: number) => { const c = triple[k]; return c === null || c === undefined ? 0 : columns[c][row]; };
  const contacts: { wall: number; at: number; force: number; dt: number; work: number }[] = [];
  // In space the sleeve is the child, and the load is that of the rod inside.
  const inward = run.planar ? -1 : 1;
  for (let row = 0; row < time.length; ++row) {
    const pressed = samples.filter(({ point }) => columns[point.normal_force!][row] > 0);
    if (pressed.length === 0) continue;
    run.seek(time[row]);
    poses.update();
    axes.copy(poses.rotation[joint.parent]).multiply(joint.real.frameParent).invert();
    origin.copy(joint.real.atParent).applyQuaternion(poses.rotation[joint.parent]).add(poses.position[joint.parent]);
    for (const { point, work } of pressed) {
      normal.set(value(point.normal!, 0, row), value(point.normal!, 1, row), value(point.normal!, 2, row)).applyQuaternion(axes);
      place.set(value(point.point!, 0, row), value(point.point!, 1, row), value(point.point!, 2, row))
        .sub(origin).applyQuaternion(axes);
      const across = Math.hypot(normal.x, normal.y);
      if (!Number.isFinite(across + place.x) || across < 0.5) continue;   // a collar carries along the axis
      const done = work !== undefined && row > 0 ? columns[work][row] - columns[work][row - 1] : 0;
      contacts.push({
        wall: isGuide && normal.y > 0 ? 1 : 0, at: isGuide ? place.x : Math.atan2(inward * normal.y, inward * normal.x),
        force: columns[point.normal_force!][row], dt: timeOf(time, row), work: Number.isFinite(done) ? done : 0,
      });
    }
  }
  run.seek(keep);
  poses.update();
  if (contacts.length === 0) return null;
  const bins = isGuide ? GUIDE_BINS : ROUND_BINS;
  let from = -Math.PI, to = Math.PI;
  if (isGuide) {
    from = contacts.reduce((low, { at }) => Math.min(low, at), Infinity);
    to = contacts.reduce((high, { at }) => Math.max(high, at), -Infinity);
    if (!(to > from)) to = from + clearance!;
  }
  const walls = isGuide ? [emptyLoads(bins), emptyLoads(bins)] : [emptyLoads(bins)];
  for (const { wall, at, force, dt, work } of contacts) {
    const bin = Math.min(bins - 1, Math.floor(((at - from) / (to - from)) * bins)), loads = walls[wall];
    loads.peak[bin] = Math.max(loads.peak[bin], force);
    loads.impulse[bin] += force * dt;
    loads.work[bin] += work;
  }
  return { kind: isGuide ? 'guide' : 'round', walls, from, to, hasWork: samples.some(({ work }) => work !== undefined) };
}
