// Gears, racks, belts and screws of the model's couplings, on the bodies that they couple: pitch circles with teeth, a line with teeth, the way of the belt, a thread.
import { Box3, Group, Object3D, Quaternion, Vector3 } from 'three';
import type { CouplingData } from '../../data/data_block';
import { beltOutline, coupledWheels, toothedLine, toothedOutline, type Coupled, type Wheel } from '../../geometry/coupled_wheels';
import type { Joint } from '../../geometry/joint_frames';
import { polygon } from '../../geometry/outlines';
import type { Poses } from '../../geometry/poses';
import { LAYER, type Paint } from '../paint';
import type { Travel } from './play_joints';

const MOST_TURNS = 150, PER_TURN = 16;     // of a thread

interface Place { body: number; object: Object3D }   // what is drawn in the axes of a body

function onChild(joint: Joint, object: Object3D): Place {
  object.position.copy(joint.atChild);
  object.quaternion.copy(joint.frameChild);
  return { body: joint.child, object };
}

function wheel(of: Wheel, paint: Paint, isShaped: boolean, ring: boolean): Place {
  const outline = toothedOutline(of), order = LAYER.body + of.joint.child + 0.45, role = of.joint.child;
  const filled = paint.planar && !isShaped && !ring;
  return onChild(of.joint, filled ? paint.flat(polygon(outline), role, order, 0.5, 1.4) : paint.polyline(outline, role, order, 1.6, true));
}

function rack(coupled: Coupled, poses: Poses, paint: Paint, travel: Travel): Place {
  const slide = coupled.slide!, [{ radius, teeth }] = coupled.wheels, pitch = (2 * Math.PI * radius) / teeth, reach = 3 * pitch;
  const turn = new Quaternion().copy(poses.rotation[slide.child]).multiply(slide.frameChild), inverse = turn.clone().invert();
  const at = slide.atChild.clone().applyQuaternion(poses.rotation[slide.child]).add(poses.position[slide.child]);
  const pitchAt = coupled.at[1], local = pitchAt.clone().sub(at).applyQuaternion(inverse);
  const toPinion = coupled.at[0].clone().sub(pitchAt).applyQuaternion(inverse);
  const now = travelNow(slide, poses);
  // Teeth point to the pinion; x of the line is that of the slide.
  const side = new Vector3(0, toPinion.y, toPinion.z).normalize();
  const points = toothedLine(pitch, now - travel.to - reach, now - travel.from + reach)
    .map(({ x, y }) => new Vector3(x + coupled.shift, 0, 0).addScaledVector(side, y).add(local));
  return onChild(slide, paint.polyline(points, slide.child, LAYER.body + slide.child + 0.45, 1.8));
}
const pinionCentre = ({ parent, atParent }: Joint, poses: Poses) => atParent.clone().applyQuaternion(poses.rotation[parent]).add(poses.position[parent]);
function travelNow(slide: Joint, poses: Poses): number {
  const at = slide.atChild.clone().applyQuaternion(poses.rotation[slide.child]).add(poses.position[slide.child]).sub(pinionCentre(slide, poses));
  return at.applyQuaternion(new Quaternion().copy(poses.rotation[slide.parent]).multiply(slide.frameParent).invert()).x;
}

// Around wheels on one body: where they hang on two, the belt would have to follow both.
function belt({ wheels: [first, second], crossed }: Coupled, paint: Paint): Place | null {
  const { joint } = first;
  if (joint.parent !== second.joint.parent) return null;
  const between = second.joint.atParent.clone().sub(joint.atParent), axis = new Vector3(0, 0, 1).applyQuaternion(joint.frameParent);
  between.addScaledVector(axis, -axis.dot(between));
  const x = between.clone().normalize(), y = new Vector3().crossVectors(axis, x);
  const points = beltOutline(first.radius, second.radius, between.length(), crossed).map((p) => joint.atParent.clone().addScaledVector(x, p.x).addScaledVector(y, p.y));
  return { body: joint.parent, object: paint.polyline(points, 'metal', LAYER.joint - 20, 2.6, true) };
}

function thread({ slide, lead }: Coupled, paint: Paint, size: number, travel: Travel): Place {
  const joint = slide!, along = joint.data.type === 'prismatic' ? 0 : 2, from = travel.from - 0.15 * size, to = travel.to + 0.15 * size, radius = 0.013 * size;
  const turns = Math.min(MOST_TURNS, (to - from) / lead), count = Math.max(2, Math.round(turns * PER_TURN));
  const points = Array.from({ length: count + 1 }, (_, i) => {
    const s = from + ((to - from) * i) / count, angle = (2 * Math.PI * turns * i) / count, c = radius * Math.cos(angle), d = radius * Math.sin(angle);
    return along === 0 ? new Vector3(s, c, paint.planar ? 0 : d) : new Vector3(c, d, s);
  });
  const line = paint.polyline(points, 'metal', LAYER.bearing, 1.4);
  line.position.copy(joint.atParent);
  line.quaternion.copy(joint.frameParent);
  return { body: joint.parent, object: line };
}

// Everything at the first row, as `poses` has it now.
export function drawCouplings(couplings: CouplingData[], joints: Joint[], poses: Poses, paint: Paint, size: number, travel: Map<Joint, Travel>, isShaped: (body: number) => boolean): { name: string; kind: string; places: Place[]; reach: Box3 }[] {
  const drawn: Wheel[] = [];
  return couplings.flatMap((data) => {
    const coupled = coupledWheels(data, joints, poses, drawn);
    if (!coupled || coupled.wheels.some(({ joint }) => !poses.known[joint.child] || !poses.known[joint.parent])) return [];
    const { kind, slide } = coupled, places: (Place | null)[] = [];
    const largest = Math.max(0, ...coupled.wheels.map(({ radius }) => radius));
    if (kind === 'belt') places.push(belt(coupled, paint), ...coupled.wheels.filter(({ joint }) => !isShaped(joint.child)).map(({ joint, radius }) => plainWheel(joint, radius, paint)));
    else places.push(...coupled.wheels.filter((one) => !drawn.some((before) => before.joint === one.joint && before.phase === one.phase)).map((one) => wheel(one, paint, isShaped(one.joint.child), kind === 'internal' && one.radius === largest)));
    if (kind === 'rack') places.push(rack(coupled, poses, paint, travel.get(slide!)!));
    if (kind === 'screw') places.push(thread(coupled, paint, size, travel.get(slide!)!));
    if (kind !== 'belt') drawn.push(...coupled.wheels);
    const reach = new Box3();
    coupled.wheels.forEach(({ radius }, i) => reach.union(new Box3().setFromCenterAndSize(coupled.at[i], new Vector3(1, 1, paint.planar ? 0 : 1).multiplyScalar(2.3 * radius))));
    return [{ name: data.name, kind, places: places.flatMap((place) => (place ? [place] : [])), reach }];
  });
}

function plainWheel(joint: Joint, radius: number, paint: Paint): Place {
  const group = new Group(), around = Array.from({ length: 65 }, (_, i) => new Vector3(radius * Math.cos((i * Math.PI) / 32), radius * Math.sin((i * Math.PI) / 32), 0));
  group.add(paint.polyline(around, joint.child, LAYER.body + joint.child, 1.6), paint.polyline([new Vector3(), around[0]], joint.child, LAYER.body + joint.child, 1.2));
  return onChild(joint, group);
}
