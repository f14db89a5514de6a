// The curves of a comparison's page come alive: values under the pointer, zoom, runs on and off, and differences from the reference. The
// pictures that the page has without scripts stand in their place until then.
import uPlot from 'uplot';
import { TICK_ROOM, ticks } from '../toolkit/curve_ticks';
import { el } from '../toolkit/dom';
import { quantity, short } from '../toolkit/format';

interface Channel { name: string; unit: string; time: number[]; values: (number | null)[][] }
interface Curves {
  reference: number; runs: { label: string; style: number; has_data: boolean }[]; channels: Channel[];
  marks: { run: number; time: number }[]; shaded_from: number | null;
}
type Shown = 'runs' | 'differences';

const STYLES = 8;
// As line_chart_style() of the pictures has them.
const DASHES: number[][] = [[], [7, 3], [3, 2], [9, 3, 2, 3], [5, 5], [2, 4], [12, 3], [6, 2, 2, 2, 2, 2]];
const HEIGHT = 216;

const variable = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colorOf = (style: number) => variable(`--c${style % STYLES}`);

// What a chart draws: of each run its values, or what they are off those of the reference.
export function series(channel: Channel, reference: number, shown: Shown): (number | null)[][] {
  if (shown === 'runs') return channel.values;
  const base = channel.values[reference];
  return channel.values.map((values) => values.map((value, i) => { const of = base[i]; return value === null || of === null ? null : value - of; }));
}

class Chart {
  plot: uPlot | null = null;
  private readonly title = el('h3');
  private readonly frame = el('div');
  private readonly readout = el('div', { class: 'live-readout', hidden: true });

  constructor(private readonly page: Page, readonly channel: Channel, place: HTMLElement) {
    place.replaceChildren(this.title, this.frame, this.readout);
    new ResizeObserver(() => { if (this.plot && this.plot.width !== this.frame.clientWidth) this.plot.setSize({ width: this.frame.clientWidth, height: HEIGHT }); }).observe(place);
  }

