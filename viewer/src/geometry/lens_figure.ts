// A joint with play as a lens shows it: the parts across the joint with their true proportions, but with the gap drawn so wide
// that one sees it. Everything is in the joint's axes on the parent (a ball joint: as the camera sees it), as outlines in
// a square from -1 to 1, y upwards. The displacement is drawn true to the gap: what touches in the run touches here.
import { Quaternion, Vector2, Vector3 } from 'three';
import { relative, type Joint } from './joint_frames';
import { offsetPolygon } from './outlines';
import type { Poses } from './poses';
import type { Run } from '../data/run';

export type LensRole = 'housing' | 'hole' | 'child' | 'parent';
export interface Layer { outline: number[][]; hole?: number[][]; role: LensRole; dashed?: boolean }
export interface LensFigure {
  factor: number;                                  // how much wider than the parts the gap is drawn
  layers(view: Quaternion): Layer[];               // at the cursor of the run
  // Where a contact is drawn: its place and its normal (towards the child) in the world.
  mark(place: Vector3, normal: Vector3): [number, number];
  // A direction of the world in the lens.
  direction(v: Vector3): [number, number];
}

const BORE = 0.74, GAP = 0.2, WALL = 0.17, STEPS = 72;

const circle = (x: number, y: number, r: number): number[][] =>
  Array.from({ length: STEPS }, (_, i) => [x + r * Math.cos((2 * Math.PI * i) / STEPS), y + r * Math.sin((2 * Math.PI * i) / STEPS)]);
const box = (x0: number, y0: number, x1: number, y1: number): number[][] => [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];

const shift = new Vector3(), turn = new Quaternion(), axes = new Quaternion(), scratch = new Vector3(), back = new Quaternion();

// What all kinds have in common: the play at the cursor, and two axes of the parent's joint frame as the picture's.
class Frame {
  constructor(readonly joint: Joint, private readonly run: Run, private readonly poses: Poses, private readonly across: [number, number]) {}

  // Fills `shift` and `turn`; recorded eccentricities are finer than what positions of single precision give.
  place(): void {
    const { joint, poses, run } = this;
    relative(joint, joint.real, poses.position, poses.rotation, shift, turn);
    ['x', 'y', 'z'].forEach((letter, k) => {
      const column = run.column(`${joint.data.name}.eccentricity_${letter}`);
      if (column !== undefined) shift.setComponent(k, run.now(column));
    });
  }
  direction(v: Vector3): [number, number] {
    axes.copy(this.poses.rotation[this.joint.parent]).multiply(this.joint.real.frameParent).invert();
    scratch.copy(v).applyQuaternion(axes);
    return [scratch.getComponent(this.across[0]), scratch.getComponent(this.across[1])];
  }
  // A point of the world in the child's joint axes.
  inChild(place: Vector3): Vector3 {
    const { joint, poses } = this;
    back.copy(poses.rotation[joint.child]).invert();
    scratch.copy(place).sub(poses.position[joint.child]).applyQuaternion(back).sub(joint.real.atChild);
    return scratch.applyQuaternion(back.copy(joint.real.frameChild).invert());
  }
}

function radiusOf(joint: Joint): number {
  const { journal_radius: journal, bearing_radius: bearing, clearance } = joint.data;
  return journal ?? (bearing !== undefined ? bearing - clearance! : 0);
}

// A journal in a bore, a ball in a socket: the child moves inside.
function bore(joint: Joint, run: Run, poses: Poses): LensFigure {
  const frame = new Frame(joint, run, poses, [0, 1]);
  const c = joint.data.clearance!, journal = BORE - GAP, radius = radiusOf(joint), isBall = !run.planar;
  const centre: [number, number] = [0, 0], seen = new Quaternion();
  const direction = (v: Vector3): [number, number] => {
    if (!isBall) return frame.direction(v);
    scratch.copy(v).applyQuaternion(seen);
    return [scratch.x, scratch.y];
  };
  return {
    factor: radius > 0 ? (GAP / journal) / (c / radius) : 0,
    layers(view) {
      frame.place();
      if (isBall) {
        seen.copy(view).invert();
        shift.applyQuaternion(joint.real.frameParent).applyQuaternion(poses.rotation[joint.parent]).applyQuaternion(seen);
      }
      centre[0] = (GAP * shift.x) / c;
      centre[1] = (GAP * shift.y) / c;
      return [{ outline: circle(0, 0, BORE + WALL), hole: circle(0, 0, BORE), role: 'housing' }, { outline: circle(0, 0, BORE), role: 'hole' },
        { outline: circle(centre[0], centre[1], journal), role: 'child' }];
    },
    mark(_, normal) {
      const [x, y] = direction(normal);
      return [centre[0] - journal * x, centre[1] - journal * y];
    },
    direction,
  };
}

// A sleeve on a rod: the child is the sleeve, whose two ends move apart where it tilts.
function sleeve(joint: Joint, run: Run, poses: Poses): LensFigure {
  const frame = new Frame(joint, run, poses, [0, 1]);
  const c = joint.data.clearance!, rod = BORE - GAP - 0.06, radius = radiusOf(joint), half = (joint.data.length ?? 0) / 2, axis = new Vector3();
  const inner = rod + GAP;
  return {
    factor: radius > 0 ? (GAP / rod) / (c / radius) : 0,
    layers() {
      frame.place();
      axis.set(0, 0, 1).applyQuaternion(turn).multiplyScalar(half);
      const ends = [1, -1].map((side) => [(GAP * (shift.x + side * axis.x)) / c, (GAP * (shift.y + side * axis.y)) / c]);
      return [{ outline: circle(ends[0][0], ends[0][1], inner + 0.12), hole: circle(ends[0][0], ends[0][1], inner), role: 'child' },
        { outline: circle(ends[1][0], ends[1][1], inner), role: 'child', dashed: true }, { outline: circle(0, 0, rod), role: 'parent' }];
    },
    mark(_, normal) {
      const [x, y] = frame.direction(normal);
      return [rod * x, rod * y];
    },
    direction: (v) => frame.direction(v),
  };
}

