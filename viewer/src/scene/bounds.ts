// How large the mechanism is: the size of its parts (for widths of lines and symbols) and the space that it moves in.
import { Box3, Quaternion, Vector3 } from 'three';
import { boxOf, extentOf, type Extent } from '../geometry/extents';
import type { Joint } from '../geometry/joint_frames';
import { relative, vector } from '../geometry/joint_frames';
import type { Poses } from '../geometry/poses';
import type { Run } from '../data/run';
import type { Travel } from './parts/play_joints';

const SAMPLES = 80, LEAST_SAMPLES = 8, MOST_PLACES = 200000;   // of rows, and of bodies in them
const LONG_WAY = 20;               // parts this much smaller than their way would be dots: the camera follows one
const MUCH_LARGER = 12;            // shapes of the ground this much larger than the motion are not shown whole
const SMALLEST = { shaped: 0.2, bare: 0.35 };   // of the picture: symbols and arrows of a small part on a long way, and parts that are nothing but a symbol

export interface Bounds {
  size: number;
  atStart: Box3;
  whole: Box3;
  traveller: number;               // the body to follow where the way is long against the mechanism; else -1
  travel: Map<Joint, Travel>;
}
const AXIS_POINTS = 9;             // of a beam
const SHAPELESS = new Set(['point', 'line', 'plane']);   // shapes by which a body is not drawn

function extentsOfBodies(run: Run, poses: Poses, joints: Joint[]): Extent[][] {
  const { shapes, springs } = run.header.geometry;
  const extents = poses.names.map((_, i): Extent[] => (i === 0 ? [] : [{ points: [new Vector3()], radius: 0 }]));
  const add = (body: number, ...points: Vector3[]) => extents[body]?.push({ points, radius: 0 });
  for (const joint of joints) {
    const { length, width, section, bearing_radius: bore, journal_radius: radius = bore } = joint.data;
    const onChild = (x: number, y: number, z: number) => new Vector3(x, y, z).applyQuaternion(joint.frameChild).add(joint.atChild);
    add(joint.parent, joint.atParent);
    add(joint.child, joint.atChild);
    if (length && width) add(joint.child, ...[[1, 1], [-1, 1], [1, -1], [-1, -1]].map(([x, y]) => onChild((x * length) / 2, (y * width) / 2, 0)));
    else if (length && section) add(joint.child, ...section.flatMap(([y, z]) => [-length / 2, length / 2].map((x) => onChild(x, y, z))));
    else if (length && radius) extents[joint.child].push({ points: [joint.atChild], radius: length / 2 + radius });
    else if (radius) extents[joint.child].push({ points: [joint.atChild], radius });   // a shaft that is nothing but its journal would fill the picture
  }
  for (const spring of springs) {
    add(poses.indexOf(spring.parent), vector(spring.at_parent));
    add(poses.indexOf(spring.child), vector(spring.at_child));
  }
  const shaped = new Set<number>();
  for (const [body, beam] of poses.deformations.beams) {
    shaped.add(body);
    const { start: [x, y, z], length, height } = beam.data;
    const axis = Array.from({ length: AXIS_POINTS }, (_, i) => beam.attach(new Vector3(x + (length * i) / (AXIS_POINTS - 1), y, z)).real.at);
    extents[body].push({ points: axis, radius: height / 2 });
  }
  for (const shape of shapes) {
    const body = poses.indexOf(shape.body), extent = extentOf(shape);
    if (!SHAPELESS.has(shape.type)) shaped.add(body);
    if (body > 0 && extent) extents[body].push(extent);
  }
  // A body without a shape that hangs or stands at one point is drawn as far beyond its centre of mass.
  const held = poses.names.map(() => [] as Vector3[]);
  for (const joint of joints) {
    held[joint.parent].push(joint.atParent);
    held[joint.child].push(joint.atChild);
  }
  for (const shape of shapes) {
    const body = poses.indexOf(shape.body);
    if (body > 0 && shape.type === 'point') held[body].push(vector(shape.at ?? [0, 0, 0]));
  }
  held.forEach((list, i) => {
    if (i > 0 && !shaped.has(i) && list.length > 0 && list.every((p) => p.distanceTo(list[0]) <= 1e-9 * list[0].length())) add(i, list[0].clone().negate());
  });
  return extents;
}

const diagonal = (box: Box3) => (box.isEmpty() ? 0 : box.getSize(new Vector3()).length());

