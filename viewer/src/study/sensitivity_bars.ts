// Which parameter matters: shares of the variance (Sobol), or how much a measure changes over the range (Morris).
import type { Estimate, Sensitivity } from '../data/study';
import { el, named } from '../toolkit/dom';
import { digits, quantity } from '../toolkit/format';

export function sensitivityBars(measure: string, found: Sensitivity): HTMLElement {
  const entries = Object.entries(found.parameters), isSobol = entries.some(([, p]) => p.total);
  const text = (value: number) => (isSobol ? digits(value, 3) : quantity(value, found.unit, 3));
  const all = entries.flatMap(([, p]) => [p.first?.high, p.total?.high, p.mean_size?.high, p.deviation]).filter((v): v is number => typeof v === 'number');
  const longest = Math.max(1e-300, ...all);
  const bar = (value: number, bounds: Estimate | null, kind: string) => {
    const part = (v: number) => `${Math.min(100, Math.max(0, (100 * v) / longest))}%`, fill = el('i', { class: `share ${kind}` }), track = el('div', { class: 'share-track' }, fill);
    fill.style.width = part(value);
    if (bounds) {
      const whisker = el('i', { class: 'share-bounds', title: `95 % by bootstrap: ${text(bounds.low)} to ${text(bounds.high)}` });
      whisker.style.left = part(bounds.low);
      whisker.style.width = `calc(${part(bounds.high)} - ${part(bounds.low)})`;
      track.append(whisker);
    }
    return el('div', { class: 'share-line' }, track, el('span', { class: 'number' }, text(value)));
  };
  return el('div', { class: 'sensitivity' }, named('h2', measure, 60),
    el('p', { class: 'hint' }, isSobol ? 'shares of the variance: alone (strong), and with interactions (pale); lines: 95 % by bootstrap'
      : 'change over the whole range: mean size (strong, with 95 % by bootstrap), and how much it differs from place to place (pale)'),
    ...entries.map(([name, p]) => el('div', { class: 'share-row' }, named('b', name, 30), el('div', {},
      ...(isSobol ? [bar(p.first?.value ?? 0, p.first ?? null, 'alone'), bar(p.total?.value ?? 0, p.total ?? null, 'total')]
        : [bar(p.mean_size?.value ?? 0, p.mean_size ?? null, 'alone'), bar(p.deviation ?? 0, null, 'total')])))),
    el('p', { class: 'hint' }, `${found.blocks} blocks of runs${found.left_out > 0 ? `, ${found.left_out} with failed runs are left out` : ''}`));
}
