// Impacts as people count them: one blow is one entry, whatever number of points and small hops it consists of. An impact belongs
// to the last blow of its joint or contact
// - if it comes at most one force window after its beginning,
// - if its point was closed at all rows since its last impact (held, and pressed again), or
// - if it is a small hop: at most HOP_SHARE of the hardest impact of that joint or contact within the last HOP_WINDOWS windows.
import type { Block, Numbers } from './data_block';

const HOP_SHARE = 0.1, HOP_WINDOWS = 100;
const SHARE_OF_DURATION = 1e-3;   // in place of a force window

export interface Blow {
  contact: string;       // joint or contact
  impacts: number[];     // by their places in the block, in the order of time
  hardest: number;       // the one with the largest impulse
}

export function forceWindow({ header }: Block): number {
  // Of the run, or of its peak forces where an earlier version wrote the result.
  const recorded = Number(header.force_window || (header.summary?.peak_forces ?? []).find(({ window }) => window > 0)?.window);
  return recorded > 0 ? recorded : SHARE_OF_DURATION * (header.time_to - header.time_from);
}

// Whether a point was closed at every row from one time to another.
function heldTest(block: Block, contact: number): (from: number, to: number) => boolean {
  const mode = block.header.contact_points[contact]?.mode, time = block.columns[0];
  if (mode === null || mode === undefined) return () => false;
  const modes = block.columns[mode];
  return (from, to) => {
    let low = 0, high = time.length;
    while (low < high) { const middle = (low + high) >> 1; if (time[middle] <= from) low = middle + 1; else high = middle; }
    let rows = 0;
    for (; low < time.length && time[low] < to; ++low, ++rows) if (!(modes[low] > 0)) return false;
    return rows > 0;
  };
}

export function groupBlows(block: Block): Blow[] {
  const { header, impacts } = block;
  const column = (name: string): Numbers | undefined => impacts[header.impacts.columns.findIndex((c) => c.name === name)];
  const time = column('time'), point = column('contact'), impulse = column('normal_impulse');
  if (!time || !point || !impulse) return [];
  const window = forceWindow(block), blows: Blow[] = [];
  const elements = new Map<string, { last: Blow | null; strikes: { time: number; impulse: number }[] }>();
  const lastOfPoint = new Map<number, number>(), held = new Map<number, (from: number, to: number) => boolean>();
  for (const i of Array.from(time, (_, k) => k).sort((a, b) => time[a] - time[b] || a - b)) {
    const p = point[i], contact = header.contact_points[p]?.contact ?? header.contacts[p] ?? `#${p}`;
    if (!elements.has(contact)) elements.set(contact, { last: null, strikes: [] });
    if (!held.has(p)) held.set(p, heldTest(block, p));
    const element = elements.get(contact)!, { last } = element;
    element.strikes = element.strikes.filter((strike) => time[i] - strike.time <= HOP_WINDOWS * window);
    const hardest = Math.max(0, ...element.strikes.map((strike) => strike.impulse)), before = lastOfPoint.get(p);
    const belongs = last !== null && (time[i] - time[last.impacts[0]] <= window || impulse[i] <= HOP_SHARE * hardest
      || (before !== undefined && before >= time[last.impacts[0]] && held.get(p)!(before, time[i])));
    if (belongs) {
      last!.impacts.push(i);
      if (impulse[i] > impulse[last!.hardest]) last!.hardest = i;
    } else {
      element.last = { contact, impacts: [i], hardest: i };
      blows.push(element.last);
    }
    // Later ones that are softer count only when this one is too long ago.
    element.strikes = element.strikes.filter((strike) => strike.impulse > impulse[i]);
    element.strikes.push({ time: time[i], impulse: impulse[i] });
    lastOfPoint.set(p, time[i]);
  }
  return blows;
}
