// Which wheels, racks, belts and screws the couplings of a model are, from the joints that they couple: their radii, where they touch, and outlines with teeth.
// A coupling is a linear relation of joint coordinates; the sum of its terms is a length along the pitch line, or an angle (docs/theory/couplings.md).
import { Quaternion, Vector2, Vector3 } from 'three';
import type { CouplingData } from '../data/data_block';
import type { Joint } from './joint_frames';
import type { Poses } from './poses';

export interface Wheel { joint: Joint; radius: number; teeth: number; phase: number }   // phase: angle of a tooth's middle in the child's joint frame
// `shift`: how far the gap of a rack is beside the pitch point, along the slide, as its pinion has teeth already.
export interface Coupled { kind: 'gear' | 'internal' | 'belt' | 'rack' | 'screw'; name: string; wheels: Wheel[]; slide: Joint | null; crossed: boolean; lead: number; shift: number; at: Vector3[] }

const NEAR = 0.02;                          // of the distance: centres that stand apart as teeth need it
const LEAST_TEETH = 14, MOST_TEETH = 24;    // of the smaller wheel, in the picture: how many there are does not follow from the model

const centreOf = ({ parent, atParent }: Joint, { position, rotation }: Poses) => atParent.clone().applyQuaternion(rotation[parent]).add(position[parent]);
const axisOf = ({ parent, frameParent }: Joint, { rotation }: Poses, axis: Vector3) => axis.clone().applyQuaternion(frameParent).applyQuaternion(rotation[parent]);
const Z = new Vector3(0, 0, 1), X = new Vector3(1, 0, 0);

// The angle of a direction of the world in the axes of the joint on the child.
function angleIn({ child, frameChild }: Joint, { rotation }: Poses, direction: Vector3): number {
  const local = direction.clone().applyQuaternion(new Quaternion().copy(rotation[child]).multiply(frameChild).invert());
  return Math.atan2(local.y, local.x);
}

// As many teeth as make both numbers whole, or nearly so.
function teethOf(ratio: number): [number, number] {
  let best = LEAST_TEETH, least = Infinity;
  for (let z = LEAST_TEETH; z <= MOST_TEETH; ++z) {
    const error = Math.abs(z * ratio - Math.round(z * ratio)) / z;
    if (error < least - 1e-9) [best, least] = [z, error];
  }
  return [best, Math.round(best * ratio)];
}

const isToothed = (drawn: Wheel[], joint: Joint, radius: number) => drawn.find((wheel) => wheel.joint === joint && Math.abs(wheel.radius - radius) < NEAR * radius);

// Gives a wheel the teeth that it has been drawn with, and says by which angle the nearest of them is beside the place where it touches.
function takeTeeth(wheel: Wheel, drawn: Wheel[]): number {
  const before = isToothed(drawn, wheel.joint, wheel.radius);
  if (!before) return 0;
  const step = (2 * Math.PI) / before.teeth, off = before.phase + Math.round((wheel.phase - before.phase) / step) * step - wheel.phase;
  Object.assign(wheel, { teeth: before.teeth, phase: before.phase });
  return off;
}

function twoWheels(data: CouplingData, [first, second]: [Joint, Joint], poses: Poses, drawn: Wheel[]): Coupled | null {
  const [f, g] = data.terms.map((term) => term.factor), between = centreOf(second, poses).sub(centreOf(first, poses));
  const axis = axisOf(first, poses, Z);
  between.addScaledVector(axis, -axis.dot(between));
  const apart = between.length(), opposite = f * g < 0;
  if (!(apart > 0) || Math.abs(axis.dot(axisOf(second, poses, Z))) < 0.99) return null;   // concentric shafts, or at an angle
  const scale = data.angle ? apart / Math.abs(opposite ? Math.abs(f) - Math.abs(g) : Math.abs(f) + Math.abs(g)) : 1;
  const radii = [Math.abs(f) * scale, Math.abs(g) * scale];
  if (!radii.every((r) => Number.isFinite(r) && r > 0)) return null;
  const is = (distance: number) => Math.abs(distance - apart) < NEAR * apart;
  const kind = !opposite && is(radii[0] + radii[1]) ? 'gear' : opposite && is(Math.abs(radii[0] - radii[1])) ? 'internal' : apart > Math.max(...radii) ? 'belt' : null;
  if (!kind) return null;
  const isFirstSmall = radii[0] <= radii[1], [few, many] = teethOf(Math.max(...radii) / Math.min(...radii));
  // From each wheel to the place where they touch: of a wheel inside of another one it lies on one side of both.
  const towards = kind === 'internal' ? [between.clone().multiplyScalar(isFirstSmall ? -1 : 1), between.clone().multiplyScalar(isFirstSmall ? -1 : 1)] : [between, between.clone().negate()];
  const wheels = [first, second].map((joint, i) => ({ joint, radius: radii[i], teeth: (i === 0) === isFirstSmall ? few : many, phase: angleIn(joint, poses, towards[i]) }));
  // Of a train the wheel that has teeth already says where those of the other one are.
  const one = wheels.findIndex(({ joint, radius }) => isToothed(drawn, joint, radius)), lead = one === 1 ? 1 : 0, follow = 1 - lead;
  if (kind !== 'belt') {
    const off = takeTeeth(wheels[lead], drawn);
    wheels[follow].teeth = Math.max(3, Math.round((wheels[lead].teeth * radii[follow]) / radii[lead]));
    wheels[follow].phase += (kind === 'gear' ? -1 : 1) * off * (radii[lead] / radii[follow]) + Math.PI / wheels[follow].teeth;   // a tooth of one in a gap of the other
  }
  return { kind, name: data.name, wheels, slide: null, crossed: kind === 'belt' && !opposite, lead: 0, shift: 0, at: [centreOf(first, poses), centreOf(second, poses)] };
}

