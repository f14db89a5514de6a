// All runs as a table, sorted by any column; or those without measures alone, with their reasons.
import type { Study } from '../data/study';
import { el, named } from '../toolkit/dom';
import { plainCount } from '../toolkit/format';
import { valueText } from './chart';

const MOST = 200;   // rows of the table

export class RunList {
  readonly element = el('section', { class: 'run-list' });
  private sorted = { place: -1, down: false };   // -1: by number
  private chosen: number | null = null;
  private onlyFailed = false;

  constructor(private readonly study: Study, private readonly choose: (row: number) => void) { this.show(); }

  mark(row: number | null): void {
    this.chosen = row;
    for (const line of this.element.querySelectorAll('tr[data-row]')) line.classList.toggle('selected', Number((line as HTMLElement).dataset.row) === row);
  }
  private rows(): number[] {
    const { study, sorted } = this, all = this.onlyFailed ? study.failed : Array.from({ length: study.rows }, (_, row) => row);
    const values = sorted.place < 0 ? study.index : study.columns[sorted.place].values;
    // What has no value comes last, whichever way.
    const key = (row: number) => (Number.isFinite(values[row]) ? values[row] * (sorted.down ? -1 : 1) : Infinity);
    return all.sort((a, b) => key(a) - key(b) || a - b);
  }
  private head(text: string, place: number): HTMLElement {
    const { sorted } = this, face = named('button', text, 22);
    if (sorted.place === place) face.append(sorted.down ? ' ▾' : ' ▴');
    face.addEventListener('click', () => { this.sorted = { place, down: sorted.place === place && !sorted.down }; this.show(); });
    return el('th', { 'aria-sort': sorted.place !== place ? 'none' : sorted.down ? 'descending' : 'ascending' }, face);
  }
  show(): void {
    const { study } = this, rows = this.rows(), columns = study.columns.slice(0, 12);
    const only = el('input', { type: 'checkbox', class: 'only-failed', ...(this.onlyFailed ? { checked: true } : {}) });
    only.addEventListener('change', () => { this.onlyFailed = only.checked; this.show(); });
    const body = rows.slice(0, MOST).map((row) => {
      const line = el('tr', { 'data-row': row, class: `clickable${study.isGood(row) ? '' : ' failed'}${row === this.chosen ? ' selected' : ''}`, tabindex: 0 },
        el('td', { class: 'number' }, String(study.index[row])), ...columns.map((column) => named('td', valueText(column, row), 18, 'number')),
        named('td', study.isGood(row) ? '' : `${study.statusWord(row)}: ${study.reason(row)}`, 90, 'why'));
      line.addEventListener('click', () => this.choose(row));
      line.addEventListener('keydown', (event) => { if (event.key === 'Enter') this.choose(row); });
      return line;
    });
    this.element.replaceChildren(el('div', { class: 'bar' }, el('h2', {}, 'Runs'),
      ...(study.failed.length > 0 ? [el('label', { class: 'toggle' }, only, study.failed.length === 1 ? 'only the one without measures' : `only the ${plainCount(study.failed.length)} without measures`)] : [])),
      el('div', { class: 'run-table' }, el('table', {}, el('thead', {}, el('tr', {}, this.head('run', -1), ...columns.map((column, i) => this.head(column.name, i)), el('th', {}, ''))),
        el('tbody', {}, ...body))),
      ...(rows.length > MOST ? [el('p', { class: 'hint' }, `the first ${MOST} of ${plainCount(rows.length)}: sort by another column for others`)] : []));
  }
}
