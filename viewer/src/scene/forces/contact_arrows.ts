// Contact points on the shapes: a dot where a point is, a thin line along its normal, and an arrow from it in the direction
// of the force on the first partner (the child of a joint), coloured by mode. Open points that are near get a faint dot. An
// impact lasts one step, too short to be seen: while the page plays it glows for a moment. With magnified clearance the
// point stays on the part that it belongs to.
import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from 'three';
import type { ContactPoint } from '../../data/data_block';
import { Blows } from '../../data/blows';
import type { Attached } from '../../geometry/beams';
import { vector } from '../../geometry/joint_frames';
import type { Magnifier } from '../../geometry/magnifier';
import { modesOf, type Mode } from '../../data/modes';
import { LAYER } from '../paint';
import type { Poses } from '../../geometry/poses';
import type { Run } from '../../data/run';
import { theme } from '../../toolkit/theme';

const IMPACT = 3;          // material of an impact that glows; those before it are of the modes 0, 1, 2
const LONGEST_SCALE = 3;   // a logarithmic scale shows up to ten times a typical load
const NEAR = 0.01;         // of the mechanism's size: open points are shown up to this gap
const NORMAL_PIXELS = { from: -14, to: 36 };   // a normal has no size of its own; its tail shows beside the arrow
const DOT_PIXELS = 4.5, FAINT_DOT_PIXELS = 3, RIM_PIXELS = 1.3;

interface Tip { at: Vector3; value: number; unit: string; role: string }   // the end of an arrow, and what it says
interface Drawn { group: Group; shaft: Mesh; head: Mesh; dot: Mesh; rim: Mesh; shaftRim: Mesh; normal: Mesh }
// What an arrow shows: the force, or the impulse of the step where no force was recorded.
type Load = 'force' | 'impulse';

export interface Look { mode: Mode; impact: boolean; place: Vector3; normal: Vector3; force: Vector3; value: number; unit: string }

const Y = new Vector3(0, 1, 0);

