// Elastic bodies given by knots or by a file of modes: their stations as they are displaced now, joined by a line where they follow one another along an axis.
// What is attached to such a body is drawn where it would be at rest.
import { BufferAttribute, BufferGeometry, Group, Line, LineBasicMaterial, Points, PointsMaterial } from 'three';
import type { StationsData } from '../../data/data_block';
import type { Run } from '../../data/run';
import { LAYER, roleColor, type Paint } from '../paint';
import { theme } from '../../toolkit/theme';

const DOT = 5;   // pixels

export class Stations {
  readonly object = new Group();
  readonly known: boolean;
  private readonly columns: (number | undefined)[];
  private readonly places: BufferAttribute;

  constructor(readonly data: StationsData, name: string, body: number, private readonly run: Run, paint: Paint) {
    this.columns = data.modes.map((_, k) => run.column(`${name}.modal_${k + 1}`));
    this.known = this.columns.every((column) => column !== undefined);
    this.places = new BufferAttribute(new Float32Array(data.places.flat()), 3);
    const geometry = new BufferGeometry().setAttribute('position', this.places);
    const dots = new PointsMaterial({ size: DOT, sizeAttenuation: false, depthTest: !paint.planar, transparent: true }), line = new LineBasicMaterial({ depthTest: !paint.planar, transparent: true });
    const points = new Points(geometry, dots);
    this.object.add(points);
    if (data.is_axis) this.object.add(new Line(geometry, line));
    for (const part of this.object.children) {
      part.frustumCulled = false;
      part.renderOrder = LAYER.body + body;
    }
    theme.listen((colors) => { dots.color.set(roleColor(colors, body)); line.color.set(roleColor(colors, body)); });
  }

  // Where station i is in body axes, with the modal coordinates M times as large.
  place(i: number, M: number): [number, number, number] {
    const at: [number, number, number] = [...this.data.places[i]];
    if (!this.known) return at;
    this.data.modes.forEach((mode, k) => {
      const q = M * this.run.now(this.columns[k]!);
      for (let c = 0; c < 3; ++c) at[c] += q * mode[i][c];
    });
    return at;
  }
  largestDisplacement(): number {
    return Math.max(0, ...this.data.places.map((rest, i) => { const p = this.place(i, 1); return Math.hypot(p[0] - rest[0], p[1] - rest[1], p[2] - rest[2]); }));
  }
  update(M: number): void {
    for (let i = 0; i < this.data.places.length; ++i) this.places.setXYZ(i, ...this.place(i, M));
    this.places.needsUpdate = true;
  }
}