// `drawn`: wheels of the couplings before.
export function coupledWheels(data: CouplingData, joints: Joint[], poses: Poses, drawn: Wheel[]): Coupled | null {
  const found = data.terms.map((term) => joints.find((joint) => joint.data.name === term.joint));
  const [a, b] = found;
  if (!a || !b || found.length !== 2) return null;
  const { type } = a.data, other = b.data.type, [f, g] = data.terms.map((term) => term.factor);
  if (a === b && type === 'cylindrical') return { kind: 'screw', name: data.name, wheels: [], slide: a, crossed: false, lead: 2 * Math.PI * Math.abs((data.terms[0].coordinate === 1 ? f / g : g / f)), shift: 0, at: [] };
  if (type === 'revolute' && other === 'revolute') return twoWheels(data, [a, b], poses, drawn);
  if (type !== 'revolute' || other !== 'prismatic' || data.angle) return null;
  const axis = axisOf(a, poses, Z), along = axisOf(b, poses, X), radius = Math.abs(f / g);
  if (Math.abs(axis.dot(along)) > 0.99) return { kind: 'screw', name: data.name, wheels: [], slide: b, crossed: false, lead: 2 * Math.PI * radius, shift: 0, at: [] };
  // The rim moves as the rack does where axis x arm is along it: f q1 + g q2 = 0.
  const arm = new Vector3().crossVectors(along, axis).multiplyScalar(f * g < 0 ? 1 : -1).normalize();
  const pinion = { joint: a, radius, teeth: 18, phase: angleIn(a, poses, arm) }, touch = arm.multiplyScalar(radius).add(centreOf(a, poses));
  const shift = takeTeeth(pinion, drawn) * radius * (f * g < 0 ? 1 : -1);
  return { kind: 'rack', name: data.name, wheels: [pinion], slide: b, crossed: false, lead: 0, shift, at: [centreOf(a, poses), touch] };
}

// The half width and the height of teeth of a pitch, as parts of it: pairs along the pitch line, outwards.
const TOOTH: readonly (readonly [number, number])[] = [[-0.33, -0.36], [-0.14, 0.3], [0.14, 0.3], [0.33, -0.36]];

export function toothedOutline({ radius, teeth, phase }: Wheel): Vector2[] {
  const pitch = (2 * Math.PI * radius) / teeth;
  return Array.from({ length: teeth }, (_, i) => TOOTH.map(([along, out]) => {
    const angle = phase + (2 * Math.PI * (i + along)) / teeth, r = radius + out * pitch;
    return new Vector2(r * Math.cos(angle), r * Math.sin(angle));
  })).flat();
}
// Along x, with a gap at 0, teeth towards +y.
export function toothedLine(pitch: number, from: number, to: number): Vector2[] {
  const points: Vector2[] = [];
  for (let i = Math.floor(from / pitch); i <= Math.ceil(to / pitch); ++i) for (const [along, out] of TOOTH) points.push(new Vector2((i + 0.5 + along) * pitch, out * pitch));
  return points;
}

// The way of a belt around two circles in a plane: the first at the origin, the second at (apart, 0).
export function beltOutline(first: number, second: number, apart: number, crossed: boolean): Vector2[] {
  const lean = Math.acos(Math.min(1, Math.max(-1, (first + (crossed ? second : -second)) / apart))), steps = 40, points: Vector2[] = [];
  for (let i = 0; i <= steps; ++i) {
    const angle = lean + ((2 * Math.PI - 2 * lean) * i) / steps;
    points.push(new Vector2(first * Math.cos(angle), first * Math.sin(angle)));
  }
  const from = crossed ? Math.PI - lean : -lean, sweep = crossed ? -(2 * Math.PI - 2 * lean) : 2 * lean;
  for (let i = 0; i <= steps; ++i) {
    const angle = from + (sweep * i) / steps;
    points.push(new Vector2(apart + second * Math.cos(angle), second * Math.sin(angle)));
  }
  return points;
}
