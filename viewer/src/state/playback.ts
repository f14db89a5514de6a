// The clock of the page: the time cursor, whether it runs, and how fast.
import type { Run } from '../data/run';

export const RATES = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2, 0.1, 0.2, 0.5, 1, 2, 5, 10];
const PLEASANT = 8;   // seconds in which a run passes by at the speed that the page chooses

export function rateText(rate: number): string {
  return rate >= 1 ? `${rate}×` : `1/${Math.round(1 / rate)}`;
}

/** The fastest rate of the menu that is not above `limit`. */
const atMost = (limit: number): number => [...RATES].reverse().find((rate) => rate <= limit) ?? RATES[0];

export class Playback {
  playing = false;
  rate: number;
  loop = true;
  range: () => [number, number] = () => [this.run.first, this.run.last];   // what is played again and again
  private stamp = 0;
  private readonly onTime: ((t: number) => void)[] = [];
  private readonly onState: (() => void)[] = [];

  constructor(private readonly run: Run) {
    const wanted = run.span / PLEASANT;
    // Runs of some seconds are shown twice as fast, but not faster than they were.
    const hurry = run.span > 2 && wanted < 1.5;
    const fastest = hurry ? Math.min(1, 2 * atMost(wanted * 1.3)) : atMost(wanted * 1.3);
    this.rate = atMost(fastest);
  }

  get time(): number { return this.run.time; }
  listenTime(listener: (t: number) => void): void { this.onTime.push(listener); }
  listenState(listener: () => void): void { this.onState.push(listener); }

  setTime(t: number): void {
    if (!Number.isFinite(t)) return;
    this.run.seek(t);
    for (const listener of this.onTime) listener(this.run.time);
  }
  setPlaying(playing: boolean): void {
    if (playing && this.run.time >= this.run.last) this.setTime(this.run.first);
    this.playing = playing;
    this.stamp = 0;
    for (const listener of this.onState) listener();
  }
  toggle(): void { this.setPlaying(!this.playing); }
  setRate(rate: number): void {
    this.rate = rate;
    for (const listener of this.onState) listener();
  }
  changeRate(steps: number): void {
    const at = RATES.findIndex((rate) => rate >= this.rate * 0.999);
    this.setRate(RATES[Math.min(RATES.length - 1, Math.max(0, at + steps))]);
  }
  step(rows: number): void {
    this.setPlaying(false);
    for (let i = 0; i < Math.abs(rows); ++i) this.run.seek(rows > 0 ? this.run.rowTimeAfter() : this.run.rowTimeBefore());
    this.setTime(this.run.time);
  }
  // Called once per frame of the screen.
  tick(now: number): void {
    if (!this.playing) return;
    const passed = this.stamp > 0 ? Math.min(0.1, (now - this.stamp) / 1000) : 0;   // a hidden tab does not jump
    this.stamp = now;
    const t = this.run.time + passed * this.rate, [from, to] = this.range();
    if (this.loop && t < from) this.setTime(from);
    else if (t < (this.loop ? to : this.run.last)) this.setTime(t);
    else if (this.loop) this.setTime(from);
    else {
      this.setTime(this.run.last);
      this.setPlaying(false);
    }
  }
}
