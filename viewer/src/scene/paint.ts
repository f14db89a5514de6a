// Materials by role, shared by everything of that role and recoloured when the theme changes; and the two ways to put
// something on the scene: flat with an outline (planar mechanisms) and solid with light (spatial ones).
import {
  BufferGeometry, Color, DoubleSide, EdgesGeometry, FrontSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshBasicMaterial,
  MeshStandardMaterial, Object3D, Shape, ShapeGeometry, Vector2, Vector3,
} from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { ruledMaterial } from './plane_grid';
import { isStriped, striped } from './stripes';
import { theme, type Colors } from '../toolkit/theme';

export type Role = 'ground' | 'metal' | 'pin' | 'spring' | 'ghost' | number;   // a number: body by index

const GHOST_LAYERS = 2000;
export const LAYER = { ground: 1, bearing: 20, body: 40, joint: 900, arrow: 1000 };

export const roleColor = (colors: Colors, role: Role): string =>
  typeof role === 'number' ? colors.bodies[(role - 1) % colors.bodies.length]
    : role === 'ghost' ? colors.faint : role === 'ground' ? colors.groundFill : role === 'metal' ? colors.metalFill : role === 'pin' ? colors.pin : colors.spring;
const outlineColor = (colors: Colors, role: Role): Color => {
  if (role === 'ground') return new Color(colors.ground);
  if (role === 'ghost') return new Color(colors.faint);
  if (role === 'metal' || role === 'pin') return new Color(colors.metal);
  if (role === 'spring') return new Color(colors.spring);
  const color = new Color(roleColor(colors, role));
  return theme.dark ? color.lerp(new Color('#ffffff'), 0.25) : color.lerp(new Color('#000000'), 0.35);
};

export class Paint {
  private readonly materials = new Map<string, { apply: (colors: Colors) => void; material: unknown }>();

  // A ghost is grey, lies behind everything and lets through what is behind it.
  constructor(readonly planar: boolean, readonly isGhost = false) {
    theme.listen((colors) => { for (const entry of this.materials.values()) entry.apply(colors); });
  }

  private shared<T>(key: string, make: () => T, apply: (material: T, colors: Colors) => void): T {
    let entry = this.materials.get(key);
    if (!entry) {
      const material = make();
      entry = { material, apply: (colors) => apply(material, colors) };
      entry.apply(theme.colors);
      this.materials.set(key, entry);
    }
    return entry.material as T;
  }
  private role(role: Role): Role { return this.isGhost ? 'ghost' : role; }
  private order(order: number): number { return this.isGhost ? order - GHOST_LAYERS : order; }
  private opacity(opacity: number): number { return this.isGhost ? 0.35 * opacity : opacity; }

  fill(of: Role, full: number): MeshBasicMaterial {
    const role = this.role(of), opacity = this.opacity(full);
    return this.shared(`fill ${role} ${opacity}`,
      () => new MeshBasicMaterial({ side: DoubleSide, transparent: true, opacity, depthTest: !this.planar, depthWrite: false }),
      (material, colors) => material.color.set(roleColor(colors, role)));
  }
  line(of: Role, width: number): LineMaterial {
    const role = this.role(of);
    return this.shared(`line ${role} ${width}`,
      () => new LineMaterial({ linewidth: width, transparent: true, depthTest: !this.planar, depthWrite: false }),
      (material, colors) => material.color.copy(outlineColor(colors, role)));
  }
  surface(of: Role, full: number, stripes = false): MeshStandardMaterial {
    const role = this.role(of), opacity = this.opacity(full), finish = stripes ? striped : (material: MeshStandardMaterial) => material;
    return this.shared(`surface ${role} ${opacity} ${stripes}`,
      () => finish(new MeshStandardMaterial({
        roughness: 0.55, metalness: role === 'metal' ? 0.2 : 0.08, side: opacity < 1 ? DoubleSide : FrontSide,
        transparent: opacity < 1, opacity, depthWrite: opacity === 1,
        polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
      })),
      (material, colors) => material.color.set(roleColor(colors, role)));
  }
  edge(of: Role): LineBasicMaterial {
    const role = this.role(of);
    return this.shared(`edge ${role}`, () => new LineBasicMaterial({ transparent: true, opacity: 0.55 }),
      (material, colors) => material.color.copy(outlineColor(colors, role)));
  }

  // Lines on a plane: those of the ground are the paper's, on one of a body they are its own colour.
  ruled(of: Role): MeshBasicMaterial {
    const role = this.role(of), isGround = role === 'ground';
    return this.shared(`ruled ${role}`, () => ruledMaterial(isGround ? 1 : 0.4),
      (material, colors) => (isGround ? material.color.set(colors.gridStrong) : material.color.copy(outlineColor(colors, role))));
  }

  // A closed outline in the plane, filled. `order` is the painter's order; the plane needs no depth.
  flat(shape: Shape, role: Role, order: number, opacity = 0.9, width = 1.6): Group {
    const group = new Group();
    const mesh = new Mesh(new ShapeGeometry(shape, 48), this.fill(role, opacity));
    mesh.renderOrder = this.order(order);
    group.add(mesh);
    for (const path of [shape, ...shape.holes]) {
      const points = path.getPoints(48);
      group.add(this.polyline(points, role, order + 0.4, width, true));
    }
    return group;
  }
  polyline(points: (Vector2 | Vector3)[], role: Role, order: number, width = 1.6, closed = false): Line2 {
    const numbers: number[] = [];
    for (const p of points) numbers.push(p.x, p.y, 'z' in p ? p.z : 0);
    if (closed && points.length > 0) numbers.push(numbers[0], numbers[1], numbers[2]);
    const line = new Line2(new LineGeometry().setPositions(numbers), this.line(role, width));
    line.renderOrder = this.order(order);
    return line;
  }
  segments(points: Vector3[], role: Role, order: number, width = 1.2): LineSegments2 {
    const numbers: number[] = [];
    for (const p of points) numbers.push(p.x, p.y, p.z);
    const lines = new LineSegments2(new LineSegmentsGeometry().setPositions(numbers), this.line(role, width));
    lines.renderOrder = this.order(order);
    return lines;
  }
  // Lines as wide as a pixel, which may be many.
  thinLines(points: Vector3[], role: Role): LineSegments {
    return new LineSegments(new BufferGeometry().setFromPoints(points), this.edge(role));
  }
  solid(geometry: BufferGeometry, role: Role, opacity = 1, edges = 30): Object3D {
    const mesh = new Mesh(geometry, this.surface(role, opacity, isStriped(geometry)));
    // What one sees through throws no shadow.
    mesh.castShadow = mesh.userData.isSolid = opacity === 1 && !this.isGhost;
    mesh.receiveShadow = !this.isGhost;
    if (opacity < 1 || this.isGhost) mesh.renderOrder = 10;
    if (edges > 0) mesh.add(new LineSegments(new EdgesGeometry(geometry, edges), this.edge(role)));
    return mesh;
  }
}

export function disposeTree(object: Object3D): void {
  object.traverse((node) => { (node as Mesh).geometry?.dispose(); });   // materials are shared and stay
  object.removeFromParent();
}
