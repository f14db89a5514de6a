// Surfaces that show how they turn: fields of two shades, by which one sees a ball roll, a top spin and a rod twist about its axis.
// A geometry with the attribute `mark` has them: where the product of the three numbers of a mark is negative, the surface is darker.
// Lines on the surface would show less, and cost one more object for each ball of a pile.
import { BufferGeometry, Float32BufferAttribute, Material, Quaternion, Vector3 } from 'three';

const DARKER = 0.62;   // times the colour

export const isStriped = (geometry: BufferGeometry) => geometry.hasAttribute('mark');

function withMarks(geometry: BufferGeometry, mark: (p: Vector3) => [number, number, number]): BufferGeometry {
  const { position } = geometry.attributes, p = new Vector3(), marks: number[] = [];
  for (let i = 0; i < position.count; ++i) marks.push(...mark(p.fromBufferAttribute(position, i)));
  geometry.setAttribute('mark', new Float32BufferAttribute(marks, 3));
  return geometry;
}
// Octants of two shades, as on a ball for tests.
export const withOctants = (geometry: BufferGeometry) => withMarks(geometry, (p) => [p.x, p.y, p.z]);
// Quarters about an axis through a point: for what is round about it.
export function withQuarters(geometry: BufferGeometry, axis = new Vector3(0, 1, 0), at = new Vector3()): BufferGeometry {
  const turn = new Quaternion().setFromUnitVectors(axis.clone().normalize(), new Vector3(0, 1, 0));
  return withMarks(geometry, (p) => { p.sub(at).applyQuaternion(turn); return [p.x, 1, p.z]; });
}

// The change of shade is as wide as a pixel, so that its border has no steps.
const SHADE = `#include <color_fragment>
  vec3 markSide = clamp(vMark / max(fwidth(vMark), vec3(1e-12)), -1.0, 1.0);
  diffuseColor.rgb *= mix(${DARKER}, 1.0, 0.5 + 0.5 * markSide.x * markSide.y * markSide.z);`;

export function striped<T extends Material>(material: T): T {
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `attribute vec3 mark;\nvarying vec3 vMark;\n${shader.vertexShader.replace('#include <begin_vertex>', '#include <begin_vertex>\n  vMark = mark;')}`;
    shader.fragmentShader = `varying vec3 vMark;\n${shader.fragmentShader.replace('#include <color_fragment>', SHADE)}`;
  };
  material.customProgramCacheKey = () => 'striped';
  return material;
}
