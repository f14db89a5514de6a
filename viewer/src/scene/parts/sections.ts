// Hollow parts with a piece cut away, so that one sees what is inside of them and how they turn; all about z.
import { BufferGeometry, LatheGeometry, Object3D, Vector2, Vector3 } from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { ShapeGeometry } from 'three';
import { polygon } from '../../geometry/outlines';
import type { Paint } from '../paint';

const CUT = 0.3;              // of the circumference
const SOCKET = 0.64 * Math.PI;   // from the closed end of a socket to its rim
const RIM_STEPS = 20, AROUND = 48;

// A profile (distance from the axis, height) turned about z, with the two faces of the cut.
function turned(profile: Vector2[], cut: number): BufferGeometry {
  const length = 2 * Math.PI * (1 - cut);
  const around = new LatheGeometry([...profile, profile[0]], AROUND, 0, length).rotateX(Math.PI / 2);
  if (cut === 0) return around;
  // Lathes start at the z axis of three's frame, which becomes -y here; the face of an angle a lies in the plane through it.
  const faces = [0, length].map((angle, i) => {
    const face = new ShapeGeometry(polygon(i === 0 ? [...profile].reverse() : profile));
    return face.rotateX(Math.PI / 2).rotateZ(angle - Math.PI / 2);
  });
  return mergeGeometries([around, ...faces]);
}

// A tube with a third of it cut away.
export function cutTube(inner: number, outer: number, length: number): BufferGeometry {
  const h = length / 2;
  return turned([new Vector2(inner, -h), new Vector2(outer, -h), new Vector2(outer, h), new Vector2(inner, h)], CUT);
}

// A hollow ball that is open towards +z.
export function shell(inner: number, outer: number): BufferGeometry {
  const arc = (radius: number) => Array.from({ length: RIM_STEPS + 1 }, (_, i) => {
    const angle = (SOCKET * i) / RIM_STEPS;
    return new Vector2(Math.max(0, radius * Math.sin(angle)), -radius * Math.cos(angle));
  });
  return turned([...arc(outer), ...arc(inner).reverse()], 0);
}

// Rings around a rod along z at equal distances: a sleeve that slides along it is seen to do so.
export function ringsAround(radius: number, length: number, distance: number, paint: Paint): Object3D {
  const points: Vector3[] = [], count = Math.floor(length / 2 / distance), r = 1.003 * radius;
  for (let i = -count; i <= count; ++i) {
    for (let k = 0; k < AROUND; ++k) {
      for (const step of [k, k + 1]) {
        const angle = (2 * Math.PI * step) / AROUND;
        points.push(new Vector3(r * Math.cos(angle), r * Math.sin(angle), i * distance));
      }
    }
  }
  return paint.thinLines(points, 'metal');
}
