// Symbols of ideal joints and bushings: pins, balls, axles, and the triangle by which the ground holds a pin.
import { BoxGeometry, CylinderGeometry, Group, Object3D, Shape, SphereGeometry, TorusGeometry, Vector3 } from 'three';
import type { Joint } from '../../geometry/joint_frames';
import { disc, rectangle, ring } from '../../geometry/outlines';
import { STEM_GUIDE, STEM_HALF_WIDTH, STEM_LENGTH } from './bare_bodies';
import { LAYER, type Paint } from '../paint';
import type { Travel } from './play_joints';

export const SHAPED = 2;
const RAIL_REACH = 0.12, RAIL_HALF_WIDTH = 0.045, TICK = 0.011;   // of the mechanism's size

// The corners of the rails of a slide in the ground, in the world: they belong to the picture. None of other symbols, which are small.
export function railEnds(joint: Joint, size: number, travel: Travel, stem: number): Vector3[] {
  if (joint.data.type !== 'prismatic' || joint.parent !== 0 || stem !== 0) return [];
  const wide = (RAIL_HALF_WIDTH + TICK) * size;
  return [travel.from - RAIL_REACH * size, travel.to + RAIL_REACH * size].flatMap((x) => [-wide, wide]
    .map((y) => new Vector3(x, y, 0).applyQuaternion(joint.frameParent).add(joint.atParent)));
}

function groundTriangle(paint: Paint, r: number): Object3D {
  const group = new Group();
  const shape = new Shape();
  shape.moveTo(0, 0);
  shape.lineTo(-2.2 * r, -3.6 * r);
  shape.lineTo(2.2 * r, -3.6 * r);
  shape.closePath();
  group.add(paint.flat(shape, 'ground', LAYER.ground + 1, 1, 1.4));
  const ticks: Vector3[] = [new Vector3(-3.4 * r, -3.6 * r, 0), new Vector3(3.4 * r, -3.6 * r, 0)];
  for (let x = -3.2; x < 3; x += 0.9) ticks.push(new Vector3((x + 0.8) * r, -3.6 * r, 0), new Vector3(x * r, -4.5 * r, 0));
  group.add(paint.segments(ticks, 'ground', LAYER.ground + 1, 1.2));
  return group;
}

function planarSymbol(joint: Joint, paint: Paint, size: number, travel: Travel, stem: number): { onParent: Object3D | null; onChild: Object3D | null } {
  const r = TICK * size;
  const bushing = joint.data.model === 'bushing';
  switch (joint.data.type) {
    case 'revolute':
    case 'pin_in_slot':
    case 'spherical': {
      const pin = new Group();
      pin.add(paint.flat(disc(r), 'pin', LAYER.joint, 1, 1.6));
      const held = joint.parent === 0 ? groundTriangle(paint, r) : new Group();
      // The rubber sits in an eye of the parent: where the pin is off its middle, the bushing gives.
      if (bushing) held.add(paint.flat(disc(2.3 * r), 'spring', LAYER.joint - 4, 0.35, 1), paint.flat(ring(2.3 * r, 2.9 * r), 'metal', LAYER.joint - 3, 1, 1.4));
      return { onChild: pin, onParent: bushing || joint.parent === 0 ? held : null };
    }
    case 'prismatic': {
      // A slot along the travel: thin rails.
      // Between two bodies the parent's own bar is what the child slides along.
      if (joint.parent !== 0) return { onParent: null, onChild: null };
      const slot = new Group();
      slot.quaternion.copy(joint.frameParent);
      if (stem === SHAPED) {
        // The body has a shape of its own: a line along which it slides says enough.
        slot.add(paint.polyline([new Vector3(travel.from - 0.2 * size, 0, 0), new Vector3(travel.to + 0.2 * size, 0, 0)], 'ground', LAYER.ground, 0.8));
        return { onParent: slot, onChild: null };
      }
      const wide = stem === 0 ? RAIL_HALF_WIDTH * size : 1.15 * STEM_HALF_WIDTH * size, reach = RAIL_REACH * size;
      // A follower is held at its stem, not at its tip.
      const from = stem === 0 ? travel.from - reach : Math.min(stem * STEM_LENGTH * STEM_GUIDE.from, stem * STEM_LENGTH * STEM_GUIDE.to) * size + (stem > 0 ? travel.to : travel.from);
      const to = stem === 0 ? travel.to + reach : from + (STEM_GUIDE.to - STEM_GUIDE.from) * STEM_LENGTH * size;
      for (const y of [-wide, wide]) {
        const rail = paint.polyline([new Vector3(from, y, 0), new Vector3(to, y, 0)],
          'ground', LAYER.bearing, 1.6);
        const ticks: Vector3[] = [];
        for (let x = from; x < to - r / 2; x += r) ticks.push(new Vector3(x + r, y, 0), new Vector3(x, y + Math.sign(y) * r, 0));
        slot.add(rail, paint.segments(ticks, 'ground', LAYER.bearing, 1));
      }
      return { onParent: slot, onChild: null };
    }
    case 'fixed': return { onChild: paint.flat(rectangle(-r, -r, r, r), 'metal', LAYER.joint, 1), onParent: null };
    default: return { onChild: null, onParent: null };
  }
}

