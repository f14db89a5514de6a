// Joints with play: the bearing, guide, rod, socket or channel that the child moves in, with its gap drawn M times as
// wide. The moving part keeps its true size; the surface that holds it moves outwards by (M - 1) c.
import { BufferGeometry, CylinderGeometry, ExtrudeGeometry, Group, Matrix4, Object3D, Path, Quaternion, SphereGeometry, Vector2, Vector3 } from 'three';
import type { Joint } from '../../geometry/joint_frames';
import { disc, offsetPolygon, polygon, ring } from '../../geometry/outlines';
import { disposeTree, LAYER, type Paint } from '../paint';
import { cutTube, ringsAround, shell } from './sections';
import { withOctants, withQuarters } from '../stripes';

export interface PlayDrawing { onParent: Group; onChild: Group; magnify(M: number): void }
export interface Travel { from: number; to: number }   // of the child's point along the joint's free axis

const HALF_TURN = Math.PI / 2;
const Z = new Vector3(0, 0, 1);

// Radius of a journal in the picture where the file gives none.
export function journalRadius(joint: Joint, size: number): number {
  return joint.data.journal_radius ?? (joint.data.bearing_radius ? joint.data.bearing_radius - joint.data.clearance! : 0.03 * size);
}

// How thick the wall of a planar bearing, and of a planar guide, is drawn.
export const bearingWall = (joint: Joint, size: number): number => Math.max(0.35 * journalRadius(joint, size), 0.006 * size);
export const guideWall = (joint: Joint, size: number): number => Math.max(0.012 * size, 0.075 * joint.data.width!);

function framed(joint: Joint): { onParent: Group; onChild: Group } {
  const onParent = new Group(), onChild = new Group();
  onParent.position.copy(joint.atParent);
  onParent.quaternion.copy(joint.frameParent);
  onChild.position.copy(joint.atChild);
  onChild.quaternion.copy(joint.frameChild);
  return { onParent, onChild };
}
function refill(group: Group, make: () => Object3D[]): void {
  for (const child of [...group.children]) disposeTree(child);
  group.add(...make());
}
const upright = (geometry: BufferGeometry) => geometry.rotateX(HALF_TURN);   // y of three's solids becomes z

function planarBearing(joint: Joint, paint: Paint, size: number): PlayDrawing {
  const parts = framed(joint);
  const r = journalRadius(joint, size), c = joint.data.clearance!;
  const wall = bearingWall(joint, size);
  parts.onChild.add(paint.flat(disc(r), joint.child, LAYER.joint, 1));
  parts.onChild.add(paint.segments([new Vector3(-r / 2, 0, 0), new Vector3(r / 2, 0, 0), new Vector3(0, -r / 2, 0), new Vector3(0, r / 2, 0)],
    joint.child, LAYER.joint + 1, 1.2));
  return {
    ...parts,
    magnify(M) {
      refill(parts.onParent, () => [
        paint.flat(disc(r + M * c), 'pin', LAYER.bearing, 0.9, 1),
        paint.flat(ring(r + M * c, r + M * c + wall), 'metal', LAYER.joint - 3, 1, 1.4),
      ]);
    },
  };
}

function planarGuide(joint: Joint, paint: Paint, size: number, travel: Travel): PlayDrawing {
  const parts = framed(joint);
  const half = joint.data.length! / 2, wide = joint.data.width! / 2, c = joint.data.clearance!;
  const from = travel.from - 1.5 * half, to = travel.to + 1.5 * half;
  const thick = guideWall(joint, size);
  const rails = [1, -1].map((side) => {
    const rail = new Group();
    rail.add(paint.polyline([new Vector3(from, 0, 0), new Vector3(to, 0, 0)], 'metal', LAYER.bearing + 1, 2.2));
    const ticks: Vector3[] = [];
    for (let x = from; x < to - thick / 2; x += thick) ticks.push(new Vector3(x + thick, 0, 0), new Vector3(x, side * thick, 0));
    rail.add(paint.segments(ticks, 'metal', LAYER.bearing, 1));
    parts.onParent.add(rail);
    return rail;
  });
  return { ...parts, magnify(M) { rails.forEach((rail, i) => { rail.position.y = (i === 0 ? 1 : -1) * (wide + M * c); }); } };
}

