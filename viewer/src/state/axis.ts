// What the curves stand over: the time, or the angle of the crank where something turns. Angles are in degrees and grow.
import { along, isSteady, turningOf } from '../data/turning';
import type { Run } from '../data/run';

export type AxisKind = 'time' | 'angle';

export class CurveAxis {
  kind: AxisKind = 'time';
  readonly channel: string | null;                 // that of the angle, where there is one
  private readonly degrees: Float64Array | null = null;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly run: Run) {
    const turning = turningOf(run);
    this.channel = turning && isSteady(turning) ? turning.channel : null;
    if (!turning || this.channel === null) return;
    const { angles } = turning, way = Math.sign(angles[angles.length - 1] - angles[0]);
    let most = -Infinity;   // small steps back are levelled
    this.degrees = Float64Array.from(angles, (angle) => (most = Math.max(most, (way * angle * 180) / Math.PI)));
  }
  get unit(): string { return this.kind === 'angle' ? '°' : 's'; }
  listen(listener: () => void): void { this.listeners.push(listener); }
  set(kind: AxisKind): void {
    if (kind === this.kind || (kind === 'angle' && !this.degrees)) return;
    this.kind = kind;
    for (const listener of this.listeners) listener();
  }
  at(t: number): number { return this.kind === 'angle' ? along(this.run.whole.columns[0], this.degrees!, t) : t; }
  time(x: number): number { return this.kind === 'angle' ? along(this.degrees!, this.run.whole.columns[0], x) : x; }
  // Steps of ticks, in its unit.
  get steps(): number[] | undefined {
    return this.kind === 'time' ? undefined : [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 45, 90, 180, 360, 720, 1800, 3600, 7200, 18000, 36000, 72000, 180000, 360000, 3600000];
  }
}
