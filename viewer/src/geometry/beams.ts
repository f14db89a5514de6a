// Elastic bodies without drawing: where the sections of a beam are in the axes of its body, from its shape functions and
// the modal coordinates (docs/theory/elastic.md). What is attached to a beam is carried by the section next to it.
import { Quaternion, Vector3 } from 'three';
import type { BeamData, BeamModeData, Geometry } from '../data/data_block';
import type { Run } from '../data/run';

const LEAST_PIECES = 48;        // of the axis, between which its line is straight in the picture
const PIECES_PER_MODE = 6;
// Gauss's rule with four points on an interval from -1 to 1, for the foreshortening of a piece.
const GAUSS = [[-0.8611363115940526, 0.34785484513745385], [-0.33998104358485626, 0.6521451548625461],
  [0.33998104358485626, 0.6521451548625461], [0.8611363115940526, 0.34785484513745385]];

// W and its derivatives; W = cos(ks), sin(ks), exp(-ks) and exp(-k(L-s)) with their factors.
function shapeAt(mode: BeamModeData, length: number, s: number): [number, number, number] {
  const k = mode.wave_number, x = k * s, y = k * (length - s);
  const a = mode.cos * Math.cos(x), b = mode.sin * Math.sin(x), c = mode.decay * Math.exp(-x), d = mode.growth * Math.exp(-y);
  return [a + b + c + d, k * (-mode.cos * Math.sin(x) + mode.sin * Math.cos(x) - c + d), k * k * (-a - b + c + d)];
}

// What is told along a beam, each in its unit.
export type Load = 'moment' | 'stress' | 'axial force' | 'torque';
export const LOAD_UNIT: Record<Load, string> = { moment: 'N m', stress: 'Pa', 'axial force': 'N', torque: 'N m' };

export interface Place { at: Vector3; frame: Quaternion }
// A place on a body, in the axes of the body: where it is, and where it is drawn with a magnified deformation.
export interface Attached { real: Place; drawn: Place }
interface Carried { s: number; node: number; arm: Vector3; frame: Quaternion; places: Attached }

// Per node of the axis: x, y, z and the angles about z, y and x, by which a section is turned one after the other.
const PER_NODE = 6;
const X = new Vector3(1, 0, 0), Y = new Vector3(0, 1, 0), Z = new Vector3(0, 0, 1);
const turn = new Quaternion();

export class Beam {
  readonly known: boolean;              // false: the modal coordinates were not recorded, the beam is drawn straight
  nodes: number[] = [];                 // along the axis, the carried places among them
  readonly loads: Load[] = [];
  private readonly hasTwoPlanes: boolean;
  private readonly columns: (number | undefined)[];
  private readonly q: Float64Array;
  private readonly start: Vector3;
  private readonly carried: Carried[] = [];
  private shapes: Float64Array = new Float64Array(0);   // node, mode: W, W', W''
  private slopes: Float64Array = new Float64Array(0);   // piece before a node, point of Gauss, mode: W'
  private real: Float64Array = new Float64Array(0);
  private drawn: Float64Array = new Float64Array(0);

  constructor(readonly data: BeamData, name: string, run: Run) {
    this.columns = data.modes.map((_, k) => run.column(`${name}.modal_${k + 1}`));
    this.known = this.columns.every((column) => column !== undefined);
    this.q = new Float64Array(data.modes.length);
    this.start = new Vector3(...data.start);
    const has = (...directions: string[]) => data.modes.some((mode) => directions.includes(mode.direction));
    this.hasTwoPlanes = has('z');
    if (has('y', 'z')) this.loads.push('moment');
    if (has('y') && data.section_modulus > 0) this.loads.push('stress');
    if (has('x')) this.loads.push('axial force');
    if (has('twist')) this.loads.push('torque');
    this.build();
  }

  private build(): void {
    const { data, q } = this;
    const directions = ['x', 'y', 'z', 'twist'].map((d) => data.modes.filter((mode) => mode.direction === d).length);
    const pieces = Math.max(LEAST_PIECES, PIECES_PER_MODE * Math.max(...directions));
    const places = new Set(this.carried.map(({ s }) => s));
    for (let i = 0; i <= pieces; ++i) places.add((data.length * i) / pieces);
    this.nodes = [...places].sort((a, b) => a - b);
    for (const carried of this.carried) carried.node = this.nodes.indexOf(carried.s);
    const n = q.length;
    this.shapes = new Float64Array(3 * n * this.nodes.length);
    this.slopes = new Float64Array(GAUSS.length * n * this.nodes.length);
    this.nodes.forEach((s, i) => data.modes.forEach((mode, j) => {
      this.shapes.set(shapeAt(mode, data.length, s), 3 * (i * n + j));
      if (i === 0) return;
      const before = this.nodes[i - 1];
      GAUSS.forEach(([x], g) => { this.slopes[(i * GAUSS.length + g) * n + j] = shapeAt(mode, data.length, before + ((s - before) * (1 + x)) / 2)[1]; });
    }));
    this.real = new Float64Array(PER_NODE * this.nodes.length);
    this.drawn = new Float64Array(PER_NODE * this.nodes.length);
    this.place(this.real, 0);
    this.place(this.drawn, 0);
  }

  // A point of the body, carried by the section next to `by`.
  attach(at: Vector3, frame = new Quaternion(), by = at): Attached {
    const s = Math.min(this.data.length, Math.max(0, by.x - this.start.x));
    const rest = this.start.clone().add(new Vector3(s, 0, 0));
    const place = () => ({ at: at.clone(), frame: frame.clone() });
    const places = { real: place(), drawn: place() };
    this.carried.push({ s, node: -1, arm: at.clone().sub(rest), frame: frame.clone(), places });
    this.build();
    return places;
  }

