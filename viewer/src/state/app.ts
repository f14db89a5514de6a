// What the parts of the page share.
import type { Source } from '../data/data_block';
import type { CurveAxis } from './axis';
import type { Playback } from './playback';
import type { Run } from '../data/run';
import type { SceneView } from '../scene/scene';

export interface App {
  run: Run;
  source: Source;
  other: { run: Run; names: [string, string] } | null;   // a second run over the first
  playback: Playback;
  scene: SceneView;
  // The visible part of the time, shared by timeline and curves.
  window: TimeWindow;
  mark: Mark;
  axis: CurveAxis;                     // what the curves stand over
  setMagnification(M: number): void;   // of the clearance
  setDeformation(M: number): void;     // of the deformation of elastic bodies
  message(text: string): void;
}

export interface Panel {
  element: HTMLElement;
  show?(): void;                    // became visible: build what is missing, catch up
  time?(t: number): void;           // the cursor moved; only called while visible
  data?(): void;                    // more rows have come in
}

type Listener = () => void;

// A time that other times are measured against.
export class Mark {
  time: number | null = null;
  private readonly listeners: Listener[] = [];
  listen(listener: Listener): void { this.listeners.push(listener); }
  // Sets it, or takes it away where it is already (within `reach`).
  toggle(t: number, reach: number): void {
    this.time = this.time !== null && Math.abs(this.time - t) <= reach ? null : t;
    for (const listener of this.listeners) listener();
  }
}

export class TimeWindow {
  from: number;
  to: number;
  private readonly listeners: Listener[] = [];
  constructor(private readonly run: Run) {
    this.from = run.first;
    this.to = run.last;
  }
  get whole(): boolean { return this.from <= this.run.first && this.to >= this.run.last; }
  listen(listener: Listener): void { this.listeners.push(listener); }
  set(from: number, to: number): void {
    const least = this.run.span * 1e-7;
    from = Math.max(this.run.first, from);
    to = Math.min(this.run.last, to);
    if (!(to - from > least) || (from === this.from && to === this.to)) return;
    this.from = from;
    this.to = to;
    for (const listener of this.listeners) listener();
  }
  reset(): void { this.set(this.run.first, this.run.last); }
}
