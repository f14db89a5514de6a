// All elastic bodies of a run: their drawings, the groups that their sections carry, and what is told about them.
import { Group, Vector3 } from 'three';
import { BeamDrawing } from './beam_drawing';
import { LOAD_UNIT, type Load, type Place } from '../../geometry/beams';
import type { Paint } from '../paint';
import type { Poses } from '../../geometry/poses';
import type { Run } from '../../data/run';
import { niceBelow } from '../../toolkit/format';

const SAMPLES = 100;
const LARGEST_DEFLECTION = 0.25;   // of the length, as drawn: beyond, a beam of small deflections looks wrong
const MOST = 1e6, LEAST = 2;

export class ElasticBodies {
  readonly drawings: BeamDrawing[] = [];
  readonly loads: Load[];
  largest: number;                                 // magnification of the deformation
  readonly ranges = new Map<Load, number>();       // of all beams, over the whole run
  private readonly carried: { group: Group; place: Place }[] = [];

  constructor(private readonly run: Run, private readonly poses: Poses, private readonly groups: Group[]) {
    const beams = [...poses.deformations.beams.values()];
    this.loads = (['moment', 'stress', 'axial force', 'torque'] as const).filter((load) => beams.some((beam) => beam.loads.includes(load)));
    this.largest = this.measure();
  }
  has(body: number): boolean { return this.poses.deformations.beams.has(body); }

  // How large deformations and loads become: sampled, with the cursor put back afterwards.
  private measure(): number {
    const { run, poses } = this, beams = [...poses.deformations.beams.values()].filter((beam) => beam.known);
    if (beams.length === 0) return 1;
    const time = run.whole.columns[0], keep = run.time, count = Math.min(SAMPLES, time.length);
    let share = 0;
    for (let i = 0; i < count; ++i) {
      run.seek(time[Math.round((i * (time.length - 1)) / Math.max(1, count - 1))]);
      for (const beam of beams) {
        beam.update(run);
        share = Math.max(share, beam.largestDisplacement() / beam.data.length);
        for (const load of beam.loads) {
          for (let n = 0; n < beam.nodes.length; ++n) this.ranges.set(load, Math.max(this.ranges.get(load) ?? 0, Math.abs(beam.loadAt(load, n))));
        }
      }
    }
    run.seek(keep);
    poses.update();
    return share > 0 ? Math.max(LEAST, Math.min(MOST, niceBelow(LARGEST_DEFLECTION / share))) : 1;
  }

  // Where to put a drawing in body axes: on a rigid body its group, on an elastic one what the section next to `by` carries.
  groupAt(body: number, by: Vector3): Group {
    if (!this.has(body)) return this.groups[body];
    const group = new Group();
    this.groups[body].add(group);
    this.carried.push({ group, place: this.poses.deformations.attach(body, new Vector3(), undefined, by).drawn });
    return group;
  }

  // When all that is attached is known: its places are nodes of the axis.
  draw(paint: Paint): void {
    for (const [body, beam] of this.poses.deformations.beams) {
      const drawing = new BeamDrawing(beam, body, paint);
      this.drawings.push(drawing);
      this.groups[body].add(drawing.object);
    }
  }
  show(load: Load | null): void {
    for (const drawing of this.drawings) {
      drawing.load = load && drawing.beam.loads.includes(load) ? load : null;
      drawing.range = load ? this.ranges.get(load) || 1 : 1;
    }
  }
  unit(load: Load): string { return LOAD_UNIT[load]; }

  update(): void {
    for (const { group, place } of this.carried) {
      group.position.copy(place.at);
      group.quaternion.copy(place.frame);
    }
    for (const drawing of this.drawings) drawing.update();
  }
}
