// What the surfaces of joints with play have carried, as colours on the bores, rods and walls themselves: the places of a
// bearing map where they are on the drawn part, whatever its clearance is magnified by. Places that carried nothing stay bare.
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, MeshBasicMaterial, Vector2, Vector3 } from 'three';
import { bearingMap, largestOf, LOAD_QUANTITIES, type BearingMap, type LoadQuantity, type Wall } from '../../geometry/bearing_map';
import type { Joint } from '../../geometry/joint_frames';
import { offsetPolygon } from '../../geometry/outlines';
import { LAYER } from '../paint';
import { bearingWall, guideWall, journalRadius, slotPoint, type Travel } from '../parts/play_joints';
import type { Poses } from '../../geometry/poses';
import type { Run } from '../../data/run';
import { valueRgb } from '../../toolkit/color_map';
import { quantity } from '../../toolkit/format';

type Quad = [Vector3, Vector3, Vector3, Vector3];
interface Cell { wall: Wall; bin: number; quad: Quad }
interface Painted { joint: Joint; travel: Travel; map: BearingMap; mesh: Mesh }

const LIFT = 1.01;   // above the surface that is coloured
const BELT = 0.2;    // rad: half the width of the belt around a socket

const round = (radius: number, angle: number, z = 0) => new Vector3(radius * Math.cos(angle), radius * Math.sin(angle), z);

// Of all bins of the walls, by a function that says where the piece from `a` to `b` of a wall is.
function cellsOf(map: BearingMap, quadOf: (wall: Wall, a: number, b: number) => Quad[]): Cell[] {
  return map.walls.flatMap((wall) => Array.from(wall.peak, (_, bin) => {
    const at = (i: number) => map.from + ((map.to - map.from) * i) / wall.peak.length;
    return quadOf(wall, at(bin), at(bin + 1)).map((quad) => ({ wall, bin, quad }));
  }).flat());
}

function bore(joint: Joint, map: BearingMap, size: number, M: number): Cell[] {
  const inner = journalRadius(joint, size) + M * joint.data.clearance!, outer = inner + bearingWall(joint, size);
  return cellsOf(map, (_, a, b) => [[round(inner, a), round(outer, a), round(outer, b), round(inner, b)]]);
}

// The rod of a sleeve: each half of the way of its ends stands for one of them.
function rod(joint: Joint, map: BearingMap, size: number, { from, to }: Travel): Cell[] {
  const radius = LIFT * journalRadius(joint, size), half = (joint.data.length ?? 4 * radius) / 2, middle = (from + to) / 2;
  return cellsOf(map, ({ name }, a, b) => {
    const [low, high] = name === 'end 1' ? [from - half, middle] : [middle, to + half];
    return [[round(radius, a, low), round(radius, b, low), round(radius, b, high), round(radius, a, high)]];
  });
}

function belt(joint: Joint, map: BearingMap, size: number, M: number): Cell[] {
  const r = joint.data.journal_radius ?? joint.data.bearing_radius ?? 0.025 * size, outer = LIFT * (r + M * joint.data.clearance! + Math.max(0.18 * r, 0.004 * size));
  const across = outer * Math.cos(BELT), z = outer * Math.sin(BELT);
  return cellsOf(map, (_, a, b) => [[round(across, a, -z), round(outer, a), round(outer, b), round(across, b, -z)], [round(outer, a), round(across, a, z), round(across, b, z), round(outer, b)]]);
}

function rails(joint: Joint, map: BearingMap, size: number, M: number): Cell[] {
  const inner = joint.data.width! / 2 + M * joint.data.clearance!, outer = inner + guideWall(joint, size);
  return cellsOf(map, ({ name }, a, b) => {
    const side = name === '+y' ? 1 : -1;
    return [[new Vector3(a, side * inner, 0), new Vector3(b, side * inner, 0), new Vector3(b, side * outer, 0), new Vector3(a, side * outer, 0)]];
  });
}

// Each wall of the channel by the axis that it faces most.
function channel(joint: Joint, map: BearingMap, M: number): Cell[] {
  const corners = offsetPolygon(joint.data.section!.map(([y, z]) => new Vector2(y, z)), LIFT * M * joint.data.clearance!);
  const middle = corners.reduce((sum, corner) => sum.add(corner), new Vector2()).divideScalar(corners.length);
  const walls = corners.map((corner, i) => {
    const next = corners[(i + 1) % corners.length], out = new Vector2(next.y - corner.y, corner.x - next.x);
    if (out.dot(corner.clone().sub(middle)) < 0) out.negate();
    const isY = Math.abs(out.x) >= Math.abs(out.y);
    return { corner, next, name: `${(isY ? out.x : out.y) > 0 ? '+' : '-'}${isY ? 'y' : 'z'}` };
  });
  return cellsOf(map, ({ name }, a, b) => walls.filter((wall) => wall.name === name).map(({ corner, next }): Quad => [
    new Vector3(a, corner.x, corner.y), new Vector3(b, corner.x, corner.y), new Vector3(b, next.x, next.y), new Vector3(a, next.x, next.y),
  ]));
}