// A block between two rails. Heights are linear in shift and tilt, so that corners touch where they do.
function guide(joint: Joint, run: Run, poses: Poses): LensFigure {
  const frame = new Frame(joint, run, poses, [0, 1]);
  const c = joint.data.clearance!, half = joint.data.length! / 2, wide = joint.data.width! / 2, rail = 0.6, high = rail - GAP, long = 0.66;
  const lift = (side: number) => {
    const tilt = 2 * Math.atan2(turn.z, turn.w), wrapped = tilt - 2 * Math.PI * Math.round(tilt / (2 * Math.PI));
    return (GAP * (shift.y + side * half * wrapped)) / c;
  };
  return {
    factor: wide > 0 ? (GAP / high) / (c / wide) : 0,
    layers() {
      frame.place();
      const [left, right] = [lift(-1), lift(1)];
      return [{ outline: box(-1, rail, 1, rail + WALL), role: 'housing' }, { outline: box(-1, -rail - WALL, 1, -rail), role: 'housing' },
        { outline: [[-long, left - high], [long, right - high], [long, right + high], [-long, left + high]], role: 'child' }];
    },
    mark(place) {
      frame.place();
      const p = frame.inChild(place), side = p.x > 0 ? 1 : -1;
      return [side * long, lift(side) + (p.y > 0 ? high : -high)];
    },
    direction: (v) => frame.direction(v),
  };
}

// A pin between the walls of a slot.
function slot(joint: Joint, run: Run, poses: Poses): LensFigure {
  const frame = new Frame(joint, run, poses, [0, 1]);
  const c = joint.data.clearance!, radius = radiusOf(joint), wall = 0.7, pin = wall - GAP, sides = joint.data.sides ?? 'both';
  const height = () => (GAP * shift.y) / c;
  return {
    factor: radius > 0 ? (GAP / pin) / (c / radius) : 0,
    layers() {
      frame.place();
      const layers: Layer[] = [];
      if (sides !== 'right') layers.push({ outline: box(-1, wall, 1, wall + WALL), role: 'housing' });
      if (sides !== 'left') layers.push({ outline: box(-1, -wall - WALL, 1, -wall), role: 'housing' });
      return [...layers, { outline: circle(0, height(), pin), role: 'child' }];
    },
    mark(_, normal) {
      frame.place();
      const [, y] = frame.direction(normal);
      return [0, height() + (y > 0 ? -pin : pin)];
    },
    direction: (v) => frame.direction(v),
  };
}

// A prism in a channel of its section: both ends, with what it rolls, linear in the displacement.
function channel(joint: Joint, run: Run, poses: Poses): LensFigure {
  const frame = new Frame(joint, run, poses, [1, 2]);
  const c = joint.data.clearance!, half = (joint.data.length ?? 0) / 2;
  const section = joint.data.section!.map(([y, z]) => new Vector2(y, z));
  const reach = Math.max(...section.map((p) => p.length())), scale = (BORE - GAP) / reach;
  const walls = offsetPolygon(section, GAP / scale).map((p) => [scale * p.x, scale * p.y]);
  const outside = offsetPolygon(section, (GAP + WALL) / scale).map((p) => [scale * p.x, scale * p.y]);
  const axis = new Vector3();
  const moved = (y: number, z: number, along: number): number[] => {
    const roll = 2 * Math.atan2(turn.x, turn.w);
    axis.set(along, 0, 0).applyQuaternion(turn);
    return [scale * y + (GAP * (shift.y + axis.y - roll * z)) / c, scale * z + (GAP * (shift.z + axis.z + roll * y)) / c];
  };
  return {
    factor: GAP / scale / c,
    layers() {
      frame.place();
      const end = (along: number) => section.map((p) => moved(p.x, p.y, along));
      return [{ outline: outside, hole: walls, role: 'housing' }, { outline: walls, role: 'hole' }, { outline: end(half), role: 'child' },
        { outline: end(-half), role: 'child', dashed: true }];
    },
    mark(place) {
      frame.place();
      const p = frame.inChild(place);
      const [y, z] = moved(p.y, p.z, p.x);
      return [y, z];
    },
    direction: (v) => frame.direction(v),
  };
}

// Null where a lens has nothing to show.
export function lensFigure(joint: Joint, run: Run, poses: Poses): LensFigure | null {
  const { type, clearance, length, width, section } = joint.data;
  if (!joint.play || !(clearance! > 0) || !poses.known[joint.parent] || !poses.known[joint.child]) return null;
  if (run.planar) {
    if (type === 'prismatic') return length && width ? guide(joint, run, poses) : null;
    return type === 'pin_in_slot' ? slot(joint, run, poses) : bore(joint, run, poses);
  }
  if (type === 'spherical') return bore(joint, run, poses);
  if (type === 'cylindrical' || type === 'revolute') return sleeve(joint, run, poses);
  return type === 'prismatic' && section ? channel(joint, run, poses) : null;
}
