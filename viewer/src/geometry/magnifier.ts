// The clearance magnifier. A joint with play of clearance c is drawn as if its clearance were M c: the child's
// displacement in the directions with play (shift and tilt) is M times the true one. Only moving the child would tear
// the other joints open, so the whole mechanism is assembled again around the magnified play:
//
//   minimise over small motions of the bodies   |ideal joints keep their true relative position|^2
//                                             + |joints with play have M times their true shift and tilt|^2
//                                             + mu^2 |bodies stay where they are|^2      (mu small, less for the far ones)
//
// A magnified deformation of elastic bodies is treated alike: joints on them sit on the sections as these are drawn, and bushings
// have their shift and tilt magnified with it.
// All by Gauss-Newton from the true position, so the picture depends on time and M only, never on the way there. Where M is
// so large that no position satisfies all joints, the error is spread evenly. M = 1 is the truth, to the bit.
import { Quaternion, Vector3 } from 'three';
import { relative, type Joint } from './joint_frames';
import type { Poses } from './poses';

const MOST_BODIES = 40;      // of one group that hangs together; beyond, the equations are too large for every frame
const STAY = 0.02;
const ITERATIONS = 8;

const shift = new Vector3(), turn = new Quaternion(), turnVector = new Vector3();
const axisVector = new Vector3(), step = new Quaternion();

function rotationVector(q: Quaternion, out: Vector3): void {
  const sign = q.w < 0 ? -1 : 1;
  const s = Math.hypot(q.x, q.y, q.z);
  const factor = s > 1e-12 ? (2 * Math.atan2(s, Math.abs(q.w)) * sign) / s : 2 * sign;
  out.set(q.x * factor, q.y * factor, q.z * factor);
}
function fromRotationVector(v: Vector3, out: Quaternion): void {
  const angle = v.length();
  if (angle < 1e-12) out.set(v.x / 2, v.y / 2, v.z / 2, 1).normalize();
  else out.setFromAxisAngle(axisVector.copy(v).divideScalar(angle), angle);
}

// A bushing gives: how far belongs to what is deformed.
const gives = (joint: Joint) => joint.data.model === 'bushing';

interface Target { shift: Vector3; turn: Quaternion; axis: Vector3; dot: number }

export class Magnifier {
  readonly position: Vector3[];       // as drawn
  readonly rotation: Quaternion[];
  readonly left: string[] = [];       // joints with play that are not magnified, as their group is too large
  magnification = 1;
  private readonly groups: { bodies: number[]; joints: Joint[]; depth: number[] }[] = [];
  private readonly targets = new Map<Joint, Target>();
  private readonly out = new Float64Array(6);
  private readonly plus = new Float64Array(6);
  private matrix = new Float64Array(0);
  private vector = new Float64Array(0);
  private offset = new Float64Array(0);

  constructor(private readonly poses: Poses, joints: Joint[], private readonly size: number, private readonly planar: boolean) {
    this.position = poses.position.map((p) => p.clone());
    this.rotation = poses.rotation.map((q) => q.clone());
    const usable = joints.filter((joint) => poses.known[joint.parent] && poses.known[joint.child]);
    for (const joint of usable) {
      this.targets.set(joint, { shift: new Vector3(), turn: new Quaternion(), axis: new Vector3(), dot: 0 });
    }
    const seen = new Set<number>([0]);
    for (const first of usable) {
      for (const body of [first.parent, first.child]) if (!seen.has(body)) this.gather(body, usable, seen);
    }
  }

