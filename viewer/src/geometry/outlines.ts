// Outlines in the plane that several drawings need.
import { Path, Shape, Vector2 } from 'three';

export function disc(radius: number, x = 0, y = 0): Shape {
  const shape = new Shape();
  shape.absarc(x, y, radius, 0, 2 * Math.PI, false);
  return shape;
}
export function ring(inner: number, outer: number, x = 0, y = 0): Shape {
  const shape = disc(outer, x, y);
  const hole = new Path();
  hole.absarc(x, y, inner, 0, 2 * Math.PI, true);
  shape.holes.push(hole);
  return shape;
}
export function rectangle(x0: number, y0: number, x1: number, y1: number, radius = 0): Shape {
  const r = Math.min(radius, (x1 - x0) / 2, (y1 - y0) / 2);
  const shape = new Shape();
  if (r <= 0) {
    shape.moveTo(x0, y0);
    shape.lineTo(x1, y0);
    shape.lineTo(x1, y1);
    shape.lineTo(x0, y1);
    shape.closePath();
    return shape;
  }
  shape.absarc(x1 - r, y0 + r, r, -Math.PI / 2, 0, false);
  shape.absarc(x1 - r, y1 - r, r, 0, Math.PI / 2, false);
  shape.absarc(x0 + r, y1 - r, r, Math.PI / 2, Math.PI, false);
  shape.absarc(x0 + r, y0 + r, r, Math.PI, 1.5 * Math.PI, false);
  shape.closePath();
  return shape;
}
export function polygon(points: { x: number; y: number }[]): Shape {
  return new Shape(points.map((p) => new Vector2(p.x, p.y)));
}

export function convexHull(points: Vector2[]): Vector2[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const half = (list: Vector2[]) => {
    const out: Vector2[] = [];
    for (const p of list) {
      while (out.length > 1) {
        const a = out[out.length - 2], b = out[out.length - 1];
        if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    out.pop();
    return out;
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

// Everything within r of the convex hull: one point gives a disc, two a bar with round ends.
export function roundedHull(points: Vector2[], r: number): Shape {
  const hull = convexHull(points);
  if (hull.length === 1) return disc(r, hull[0].x, hull[0].y);
  const shape = new Shape();
  hull.forEach((p, i) => {
    const before = hull[(i + hull.length - 1) % hull.length], after = hull[(i + 1) % hull.length];
    const a0 = Math.atan2(p.y - before.y, p.x - before.x) - Math.PI / 2;
    let a1 = Math.atan2(after.y - p.y, after.x - p.x) - Math.PI / 2;
    while (a1 < a0 - 1e-9) a1 += 2 * Math.PI;
    shape.absarc(p.x, p.y, r, a0, a1, false);
  });
  shape.closePath();
  return shape;
}

// A convex polygon with every side moved outwards by d.
export function offsetPolygon(points: Vector2[], d: number): Vector2[] {
  let area = 0;
  points.forEach((p, i) => { area += p.cross(points[(i + 1) % points.length]); });
  const sign = area >= 0 ? 1 : -1;
  return points.map((p, i) => {
    const a = points[(i + points.length - 1) % points.length], b = points[(i + 1) % points.length];
    const n1 = new Vector2(p.y - a.y, a.x - p.x).normalize().multiplyScalar(sign);
    const n2 = new Vector2(b.y - p.y, p.x - b.x).normalize().multiplyScalar(sign);
    const middle = n1.clone().add(n2);
    const k = d / Math.max(0.1, 1 + n1.dot(n2));
    return p.clone().addScaledVector(middle, k);
  });
}
