// Drawings of the shapes that a model file gives to its bodies and to the ground.
import {
  Box3, BoxGeometry, BufferGeometry, CapsuleGeometry, CatmullRomCurve3, CylinderGeometry, Float32BufferAttribute, Group, Mesh, Object3D, PlaneGeometry, Quaternion, Shape,
  SphereGeometry, Vector2, Vector3,
} from 'three';
import type { ShapeData } from '../../data/data_block';
import { quaternion, vector } from '../../geometry/joint_frames';
import { disc, polygon } from '../../geometry/outlines';
import { shadowMaterial } from '../daylight';
import { LAYER, type Paint, type Role } from '../paint';
import { ruledPlane } from '../plane_grid';
import { withOctants, withQuarters } from '../stripes';

const Z = new Vector3(0, 0, 1), Y = new Vector3(0, 1, 0);

const MOST_TICKS = 20000, MOST_CELLS = 300, MOST_CELLS_OF_LONG_WAY = 3000;

// How far lines and planes are drawn, which have no ends; `isLong`: of a way on which the camera follows a small part.
export interface Reach { centre: Vector3; radius: number; isLong: boolean }

// Hatching below a line that has no ends: the solid side is opposite to its normal.
export function hatchedLine(at: Vector3, normal: Vector3, reach: number, tick: number, paint: Paint, role: Role, order: number): Group {
  const group = new Group();
  const depth = Math.max(tick, (2 * reach) / MOST_TICKS);
  const along = new Vector3(normal.y, -normal.x, 0);
  group.add(paint.polyline([at.clone().addScaledVector(along, -reach), at.clone().addScaledVector(along, reach)], role, order + 0.5, 2));
  const ticks: Vector3[] = [];
  for (let s = -reach; s < reach; s += depth) {
    const p = at.clone().addScaledVector(along, s);
    ticks.push(p, p.clone().addScaledVector(along, -depth).addScaledVector(normal, -depth));
  }
  group.add(paint.segments(ticks, role, order, 1));
  return group;
}

function curvePoints(shape: ShapeData): Vector2[] {
  // A Catmull-Rom curve through the same points; the run itself uses a cubic spline, which differs by less than a line's width.
  const curve = new CatmullRomCurve3(shape.points!.map(vector), shape.closed ?? true, 'centripetal');
  return curve.getPoints(Math.max(200, 8 * shape.points!.length)).map((p) => new Vector2(p.x, p.y));
}

function planarShape(shape: ShapeData, paint: Paint, role: Role, order: number, size: number, reach: Reach): Object3D | null {
  const at = vector(shape.at ?? [0, 0, 0]);
  const flat = (outline: Shape) => paint.flat(outline, role, order);
  switch (shape.type) {
    case 'point': return flat(disc(size * 0.008, at.x, at.y));
    // The face of a moving part is short, unless another part travels along it; a floor has no ends.
    case 'line': {
      const normal = vector(shape.normal!).normalize();
      if (role !== 'ground') return hatchedLine(at, normal, reach.isLong ? reach.radius + reach.centre.length() + 6 * size : 0.08 * size, 0.012 * size, paint, role, order);
      return hatchedLine(middleOf(at, normal, reach), normal, Math.max(12 * size, reach.radius + 6 * size), 0.018 * size, paint, role, order);
    }
    case 'circle': {
      const group = flat(disc(shape.radius!, at.x, at.y));
      // A spoke, so that one sees it roll.
      group.add(paint.polyline([at, new Vector3(at.x + shape.radius!, at.y, 0)], role, order + 0.5, 1.2));
      return group;
    }
    case 'arc': {
      const points: Vector2[] = [];
      for (let i = 0; i <= 96; ++i) {
        const a = shape.from! + ((shape.to! - shape.from!) * i) / 96;
        points.push(new Vector2(at.x + shape.radius! * Math.cos(a), at.y + shape.radius! * Math.sin(a)));
      }
      return paint.polyline(points, role, order, 2.4);
    }
    case 'polygon': return flat(polygon(shape.vertices!.map(vector)));
    case 'ellipse': {
      const outline = new Shape();
      outline.absellipse(at.x, at.y, shape.semi_axis_x!, shape.semi_axis_y!, 0, 2 * Math.PI, false, shape.angle ?? 0);
      return flat(outline);
    }
    case 'spline':
      return shape.closed === false ? paint.polyline(curvePoints(shape), role, order, 2.4) : flat(new Shape(curvePoints(shape)));
    case 'cam': {
      // Outline relative to the centre, in a group that turns about it.
      const group = flat(polygon(shape.outline!.map((p) => ({ x: p[0] - at.x, y: p[1] - at.y }))));
      group.add(paint.flat(disc(size * 0.012), 'pin', order + 0.6));
      const turning = new Group();
      turning.position.copy(at);
      turning.add(group);
      return turning;
    }
    // Edges, outlines, gears and other contours bring the polygon that shows them.
    default: return shape.outline ? flat(polygon(shape.outline.map(vector))) : null;
  }
}

