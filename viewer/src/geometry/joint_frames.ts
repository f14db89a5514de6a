// Joints as the model has them: frames on parent and child, and the directions that they hold (the page's counterpart
// of the table of joint types in the library).
import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Deformations } from './beams';
import type { Geometry, JointData } from '../data/data_block';

// How a joint holds turning: not at all, its z axis, everything, or the cross of a universal joint.
export type Turning = 'free' | 'axis' | 'all' | 'cross';

export interface JointEnds {
  frameParent: Quaternion;        // joint axes on the parent, in the parent's axes
  frameChild: Quaternion;
  atParent: Vector3;
  atChild: Vector3;
}
// Its own ends are those of the bodies at rest; on an elastic body they move.
export interface Joint extends JointEnds {
  data: JointData;
  real: JointEnds;                // where they are at the cursor
  drawn: JointEnds;               // where they are drawn
  parent: number;                 // index of the body
  child: number;
  play: boolean;
  held: number[];                 // directions of the parent's joint axes in which the point is held (or has play)
  turning: Turning;
}

const MAIN_AXIS: Record<string, number> = { prismatic: 0, universal: 0, pin_in_slot: 0 };
const HELD: Record<string, [number[], Turning]> = {
  fixed: [[0, 1, 2], 'all'], revolute: [[0, 1, 2], 'axis'], prismatic: [[1, 2], 'all'], cylindrical: [[0, 1], 'axis'],
  pin_in_slot: [[1, 2], 'axis'], planar: [[2], 'axis'], universal: [[0, 1, 2], 'cross'], spherical: [[0, 1, 2], 'free'], free: [[], 'free'],
};

export const vector = (v: readonly number[]) => new Vector3(v[0], v[1], v[2] ?? 0);
export const quaternion = (e: readonly number[]) => new Quaternion(e[1], e[2], e[3], e[0]);

function frameOf(joint: JointData): Quaternion {
  const main = new Vector3(...([[1, 0, 0], [0, 1, 0], [0, 0, 1]][MAIN_AXIS[joint.type] ?? 2] as [number, number, number]));
  const axis = vector(joint.axis);
  if (axis.lengthSq() === 0) return new Quaternion();
  axis.normalize();
  if (joint.second_axis) {
    // Universal: x and y of the frame; a pin in a slot: x and z.
    const second = vector(joint.second_axis), z = joint.type === 'universal' ? axis.clone().cross(second).normalize() : second.addScaledVector(axis, -axis.dot(second)).normalize();
    return new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(axis, z.clone().cross(axis), z));
  }
  if (axis.dot(main) < -1 + 1e-12) {
    // Opposite to the default axis: half a turn about the next axis of the frame, as the library does it.
    const next = main.x === 1 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    return new Quaternion().setFromAxisAngle(next, Math.PI);
  }
  return new Quaternion().setFromUnitVectors(main, axis);
}

export function jointsOf(geometry: Geometry, bodyIndex: (name: string) => number, deformations: Deformations): Joint[] {
  const joints: Joint[] = [];
  for (const data of geometry.joints) {
    const parent = bodyIndex(data.parent), child = bodyIndex(data.child);
    if (parent < 0 || child < 0) continue;
    const frameParent = frameOf(data);
    const frameChild = quaternion(data.rotation).invert().multiply(frameParent);
    const [held, turning] = HELD[data.type] ?? [[], 'free' as Turning];
    const atParent = vector(data.at_parent), atChild = vector(data.at_child);
    const onParent = deformations.attach(parent, atParent, frameParent), onChild = deformations.attach(child, atChild, frameChild);
    const ends = (which: 'real' | 'drawn'): JointEnds => ({
      atParent: onParent[which].at, frameParent: onParent[which].frame, atChild: onChild[which].at, frameChild: onChild[which].frame,
    });
    joints.push({
      data, parent, child, frameParent, frameChild, atParent, atChild, held, turning, play: data.model === 'clearance', real: ends('real'), drawn: ends('drawn'),
    });
  }
  return joints;
}

// The play of a joint in its own axes at a position: the child's point seen from the parent's, and the turn between the frames.
const q1 = new Quaternion(), q2 = new Quaternion(), p1 = new Vector3();
export function relative(joint: Joint, ends: JointEnds, position: Vector3[], rotation: Quaternion[], shift: Vector3, turn: Quaternion): void {
  q1.copy(rotation[joint.parent]).multiply(ends.frameParent).invert();
  q2.copy(rotation[joint.child]).multiply(ends.frameChild);
  turn.copy(q1).multiply(q2);
  shift.copy(ends.atChild).applyQuaternion(rotation[joint.child]).add(position[joint.child]);
  p1.copy(ends.atParent).applyQuaternion(rotation[joint.parent]).add(position[joint.parent]);
  shift.sub(p1).applyQuaternion(q1);
}
