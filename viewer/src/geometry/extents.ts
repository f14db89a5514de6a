// How far shapes reach, for the fit of the view: some points in the axes of the body, and a radius around them.
import { Box3, Quaternion, Vector3 } from 'three';
import type { ShapeData } from '../data/data_block';
import { quaternion, vector } from './joint_frames';

export interface Extent { points: Vector3[]; radius: number }

const SIGNS = [-1, 1];
const corners = (half: Vector3): Vector3[] => SIGNS.flatMap((x) => SIGNS.flatMap((y) => SIGNS.map((z) => new Vector3(x * half.x, y * half.y, z * half.z))));

// Directions all around, of which the outermost points stand for all others.
const DIRECTIONS: Vector3[] = [];
for (let i = 0; i < 16; ++i) DIRECTIONS.push(new Vector3(Math.cos((Math.PI * i) / 8), Math.sin((Math.PI * i) / 8), 0));
for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of SIGNS) DIRECTIONS.push(new Vector3(x, y, z).normalize());

function outermost(points: Vector3[]): Vector3[] {
  if (points.length <= DIRECTIONS.length) return points;
  const chosen = new Set<Vector3>();
  for (const direction of DIRECTIONS) {
    let best = points[0];
    for (const p of points) if (p.dot(direction) > best.dot(direction)) best = p;
    chosen.add(best);
  }
  return [...chosen];
}

// Null for what has no end: lines and planes.
export function extentOf(shape: ShapeData): Extent | null {
  if (shape.type === 'line' || shape.type === 'plane') return null;
  const at = vector(shape.at ?? [0, 0, 0]);
  const placed = (points: Vector3[], turn = new Quaternion()) => ({ points: points.map((p) => p.applyQuaternion(turn).add(at)), radius: 0 });
  const turn = quaternion(shape.rotation ?? [1, 0, 0, 0]);
  const along = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), vector(shape.axis ?? [0, 0, 1]).normalize());
  const listed = shape.vertices ?? shape.outline ?? shape.points;
  if (listed) {
    const points = outermost(listed.map(vector));
    // A shape that turns against its body sweeps a circle.
    return shape.turn ? { points: [at], radius: Math.max(...points.map((p) => p.distanceTo(at))) } : { points, radius: 0 };
  }
  if (shape.size) return placed(corners(vector(shape.size).multiplyScalar(0.5)), turn);
  if (shape.semi_axes) return placed(DIRECTIONS.map((d) => d.clone().multiply(vector(shape.semi_axes!))), turn);
  if (shape.semi_axis_x !== undefined) {
    const half = new Vector3(shape.semi_axis_x, shape.semi_axis_y!, 0);
    return placed(DIRECTIONS.map((d) => d.clone().multiply(half)), new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), shape.angle ?? 0));
  }
  const radius = shape.radius ?? 0;
  if (shape.length === undefined) return { points: [at], radius };
  const ends = SIGNS.map((sign) => new Vector3(0, 0, (sign * shape.length!) / 2));
  if (shape.type === 'capsule') return { ...placed(ends, along), radius };
  return placed(ends.flatMap((end) => DIRECTIONS.slice(0, 16).map((d) => d.clone().multiplyScalar(radius).add(end))), along);
}

export function boxOf(extent: Extent): Box3 { return new Box3().setFromPoints(extent.points).expandByScalar(extent.radius); }
