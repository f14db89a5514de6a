// Chains of forces in a pile: from the centre of each body to the contact points that carry load, as wide as the force is large. Of the
// contacts that the run has kept (record.contact_forces), which have no channels of their own.
import { CylinderGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from 'three';
import type { Run } from '../../data/run';
import { LAYER } from '../paint';
import { theme } from '../../toolkit/theme';

const FULL = 0.98;        // of all forces of the run: the largest hundredths must not make the others invisible
const WIDEST = 0.18;      // of the way from a centre to its contact point, in the middle of all: radius of the widest link
const THINNEST = 0.03;    // of the widest
const SAMPLES = 4000;

const Y = new Vector3(0, 1, 0);
const quantile = (values: number[], part: number): number => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? 0;

export interface Link { body: number; force: number; from: number[]; to: number[]; radius: number }

export class ForceChains {
  readonly available: boolean;
  readonly full: number = 0;       // N, as wide as links become
  visible = true;
  readonly mesh: InstancedMesh | null = null;
  private readonly widest: number = 0;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();
  private readonly along = new Vector3();
  private readonly turn = new Quaternion();
  private readonly scale = new Vector3();

  constructor(private readonly run: Run, private readonly isKnown: (body: number) => boolean, position: Vector3[], seek: (row: number) => void) {
    const forces = run.whole.forces;
    this.available = forces !== null && forces.force.length > 0;
    if (forces === null || !this.available) return;
    const stride = Math.max(1, Math.ceil(forces.force.length / SAMPLES)), sizes: number[] = [], ways: number[] = [];
    for (let i = 0; i < forces.force.length; i += stride) sizes.push(forces.force[i]);
    this.full = Math.max(quantile(sizes, FULL), Number.MIN_VALUE);
    // The row with the most contacts says how long links are.
    let most = 0;
    for (let row = 0; row + 1 < forces.begins.length; ++row) if (forces.begins[row + 1] - forces.begins[row] > forces.begins[most + 1] - forces.begins[most]) most = row;
    seek(most);
    for (let i = forces.begins[most]; i < forces.begins[most + 1]; ++i) {
      for (const body of [forces.first[i], forces.second[i]]) if (this.hasCentre(body)) ways.push(this.placeOf(i).distanceTo(position[body]));
    }
    this.widest = WIDEST * quantile(ways, 0.5);
    let longest = 0;
    for (let row = 0; row + 1 < forces.begins.length; ++row) longest = Math.max(longest, forces.begins[row + 1] - forces.begins[row]);
    const material = new MeshBasicMaterial({ depthTest: false, depthWrite: false, transparent: true, opacity: 0.85 });
    theme.listen((colors) => material.color.set(colors.text));
    this.mesh = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8, 1, true).translate(0, 0.5, 0), material, 2 * longest);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = LAYER.arrow - 1;
  }

  private hasCentre(body: number): boolean { return body > 0 && this.isKnown(body); }
  private placeOf(i: number): Vector3 {
    const { x, y, z } = this.run.current.forces!;
    return this.place.set(x[i], y[i], z[i]);
  }

  // The links of the row at the cursor.
  private each(position: Vector3[], use: (body: number, force: number, from: Vector3, to: Vector3, radius: number) => void): void {
    const forces = this.run.current.forces, row = this.run.heldRow;
    if (!forces || row + 1 >= forces.begins.length) return;
    for (let i = forces.begins[row]; i < forces.begins[row + 1]; ++i) {
      const radius = this.widest * Math.max(THINNEST, Math.min(1, forces.force[i] / this.full));
      for (const body of [forces.first[i], forces.second[i]]) if (this.hasCentre(body)) use(body, forces.force[i], position[body], this.placeOf(i), radius);
    }
  }

  update(position: Vector3[]): void {
    const { mesh } = this;
    if (!mesh) return;
    mesh.visible = this.visible;
    if (!this.visible) return;
    const { array } = mesh.instanceMatrix;
    const room = array.length / 16;
    let count = 0;
    this.each(position, (_, __, from, to, radius) => {
      if (count >= room) return;   // a part that was fetched may have rows with more of them
      const length = this.along.subVectors(to, from).length();
      if (!(length > 0)) return;
      this.turn.setFromUnitVectors(Y, this.along.divideScalar(length));
      this.matrix.compose(from, this.turn, this.scale.set(radius, length, radius)).toArray(array, 16 * count++);
    });
    mesh.count = count;
    mesh.instanceMatrix.needsUpdate = true;
  }

  links(position: Vector3[]): Link[] {
    const list: Link[] = [];
    this.each(position, (body, force, from, to, radius) => list.push({ body, force, from: from.toArray(), to: to.toArray(), radius }));
    return list;
  }
}