  // Bodies that hang together by joints, not counting the ground, with their distance from it in joints.
  private gather(start: number, joints: Joint[], seen: Set<number>): void {
    const bodies = [start];
    seen.add(start);
    const mine = new Set<Joint>();
    for (let i = 0; i < bodies.length; ++i) {
      for (const joint of joints) {
        if (joint.parent !== bodies[i] && joint.child !== bodies[i]) continue;
        mine.add(joint);
        const other = joint.parent === bodies[i] ? joint.child : joint.parent;
        if (!seen.has(other)) {
          seen.add(other);
          bodies.push(other);
        }
      }
    }
    const group = [...mine];
    if (!group.some((joint) => joint.play || gives(joint)) && !bodies.some((body) => this.poses.deformations.beams.has(body))) return;
    if (bodies.length > MOST_BODIES) {
      this.left.push(...group.filter((joint) => joint.play).map((joint) => joint.data.name));
      return;
    }
    const depth = bodies.map(() => 9);
    for (let round = 0; round < bodies.length; ++round) {
      for (const joint of group) {
        const p = bodies.indexOf(joint.parent), c = bodies.indexOf(joint.child);
        const dp = p < 0 ? 0 : depth[p], dc = c < 0 ? 0 : depth[c];
        if (p >= 0) depth[p] = Math.min(depth[p], dc + 1);
        if (c >= 0) depth[c] = Math.min(depth[c], dp + 1);
      }
    }
    this.groups.push({ bodies, joints: group, depth });
    const n = bodies.length * (this.planar ? 3 : 6);
    if (n * n > this.matrix.length) {
      this.matrix = new Float64Array(n * n);
      this.vector = new Float64Array(n);
      this.offset = new Float64Array(n);
    }
  }

  // Whether everything is drawn where it is.
  get isTrue(): boolean { return this.magnification === 1 && this.poses.deformations.magnification === 1; }

  update(): void {
    for (let i = 0; i < this.position.length; ++i) {
      this.position[i].copy(this.poses.position[i]);
      this.rotation[i].copy(this.poses.rotation[i]);
    }
    this.poses.deformations.draw();
    if (this.isTrue) return;
    for (const group of this.groups) {
      for (const joint of group.joints) this.aim(joint);
      this.solve(group);
    }
  }

  private aim(joint: Joint): void {
    const aim = this.targets.get(joint)!;
    const M = joint.play ? this.magnification : gives(joint) ? this.poses.deformations.magnification : 1;
    relative(joint, joint.real, this.position, this.rotation, shift, turn);
    aim.shift.copy(shift).multiplyScalar(M);
    rotationVector(turn, turnVector);
    turnVector.multiplyScalar(M);
    if (M > 1 && turnVector.length() > 1.2) turnVector.setLength(1.2);
    fromRotationVector(turnVector, aim.turn);
    aim.axis.set(0, 0, 1).applyQuaternion(turn);
    if (M > 1) {
      const tilt = Math.hypot(aim.axis.x, aim.axis.y) * M;
      const factor = tilt > 0.9 ? (0.9 / tilt) * M : M;
      aim.axis.x *= factor;
      aim.axis.y *= factor;
    }
    aim.dot = axisVector.set(0, 1, 0).applyQuaternion(turn).x;
  }

  // What the joint lacks, in metres (angles times a quarter of the mechanism's size).
  private residual(joint: Joint, out: Float64Array): number {
    const aim = this.targets.get(joint)!;
    const arm = this.size / 4;
    relative(joint, joint.drawn, this.position, this.rotation, shift, turn);
    let n = 0;
    for (const k of joint.held) out[n++] = shift.getComponent(k) - aim.shift.getComponent(k);
    if (joint.turning === 'all') {
      step.copy(aim.turn).invert().multiply(turn);
      rotationVector(step, turnVector);
      out[n++] = arm * turnVector.x;
      out[n++] = arm * turnVector.y;
      out[n++] = arm * turnVector.z;
    } else if (joint.turning === 'axis') {
      axisVector.set(0, 0, 1).applyQuaternion(turn);
      out[n++] = arm * (axisVector.x - aim.axis.x);
      out[n++] = arm * (axisVector.y - aim.axis.y);
    } else if (joint.turning === 'cross') {
      out[n++] = arm * (axisVector.set(0, 1, 0).applyQuaternion(turn).x - aim.dot);
    }
    return n;
  }

