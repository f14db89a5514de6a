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
    face.addEventListener('click', () => { this.sorted = { place, down: sorted.place === place && !sorted.down }; this.show(); this.focusOn('th button', place + 1); });
    return el('th', { 'aria-sort': sorted.place !== place ? 'none' : sorted.down ? 'descending' : 'ascending' }, face);
  }
  private focusOn(selector: string, i: number): void { this.element.querySelectorAll<HTMLElement>(selector)[i]?.focus(); }
  // The table is one place of the tabulator; within it arrows go from row to row.
  private walk(event: KeyboardEvent, line: HTMLElement): void {
    const lines = [...this.element.querySelectorAll<HTMLElement>('tr[data-row]')], at = lines.indexOf(line);
    const to = ({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 } as Record<string, number>)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = lines[Math.min(lines.length - 1, Math.max(0, to))];
    line.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  show(): void {
    const { study } = this, rows = this.rows(), columns = study.columns.slice(0, 12);
    const only = el('input', { type: 'checkbox', class: 'only-failed', ...(this.onlyFailed ? { checked: true } : {}) });
    only.addEventListener('change', () => { this.onlyFailed = only.checked; this.show(); this.focusOn('.only-failed', 0); });
    const shown = rows.slice(0, MOST), reached = this.chosen !== null && shown.includes(this.chosen) ? this.chosen : shown[0];
    const body = shown.map((row) => {
      const line = el('tr', { 'data-row': row, class: `clickable${study.isGood(row) ? '' : ' failed'}${row === this.chosen ? ' selected' : ''}`, tabindex: row === reached ? 0 : -1 },
        el('td', { class: 'number' }, String(study.index[row])), ...columns.map((column) => named('td', valueText(column, row), 18, 'number')),
        named('td', study.isGood(row) ? study.reason(row) : `${study.statusWord(row)}: ${study.reason(row)}`, 90, 'why'));
      line.addEventListener('click', () => this.choose(row));
      line.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') this.choose(row);
        else this.walk(event, line);
      });
      return line;
    });
    this.element.replaceChildren(el('div', { class: 'bar' }, el('h2', {}, 'Runs'),
      ...(study.failed.length > 0 ? [el('label', { class: 'toggle' }, only, study.failed.length === 1 ? 'only the one without measures' : `only the ${plainCount(study.failed.length)} without measures`)] : [])),
      el('div', { class: 'run-table' }, el('table', {}, el('thead', {}, el('tr', {}, this.head('run', -1), ...columns.map((column, i) => this.head(column.name, i)), el('th', {}, ''))),
        el('tbody', {}, ...body))),
      ...(rows.length > MOST ? [el('p', { class: 'hint' }, `the first ${MOST} of ${plainCount(rows.length)}: sort by another column for others`)] : []));
  }
}
