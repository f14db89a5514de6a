// What the page shows is in its address, behind the '#': the time (of a page that does not play), the part of the time, the panel, the
// magnification, the axis and the channels of the curves.
import type { App } from './app';
import type { AxisKind } from './axis';
import { listenHash, readHash, writeHash } from '../toolkit/hash';

export interface Addressed {
  showTab(name: string): void;
  curves: { names(): string[][]; showNames(names: string[][]): void; onChange: () => void };
}
const number = (text: string | undefined): number | null => (text !== undefined && text !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

function listsOf(text: string | undefined): string[][] | null {
  try {
    const lists = JSON.parse(text ?? 'null') as unknown;
    return Array.isArray(lists) && lists.every((list) => Array.isArray(list) && list.every((name) => typeof name === 'string')) ? lists as string[][] : null;
  } catch { return null; }
}

export function addressOf(app: App, parts: Addressed): { apply(): boolean; tabShown(name: string): void; magnified(M: number): void } {
  const digits = (t: number) => String(Number(t.toPrecision(9)));
  let ready = false;
  // Whether it names a time, at which one wants to stay.
  const apply = (state = readHash()): boolean => {
    ready = false;
    const from = number(state.from), to = number(state.to), t = number(state.t), M = number(state.magnify), lists = listsOf(state.curves);
    if (from !== null && to !== null) app.window.set(from, to);
    if (M !== null) app.setMagnification(M);
    if (state.axis) app.axis.set(state.axis as AxisKind);
    if (lists) parts.curves.showNames(lists);
    if (state.panel) parts.showTab(state.panel);
    if (t !== null) { app.playback.setPlaying(false); app.playback.setTime(t); }
    ready = true;
    return t !== null;
  };
  const write = (changes: Record<string, string | null>) => { if (ready) writeHash(changes); };
  app.window.listen(() => write(app.window.whole ? { from: null, to: null } : { from: digits(app.window.from), to: digits(app.window.to) }));
  app.playback.listenTime((t) => { if (!app.playback.playing) write({ t: digits(t) }); });
  app.playback.listenState(() => write({ t: app.playback.playing ? null : digits(app.run.time) }));
  app.axis.listen(() => write({ axis: app.axis.kind === 'time' ? null : app.axis.kind }));
  parts.curves.onChange = () => write({ curves: JSON.stringify(parts.curves.names()) });
  listenHash((state) => { apply(state); });
  return { apply, tabShown: (name) => write({ panel: name }), magnified: (M) => write({ magnify: String(Number(M.toPrecision(4))) }) };
}