// The two long walls of a slot; what the heads of a pin press on is not coloured.
function slot(joint: Joint, map: BearingMap, size: number, planar: boolean, M: number): Cell[] {
  const radius = joint.data.slot_radius ?? 0, inner = journalRadius(joint, size) + M * joint.data.clearance!, outer = inner + bearingWall(joint, size);
  const along = (x: number) => (radius === 0 ? x : radius * Math.asin(Math.max(-1, Math.min(1, x / radius))));
  const half = planar ? 0 : LIFT * (joint.data.width ?? 0) / 2;
  return cellsOf(map, ({ name }, a, b) => {
    if (!name.endsWith('y')) return [];
    const side = name === '+y' ? 1 : -1, place = (x: number, left: number) => slotPoint(joint, along(x), side * left);
    return [-half, half].map((z): Quad => [[a, inner], [b, inner], [b, outer], [a, outer]].map(([x, left]) => place(x, left).setZ(z)) as Quad);
  });
}

function cellsOnPart({ joint, travel, map }: Painted, size: number, planar: boolean, M: number): Cell[] {
  const { type, width, section } = joint.data;
  if (type === 'pin_in_slot') return slot(joint, map, size, planar, M);
  if (type === 'prismatic') return planar ? (width ? rails(joint, map, size, M) : []) : section ? channel(joint, map, M) : [];
  if (type === 'spherical') return belt(joint, map, size, M);
  return planar ? bore(joint, map, size, M) : rod(joint, map, size, travel);
}

export class BearingColors {
  quantity: LoadQuantity | null = null;
  private painted: Painted[] | null = null;   // made when they are first asked for: every row of the run is read
  private magnification = 1;
  private readonly material: MeshBasicMaterial;

  constructor(private readonly run: Run, private readonly poses: Poses, private readonly size: number,
    private readonly joints: { joint: Joint; travel: Travel; parent: Group }[]) {
    this.material = new MeshBasicMaterial({ vertexColors: true, side: DoubleSide, transparent: true, depthTest: !run.planar, depthWrite: !run.planar });
  }

  get available(): boolean {
    return this.joints.some(({ joint }) => this.run.header.contact_points.some((p) => p.contact === joint.data.name && p.normal && p.point && p.normal_force !== null));
  }
  // What full colour means; null where nothing is coloured.
  get scale(): { title: string; largest: string } | null {
    const shown = LOAD_QUANTITIES.find(({ what }) => what === this.quantity);
    if (!shown) return null;
    const largest = this.largest(shown.what), per = shown.what === 'peak' ? '' : ' per 5°, or sixtieth of a guide';
    return { title: `${shown.title}${per}`, largest: largest > 0 ? quantity(largest, shown.unit, 3) : 'none' };
  }
  // Of the colours that are drawn, for tests: places in the axes of the joint's parent end.
  cells(name: string): number { return (this.painted?.find(({ joint }) => joint.data.name === name)?.mesh.geometry.getAttribute('position')?.count ?? 0) / 6; }
  private largest(what: LoadQuantity): number { return (this.painted ?? []).reduce((most, { map }) => Math.max(most, largestOf(map, what)), 0); }

  show(what: LoadQuantity | null): void {
    this.quantity = what;
    if (what && !this.painted) this.make();
    this.draw();
  }
  magnify(M: number): void {
    this.magnification = M;
    this.draw();
  }

  private make(): void {
    this.painted = this.joints.flatMap(({ joint, travel, parent }) => {
      const map = bearingMap(joint, this.run, this.poses);
      if (!map) return [];
      const mesh = new Mesh(new BufferGeometry(), this.material), group = new Group();
      mesh.renderOrder = LAYER.joint - 1;
      group.position.copy(joint.atParent);
      group.quaternion.copy(joint.frameParent);
      group.add(mesh);
      parent.add(group);
      return [{ joint, travel, map, mesh }];
    });
  }

  private draw(): void {
    const { quantity: what } = this, color = new Color();
    for (const one of this.painted ?? []) {
      one.mesh.visible = what !== null;
      if (!what) continue;
      const largest = this.largest(what), places: number[] = [], colors: number[] = [];
      for (const { wall, bin, quad } of cellsOnPart(one, this.size, this.run.planar, this.magnification)) {
        const value = wall[what][bin];
        if (!(value > 0)) continue;
        color.setRGB(...(valueRgb(value / largest).map((part) => part / 255) as [number, number, number]), 'srgb');
        for (const k of [0, 1, 2, 0, 2, 3]) {
          places.push(quad[k].x, quad[k].y, quad[k].z);
          colors.push(color.r, color.g, color.b);
        }
      }
      one.mesh.geometry.dispose();
      one.mesh.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(places), 3))
        .setAttribute('color', new BufferAttribute(new Float32Array(colors), 3));
    }
  }
}
