// Lines on a plane, drawn by the shader of a mesh: lines of their own that reach far beyond the picture are lost in software renderers, those
// of films and of machines without a screen card, and far ones flicker. Cells that become smaller than a few pixels fade.
import { DoubleSide, Float32BufferAttribute, Material, Mesh, MeshBasicMaterial, PlaneGeometry } from 'three';

const LINES = `#include <color_fragment>
  vec2 across = max(fwidth(vCell), vec2(1e-9)), pixels = abs(fract(vCell - 0.5) - 0.5) / across;
  vec2 drawn = clamp(1.15 - pixels, 0.0, 1.0) * clamp(2.0 - 6.0 * across, 0.0, 1.0);
  diffuseColor.a *= max(drawn.x, drawn.y);`;

export function ruledMaterial(opacity: number): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ side: DoubleSide, transparent: true, depthWrite: false, opacity });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `attribute vec2 cell;\nvarying vec2 vCell;\n${shader.vertexShader.replace('#include <begin_vertex>', '#include <begin_vertex>\n  vCell = cell;')}`;
    shader.fragmentShader = `varying vec2 vCell;\n${shader.fragmentShader.replace('#include <color_fragment>', LINES)}`;
  };
  material.customProgramCacheKey = () => 'ruled';
  return material;
}

// A square in the plane z = 0 with `count` cells along each side.
export function ruledPlane(width: number, count: number, material: Material): Mesh {
  const geometry = new PlaneGeometry(width, width), { position } = geometry.attributes;
  const cells = Array.from({ length: position.count }, (_, i) => [position.getX(i), position.getY(i)]).flat().map((x) => (x / width + 0.5) * count);
  geometry.setAttribute('cell', new Float32BufferAttribute(cells, 2));
  return new Mesh(geometry, material);
}
