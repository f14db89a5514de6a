// Contact points and the forces in them: an arrow from the point in the direction of the force on the first partner (the
// child of a joint), coloured by mode. An impact lasts one step, too short to be seen: while the page plays it glows for a moment. With magnified clearance the point stays on the part that it belongs to.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { ContactPoint } from '../data/data_block';
import type { Magnifier } from '../geometry/magnifier';
import { modesOf, type Mode } from '../data/modes';
import { LAYER } from './paint';
import type { Poses } from '../geometry/poses';
import type { Run } from '../data/run';
import { theme } from '../toolkit/theme';

const IMPACT = 3;   // material of an impact that glows

interface Drawn { group: Group; shaft: Mesh; head: Mesh; dot: Mesh }

const Y = new Vector3(0, 1, 0);

export class ContactArrows {
  readonly group = new Group();
  readonly points: ContactPoint[];
  scale = 1;
  logarithmic = false;
  visible = true;
  glow = 0;                                 // simulated time for which an impact stays visible
  private readonly carriers: number[];      // body whose drawn displacement the point follows
  private readonly drawn: Drawn[] = [];
  private readonly modes: Mode[];
  private readonly materials = Array.from({ length: IMPACT + 1 }, () => new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true }));
  private readonly shaftShape = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
  private readonly headShape = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0);
  private readonly dotShape = new SphereGeometry(1, 14, 10);
  private readonly reference: number;
  private readonly position = new Vector3();
  private readonly force = new Vector3();
  private readonly inverse = new Quaternion();

  constructor(private readonly run: Run, private readonly poses: Poses, private readonly magnifier: Magnifier, private readonly size: number) {
    this.points = run.header.contact_points.filter((p) => p.point && p.mode !== null && (p.force ?? (p.normal && p.normal_force !== null)));
    this.carriers = this.carriersOf();
    this.reference = this.typicalForce();
    this.modes = modesOf(run.header);
    theme.listen((colors) => {
      this.modes.forEach((mode, i) => this.materials[i].color.set(colors[mode.role]));
      this.materials[IMPACT].color.set(colors.impact);
    });
  }

  // The child of a joint, the body of a contact's first shape; where that is the ground, the other one moves.
  private carriersOf(): number[] {
    const { joints, contacts = [] } = this.run.header.geometry;
    const carriers = new Map(joints.map((joint) => [joint.name, this.poses.indexOf(joint.child)]));
    const bodyOf = (shape: string) => this.poses.indexOf(shape.slice(0, shape.lastIndexOf('.')));
    for (const { name, a, b } of contacts) carriers.set(name, bodyOf(a) > 0 ? bodyOf(a) : bodyOf(b));
    return this.points.map((point) => carriers.get(point.contact) ?? -1);
  }

  // The force that 95 % of the recorded ones stay below, so that one blow does not make all other arrows vanish.
  private typicalForce(): number {
    const found: number[] = [];
    let peak = 0;
    const rows = this.run.header.rows;
    const stride = Math.max(1, Math.floor(rows / 400));
    for (const point of this.points.slice(0, 200)) {
      const column = point.normal_force ?? null;
      if (column === null) continue;
      const values = this.run.whole.columns[column];
      for (let i = 0; i < rows; ++i) if (values[i] > peak) peak = values[i];
      for (let i = 0; i < rows; i += stride) {
        const force = Math.abs(values[i]);
        if (force > 0 && Number.isFinite(force)) found.push(force);
      }
    }
    found.sort((a, b) => a - b);
    if (found.length === 0) return 1;
    const typical = found[Math.floor(0.95 * (found.length - 1))];
    // Blows that a linear arrow would carry out of the picture.
    this.logarithmic = peak > 5 * typical;
    return typical;
  }

  private make(): Drawn {
    const part = (shape: CylinderGeometry | SphereGeometry) => {
      const mesh = new Mesh(shape, this.materials[0]);
      mesh.renderOrder = LAYER.arrow;
      return mesh;
    };
    const drawn = { group: new Group(), shaft: part(this.shaftShape), head: part(this.headShape), dot: part(this.dotShape) };
    drawn.group.add(drawn.shaft, drawn.head, drawn.dot);
    this.group.add(drawn.group);
    return drawn;
  }

  // Of the present step, or of a row before it.
  private forceOf(point: ContactPoint, row: number): void {
    const at = (column: number | null | undefined) =>
      (column === null || column === undefined ? 0 : row >= 0 ? this.run.atRow(column, row) : this.run.held(column));
    if (point.force) {
      this.force.set(at(point.force[0]), at(point.force[1]), at(point.force[2]));
      return;
    }
    const n = point.normal!;
    const nx = at(n[0]), ny = at(n[1]), nz = at(n[2]), N = at(point.normal_force), T = at(point.tangential_force);
    // The normal turned by -90 degrees is (ny, -nx); at one side of a guide the tangent is the other one.
    const along = point.tangent === 90 ? -T : T;
    this.force.set(N * nx + along * ny, N * ny - along * nx, N * nz);
  }

  // Where a point is now; with magnified clearance it moves with the drawing of its carrier.
  private placeOf(i: number): void {
    const [x, y, z] = this.points[i].point!, carrier = this.carriers[i];
    this.position.set(this.run.now(x!), this.run.now(y!), z === null || z === undefined ? 0 : this.run.now(z));
    if (carrier <= 0 || this.magnifier.magnification === 1) return;
    this.inverse.copy(this.poses.rotation[carrier]).invert();
    this.position.sub(this.poses.position[carrier]).applyQuaternion(this.inverse)
      .applyQuaternion(this.magnifier.rotation[carrier]).add(this.magnifier.position[carrier]);
  }
  placeAt(name: string): number[] | null {
    const i = this.points.findIndex((p) => p.name === name);
    if (i < 0) return null;
    this.placeOf(i);
    return this.position.toArray();
  }

  // The force at a contact point now, as its arrow shows it.
  forceAt(name: string): number[] | null {
    const point = this.points.find((p) => p.name === name);
    if (!point) return null;
    this.forceOf(point, -1);
    return this.force.toArray();
  }

  private lengthOf(force: number): number {
    const x = force / this.reference;
    const relative = this.logarithmic ? Math.log10(1 + 99 * x) / 2 : x;
    return Math.min(this.size, 0.16 * this.size * this.scale * relative);
  }

  // `pixel` is the size of a pixel in the world: arrows keep their thickness at every zoom.
  update(pixel: number): void {
    let used = 0;
    for (let i = 0; i < this.points.length && this.visible; ++i) {
      const point = this.points[i];
      const mode = this.run.held(point.mode!);
      let row = -1;
      if (!(mode > 0)) {
        if (this.glow > 0 && point.normal_force !== null) row = this.run.peakRow(point.normal_force, this.glow);
        if (row < 0) continue;
      }
      this.placeOf(i);
      this.forceOf(point, row);
      if (!Number.isFinite(this.position.x + this.position.y + this.position.z)) continue;
      const drawn = this.drawn[used] ?? (this.drawn[used] = this.make());
      ++used;
      this.place(drawn, this.materials[row >= 0 ? IMPACT : Math.min(2, Math.round(mode))], pixel);
    }
    for (let i = used; i < this.drawn.length; ++i) this.drawn[i].group.visible = false;
  }

  private place(drawn: Drawn, material: MeshBasicMaterial, pixel: number): void {
    const { group, shaft, head, dot } = drawn;
    group.visible = true;
    group.position.copy(this.position);
    shaft.material = head.material = dot.material = material;
    dot.scale.setScalar(4.5 * pixel);
    const force = this.force.length();
    const length = Number.isFinite(force) ? this.lengthOf(force) : 0;
    shaft.visible = head.visible = length > 2 * pixel;
    if (!shaft.visible) return;
    const tip = Math.min(14 * pixel, 0.6 * length);
    group.quaternion.setFromUnitVectors(Y, this.force.divideScalar(force));
    shaft.scale.set(1.8 * pixel, Math.max(length - tip, pixel), 1.8 * pixel);
    head.position.y = length - tip;
    head.scale.set(tip * 0.36, tip, tip * 0.36);
  }
}
