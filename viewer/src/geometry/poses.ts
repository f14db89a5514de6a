// Where the bodies are at the cursor, and how the elastic ones are deformed. Body 0 is the ground.
import { Quaternion, Vector3 } from 'three';
import { Deformations } from './beams';
import type { PoseColumns } from '../data/data_block';
import type { Run } from '../data/run';

export class Poses {
  readonly names: string[];
  readonly position: Vector3[];
  readonly rotation: Quaternion[];
  readonly known: boolean[];       // false: the run did not record where this body is
  readonly deformations: Deformations;
  private readonly index = new Map<string, number>();
  private readonly columns: (PoseColumns | null)[];

  constructor(private readonly run: Run) {
    const names = new Set(['ground']);
    for (const body of run.header.geometry.bodies) names.add(body.name);
    for (const body of Object.keys(run.header.poses)) names.add(body);
    this.names = [...names];
    this.names.forEach((name, i) => this.index.set(name, i));
    this.position = this.names.map(() => new Vector3());
    this.rotation = this.names.map(() => new Quaternion());
    this.known = this.names.map((name, i) => i === 0 || Object.hasOwn(run.header.poses, name));
    this.columns = this.names.map((name, i) => (i > 0 && this.known[i] ? run.header.poses[name] : null));
    this.deformations = new Deformations(run, run.header.geometry, (name) => this.indexOf(name));
  }

  indexOf(name: string): number { return this.index.get(name) ?? -1; }

  update(): void {
    const { run } = this;
    for (let i = 1; i < this.names.length; ++i) {
      const pose = this.columns[i];
      if (!pose) continue;
      if ('angle' in pose) {
        const half = run.now(pose.angle) / 2;
        this.position[i].set(run.now(pose.x), run.now(pose.y), 0);
        this.rotation[i].set(0, 0, Math.sin(half), Math.cos(half));
      } else {
        this.position[i].set(run.now(pose.x), run.now(pose.y), run.now(pose.z));
        this.rotation[i].set(run.now(pose.e1), run.now(pose.e2), run.now(pose.e3), run.now(pose.e0)).normalize();
      }
    }
    this.deformations.update();
  }
}