export class ContactArrows {
  readonly group = new Group();
  readonly points: ContactPoint[];
  scale = 1;
  logarithmic = false;
  visible = true;
  normals = true;
  glow = 0;                                 // simulated time for which an impact stays visible
  private readonly carriers: number[];      // body whose drawn displacement the point follows
  private readonly sections: Attached[];    // and of an elastic body the section
  private readonly drawn: Drawn[] = [];
  private ends: Tip[] = [];                 // of the arrows that are drawn now
  private readonly blows: Blows;
  private readonly modes: Mode[];
  private readonly materials = Array.from({ length: IMPACT + 1 }, () => new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true }));
  private readonly shaftShape = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0);
  private readonly headShape = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0);
  private readonly dotShape = new SphereGeometry(1, 14, 10);
  private readonly normalMaterial = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.85 });
  private readonly rimMaterial = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true });   // tells a mark from a body of its colour
  private readonly references: Record<Load, number>;
  readonly unit: 'N' | 'N s' | null;        // of the arrows; null where there is none in the whole run
  private readonly position = new Vector3();
  private readonly force = new Vector3();
  private readonly normal = new Vector3();
  private readonly inverse = new Quaternion();
  private readonly rimWidth = new Vector3();

  constructor(private readonly run: Run, private readonly poses: Poses, private readonly magnifier: Magnifier, private readonly size: number) {
    this.points = run.header.contact_points.filter((p) => p.point);
    this.carriers = this.carriersOf();
    this.sections = this.sectionsOf();
    const force = this.typicalLoad('force'), impulse = this.typicalLoad('impulse');
    this.references = { force: force || 1, impulse: impulse || 1 };
    this.unit = force > 0 ? 'N' : impulse > 0 ? 'N s' : null;
    this.modes = modesOf(run.header);
    this.blows = new Blows(run.whole);
    this.materials[0].opacity = 0.45;
    theme.listen((colors) => {
      this.modes.forEach((mode, i) => this.materials[i].color.set(mode.role === 'open' ? colors.faint : colors[mode.role]));
      this.materials[IMPACT].color.set(colors.impact);
      this.normalMaterial.color.set(colors.text);
      this.rimMaterial.color.set(colors.background);
    });
  }

  // Null where nothing of a point's force was recorded.
  private loadOf(point: ContactPoint): Load | null {
    if (point.force || (point.normal && point.normal_force !== null)) return 'force';
    return point.normal && point.normal_impulse !== null ? 'impulse' : null;
  }

  // The child of a joint, the body of a contact's first shape; where that is the ground, the other one moves.
  private carriersOf(): number[] {
    const { joints, contacts = [] } = this.run.header.geometry;
    const carriers = new Map(joints.map((joint) => [joint.name, this.poses.indexOf(joint.child)]));
    const bodyOf = (shape: string) => this.poses.indexOf(shape.slice(0, shape.lastIndexOf('.')));
    for (const { name, a, b } of contacts) carriers.set(name, bodyOf(a) > 0 ? bodyOf(a) : bodyOf(b));
    return this.points.map((point) => carriers.get(point.contact) ?? -1);
  }

  // Of the joint's child or of the contact's shape that the point is on.
  private sectionsOf(): Attached[] {
    const { joints, contacts = [], shapes } = this.run.header.geometry;
    return this.points.map((point, i) => {
      const joint = joints.find(({ name }) => name === point.contact), contact = contacts.find(({ name }) => name === point.contact);
      const shape = contact && shapes.find(({ body, name }) => [contact.a, contact.b].includes(`${body}.${name}`) && this.poses.indexOf(body) === this.carriers[i]);
      return this.poses.deformations.attach(this.carriers[i], new Vector3(), undefined, vector(joint?.at_child ?? shape?.at ?? [0, 0, 0]));
    });
  }

  // The load that 95 % of the loads stay below, so that one blow does not make all other arrows vanish. Of very many
  // loads some tell it: every one until there are too many, then every second one of these, and so on.
  private typicalLoad(load: Load): number {
    const most = 4000;
    let found: number[] = [], stride = 1, loads = 0, peak = 0;
    for (const point of this.points.slice(0, 200)) {
      if (this.loadOf(point) !== load) continue;
      for (let i = 0; i < this.run.header.rows; ++i) {
        const size = this.sizeAt(point, load, i);
        if (!(size > 0 && Number.isFinite(size))) continue;
        if (size > peak) peak = size;
        if (loads++ % stride === 0) found.push(size);
        if (found.length < most) continue;
        found = found.filter((_, k) => k % 2 === 0);
        stride *= 2;
      }
    }
    found.sort((a, b) => a - b);
    if (found.length === 0) return 0;
    const typical = found[Math.floor(0.95 * (found.length - 1))];
    // Blows that a linear arrow would carry out of the picture.
    if (peak > 5 * typical) this.logarithmic = true;
    return typical;
  }
  private sizeAt(point: ContactPoint, load: Load, row: number): number {
    const { columns } = this.run.whole;
    const normal = load === 'force' ? point.normal_force : point.normal_impulse;
    if (normal !== null) return columns[normal][row];
    return Math.hypot(...point.force!.map((column) => (column === null ? 0 : columns[column][row])));
  }

  private make(): Drawn {
    const part = (shape: CylinderGeometry | SphereGeometry, material: MeshBasicMaterial, order: number) => {
      const mesh = new Mesh(shape, material);
      mesh.renderOrder = LAYER.arrow + order;
      return mesh;
    };
    const colored = this.materials[0], { rimMaterial, normalMaterial } = this;
    const drawn = {
      group: new Group(), shaft: part(this.shaftShape, colored, 3), head: part(this.headShape, colored, 3), dot: part(this.dotShape, colored, 3),
      rim: part(this.dotShape, rimMaterial, 1), shaftRim: part(this.shaftShape, rimMaterial, 1), normal: part(this.shaftShape, normalMaterial, 2),
    };
    drawn.group.add(drawn.shaft, drawn.head, drawn.dot, drawn.rim, drawn.shaftRim);
    this.group.add(drawn.group, drawn.normal);
    return drawn;
  }

  // Of the present step, or of a row before it.
  private forceOf(point: ContactPoint, row: number): void {
    const at = (column: number | null | undefined) =>
      (column === null || column === undefined ? 0 : row >= 0 ? this.run.atRow(column, row) : this.run.held(column));
    const load = this.loadOf(point);
    this.force.set(0, 0, 0);
    if (point.force) this.force.set(at(point.force[0]), at(point.force[1]), at(point.force[2]));
    if (point.force || load === null) return;
    const n = point.normal!;
    const nx = at(n[0]), ny = at(n[1]), nz = at(n[2]);
    const [N, T] = load === 'force' ? [at(point.normal_force), at(point.tangential_force)] : [at(point.normal_impulse), at(point.tangential_impulse)];
    // The normal turned by -90 degrees is (ny, -nx); at one side of a guide the tangent is the other one. In space the
    // record of a tangential force has no direction.
    const along = this.run.planar ? (point.tangent === 90 ? -T : T) : 0;
    this.force.set(N * nx + along * ny, N * ny - along * nx, N * nz);
  }

  // Points and normals belong to an instant. One that comes or goes between two rows has a place in one of them only.
  private at(column: number | null | undefined): number {
    if (column === null || column === undefined) return 0;
    const now = this.run.now(column);
    return Number.isFinite(now) ? now : this.run.held(column);
  }
  // False where there is none, as for two parts that are far apart.
  private normalOf(point: ContactPoint): boolean {
    if (!point.normal) return false;
    const [x, y, z] = point.normal;
    this.normal.set(this.at(x), this.at(y), this.at(z));
    const length = this.normal.length();
    if (!(length > 0.5)) return false;
    this.normal.divideScalar(length);
    return true;
  }

  // Where a point is now; with magnified clearance or deformation it moves with the drawing of its carrier.
  private placeOf(i: number): void {
    const [x, y, z] = this.points[i].point!, carrier = this.carriers[i];
    this.position.set(this.at(x), this.at(y), this.at(z));
    if (carrier <= 0 || this.magnifier.isTrue) return;
    this.inverse.copy(this.poses.rotation[carrier]).invert();
    const { real, drawn } = this.sections[i];
    this.position.sub(this.poses.position[carrier]).applyQuaternion(this.inverse).sub(real.at)
      .applyQuaternion(this.inverse.copy(real.frame).invert()).applyQuaternion(drawn.frame).add(drawn.at)
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

  // The normal of a contact point now, or null where it has none.
  normalAt(name: string): number[] | null {
    const point = this.points.find((p) => p.name === name);
    return point && this.normalOf(point) ? this.normal.toArray() : null;
  }

  // What a lens shows of the i-th point: null while it is open and no impact glows. The place is the true one.
  look(i: number): Look | null {
    const point = this.points[i];
    this.forceOf(point, -1);
    const mode = this.modeOf(point);
    const row = mode === 0 && this.glow > 0 && point.normal_force !== null ? this.run.peakRow(point.normal_force, this.glow) : -1;
    if (mode === 0 && row < 0) return null;
    this.forceOf(point, row);
    const [x, y, z] = point.point!;
    const place = new Vector3(this.at(x), this.at(y), this.at(z));
    if (!this.normalOf(point) || !Number.isFinite(place.x + place.y + place.z)) return null;
    // A blow is known by its impulse, along the direction of its force.
    const impulse = row >= 0 ? this.blows.justBefore(point.name, this.run.time, this.glow) : null, force = this.force.clone();
    return {
      mode: this.modes[mode], impact: row >= 0, place, normal: this.normal.clone(), force, value: impulse ?? force.length(),
      unit: impulse !== null || this.loadOf(point) === 'impulse' ? 'N s' : 'N',
    };
  }
  // The length of an arrow of this force against that of a typical one.
  relativeLength(i: number, force: number): number {
    const load = this.loadOf(this.points[i]), x = load ? force / this.references[load] : 0;
    return this.logarithmic ? Math.log10(1 + 99 * x) / 2 : x;
  }

  // The ends of the strongest arrows; blows come first.
  tips(count: number): Tip[] {
    return [...this.ends].sort((a, b) => Number(b.role === 'impact') - Number(a.role === 'impact') || b.value - a.value).slice(0, count);
  }
  // What the length of arrows means: null where no point has forces.
  lengthOfLoad(value: number): number {
    const x = value / this.references[this.unit === 'N s' ? 'impulse' : 'force'];
    return 0.16 * this.size * this.scale * (this.logarithmic ? Math.log10(1 + 99 * x) / 2 : x);
  }
  loadOfLength(length: number): number {
    const relative = length / (0.16 * this.size * this.scale), reference = this.references[this.unit === 'N s' ? 'impulse' : 'force'];
    return reference * (this.logarithmic ? (10 ** Math.min(LONGEST_SCALE, 2 * relative) - 1) / 99 : relative);
  }

  private lengthOf(point: ContactPoint, force: number): number {
    const load = this.loadOf(point);
    const x = load ? force / this.references[load] : 0;
    const relative = this.logarithmic ? Math.log10(1 + 99 * x) / 2 : x;
    return Math.min(this.size, 0.16 * this.size * this.scale * relative);
  }

  // 0 open, 1, 2: as recorded, or closed while something acts.
  private modeOf(point: ContactPoint): number {
    if (point.mode !== null) return Math.min(2, Math.round(this.run.held(point.mode)));
    return this.force.lengthSq() > 0 ? 1 : 0;
  }

  // `pixel` is the size of a pixel in the world: arrows keep their thickness at every zoom.
  update(pixel: number): void {
    let used = 0;
    this.ends = [];
    for (let i = 0; i < this.points.length && this.visible; ++i) {
      const point = this.points[i];
      this.forceOf(point, -1);
      const mode = this.modeOf(point);
      let material = this.materials[mode] ?? this.materials[0];
      if (!(mode > 0)) {
        const row = this.glow > 0 && point.normal_force !== null ? this.run.peakRow(point.normal_force, this.glow) : -1;
        if (row < 0 && !this.isNear(point)) continue;
        this.forceOf(point, row);
        if (row >= 0) material = this.materials[IMPACT];
        else this.force.set(0, 0, 0);
      }
      this.placeOf(i);
      if (!Number.isFinite(this.position.x + this.position.y + this.position.z)) continue;
      const drawn = this.drawn[used] ?? (this.drawn[used] = this.make());
      ++used;
      this.place(drawn, point, material, pixel);
    }
    for (let i = used; i < this.drawn.length; ++i) this.drawn[i].group.visible = this.drawn[i].normal.visible = false;
  }

  private isNear(point: ContactPoint): boolean {
    return point.gap !== null && this.run.now(point.gap) < NEAR * this.size;
  }

  private place(drawn: Drawn, point: ContactPoint, material: MeshBasicMaterial, pixel: number): void {
    const { group, shaft, head, dot, rim, shaftRim, normal } = drawn;
    const faint = material === this.materials[0];
    group.visible = true;
    group.position.copy(this.position);
    shaft.material = head.material = dot.material = material;
    dot.scale.setScalar((faint ? FAINT_DOT_PIXELS : DOT_PIXELS) * pixel);
    rim.visible = !faint;
    rim.scale.setScalar((DOT_PIXELS + RIM_PIXELS) * pixel);
    normal.visible = this.normals && !faint && this.normalOf(point);
    if (normal.visible) {
      const { from, to } = NORMAL_PIXELS;
      normal.position.copy(this.position).addScaledVector(this.normal, from * pixel);
      normal.quaternion.setFromUnitVectors(Y, this.normal);
      normal.scale.set(0.75 * pixel, (to - from) * pixel, 0.75 * pixel);
    }
    const force = this.force.length();
    const length = Number.isFinite(force) ? this.lengthOf(point, force) : 0;
    shaft.visible = head.visible = shaftRim.visible = length > 2 * pixel;
    if (!shaft.visible) return;
    const tip = Math.min(14 * pixel, 0.6 * length);
    group.quaternion.setFromUnitVectors(Y, this.force.divideScalar(force));   // from here on a direction
    shaft.scale.set(1.8 * pixel, Math.max(length - tip, pixel), 1.8 * pixel);
    shaftRim.scale.copy(shaft.scale).add(this.rimWidth.set(RIM_PIXELS * pixel, 0, RIM_PIXELS * pixel));
    head.position.y = length - tip;
    head.scale.set(tip * 0.36, tip, tip * 0.36);
    const isBlow = material === this.materials[IMPACT], impulse = isBlow ? this.blows.justBefore(point.name, this.run.time, this.glow) : null;
    this.ends.push({
      at: this.position.clone().addScaledVector(this.force, length), role: isBlow ? 'impact' : this.modes[this.materials.indexOf(material)]?.role ?? 'faint',
      value: impulse ?? force, unit: impulse !== null || this.loadOf(point) === 'impulse' ? 'N s' : 'N',
    });
  }
}
