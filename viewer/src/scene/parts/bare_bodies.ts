// A body for which the model file gives no shape is drawn from its joint points: a bar between them (rounded hull of
// three and more), a block where it slides, a weight where it is only hung up.
import { Box3, BoxGeometry, CapsuleGeometry, Group, Object3D, SphereGeometry, Vector2, Vector3 } from 'three';
import type { Joint } from '../../geometry/joint_frames';
import { disc, polygon, rectangle, roundedHull } from '../../geometry/outlines';
import { LAYER, type Paint } from '../paint';
import { withOctants, withQuarters } from '../stripes';

const Y = new Vector3(0, 1, 0);

// `tip` and `stem`: a follower touches with a point and is held by a stem that leaves it in the direction +1 or -1.
export interface BodyPoints { index: number; joints: Joint[]; others: Vector3[]; tip: Vector3 | null; stem: number; travel: (joint: Joint) => { from: number; to: number } }

export const STEM_LENGTH = 0.42, STEM_HALF_WIDTH = 0.02, BLOCK_LENGTH = 0.16;   // of the mechanism's size
// Where the guide of a follower holds its stem when the tip is farthest up, in lengths of a short stem; and how long the stem must be to stay
// in it when the tip is farthest down.
export const STEM_GUIDE = { from: 0.45, to: 0.75 };
export const stemLength = (size: number, { from, to }: { from: number; to: number }): number =>
  Math.max(STEM_LENGTH * size, to - from + (STEM_GUIDE.to + 0.1) * STEM_LENGTH * size);

function distinct(points: Vector3[], size: number): Vector3[] {
  const out: Vector3[] = [];
  for (const p of points) if (!out.some((q) => q.distanceTo(p) < 1e-3 * size)) out.push(p);
  return out;
}

export function barBetween(a: Vector3, b: Vector3, radius: number, paint: Paint, role: number): Object3D {
  const along = b.clone().sub(a);
  const bar = paint.solid(withQuarters(new CapsuleGeometry(radius, along.length(), 8, 20)), role, 1, 0);
  bar.position.copy(a).addScaledVector(along, 0.5);
  bar.quaternion.setFromUnitVectors(Y, along.normalize());
  return bar;
}

// The block of a body that slides in or on something: its size from the joint with play, else one that looks right.
function blocks(body: BodyPoints, paint: Paint, size: number, order: number): Object3D[] {
  const out: Object3D[] = [];
  for (const joint of body.joints) {
    if (joint.child !== body.index || joint.data.type !== 'prismatic') continue;
    if (!paint.planar && joint.data.section) continue;   // drawn with its channel
    if (paint.planar && body.tip && body.stem !== 0 && !joint.play) {
      const w = STEM_HALF_WIDTH * size, end = stemLength(size, body.travel(joint)), s = body.stem;
      const outline = [[0, 0], [2 * w, -w], [end, -w], [end, w], [2 * w, w]].map(([x, y]) => new Vector2(s * x, s * y));
      const stem = paint.flat(polygon(outline), body.index, order);
      stem.position.copy(body.tip);
      stem.quaternion.copy(joint.frameChild);
      out.push(stem);
      continue;
    }
    const half = (joint.data.length ?? BLOCK_LENGTH * size) / 2, wide = (joint.data.width ?? 0.09 * size) / 2;
    const block = paint.planar ? paint.flat(rectangle(-half, -wide, half, wide, joint.play ? 0 : wide * 0.3), body.index, order)
      : paint.solid(new BoxGeometry(2 * half, 2 * wide, 2 * wide), body.index);
    block.position.copy(joint.atChild);
    block.quaternion.copy(joint.frameChild);
    out.push(block);
  }
  return out;
}

