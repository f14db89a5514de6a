// The picture of a study: a plane that shows one chart, values under the pointer, a click that chooses a run, a drag that zooms.
import type { Study } from '../data/study';
import { el, named } from '../toolkit/dom';
import { short } from '../toolkit/format';
import { theme } from '../toolkit/theme';
import { valueText, type Chart } from './chart';
import { Plane } from '../toolkit/plane';

const CLICK = 5;       // px
const MOST_LEGEND = 10;

export class Picture {
  readonly element: HTMLElement;
  readonly canvas = el('canvas', { class: 'study-canvas', tabindex: 0, 'aria-label': 'diagram of the study' });
  readonly plane = new Plane(this.canvas);
  private readonly tip = el('div', { class: 'study-tip', hidden: true });
  private readonly frame = el('div', { class: 'study-frame' }, this.canvas, this.tip);
  private readonly box = el('div', { class: 'study-zoom', hidden: true });
  private readonly legend = el('div', { class: 'legend' });
  private readonly note = el('p', { class: 'hint study-note' });
  private chart: Chart | null = null;
  private chosen: number | null = null;
  private down: [number, number] | null = null;

  constructor(private readonly study: Study, private readonly choose: (row: number) => void) {
    this.frame.append(this.box);
    this.element = el('div', { class: 'study-picture' }, this.legend, this.frame, this.note);
    this.canvas.addEventListener('pointerdown', (event) => { this.down = [event.offsetX, event.offsetY]; this.canvas.setPointerCapture(event.pointerId); });
    this.canvas.addEventListener('pointermove', (event) => this.moved(event.offsetX, event.offsetY));
    this.canvas.addEventListener('pointerup', (event) => this.released(event.offsetX, event.offsetY));
    this.canvas.addEventListener('pointerleave', () => { this.tip.hidden = true; });
    this.canvas.addEventListener('dblclick', () => { this.plane.reset(); this.draw(); });
    theme.listen(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  show(make: () => Chart | null): void {
    this.plane.reset();
    this.remake = make;
    this.chart = make();
    this.draw();
  }
  private remake: () => Chart | null = () => null;
  private themed = theme.dark;
  mark(row: number | null): void { this.chosen = row; this.draw(); }
  // The run at a place of the canvas.
  at(px: number, py: number): number | null { return this.chart && this.plane.contains(px, py) ? this.chart.at(this.plane, px, py) : null; }

  draw(): void {
    if (this.themed !== theme.dark) { this.themed = theme.dark; this.chart = this.remake(); }   // its legend has colours
    const { chart, plane } = this;
    if (!chart || !plane.begin(chart.x, chart.y, chart.room ?? 0)) return;
    chart.draw(plane);
    if (this.chosen !== null) chart.mark(plane, this.chosen);
    plane.end();
    chart.beside?.(plane);
    this.legend.replaceChildren(...chart.legend.slice(0, MOST_LEGEND).map(({ color, text }) => {
      const key = el('i', { class: 'key' });
      key.style.background = color;
      return el('span', {}, key, short(text, 70));
    }));
    this.note.textContent = short(`${chart.note}${plane.zoomed ? ' · double click: all' : ''}`, 300);
  }

  private moved(px: number, py: number): void {
    if (this.down && Math.hypot(px - this.down[0], py - this.down[1]) > CLICK) {
      this.tip.hidden = true;
      this.box.hidden = false;
      Object.assign(this.box.style, { left: `${Math.min(px, this.down[0])}px`, top: `${Math.min(py, this.down[1])}px`, width: `${Math.abs(px - this.down[0])}px`, height: `${Math.abs(py - this.down[1])}px` });
      return;
    }
    const row = this.at(px, py);
    this.canvas.style.cursor = row === null ? 'crosshair' : 'pointer';
    this.tip.hidden = row === null;
    if (row === null) return;
    const { study } = this, lines = study.columns.slice(0, 8).map((column) => el('div', {}, named('span', column.name, 24), ' ', el('b', {}, valueText(column, row))));
    this.tip.replaceChildren(el('div', { class: 'readout-time' }, `run ${study.index[row]}${study.isGood(row) ? '' : `, ${study.statusWord(row)}`}`), ...lines,
      ...(study.isGood(row) ? [] : [named('div', study.reason(row), 90, 'bad-text')]));
    this.tip.style.left = px < this.canvas.clientWidth / 2 ? `${px + 16}px` : '';
    this.tip.style.right = px < this.canvas.clientWidth / 2 ? '' : `${this.canvas.clientWidth - px + 16}px`;
    this.tip.style.top = `${Math.max(4, Math.min(py - 20, this.canvas.clientHeight - this.tip.offsetHeight - 8))}px`;
  }
  private released(px: number, py: number): void {
    const from = this.down;
    this.down = null;
    this.box.hidden = true;
    if (!from) return;
    if (Math.abs(px - from[0]) > CLICK && Math.abs(py - from[1]) > CLICK) {
      this.plane.zoom(from, [px, py]);
      return this.draw();
    }
    const row = this.at(px, py);
    if (row !== null) this.choose(row);
  }
}
