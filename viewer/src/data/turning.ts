// What turns in a run: the crank whose angle may stand for the time, and the instants at which it has turned once more.
import type { Run } from './run';

export interface Turning { channel: string; column: number; count: number; angles: ArrayLike<number> }
const WHOLE = 1 - 1e-6, BACK = 1e-3;   // turns; what it may go back where it is still a crank, of the way it goes

// The channel that the findings of the run count turns of, or the first angle of a joint or body that turns at least once.
export function turningOf(run: Run): Turning | null {
  const named = run.header.findings?.turns?.channel;
  for (const [column, { name, unit }] of run.header.columns.entries()) {
    if (named !== undefined ? name !== named : unit !== 'rad' || !/\.(angle|q)$/.test(name)) continue;
    const angles = run.whole.columns[column], count = Math.abs(angles[angles.length - 1] - angles[0]) / (2 * Math.PI);
    if (count >= WHOLE) return { channel: name, column, count, angles };
  }
  return null;
}

// Whether its angle only grows (or only falls), so that it can be an axis.
export function isSteady({ angles }: Turning): boolean {
  const way = Math.sign(angles[angles.length - 1] - angles[0]), all = Math.abs(angles[angles.length - 1] - angles[0]);
  let back = 0;
  for (let i = 1; i < angles.length; ++i) back += Math.max(0, -way * (angles[i] - angles[i - 1]));
  return back <= BACK * all;
}

// Between numbers that grow, at t: linear. Outside of them the ends.
export function along(from: ArrayLike<number>, to: ArrayLike<number>, t: number): number {
  let low = 0, high = from.length - 1;
  if (!(t > from[0])) return to[0];
  if (!(t < from[high])) return to[high];
  while (high - low > 1) { const middle = (low + high) >> 1; if (from[middle] <= t) low = middle; else high = middle; }
  const step = from[high] - from[low];
  return step > 0 ? to[low] + ((to[high] - to[low]) * (t - from[low])) / step : to[low];
}

const MOST_TIMES = 1e6;
// At every whole turn from the first row on, or at multiples of a period, as `plot --section` takes them.
export function sectionTimes(run: Run, every: Turning | number): number[] {
  const time = run.whole.columns[0], times: number[] = [];
  if (typeof every === 'number') {
    if (!(every > 0) || run.span / every > MOST_TIMES) return [];
    for (let k = 0; run.first + k * every <= run.last * (1 + 1e-12); ++k) times.push(run.first + k * every);
    return times;
  }
  const { angles } = every, way = Math.sign(angles[angles.length - 1] - angles[0]);
  let next = 0;
  for (let i = 0; i < angles.length; ++i) {
    const turned = (way * (angles[i] - angles[0])) / (2 * Math.PI);
    for (; turned >= next - 1e-12; ++next) {
      const before = i > 0 ? (way * (angles[i - 1] - angles[0])) / (2 * Math.PI) : turned;
      times.push(i === 0 || !(turned > before) ? time[i] : time[i - 1] + ((next - before) / (turned - before)) * (time[i] - time[i - 1]));
    }
  }
  return times;
}