export function drawBareBody(body: BodyPoints, paint: Paint, size: number): Object3D {
  const group = new Group();
  const order = LAYER.body + body.index;
  for (const block of blocks(body, paint, size, LAYER.body - 10 + 0.01 * body.index)) group.add(block);
  const isBlock = group.children.length > 0;
  const sleeves = body.joints.some((j) => !paint.planar && j.play && j.child === body.index);
  const points = distinct([
    ...body.joints.map((joint) => (joint.parent === body.index ? joint.atParent : joint.atChild)), ...body.others,
  ], size);
  const centre = new Vector3();
  const radius = size * (paint.planar ? 0.02 : 0.014);
  if (points.length === 1 && points[0].distanceTo(centre) > 1e-3 * size) {
    // Hung up at one point: a bar to the centre of mass and as far beyond, as a rod would be.
    points.push(points[0].clone().multiplyScalar(-1));
  }
  if (points.length > 1) {
    if (paint.planar) addArm(group, points, radius, paint, body.index);
    if (paint.planar) group.add(paint.flat(roundedHull(points.map((p) => new Vector2(p.x, p.y)), radius), body.index, order));
    else if (points.length === 2) group.add(barBetween(points[0], points[1], radius, paint, body.index));
    else {
      const hub = points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length);
      for (const p of points) if (p.distanceTo(hub) > 1e-6 * size) group.add(barBetween(hub, p, radius, paint, body.index));
    }
  } else if (!isBlock && !sleeves) {
    group.add(paint.planar ? paint.flat(disc(1.6 * radius), body.index, order)
      : paint.solid(withOctants(new SphereGeometry(2 * radius, 24, 16)), body.index, 1, 0));
  }
  return group;
}

// A centre of mass beside the line between the joints gets a thin line to it, or it would seem to float.
function addArm(group: Group, points: Vector3[], radius: number, paint: Paint, role: number): void {
  if (points.length !== 2) return;
  const along = points[1].clone().sub(points[0]);
  const t = Math.min(1, Math.max(0, -points[0].dot(along) / along.lengthSq()));
  const foot = points[0].clone().addScaledVector(along, t);
  if (foot.length() > 1.5 * radius) group.add(paint.polyline([foot, new Vector3()], role, LAYER.body, 1.2));
}

// Bars that hold a body with shapes together: from its joints to its centre of mass where no shape reaches them (a bob and
// its rod), and from a shape beside all of these to the nearest of them (the nose of a pawl). `boxes` are around its shapes.
export function drawReach(body: number, joints: Joint[], boxes: Box3[], paint: Paint, size: number): Object3D[] {
  const covered = (p: Vector3) => boxes.some((box) => box.containsPoint(p));
  const centre = new Vector3();
  const held = distinct(joints.filter((joint) => joint.data.type !== 'prismatic').map((joint) => (joint.parent === body ? joint.atParent : joint.atChild)), size);
  const ends = held.filter((p) => !covered(p) && p.length() > 1e-3 * size).map((p) => [p, centre]);
  // What touches a shape that is held is held by it, as the lifters of a drum are.
  const attached = new Set(boxes.filter((box) => box.containsPoint(centre) || held.some((p) => box.containsPoint(p))));
  for (const box of attached) for (const other of boxes) if (other.intersectsBox(box)) attached.add(other);
  for (const box of boxes) {
    if (held.length === 0 || attached.has(box)) continue;
    const from = [...held, centre].reduce((best, p) => (box.distanceToPoint(p) < box.distanceToPoint(best) ? p : best));
    ends.push([box.getCenter(new Vector3()), from]);
  }
  const radius = size * 0.008;
  return ends.map(([a, b]) => (paint.planar
    ? paint.flat(roundedHull([new Vector2(a.x, a.y), new Vector2(b.x, b.y)], radius), body, LAYER.body - 1)
    : barBetween(a, b, radius, paint, body)));
}

// The mark of a centre of mass: a disc with two black quarters, as in drawings.
export function centreMark(paint: Paint, size: number): Object3D {
  const r = size * 0.009;
  if (!paint.planar) return new Object3D();
  const group = new Group();
  group.add(paint.flat(disc(r), 'pin', LAYER.joint - 2, 1, 1));
  for (const from of [0, Math.PI]) {
    const quarter = disc(r);
    quarter.curves.length = 0;
    quarter.moveTo(0, 0);
    quarter.lineTo(r * Math.cos(from), r * Math.sin(from));   // three joins an arc only to curves that are there
    quarter.absarc(0, 0, r, from, from + Math.PI / 2, false);
    quarter.closePath();
    group.add(paint.flat(quarter, 'metal', LAYER.joint - 1, 1, 0.5));
  }
  return group;
}