// What of the ground belongs to the picture of bodies that move in `moving`: shapes that can be touched and others that are
// near, of much larger ones only what lies below and beside the motion, and the nearest points of lines and planes.
function groundAround(run: Run, moving: Box3): Box3 {
  const box = new Box3();
  if (moving.isEmpty()) return box;
  const reach = diagonal(moving), near = moving.clone().expandByScalar(reach), beside = moving.clone().expandByScalar(0.1 * reach), centre = moving.getCenter(new Vector3());
  const { shapes, contacts = [] } = run.header.geometry;
  const touched = new Set(contacts.flatMap(({ a, b }) => [a, b]));
  const around = moving.clone().expandByScalar(MUCH_LARGER * reach);
  for (const shape of shapes) {
    if (shape.body !== 'ground') continue;
    const extent = extentOf(shape);
    if (extent) {
      const part = boxOf(extent);
      const counts = touched.size === 0 || touched.has(`${shape.body}.${shape.name}`);
      if (!(counts ? around : near).intersectsBox(part)) continue;
      if (diagonal(part) > MUCH_LARGER * reach) part.intersect(beside);
      if (!part.isEmpty()) box.union(part);
    } else {
      const normal = vector(shape.normal!).normalize();
      const foot = centre.clone().addScaledVector(normal, vector(shape.at ?? [0, 0, 0]).sub(centre).dot(normal));
      if (near.containsPoint(foot)) box.expandByPoint(foot);
    }
  }
  return box;
}

// Points have no size of their own. Theirs is that of their way, and where that is long and thin how far they go across it: the
// hops of a part on a feeder.
function sizeOfWay(moving: Box3): number {
  const way = diagonal(moving);
  if (way === 0) return 0;
  const across = Math.hypot(...moving.getSize(new Vector3()).toArray().sort((a, b) => a - b).slice(0, 2));
  return across > 0 && LONG_WAY * across < way ? across : 0.5 * way;
}

export function boundsOf(run: Run, poses: Poses, joints: Joint[]): Bounds {
  const extents = extentsOfBodies(run, poses, joints), { shapes } = run.header.geometry;
  const moving = new Box3(), started = new Box3(), p = new Vector3(), shift = new Vector3(), turn = new Quaternion();
  const round = new Vector3(), low = new Vector3();
  const travel = new Map<Joint, Travel>(joints.map((joint) => [joint, { from: Infinity, to: -Infinity }]));
  const time = run.whole.columns[0];
  const keep = run.time;
  const count = Math.min(SAMPLES, run.header.rows, Math.max(LEAST_SAMPLES, Math.floor(MOST_PLACES / poses.names.length)));
  for (let s = 0; s < count; ++s) {
    run.seek(time[Math.round((s * (time.length - 1)) / Math.max(1, count - 1))]);
    poses.update();
    for (let body = 0; body < extents.length; ++body) {
      if (!poses.known[body]) continue;
      for (const { points, radius } of extents[body]) {
        round.set(radius, radius, run.planar ? 0 : radius);
        for (const local of points) {
          p.copy(local).applyQuaternion(poses.rotation[body]).add(poses.position[body]);
          if (!Number.isFinite(p.x + p.y + p.z)) continue;
          moving.expandByPoint(low.copy(p).sub(round)).expandByPoint(p.add(round));
          if (s === 0) started.expandByPoint(low).expandByPoint(p);
        }
      }
    }
    for (const joint of joints) {
      if (!poses.known[joint.parent] || !poses.known[joint.child]) continue;
      relative(joint, joint.real, poses.position, poses.rotation, shift, turn);
      const range = travel.get(joint)!;
      const x = shift.getComponent(joint.data.type === 'prismatic' || joint.data.type === 'pin_in_slot' ? 0 : 2);
      range.from = Math.min(range.from, x);
      range.to = Math.max(range.to, x);
    }
  }
  for (const range of travel.values()) if (!(range.from <= range.to)) range.from = range.to = 0;
  run.seek(keep);
  poses.update();
  const own = diagonal(started) > 1e-3 * diagonal(moving) ? diagonal(started) : sizeOfWay(moving);
  const traveller = diagonal(moving) > LONG_WAY * own && !started.isEmpty() ? mostMoved(run, poses) : -1;
  const atStart = started.clone().union(groundAround(run, started));
  if (traveller > 0 && diagonal(started) < own) atStart.expandByScalar(own);   // points on a thin way
  const whole = moving.clone().union(groundAround(run, moving));
  const size = traveller > 0 ? own : Math.max(own, diagonal(started.clone().union(groundAround(run, moving))), (shapes.every((shape) => SHAPELESS.has(shape.type)) ? SMALLEST.bare : SMALLEST.shaped) * diagonal(whole));
  return { size: size > 0 ? size : 1, atStart, whole, traveller, travel };
}

function mostMoved(run: Run, poses: Poses): number {
  const start = poses.position.map((p) => p.clone());
  const keep = run.time;
  run.seek(run.last);
  poses.update();
  let best = -1, most = 0;
  poses.position.forEach((p, i) => {
    const way = p.distanceTo(start[i]);
    if (i > 0 && poses.known[i] && way > most) [best, most] = [i, way];
  });
  run.seek(keep);
  poses.update();
  return best;
}
