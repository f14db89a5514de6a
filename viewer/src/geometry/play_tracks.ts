// Where a part with play moves inside of its clearance: points over time in the plane across the joint, and the
// boundary that they cannot leave. Read from the eccentricity channels; tilts come from the bodies' positions.
import { Quaternion, Vector2, Vector3 } from 'three';
import { relative, type Joint } from './joint_frames';
import { offsetPolygon } from './outlines';
import type { Poses } from './poses';
import type { Run } from '../data/run';

export interface Track {
  joint: Joint;
  label: string;                    // what the axes are
  count: number;                    // points that move: one, or the two ends of a sleeve
  boundary: { circle: number } | { polygon: Vector2[] };
  at(out: Float64Array): void;      // x, y of each point at the cursor of the run
}

const shift = new Vector3(), turn = new Quaternion(), axis = new Vector3();

export function tracksOf(joint: Joint, run: Run, poses: Poses): Track[] {
  if (!joint.play || !poses.known[joint.parent] || !poses.known[joint.child]) return [];
  const { type, name, clearance } = joint.data;
  const c = clearance ?? 0;
  if (!(c > 0)) return [];
  const channels = ['x', 'y', 'z'].map((letter) => run.column(`${name}.eccentricity_${letter}`));
  const place = () => {
    relative(joint, joint.real, poses.position, poses.rotation, shift, turn);
    channels.forEach((column, k) => { if (column !== undefined) shift.setComponent(k, run.now(column)); });
  };
  const circle = { circle: c };
  const half = (joint.data.length ?? 0) / 2;
  if (type === 'pin_in_slot') return [];   // along the slot the play has no bound that an orbit could show
  if (run.planar) {
    if (type !== 'prismatic') {
      return [{ joint, label: 'x across, y up', count: 1, boundary: circle, at(out) { place(); out[0] = shift.x; out[1] = shift.y; } }];
    }
    // All four corners inside: |y| + (length/2) |tilt| <= c.
    const diamond = [[c, 0], [0, c], [-c, 0], [0, -c]].map(([x, y]) => new Vector2(x, y));
    return [{
      joint, label: 'across: tilt × length/2, up: shift', count: 1, boundary: { polygon: diamond },
      at(out) { place(); out[0] = half * 2 * Math.atan2(turn.z, turn.w); out[1] = shift.y; wrapTilt(out, half); },
    }];
  }
  if (type === 'spherical') {
    return [[0, 1], [0, 2]].map(([a, b]) => ({
      joint, label: `${'xyz'[a]} across, ${'xyz'[b]} up`, count: 1, boundary: circle,
      at(out: Float64Array) { place(); out[0] = shift.getComponent(a); out[1] = shift.getComponent(b); },
    }));
  }
  const alongX = type === 'prismatic';
  const [a, b, along] = alongX ? [1, 2, 0] : [0, 1, 2];
  const section = joint.data.section?.map(([y, z]) => new Vector2(y, z));
  const walls = section ? offsetPolygon(section, c).map((p, i) => p.sub(section[i])) : null;
  return [{
    joint, label: `both ends, ${'xyz'[a]} across, ${'xyz'[b]} up`, count: 2, boundary: walls ? { polygon: walls } : circle,
    at(out) {
      place();
      axis.set(0, 0, 0).setComponent(along, 1).applyQuaternion(turn).multiplyScalar(half);
      out[0] = shift.getComponent(a) - axis.getComponent(a);
      out[1] = shift.getComponent(b) - axis.getComponent(b);
      out[2] = shift.getComponent(a) + axis.getComponent(a);
      out[3] = shift.getComponent(b) + axis.getComponent(b);
    },
  }];
}

// The tilt of a block is small; what looks like nearly a turn is the sign of a quaternion.
function wrapTilt(out: Float64Array, half: number): void {
  const turns = Math.round(out[0] / half / (2 * Math.PI));
  if (half > 0) out[0] -= turns * 2 * Math.PI * half;
}

// All rows of a track: x0 y0 (x1 y1) x0 y0 ... The cursor is put back afterwards.
export function samplesOf(track: Track, run: Run, poses: Poses): { time: Float64Array; points: Float32Array } {
  const source = run.whole.columns[0];
  const stride = Math.max(1, Math.floor(source.length / 4000));
  const n = Math.ceil(source.length / stride);
  const time = new Float64Array(n), points = new Float32Array(n * 2 * track.count), out = new Float64Array(4);
  const keep = run.time;
  for (let i = 0; i < n; ++i) {
    time[i] = source[i * stride];
    run.seek(time[i]);
    poses.update();
    track.at(out);
    for (let k = 0; k < 2 * track.count; ++k) points[i * 2 * track.count + k] = out[k];
  }
  run.seek(keep);
  poses.update();
  return { time, points };
}
