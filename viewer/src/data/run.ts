// One run as the page sees it: columns over time, a cursor that interpolates, and a finer part where it was fetched.
import type { Block, Column, Header, Numbers } from './data_block';
import { locatesEvents } from './phases';

function lastAtOrBefore(time: Numbers, t: number): number {
  let low = 0, high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle; else high = middle - 1;
  }
  return low;
}

export class Run {
  readonly header: Header;
  readonly channels: Column[];              // all columns but the time
  follower: Run | null = null;              // another run, which is always at the same time
  detail: Block | null = null;              // more rows of a part of the time (served pages)
  time = 0;
  private block: Block;
  private row = 0;
  private fraction = 0;
  private readonly indices = new Map<string, number>();

  constructor(readonly whole: Block) {
    this.header = whole.header;
    this.block = whole;
    this.channels = this.header.columns.slice(1);
    this.header.columns.forEach((column, i) => this.indices.set(column.name, i));
    this.seek(this.first);
  }

  get first(): number { return this.whole.columns[0][0] ?? 0; }
  get last(): number { const t = this.whole.columns[0]; return t[t.length - 1] ?? 0; }
  get span(): number { return Math.max(this.last - this.first, Number.MIN_VALUE); }
  get thinned(): boolean { return this.header.rows < this.header.total_rows; }
  get planar(): boolean {
    const space = this.header.geometry.space;
    if (space) return space === 'planar';
    return !Object.values(this.header.poses).some((pose) => 'z' in pose);
  }
  column(name: string): number | undefined { return this.indices.get(name); }
  unit(index: number): string { return this.header.columns[index].unit; }

  seek(t: number): void {
    this.time = Math.min(Math.max(t, this.first), this.last);
    const fine = this.detail?.columns[0];
    this.block = fine && fine.length > 1 && fine[0] <= this.time && this.time <= fine[fine.length - 1] ? this.detail! : this.whole;
    const time = this.block.columns[0];
    this.row = lastAtOrBefore(time, this.time);
    const step = this.row + 1 < time.length ? time[this.row + 1] - time[this.row] : 0;
    this.fraction = step > 0 ? Math.min(1, (this.time - time[this.row]) / step) : 0;
    this.follower?.seek(t);
  }

  // At the cursor, linear between rows.
  now(column: number): number {
    const values = this.block.columns[column];
    const a = values[this.row];
    if (this.fraction === 0) return a;
    return a + (values[this.row + 1] - a) * this.fraction;
  }
  // At the cursor, of the row at which the present step ends: modes and forces are those of a step, not of an instant;
  // but where events are located they are those of the row itself, and change no earlier than at the next one.
  held(column: number): number { return this.block.columns[column][this.heldRow]; }
  get heldRow(): number { return this.row + (this.fraction > 0 && !locatesEvents(this.block) ? 1 : 0); }
  get current(): Block { return this.block; }

  // Of the rows within `back` before the cursor, the one with the largest value; -1 where nothing is above zero.
  peakRow(column: number, back: number): number {
    const time = this.block.columns[0], values = this.block.columns[column];
    let best = -1, most = 0;
    for (let r = this.row; r >= 0 && time[r] >= this.time - back; --r) if (values[r] > most) [best, most] = [r, values[r]];
    return best;
  }
  atRow(column: number, row: number): number { return this.block.columns[column][row]; }

  rowTimeBefore(): number {
    const time = this.block.columns[0];
    const back = this.fraction > 1e-9 ? this.row : Math.max(0, this.row - 1);
    return this.row === 0 && this.block !== this.whole ? this.whole.columns[0][Math.max(0, lastAtOrBefore(this.whole.columns[0], this.time) - 1)] : time[back];
  }
  rowTimeAfter(): number {
    const time = this.block.columns[0];
    if (this.row + 1 >= time.length && this.block !== this.whole) {
      const all = this.whole.columns[0];
      return all[Math.min(all.length - 1, lastAtOrBefore(all, this.time) + 1)];
    }
    return time[Math.min(time.length - 1, this.row + 1)];
  }

  // A channel at other times, linear between the rows; null where there is none. `times` grow.
  resampled(column: number, times: (number | null)[]): (number | null)[] {
    const time = this.whole.columns[0], values = this.whole.columns[column];
    let row = 0;
    return times.map((t) => {
      if (t === null || !(t >= time[0] && t <= time[time.length - 1])) return null;
      while (row + 2 < time.length && time[row + 1] <= t) ++row;
      const step = time[row + 1] - time[row];
      const value = step > 0 ? values[row] + (values[row + 1] - values[row]) * ((t - time[row]) / step) : values[row];
      return Number.isFinite(value) ? value : null;
    });
  }

  // A channel for a plot: the fetched part inside, the whole outside. What is not finite becomes null: a gap.
  series(columns: number[]): (number | null)[][] {
    const fine = this.detail?.columns[0];
    const coarse = this.whole.columns[0];
    const pick = (values: Numbers, from: number, to: number, out: (number | null)[]) => {
      for (let i = from; i < to; ++i) out.push(Number.isFinite(values[i]) ? values[i] : null);
    };
    let before = coarse.length, after = coarse.length;
    if (fine && fine.length > 1) {
      before = coarse.findIndex((t) => t >= fine[0]);
      after = coarse.findIndex((t) => t > fine[fine.length - 1]);
      if (before < 0) before = coarse.length;
      if (after < 0) after = coarse.length;
    }
    return columns.map((column) => {
      const out: (number | null)[] = [];
      pick(this.whole.columns[column], 0, before, out);
      if (fine && fine.length > 1) {
        pick(this.detail!.columns[column], 0, fine.length, out);
        pick(this.whole.columns[column], after, coarse.length, out);
      }
      return out;
    });
  }
}
