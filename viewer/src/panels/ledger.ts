// The energy ledger: where the energy is, what came in, what was lost and what nothing explains, at the time cursor.
import type { App, Panel } from '../state/app';
import { CurvePlot } from './curves';
import { el } from '../toolkit/dom';
import { quantity } from '../toolkit/format';

const ENTRIES: [string, string, string][] = [
  ['kinetic', 'kinetic', 'stored'], ['potential', 'potential (gravity, springs)', 'stored'], ['total', 'total', 'sum'],
  ['input', 'put in by drivers and forces', 'in'], ['damping_loss', 'lost in dampers', 'out'], ['impact_loss', 'lost in impacts', 'out'],
  ['friction_loss', 'lost in friction', 'out'], ['drift', 'drift: what nothing explains', 'drift'],
];

export function ledgerPanel(app: App): Panel | null {
  const { run } = app;
  const entries = ENTRIES.map(([name, label, kind]) => ({ name, label, kind, column: run.column(`energy.${name}`) }))
    .filter((entry): entry is typeof entry & { column: number } => entry.column !== undefined);
  if (entries.length === 0) return null;
  let largest = 0;
  for (const { column } of entries) for (const v of run.whole.columns[column]) if (Number.isFinite(v)) largest = Math.max(largest, Math.abs(v));
  const rows = entries.map((entry) => {
    const value = el('td', { class: 'number' }), bar = el('i', { class: `bar-fill ${entry.kind}` });
    const row = el('tr', { class: entry.kind }, el('th', {}, entry.label), value, el('td', { class: 'bar-cell' }, bar));
    return { ...entry, value, bar, row };
  });
  const element = el('div', { class: 'panel ledger' }, el('table', {}, el('tbody', {}, ...rows.map((row) => row.row))));
  const update = () => {
    for (const { column, value, bar } of rows) {
      const now = run.now(column);
      value.textContent = quantity(now, 'J', 5);
      bar.style.width = `${largest > 0 && Number.isFinite(now) ? (100 * Math.abs(now)) / largest : 0}%`;
      bar.classList.toggle('negative', now < 0);
    }
  };
  const plots = [
    new CurvePlot(app, entries.filter((entry) => entry.name !== 'drift').map((entry) => entry.column), null),
    new CurvePlot(app, entries.filter((entry) => entry.name === 'drift').map((entry) => entry.column), null),
  ].filter((plot) => plot.channels.length > 0);
  element.append(...plots.map((plot) => plot.element));
  app.window.listen(() => { for (const plot of plots) plot.zoomed(); });
  return {
    element,
    show() {
      update();
      for (const plot of plots) plot.place();
    },
    time() {
      update();
      for (const plot of plots) plot.place();
    },
    data() { for (const plot of plots) plot.rebuild(); },
  };
}