  // Reads the modal coordinates at the cursor.
  update(run: Run): void {
    if (!this.known) return;
    for (let j = 0; j < this.q.length; ++j) this.q[j] = run.now(this.columns[j]!);
    this.place(this.real, 1);
    for (const carried of this.carried) this.carry(carried, this.real, carried.places.real);
  }
  // As if all modal coordinates were M times as large.
  draw(M: number): void {
    if (!this.known) return;
    if (M === 1) this.drawn.set(this.real);
    else this.place(this.drawn, M);
    for (const carried of this.carried) this.carry(carried, this.drawn, carried.places.drawn);
  }

  private place(out: Float64Array, M: number): void {
    const { q, shapes, nodes, data } = this, n = q.length;
    let shortened = 0;
    for (let i = 0; i < nodes.length; ++i) {
      let x = 0, y = 0, z = 0, dy = 0, dz = 0, twist = 0;
      for (let j = 0; j < n; ++j) {
        const value = M * q[j] * shapes[3 * (i * n + j)], slope = M * q[j] * shapes[3 * (i * n + j) + 1];
        switch (data.modes[j].direction) {
          case 'x': x += value; break;
          case 'y': y += value; dy += slope; break;
          case 'z': z += value; dz += slope; break;
          default: twist += value;
        }
      }
      if (data.foreshortening && i > 0) shortened += this.shortening(i, M);
      const o = PER_NODE * i;
      out[o] = this.start.x + nodes[i] + x - shortened;
      out[o + 1] = this.start.y + y;
      out[o + 2] = this.start.z + z;
      out[o + 3] = dy;
      out[o + 4] = -dz;
      out[o + 5] = twist;
    }
  }
  // 1/2 of the integral of w'^2 over the piece that ends at node i.
  private shortening(i: number, M: number): number {
    const { q, slopes, nodes, data } = this, n = q.length;
    let sum = 0;
    for (let g = 0; g < GAUSS.length; ++g) {
      let dy = 0, dz = 0;
      for (let j = 0; j < n; ++j) {
        const slope = M * q[j] * slopes[(i * GAUSS.length + g) * n + j];
        if (data.modes[j].direction === 'y') dy += slope;
        if (data.modes[j].direction === 'z') dz += slope;
      }
      sum += GAUSS[g][1] * (dy * dy + dz * dz);
    }
    return (0.25 * (nodes[i] - nodes[i - 1])) * sum;
  }
  private carry({ node, arm, frame }: Carried, sections: Float64Array, out: Place): void {
    rotationOf(sections, node, turn);
    out.at.copy(arm).applyQuaternion(turn);
    for (let k = 0; k < 3; ++k) out.at.setComponent(k, out.at.getComponent(k) + sections[PER_NODE * node + k]);
    out.frame.copy(turn).multiply(frame);
  }

  // Where a node is drawn, in the axes of the body, and how its section is turned.
  drawnSection(node: number, at: Vector3, rotation: Quaternion): void {
    at.fromArray(this.drawn, PER_NODE * node);
    rotationOf(this.drawn, node, rotation);
  }
  // How far the farthest node is from where it rests.
  largestDisplacement(): number {
    let most = 0;
    this.nodes.forEach((s, i) => {
      const o = PER_NODE * i;
      most = Math.max(most, Math.hypot(this.real[o] - this.start.x - s, this.real[o + 1] - this.start.y, this.real[o + 2] - this.start.z));
    });
    return most;
  }
  // The load at a node: signed where it has one direction, of two planes of bending the size.
  loadAt(load: Load, node: number): number {
    const { q, shapes, data } = this, n = q.length;
    let y = 0, z = 0, along = 0, twist = 0;
    for (let j = 0; j < n; ++j) {
      const slope = q[j] * shapes[3 * (node * n + j) + 1], curvature = q[j] * shapes[3 * (node * n + j) + 2];
      switch (data.modes[j].direction) {
        case 'x': along += slope; break;
        case 'y': y += curvature; break;
        case 'z': z += curvature; break;
        default: twist += slope;
      }
    }
    if (load === 'axial force') return data.axial_stiffness * along;
    if (load === 'torque') return data.torsional_stiffness * twist;
    if (load === 'stress') return (data.bending_stiffness * y) / data.section_modulus;
    return !this.hasTwoPlanes ? data.bending_stiffness * y : Math.hypot(data.bending_stiffness * y, data.bending_stiffness_xz * z);
  }
}

function rotationOf(sections: Float64Array, node: number, out: Quaternion): void {
  const o = PER_NODE * node + 3;
  out.setFromAxisAngle(Z, sections[o]);
  if (sections[o + 1] !== 0) out.multiply(step.setFromAxisAngle(Y, sections[o + 1]));
  if (sections[o + 2] !== 0) out.multiply(step.setFromAxisAngle(X, sections[o + 2]));
}
const step = new Quaternion();

// The beams of a run, by index of their body.
export class Deformations {
  readonly beams = new Map<number, Beam>();
  magnification = 1;

  constructor(private readonly run: Run, geometry: Geometry, bodyIndex: (name: string) => number) {
    for (const { name, elastic } of geometry.bodies) if (elastic) this.beams.set(bodyIndex(name), new Beam(elastic, name, run));
  }
  // Of a body that is rigid both places are one, and never move.
  attach(body: number, at: Vector3, frame = new Quaternion(), by = at): Attached {
    const beam = this.beams.get(body);
    if (beam) return beam.attach(at, frame, by);
    const place = { at, frame };
    return { real: place, drawn: place };
  }
  update(): void { for (const beam of this.beams.values()) beam.update(this.run); }
  draw(): void { for (const beam of this.beams.values()) beam.draw(this.magnification); }
}