// In space the child is the sleeve and the parent the rod, with collars if the joint holds along the axis too.
function sleeve(joint: Joint, paint: Paint, size: number, travel: Travel): PlayDrawing {
  const parts = framed(joint);
  const r = journalRadius(joint, size), c = joint.data.clearance!, length = joint.data.length ?? 4 * r;
  const axial = joint.data.type === 'revolute' ? joint.data.axial_clearance ?? 0 : null;
  const wall = Math.max(0.4 * r, 0.01 * size);
  const rod = (from: number, to: number) => {
    const solid = paint.solid(upright(new CylinderGeometry(r, r, to - from, 40)), 'metal');
    solid.position.z = (from + to) / 2;
    solid.add(ringsAround(r, to - from, Math.max(0.25 * length, 0.02 * (to - from)), paint));
    return solid;
  };
  return {
    ...parts,
    magnify(M) {
      refill(parts.onChild, () => [paint.solid(withQuarters(cutTube(r + M * c, r + M * c + wall, length), Z), joint.child, 0.8)]);
      refill(parts.onParent, () => {
        if (axial === null) return [rod(travel.from - length, travel.to + length)];
        const reach = length / 2 + M * axial, collar = Math.max(0.15 * length, 0.008 * size);
        const collars = [-1, 1].map((side) => {
          const solid = paint.solid(upright(new CylinderGeometry(r + 0.8 * wall + M * c, r + 0.8 * wall + M * c, collar, 40)), 'metal');
          solid.position.z = side * (reach + collar / 2);
          return solid;
        });
        return [rod(-reach - 2 * collar, reach + 2 * collar), ...collars];
      });
    },
  };
}

function socket(joint: Joint, paint: Paint, size: number): PlayDrawing {
  const parts = framed(joint);
  const r = joint.data.journal_radius ?? joint.data.bearing_radius ?? 0.025 * size, c = joint.data.clearance!;
  parts.onChild.add(paint.solid(withOctants(new SphereGeometry(r, 32, 20)), joint.child, 1, 0));
  // The socket is open where the child's arm leaves it, as seen from the parent at rest.
  const arm = joint.atChild.clone().negate().applyQuaternion(new Quaternion().copy(joint.frameChild).invert());
  const turn = new Quaternion().setFromUnitVectors(Z, arm.lengthSq() > 0 ? arm.normalize() : Z);
  const wall = Math.max(0.18 * r, 0.004 * size);
  return {
    ...parts,
    magnify(M) {
      refill(parts.onParent, () => {
        const cup = paint.solid(shell(r + M * c, r + M * c + wall), 'metal', 0.6);
        cup.quaternion.copy(turn);
        return [cup];
      });
    },
  };
}

// A prism of a polygonal section in a channel of the same section: x is along, the section lies in y and z.
function channel(joint: Joint, paint: Paint, travel: Travel): PlayDrawing {
  const parts = framed(joint);
  const section = joint.data.section!.map(([y, z]) => new Vector2(y, z));
  const length = joint.data.length!, c = joint.data.clearance!;
  const along = (points: Vector2[], from: number, to: number) => {
    const solid = new ExtrudeGeometry(polygon(points), { depth: to - from, bevelEnabled: false });
    // Section (x, y) of the extrusion becomes (y, z), its depth becomes x.
    return solid.translate(0, 0, from).applyMatrix4(cyclic);
  };
  parts.onChild.add(paint.solid(along(section, -length / 2, length / 2), joint.child));
  const from = travel.from - 0.9 * length, to = travel.to + 0.9 * length;
  return {
    ...parts,
    magnify(M) { refill(parts.onParent, () => [paint.solid(along(offsetPolygon(section, M * c), from, to), 'metal', 0.22)]); },
  };
}
const cyclic = new Matrix4().set(0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1);

// A place of a slot: so far along its way, and so far to the left of it.
export function slotPoint(joint: Joint, along: number, left: number): Vector3 {
  const radius = joint.data.slot_radius ?? 0;
  return radius === 0 ? new Vector3(along, left, 0) : new Vector3((radius - left) * Math.sin(along / radius), radius - (radius - left) * Math.cos(along / radius), 0);
}

// The walls of a slot with `reach` on either side of the line of the pin's centre; both sides are one closed line.
function slotWalls(joint: Joint, reach: number): Vector3[] {
  const half = joint.data.length! / 2, radius = joint.data.slot_radius ?? 0, sides = joint.data.sides ?? 'both', steps = 24;
  const at = (along: number, left: number) => slotPoint(joint, along, left);
  const points: Vector3[] = [];
  const wall = (direction: number) => {
    for (let i = 0; i <= steps; i++) points.push(at(direction * half * (2 * i / steps - 1), direction * reach));
    if (sides !== 'both') return;
    const angle = radius === 0 ? 0 : direction * half / radius;
    const centre = at(direction * half, 0);
    for (let i = 1; i < steps; i++) {
      const turn = angle + HALF_TURN - Math.PI * i / steps;
      points.push(centre.clone().add(new Vector3(direction * reach * Math.cos(turn), direction * reach * Math.sin(turn), 0)));
    }
  };
  if (sides !== 'right') wall(1);
  if (sides !== 'left') wall(-1);
  if (sides === 'both') points.push(points[0]);
  return points;
}

