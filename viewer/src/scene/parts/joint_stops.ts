// Marks of the stops of joints in the plane: a short hatched wall where the child is when its coordinate is at the stop. The
// wall of a slide stands at the end of the child; that of a hinge beside the line from the joint to the centre of mass.
import { Group, Object3D, Vector2, Vector3 } from 'three';
import { boxOf, type Extent } from '../../geometry/extents';
import type { Joint } from '../../geometry/joint_frames';
import { LAYER, type Paint, type Role } from '../paint';
import { hatchedLine } from './shapes';

export interface StopMark { side: 'lower' | 'upper'; object: Object3D }
export interface StopMarks { onParent: Object3D; marks: StopMark[] }

const WALL = 0.06, TICK = 0.012, ARM = 0.16;   // of the mechanism's size
const BAR = { bare: 0.02, shaped: 0.008 };     // half widths of the bars of bare_bodies.ts

export interface StoppedChild { shapes: Extent[]; halfLength: number }   // its shapes; half of the block that stands for it where it has none

// How far the child reaches from its joint point against and along the axis of a slide.
function reachOf(joint: Joint, child: StoppedChild): [number, number] {
  if (child.shapes.length === 0) return [-child.halfLength, child.halfLength];
  const back = joint.frameChild.clone().invert();
  const boxes = child.shapes.map((extent) => boxOf({ points: extent.points.map((p) => p.clone().sub(joint.atChild).applyQuaternion(back)), radius: extent.radius }));
  return [Math.min(...boxes.map((box) => box.min.x)), Math.max(...boxes.map((box) => box.max.x))];
}

export function drawStops(joint: Joint, paint: Paint, size: number, child: StoppedChild): StopMarks | null {
  const { stops, type } = joint.data;
  if (!stops || !paint.planar || (type !== 'prismatic' && type !== 'revolute')) return null;
  const role: Role = joint.parent === 0 ? 'ground' : joint.parent;
  const onParent = new Group();
  onParent.position.copy(joint.atParent);
  onParent.quaternion.copy(joint.frameParent);
  const marks: StopMark[] = [];
  const add = (side: 'lower' | 'upper', at: Vector3, normal: Vector3, reach: number) => {
    const wall = hatchedLine(new Vector3(), normal, reach, TICK * size, paint, role, LAYER.joint - 20);
    wall.position.copy(at);
    onParent.add(wall);
    marks.push({ side, object: wall });
  };
  if (type === 'prismatic') {
    const [behind, ahead] = reachOf(joint, child);
    if (stops.lower !== undefined) add('lower', new Vector3(stops.lower + behind, 0, 0), new Vector3(1, 0, 0), WALL * size);
    if (stops.upper !== undefined) add('upper', new Vector3(stops.upper + ahead, 0, 0), new Vector3(-1, 0, 0), WALL * size);
  } else {
    const line = joint.atChild.clone().negate().applyQuaternion(joint.frameChild.clone().invert());
    const zero = Math.hypot(line.x, line.y) > 1e-3 * size ? Math.atan2(line.y, line.x) : 0;
    const beside = (child.shapes.length > 0 ? BAR.shaped : BAR.bare) * size;
    for (const [side, sign] of [['lower', -1], ['upper', 1]] as const) {
      const q = stops[side];
      if (q === undefined) continue;
      const across = new Vector3(-Math.sin(zero + q), Math.cos(zero + q), 0).multiplyScalar(sign);
      const at = new Vector3(Math.cos(zero + q), Math.sin(zero + q), 0).multiplyScalar(ARM * size).addScaledVector(across, beside);
      add(side, at, across.negate(), 0.5 * WALL * size);
    }
    const { lower, upper } = stops;
    if (lower !== undefined && upper !== undefined && upper - lower < 2 * Math.PI) onParent.add(paint.polyline(arc(ARM * size, zero + lower, zero + upper), role, LAYER.joint - 20, 0.8));
  }
  return { onParent, marks };
}

function arc(radius: number, from: number, to: number): Vector2[] {
  return Array.from({ length: 65 }, (_, i) => from + ((to - from) * i) / 64).map((a) => new Vector2(radius * Math.cos(a), radius * Math.sin(a)));
}
