// Which mode a contact point has when. Where the run has located events, its modes reach from event to event, at their
// exact times; elsewhere the rows say what they can.
import type { Block, ContactPoint } from './data_block';
import type { ModeRole } from './modes';
import { modesOf } from './modes';

export interface Bar { from: number; to: number; role: ModeRole }   // never open
export interface History { bars: Bar[]; impacts: number[] }

export const locatesEvents = (block: Block): boolean => (block.header.events?.total ?? 0) > 0;

const AFTER: Record<string, ModeRole> = { release: 'open', stick: 'stick', slip: 'slip', reversal: 'slip' };
// A landing does not say whether the point slides: what comes next does.
const BEFORE: Record<string, ModeRole> = { stick: 'slip', slip: 'stick', reversal: 'slip' };

function firstRowFrom(block: Block, t: number): number {
  const time = block.columns[0];
  let low = 0, high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] < t) low = middle + 1; else high = middle;
  }
  return low;
}

// By a row between two events, if there is one: it has the mode of its own instant.
function recordedRole(block: Block, point: ContactPoint | undefined, from: number, to: number): ModeRole {
  if (!point || point.mode === null) return 'contact';
  const modes = modesOf(block.header), recorded = block.columns[point.mode];
  for (let row = firstRowFrom(block, from); row < recorded.length && block.columns[0][row] < to; ++row) {
    const role = modes[Math.round(recorded[row])]?.role;
    if (role && role !== 'open') return role;
  }
  return 'contact';
}

function historyOf(block: Block, point: ContactPoint | undefined, events: { time: number; kind: string }[]): History {
  const impacts = events.filter(({ kind }) => kind === 'impact').map(({ time }) => time);
  const changes = events.filter(({ kind }) => kind === 'landing' || kind in AFTER);
  const bars: Bar[] = [];
  const [first] = changes;
  // The friction of a joint is there from the start, without a landing.
  if (first && first.kind !== 'landing' && first.time > block.header.time_from) {
    const role = BEFORE[first.kind] ?? recordedRole(block, point, block.header.time_from, first.time);
    bars.push({ from: block.header.time_from, to: first.time, role });
  }
  changes.forEach(({ time, kind }, i) => {
    const next = changes[i + 1], to = next?.time ?? block.header.time_to;
    if (!(to > time)) return;   // several things happened at once: the last one counts
    const role = AFTER[kind] ?? BEFORE[next?.kind ?? ''] ?? recordedRole(block, point, time, to);
    const last = bars[bars.length - 1];
    if (role === 'open') return;
    if (last && last.to === time && last.role === role) last.to = to; else bars.push({ from: time, to, role });
  });
  return { bars, impacts };
}

// By name of the contact point. Null: the run locates no events, or has more of them than the block carries.
export function eventHistories(block: Block): Map<string, History> | null {
  const { events, contacts, contact_points } = block.header;
  if (!events || events.shown === 0) return null;
  const [time, contact, kind] = ['time', 'contact', 'kind'].map((name) => block.events[events.columns.findIndex((column) => column.name === name)]);
  const byContact = new Map<string, { time: number; kind: string }[]>();
  for (let i = 0; i < events.shown; ++i) {
    const name = contacts[contact[i]];
    if (!byContact.has(name)) byContact.set(name, []);
    byContact.get(name)!.push({ time: time[i], kind: events.kinds[kind[i]] });
  }
  return new Map([...byContact].map(([name, list]) => [name, historyOf(block, contact_points.find((point) => point.name === name), list)]));
}

// By the rows. Time stepping records the mode of the step that ends at the row; a run that locates events that of the
// instant, which lasts until the next row at least.
export function rowBars(block: Block, point: ContactPoint): Bar[] {
  if (point.mode === null) return [];
  const modes = modesOf(block.header), recorded = block.columns[point.mode], time = block.columns[0];
  const isInstant = locatesEvents(block);
  const bars: Bar[] = [];
  for (let r = 1; r < time.length; ++r) {
    const role = modes[Math.round(recorded[isInstant ? r - 1 : r])]?.role;
    if (!role || role === 'open') continue;
    const last = bars[bars.length - 1];
    if (last && last.to === time[r - 1] && last.role === role) last.to = time[r]; else bars.push({ from: time[r - 1], to: time[r], role });
  }
  return bars;
}