  // Moves a body by x along direction k: shifts, then turns about its centre of mass. Planar: x, y, turn about z.
  private move(body: number, k: number, x: number): void {
    if (this.planar ? k < 2 : k < 3) {
      this.position[body].setComponent(k, this.position[body].getComponent(k) + x);
      return;
    }
    axisVector.set(0, 0, 0).setComponent(this.planar ? 2 : k - 3, 1);
    step.setFromAxisAngle(axisVector, x / (this.size / 4));
    this.rotation[body].premultiply(step).normalize();
  }

  private readonly keptPosition = new Vector3();
  private readonly keptRotation = new Quaternion();

  private solve(group: { bodies: number[]; joints: Joint[]; depth: number[] }): void {
    const perBody = this.planar ? 3 : 6;
    const n = group.bodies.length * perBody;
    const { matrix, vector, offset, out, plus } = this;
    offset.fill(0, 0, n);
    const jacobian = this.jacobian;
    for (let round = 0; round < ITERATIONS; ++round) {
      matrix.fill(0, 0, n * n);
      for (let i = 0; i < n; ++i) {
        const stay = STAY * 0.6 ** group.depth[Math.floor(i / perBody)];
        matrix[i * n + i] = stay * stay;
        vector[i] = -stay * stay * offset[i];
      }
      for (const joint of group.joints) {
        const rows = this.residual(joint, out);
        const sides = [group.bodies.indexOf(joint.parent), group.bodies.indexOf(joint.child)];
        const eps = 1e-6 * this.size;
        for (let s = 0; s < 2; ++s) {
          for (let k = 0; k < perBody && sides[s] >= 0; ++k) {
            const body = group.bodies[sides[s]];
            this.keptPosition.copy(this.position[body]);
            this.keptRotation.copy(this.rotation[body]);
            this.move(body, k, eps);
            this.residual(joint, plus);
            this.position[body].copy(this.keptPosition);
            this.rotation[body].copy(this.keptRotation);
            for (let r = 0; r < rows; ++r) jacobian[(s * perBody + k) * 6 + r] = (plus[r] - out[r]) / eps;
          }
        }
        for (let a = 0; a < 2 * perBody; ++a) {
          const sa = sides[a < perBody ? 0 : 1];
          if (sa < 0) continue;
          const i = sa * perBody + (a % perBody);
          for (let r = 0; r < rows; ++r) vector[i] -= jacobian[a * 6 + r] * out[r];
          for (let b = 0; b < 2 * perBody; ++b) {
            const sb = sides[b < perBody ? 0 : 1];
            if (sb < 0) continue;
            let sum = 0;
            for (let r = 0; r < rows; ++r) sum += jacobian[a * 6 + r] * jacobian[b * 6 + r];
            matrix[i * n + sb * perBody + (b % perBody)] += sum;
          }
        }
      }
      choleskySolve(matrix, vector, n);
      let largest = 0;
      for (let i = 0; i < n; ++i) largest = Math.max(largest, Math.abs(vector[i]));
      if (!Number.isFinite(largest)) return;
      const factor = Math.min(1, (0.25 * this.size) / Math.max(largest, 1e-300));
      for (let i = 0; i < n; ++i) {
        offset[i] += factor * vector[i];
        this.move(group.bodies[Math.floor(i / perBody)], i % perBody, factor * vector[i]);
      }
      if (largest < 1e-5 * this.size) break;
    }
  }
  private readonly jacobian = new Float64Array(12 * 6);
}

// Solves A x = b in place for a symmetric positive definite A (the term mu^2 makes it so).
function choleskySolve(A: Float64Array, b: Float64Array, n: number): void {
  for (let j = 0; j < n; ++j) {
    for (let k = 0; k < j; ++k) {
      const factor = A[j * n + k];
      if (factor !== 0) for (let i = j; i < n; ++i) A[i * n + j] -= A[i * n + k] * factor;
    }
    const pivot = Math.sqrt(A[j * n + j]);
    for (let i = j; i < n; ++i) A[i * n + j] /= pivot;
  }
  for (let i = 0; i < n; ++i) {
    for (let k = 0; k < i; ++k) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (let i = n - 1; i >= 0; --i) {
    for (let k = i + 1; k < n; ++k) b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
}