  build(): void {
    const { curves, shown, hidden } = this.page, { channel } = this;
    this.plot?.destroy();
    this.title.replaceChildren(short(`${shown === 'differences' ? 'difference of ' : ''}${channel.name}`, 60), el('span', { class: 'unit' }, channel.unit && channel.unit !== '1' ? ` [${channel.unit}]` : ''));
    const soft = variable('--soft'), line = variable('--line');
    const axis = { stroke: soft, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    this.plot = new uPlot({
      width: this.frame.clientWidth, height: HEIGHT, pxAlign: 0, legend: { show: false },
      cursor: { sync: { key: 'compare', setSeries: false }, drag: { x: true, y: false, setScale: false }, points: { size: 6 } },
      scales: { x: { time: false, range: () => this.page.window } },
      axes: [{ ...axis, size: 26, values: ticks('s') }, { ...axis, size: TICK_ROOM, values: ticks(channel.unit), space: 28 }],
      series: [{}, ...curves.runs.map(({ style, has_data }, i) => ({
        show: has_data && !hidden.has(i) && !(shown === 'differences' && i === curves.reference), stroke: colorOf(style), width: 1.5, dash: DASHES[style % STYLES], points: { show: false }, label: '',
      }))],
      hooks: {
        drawClear: [(u) => this.shade(u)],
        draw: [(u) => this.marks(u)],
        setSelect: [(u) => {
          if (u.select.width < 3) return;
          this.page.zoom(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [(u) => this.say(u)],
      },
    }, [channel.time, ...series(channel, curves.reference, shown)] as uPlot.AlignedData, this.frame);
    this.plot.over.addEventListener('dblclick', () => this.page.zoomOut());
  }

  private shade(u: uPlot): void {
    const from = this.page.curves.shaded_from;
    if (from === null || from >= this.page.window[1]) return;
    const left = Math.max(u.bbox.left, u.valToPos(from, 'x', true));
    u.ctx.fillStyle = variable('--shade');
    u.ctx.fillRect(left, u.bbox.top, u.bbox.left + u.bbox.width - left, u.bbox.height);
  }
  private marks(u: uPlot): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.lineWidth = 1.2 * devicePixelRatio;
    for (const { run, time } of this.page.curves.marks) {
      const [from, to] = this.page.window;
      if (time < from || time > to || this.page.hidden.has(run)) continue;
      const x = u.valToPos(time, 'x', true);
      ctx.strokeStyle = colorOf(this.page.curves.runs[run].style);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }
  private say(u: uPlot): void {
    const i = u.cursor.idx, isOff = i === null || i === undefined || (u.cursor.left ?? -1) < 0;
    this.readout.hidden = isOff;
    if (isOff) return;
    const rows = [el('div', {}, quantity(u.data[0][i], 's', 6))];
    this.page.curves.runs.forEach(({ label, style }, run) => {
      const value = u.data[run + 1][i];
      if (!u.series[run + 1].show || value === null || value === undefined) return;
      const key = el('i');
      key.style.background = colorOf(style);
      rows.push(el('div', {}, key, `${short(label, 24)}  `, el('b', {}, quantity(value, this.channel.unit, 5))));
    });
    this.readout.replaceChildren(...rows);
    const isLeft = (u.cursor.left ?? 0) > u.over.clientWidth / 2;
    this.readout.style.left = isLeft ? '82px' : '';
    this.readout.style.right = isLeft ? '' : '14px';
  }
}

export class Page {
  shown: Shown = 'runs';
  readonly hidden = new Set<number>();
  window: [number, number];
  private readonly all: [number, number];
  private readonly charts: Chart[];

  constructor(readonly curves: Curves, places: HTMLElement[], legend: HTMLElement) {
    const times = curves.channels.flatMap(({ time }) => [time[0], time[time.length - 1]]).filter(Number.isFinite);
    this.all = this.window = [Math.min(...times), Math.max(...times)];
    this.charts = curves.channels.map((channel, i) => new Chart(this, channel, places[i]));
    const choice = el('select', { 'aria-label': 'what the curves show' }, el('option', { value: 'runs' }, 'all runs'),
      el('option', { value: 'differences' }, `differences from ${short(curves.runs[curves.reference].label, 40)}`));
    choice.addEventListener('change', () => { this.show(choice.value as Shown); });
    legend.before(el('div', { class: 'live-bar' }, choice, el('span', { class: 'hint' }, 'move: values · drag: zoom · double click: all · click on a name: hide the run')));
    this.makeButtons(legend);
    this.build();
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.build());
  }
  // The names of the legend become buttons, in the order of the runs that have data.
  private makeButtons(legend: HTMLElement): void {
    const runs = this.curves.runs.map((_, i) => i).filter((i) => this.curves.runs[i].has_data);
    [...legend.children].forEach((entry, k) => {
      const run = runs[k], face = el('button', { type: 'button', 'aria-pressed': 'true', title: 'show or hide this run' }, ...entry.childNodes);
      face.addEventListener('click', () => {
        if (!this.hidden.delete(run)) this.hidden.add(run);
        face.setAttribute('aria-pressed', String(!this.hidden.has(run)));
        this.build();
      });
      entry.replaceChildren(face);
    });
  }
  show(shown: Shown): void { this.shown = shown; this.build(); }
  zoom(from: number, to: number): void { this.setWindow([Math.min(from, to), Math.max(from, to)]); }
  zoomOut(): void { this.setWindow(this.all); }
  private setWindow(window: [number, number]): void {
    this.window = window;
    for (const { plot } of this.charts) plot?.setScale('x', { min: window[0], max: window[1] });
  }
  private build(): void { for (const chart of this.charts) chart.build(); }
  // For tests.
  data(channel: string): (number | null)[][] { const { plot } = this.charts.find((chart) => chart.channel.name === channel)!; return plot!.data as unknown as (number | null)[][]; }
  shownRuns(): string[] { const { plot } = this.charts[0]; return this.curves.runs.filter((_, i) => plot!.series[i + 1].show).map(({ label }) => label); }
}

const text = document.getElementById('curves')?.textContent, legend = document.getElementById('legend');
const places = [...document.querySelectorAll<HTMLElement>('#charts > .live')];
if (text && legend) {
  const curves = JSON.parse(text) as Curves;
  if (curves.channels.length > 0 && places.length === curves.channels.length) {
    document.head.append(el('style', {}, 'COMPARE_STYLE'));
    (window as unknown as { freeplayCompare: Page }).freeplayCompare = new Page(curves, places, legend);
  }
}
