// How large the mechanism is: the size of its parts (for widths of lines and symbols) and the space that it moves in.
import { Box3, Quaternion, Vector3 } from 'three';
import type { Joint } from '../geometry/joint_frames';
import { relative, vector } from '../geometry/joint_frames';
import type { Poses } from '../geometry/poses';
import type { Run } from '../data/run';
import { shapeCorners } from './shapes';
import type { Travel } from './play_joints';

const SAMPLES = 80;

export interface Bounds {
  size: number;
  atStart: Box3;
  whole: Box3;
  traveller: number;               // the body to follow where the way is long against the mechanism; else -1
  travel: Map<Joint, Travel>;
}
const LONG_WAY = 5;                // sizes

function pointsOfBodies(run: Run, poses: Poses, joints: Joint[]): Vector3[][] {
  const points = poses.names.map((_, i) => (i === 0 ? [] : [new Vector3()]));
  for (const joint of joints) {
    points[joint.parent].push(joint.atParent);
    points[joint.child].push(joint.atChild);
    if (joint.data.length && joint.data.width) {
      for (const [x, y] of [[1, 1], [-1, 1], [1, -1], [-1, -1]]) {
        const corner = new Vector3((x * joint.data.length) / 2, (y * joint.data.width) / 2, 0);
        points[joint.child].push(corner.applyQuaternion(joint.frameChild).add(joint.atChild));
      }
    } else if (joint.data.length && joint.data.section) {
      for (const [y, z] of joint.data.section) {
        for (const x of [-joint.data.length / 2, joint.data.length / 2]) points[joint.child].push(new Vector3(x, y, z).applyQuaternion(joint.frameChild).add(joint.atChild));
      }
    } else if (joint.data.length && joint.data.journal_radius) {
      const reach = joint.data.length / 2 + joint.data.journal_radius;
      points[joint.child].push(joint.atChild.clone().addScalar(reach), joint.atChild.clone().addScalar(-reach));
    }
  }
  for (const spring of run.header.geometry.springs) {
    points[poses.indexOf(spring.parent)]?.push(vector(spring.at_parent));
    points[poses.indexOf(spring.child)]?.push(vector(spring.at_child));
  }
  for (const shape of run.header.geometry.shapes) {
    const body = poses.indexOf(shape.body);
    if (body >= 0) points[body].push(...(shapeCorners(shape) ?? []));
  }
  // A body that hangs or stands at one point is drawn as far beyond its centre of mass.
  const held = poses.names.map(() => [] as Vector3[]);
  for (const joint of joints) {
    held[joint.parent].push(joint.atParent);
    held[joint.child].push(joint.atChild);
  }
  for (const shape of run.header.geometry.shapes) {
    const body = poses.indexOf(shape.body);
    if (body > 0 && shape.type === 'point') held[body].push(vector(shape.at ?? [0, 0, 0]));
  }
  held.forEach((list, i) => {
    if (i > 0 && list.length > 0 && list.every((p) => p.distanceTo(list[0]) <= 1e-9 * list[0].length())) points[i].push(list[0].clone().negate());
  });
  return points;
}

export function boundsOf(run: Run, poses: Poses, joints: Joint[]): Bounds {
  const points = pointsOfBodies(run, poses, joints);
  const whole = new Box3(), atStart = new Box3(), p = new Vector3(), shift = new Vector3(), turn = new Quaternion();
  const travel = new Map<Joint, Travel>(joints.map((joint) => [joint, { from: Infinity, to: -Infinity }]));
  const time = run.whole.columns[0];
  const keep = run.time;
  const count = Math.min(SAMPLES, run.header.rows);
  for (let s = 0; s < count; ++s) {
    run.seek(time[Math.round((s * (time.length - 1)) / Math.max(1, count - 1))]);
    poses.update();
    for (let body = 0; body < points.length; ++body) {
      if (!poses.known[body]) continue;
      for (const local of points[body]) {
        p.copy(local).applyQuaternion(poses.rotation[body]).add(poses.position[body]);
        if (!Number.isFinite(p.x + p.y + p.z)) continue;
        whole.expandByPoint(p);
        if (s === 0) atStart.expandByPoint(p);
      }
    }
    for (const joint of joints) {
      if (!poses.known[joint.parent] || !poses.known[joint.child]) continue;
      relative(joint, poses.position, poses.rotation, shift, turn);
      const range = travel.get(joint)!;
      const x = shift.getComponent(joint.data.type === 'prismatic' ? 0 : 2);
      range.from = Math.min(range.from, x);
      range.to = Math.max(range.to, x);
    }
  }
  for (const range of travel.values()) if (!(range.from <= range.to)) range.from = range.to = 0;
  run.seek(keep);
  poses.update();
  const diagonal = (box: Box3) => (box.isEmpty() ? 0 : box.getSize(p).length());
  const size = diagonal(atStart) > 1e-3 * diagonal(whole) ? diagonal(atStart) : diagonal(whole) * 0.5;
  const traveller = diagonal(whole) > LONG_WAY * size && !atStart.isEmpty() ? mostMoved(run, poses) : -1;
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