function spatialShape(shape: ShapeData, paint: Paint, role: Role, size: number, reach: Reach): Object3D | null {
  const placed = (object: Object3D, turn?: Quaternion) => {
    object.position.copy(vector(shape.at ?? [0, 0, 0]));
    if (turn) object.quaternion.copy(turn);
    return object;
  };
  const alongAxis = () => new Quaternion().setFromUnitVectors(Y, vector(shape.axis ?? [0, 0, 1]).normalize());
  const ground = role === 'ground';
  switch (shape.type) {
    case 'point': return placed(paint.solid(new SphereGeometry(size * 0.01, 16, 12), role, 1, 0));
    case 'sphere': {
      const ball = new SphereGeometry(shape.radius!, 32, 20);
      return placed(paint.solid(ground ? ball : withOctants(ball), role, ground ? 0.35 : 1, 0));
    }
    case 'box': return placed(paint.solid(new BoxGeometry(...shape.size!), role, ground ? 0.5 : 1), quaternion(shape.rotation ?? [1, 0, 0, 0]));
    case 'cylinder': return placed(paint.solid(withQuarters(new CylinderGeometry(shape.radius, shape.radius, shape.length!, 40)), role), alongAxis());
    case 'capsule': return placed(paint.solid(withQuarters(new CapsuleGeometry(shape.radius, shape.length!, 12, 28)), role, 1, 0), alongAxis());
    case 'ellipsoid': {
      const object = paint.solid(withOctants(new SphereGeometry(1, 36, 24)), role, 1, 0);
      object.scale.set(...shape.semi_axes!);
      return placed(object, quaternion(shape.rotation ?? [1, 0, 0, 0]));
    }
    // Surfaces bring the triangles that show them.
    case 'torus': case 'cone': case 'paraboloid': case 'revolution': case 'parametric': case 'patch': {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new Float32BufferAttribute(shape.vertices!.flat(), 3));
      geometry.setIndex(shape.triangles!.flat());
      geometry.computeVertexNormals();
      if (ground) return paint.solid(geometry, role, 0.5, 0);
      const axis = roundAbout(shape), solid = paint.solid(withQuarters(geometry, axis), role, 1, 0);
      if (shape.type === 'torus') solid.add(spokes(geometry, axis, paint, role));
      return solid;
    }
    case 'plane': {
      const group = new Group();
      const normal = vector(shape.normal!).normalize();
      // One of the ground lies below the motion, one of a body around that body.
      const width = Math.max(6 * size, 2 * (reach.radius + (ground ? 0 : reach.centre.length())) + 3 * size);
      const mesh = new Mesh(new PlaneGeometry(width, width), paint.fill(role, 0.35));
      mesh.renderOrder = LAYER.ground;
      const grid = ruledPlane(width, Math.min(reach.isLong ? MOST_CELLS_OF_LONG_WAY : MOST_CELLS, Math.round((6 * width) / size)), paint.ruled(role));
      grid.renderOrder = LAYER.ground + 0.25;
      group.add(mesh, grid);
      if (!paint.isGhost) {
        const shade = new Mesh(mesh.geometry, shadowMaterial());
        shade.renderOrder = LAYER.ground + 0.5;
        shade.receiveShadow = true;
        group.add(shade);
      }
      placed(group, new Quaternion().setFromUnitVectors(Z, normal));
      if (ground) group.position.copy(middleOf(group.position, normal, reach));
      return group;
    }
    default: return shape.triangles ? paint.solid(facets(shape), role, ground ? 0.5 : 1) : null;
  }
}

// Each triangle with points of its own, so that the light shows it flat: that is what others touch.
function facets(shape: ShapeData): BufferGeometry {
  const corners = shape.triangles!.flat().flatMap((i) => shape.vertices![i] ?? [0, 0, 0]);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

// Two lines across a ring: one sees it turn however thin it is.
function spokes(ring: BufferGeometry, axis: Vector3, paint: Paint, role: Role): Object3D {
  ring.computeBoundingBox();
  const middle = ring.boundingBox!.getCenter(new Vector3()), radius = 0.5 * Math.max(...ring.boundingBox!.getSize(new Vector3()).toArray());
  const u = new Vector3(axis.z, axis.x, axis.y), v = new Vector3().crossVectors(axis, u);
  return paint.segments([u, v].flatMap((way) => [-1, 1].map((side) => middle.clone().addScaledVector(way, side * radius))), role, 0, 1.2);
}
// The axis about which triangles are round: the one along which the box around them is unlike the two others.
function roundAbout(shape: ShapeData): Vector3 {
  const { x, y, z } = new Box3().setFromPoints(shape.vertices!.map(vector)).getSize(new Vector3());
  const unlike = [Math.abs(y - z), Math.abs(z - x), Math.abs(x - y)], most = Math.min(...unlike);
  return new Vector3().setComponent(unlike.indexOf(most), 1);
}

// The point of a line or plane that is nearest to the middle of what moves.
function middleOf(at: Vector3, normal: Vector3, reach: Reach): Vector3 {
  return reach.centre.clone().addScaledVector(normal, at.clone().sub(reach.centre).dot(normal));
}

export function drawShape(shape: ShapeData, paint: Paint, body: number, size: number, reach: Reach): Object3D | null {
  const role: Role = body === 0 ? 'ground' : body;
  return paint.planar ? planarShape(shape, paint, role, body === 0 ? LAYER.ground : LAYER.body + body, size, reach)
    : spatialShape(shape, paint, role, size, reach);
}