function planarSlot(joint: Joint, paint: Paint, size: number): PlayDrawing {
  const parts = framed(joint);
  const r = journalRadius(joint, size), c = joint.data.clearance!;
  parts.onChild.add(paint.flat(disc(r), joint.child, LAYER.joint, 1));
  return {
    ...parts,
    magnify(M) { refill(parts.onParent, () => [paint.polyline(slotWalls(joint, r + M * c), 'metal', LAYER.bearing + 1, 2.2)]); },
  };
}

// In space: a pin with a head at either end in a slotted plate, of which the edge around the slot is shown.
function slotInPlate(joint: Joint, paint: Paint, size: number): PlayDrawing {
  const parts = framed(joint);
  const { width, clearance, sides } = joint.data, r = journalRadius(joint, size), c = clearance!, axial = joint.data.axial_clearance ?? c;
  const head = joint.data.head_radius ?? 1.5 * r, flange = Math.max(0.15 * head, 0.006 * size), edge = Math.max(0.4 * r, 0.01 * size);
  const round = (radius: number, length: number, z: number) => {
    const solid = paint.solid(upright(new CylinderGeometry(radius, radius, length, 40)), joint.child);
    solid.position.z = z;
    return solid;
  };
  const plate = (reach: number) => {
    const inner = slotWalls(joint, reach), outer = slotWalls(joint, reach + edge);
    const shape = polygon(sides === 'left' || sides === 'right' ? [...inner, ...outer.reverse()] : outer);
    if (sides !== 'left' && sides !== 'right') shape.holes.push(new Path(inner.map((p) => new Vector2(p.x, p.y))));
    return new ExtrudeGeometry(shape, { depth: width!, bevelEnabled: false }).translate(0, 0, -width! / 2);
  };
  return {
    ...parts,
    magnify(M) {
      const reach = width! / 2 + M * axial;
      refill(parts.onChild, () => [round(r, 2 * reach, 0), ...[-1, 1].map((side) => round(head, flange, side * (reach + flange / 2)))]);
      refill(parts.onParent, () => [paint.solid(plate(r + M * c), 'metal', 0.5)]);
    },
  };
}

export function drawPlay(joint: Joint, paint: Paint, size: number, travel: Travel): PlayDrawing | null {
  const { type } = joint.data;
  if (paint.planar && type === 'pin_in_slot') return planarSlot(joint, paint, size);
  if (paint.planar) return type === 'prismatic' ? planarGuide(joint, paint, size, travel) : planarBearing(joint, paint, size);
  if (type === 'cylindrical' || type === 'revolute') return sleeve(joint, paint, size, travel);
  if (type === 'pin_in_slot' && joint.data.length && joint.data.width) return slotInPlate(joint, paint, size);
  if (type === 'spherical') return socket(joint, paint, size);
  if (type === 'prismatic' && joint.data.section) return channel(joint, paint, travel);
  return null;
}

// The largest magnification that still looks like a mechanism: gaps up to a quarter of it, tilts up to half a radian.
export function largestMagnification(joints: Joint[], size: number): number {
  let most = Infinity;
  for (const joint of joints) {
    if (!joint.play || !(joint.data.clearance! > 0)) continue;
    const c = joint.data.clearance!;
    most = Math.min(most, (0.25 * size) / c);
    if (joint.turning !== 'free' && joint.data.length && joint.data.type !== 'spherical' && !(joint.data.type === 'revolute' && joint.data.length === 0)) {
      most = Math.min(most, (0.25 * joint.data.length) / c * 2);
    }
  }
  if (!Number.isFinite(most)) return 1;
  for (const nice of [1000, 500, 200, 100, 50]) if (most >= nice) return nice;
  return 20;
}

// The magnification at which one sees the play of a model without taking the picture for another mechanism: the widest gap is
// drawn as a fortieth of the mechanism, but no wider than two thirds of a journal or a third of a block, and tilts stay below a
// quarter of a radian. 1 where the play can be seen as it is.
const NICE = [1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000];
export function magnificationToSee(joints: Joint[], size: number, largest: number): number {
  let wanted = largest;
  for (const joint of joints) {
    const c = joint.data.clearance;
    if (!joint.play || !(c! > 0)) continue;
    const { length, width, type } = joint.data, isGuide = type === 'prismatic' && width;
    const wide = isGuide ? width / 3 : (2 / 3) * journalRadius(joint, size);
    wanted = Math.min(wanted, (0.025 * size) / c!, wide / c!);
    if (length && joint.turning === 'all') wanted = Math.min(wanted, (0.25 * length) / (2 * c!));
  }
  return Math.max(1, ...NICE.filter((nice) => nice <= wanted * 1.0001));
}
