// The impacts of a run by contact point: which one a point has just had. A blow is an impulse; its force would be whatever the window makes it.
import type { Block } from './data_block';

export class Blows {
  private readonly byPoint = new Map<string, { time: number[]; impulse: number[] }>();

  constructor({ header, impacts }: Block) {
    const column = (name: string) => impacts[header.impacts.columns.findIndex((c) => c.name === name)];
    const time = column('time'), contact = column('contact'), impulse = column('normal_impulse'), tangential = [column('tangential_impulse_1'), column('tangential_impulse_2')];
    if (!time || !contact || !impulse) return;
    const order = Array.from(time, (_, i) => i).sort((a, b) => time[a] - time[b]);
    for (const i of order) {
      const name = header.contacts[contact[i]];
      if (!this.byPoint.has(name)) this.byPoint.set(name, { time: [], impulse: [] });
      const list = this.byPoint.get(name)!;
      list.time.push(time[i]);
      list.impulse.push(Math.hypot(impulse[i], ...tangential.map((part) => part?.[i] ?? 0)));
    }
  }

  // The impulses (N s) of a point in the time from t - back to t, together; null where it was not hit.
  justBefore(name: string, t: number, back: number): number | null {
    const list = this.byPoint.get(name);
    if (!list) return null;
    let low = 0, high = list.time.length;
    while (low < high) { const middle = (low + high) >> 1; if (list.time[middle] <= t) low = middle + 1; else high = middle; }
    let sum = 0, found = false;
    for (let i = low - 1; i >= 0 && list.time[i] >= t - back; --i) { sum += list.impulse[i]; found = true; }
    return found ? sum : null;
  }
}