function spatialSymbol(joint: Joint, paint: Paint, size: number, travel: Travel): { onParent: Object3D | null; onChild: Object3D | null } {
  const r = 0.016 * size;
  const role = joint.data.model === 'bushing' ? 'spring' : 'metal';
  const axle = (radius: number, length: number, alongX: boolean) => {
    const geometry = new CylinderGeometry(radius, radius, length, 28);
    return paint.solid(alongX ? geometry.rotateZ(Math.PI / 2) : geometry.rotateX(Math.PI / 2), role);
  };
  const turned = (object: Object3D) => {
    const group = new Group();
    group.quaternion.copy(joint.frameParent);
    group.add(object);
    return group;
  };
  switch (joint.data.type) {
    case 'revolute':
    case 'pin_in_slot': return { onParent: turned(axle(1.2 * r, 5 * r, false)), onChild: null };
    case 'spherical': return { onParent: paint.solid(new SphereGeometry(1.5 * r, 24, 16), role, 1, 0), onChild: null };
    case 'universal': {
      const cross = turned(axle(0.7 * r, 5 * r, true));
      const arm = axle(0.7 * r, 5 * r, false);
      arm.rotateX(Math.PI / 2);
      cross.add(arm);
      return { onParent: cross, onChild: null };
    }
    case 'prismatic':
    case 'cylindrical': {
      const alongX = joint.data.type === 'prismatic';
      const bar = axle(0.6 * r, travel.to - travel.from + 0.3 * size, alongX);
      bar.position.setComponent(alongX ? 0 : 2, (travel.from + travel.to) / 2);
      return { onParent: turned(bar), onChild: null };
    }
    case 'planar': return { onParent: turned(paint.solid(new TorusGeometry(2 * r, 0.3 * r, 10, 28), role, 1, 0)), onChild: null };
    case 'fixed': return { onParent: paint.solid(new BoxGeometry(2 * r, 2 * r, 2 * r), role), onChild: null };
    default: return { onParent: null, onChild: null };
  }
}

// `stem`: SHAPED where the sliding body has a shape, the sign of its direction where it is a follower, else 0.
export function drawJoint(joint: Joint, paint: Paint, size: number, travel: Travel, stem: number): { onParent: Object3D | null; onChild: Object3D | null } {
  const symbol = paint.planar ? planarSymbol(joint, paint, size, travel, stem) : spatialSymbol(joint, paint, size, travel);
  symbol.onParent?.position.copy(joint.atParent);
  symbol.onChild?.position.copy(joint.atChild);
  return symbol;
}
