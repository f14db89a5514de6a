// Curves of any channels: panels of uPlot with one axis per unit, a shared window of time and the page's time cursor.
import uPlot from 'uplot';
import type { App, Panel } from '../state/app';
import { ChannelPicker } from './channel_picker';
import { firstChannels } from './first_channels';
import { button, el, named } from '../toolkit/dom';
import { TICK_ROOM, ticks } from '../toolkit/curve_ticks';
import { digits, quantity, short } from '../toolkit/format';
import { theme } from '../toolkit/theme';

const MOST_PANELS = 8;
const READOUT_ROWS = 8;

function nearestRow(time: number[], t: number): number {
  let low = 0, high = time.length - 1;
  while (low < high) { const middle = (low + high) >> 1; if (time[middle] < t) low = middle + 1; else high = middle; }
  return low > 0 && t - time[low - 1] < time[low] - t ? low - 1 : low;
}

// Of two runs: both (the second one dashed), their difference, or the first alone.
export type Compared = 'both' | 'difference' | 'first';
interface Drawn { channel: number; of: 'first' | 'second' | 'difference'; i: number }   // i: its place among the channels, for the colour

// What a panel draws, and its numbers over the times of the first run.
export function curvesOf(app: App, channels: number[], compared: Compared): { drawn: Drawn[]; data: (number | null)[][] } {
  const { run, other } = app;
  const data = run.series([0, ...channels]);
  const drawn: Drawn[] = channels.map((channel, i) => ({ channel, of: 'first', i }));
  if (!other || compared === 'first') return { drawn, data };
  channels.forEach((channel, i) => {
    const { name, unit } = run.header.columns[channel], column = other.run.column(name);
    if (column === undefined || other.run.unit(column) !== unit) return;
    const values = other.run.resampled(column, data[0]);
    if (compared === 'difference') {
      data[i + 1] = data[i + 1].map((value, k) => { const second = values[k]; return value === null || second === null ? null : value - second; });
      drawn[i] = { channel, of: 'difference', i };
    } else {
      drawn.push({ channel, of: 'second', i });
      data.push(values);
    }
  });
  return { drawn, data };
}

export class CurvePlot {
  readonly element: HTMLElement;
  private readonly chips = el('div', { class: 'chips' });
  private readonly frame = el('div', { class: 'plot-frame' });
  private readonly cursor = el('div', { class: 'cursor' });
  private readonly markLine = el('div', { class: 'cursor mark', hidden: true });
  private readonly values = el('div', { class: 'readout', hidden: true });
  private plot: uPlot | null = null;
  private drawn: Drawn[] = [];
  private times: number[] = [];

  constructor(private readonly app: App, public channels: number[], remove: (() => void) | null, private readonly compared: () => Compared = () => 'both', private readonly changed: () => void = () => undefined) {
    const add = button('+ channel', 'choose channels for this panel', () => this.pick(add), 'add');
    const tools = el('div', { class: 'plot-tools' }, add);
    if (remove) tools.append(button('×', 'remove this panel', remove));
    this.element = el('section', { class: 'plot' }, el('header', {}, this.chips, tools), this.frame);
    this.frame.append(this.cursor);
    new ResizeObserver(() => this.resize()).observe(this.frame);
    theme.listen(() => this.rebuild());
  }

  private pick(anchor: HTMLElement): void {
    new ChannelPicker(this.app.run, this.channels, (channels) => { this.channels = channels; this.rebuild(); this.changed(); }).open(anchor);
  }

  rebuild(): void {
    if (!this.frame.isConnected || this.frame.clientWidth < 50) return;
    this.plot?.destroy();
    this.plot = null;
    const { run } = this.app;
    this.chips.replaceChildren(...this.channels.map((channel, i) => {
      const chip = named('button', run.header.columns[channel].name, 32, 'chip');
      chip.style.setProperty('--chip', theme.colors.curves[i % theme.colors.curves.length]);
      chip.title = `${short(run.header.columns[channel].name, 400)}: click to remove`;
      chip.addEventListener('click', () => { this.channels = this.channels.filter((c) => c !== channel); this.rebuild(); this.changed(); });
      return chip;
    }));
    this.element.classList.toggle('empty-plot', this.channels.length === 0);
    if (this.channels.length === 0) {
      this.cursor.hidden = true;
      return;
    }
    const units = [...new Set(this.channels.map((channel) => run.unit(channel)))];
    const { drawn, data } = curvesOf(this.app, this.channels, this.compared());
    this.drawn = drawn;
    this.times = data[0] as number[];
    const { axis: over_ } = this.app;
    data[0] = this.times.map((t) => over_.at(t));
    const { colors } = theme;
    const axis = { stroke: colors.faint, grid: { stroke: colors.grid, width: 1 }, ticks: { stroke: colors.gridStrong, width: 1, size: 4 }, font: '11px system-ui, sans-serif' };
    this.plot = new uPlot({
      pxAlign: 0,  // whole pixels would turn slopes into stairs
      width: this.frame.clientWidth, height: this.frame.clientHeight,
      legend: { show: false },
      cursor: { sync: { key: 'freeplay', setSeries: false }, drag: { x: true, y: false, setScale: true }, points: { size: 6 } },
      scales: { x: { time: false, range: () => this.ends() } },
      axes: [
        { ...axis, size: 26, values: ticks(over_.unit), ...(over_.steps ? { incrs: over_.steps } : {}) },
        ...units.map((unit, i) => ({
          ...axis, scale: unit, side: (i === 0 ? 3 : 1) as 1 | 3, size: TICK_ROOM, grid: { ...axis.grid, show: i === 0 }, values: ticks(unit), space: 28,
        })),
      ],
      series: [{}, ...drawn.map(({ channel, of, i }) => ({
        scale: run.unit(channel), stroke: colors.curves[i % colors.curves.length], width: of === 'second' ? 1.1 : 1.4,
        ...(of === 'second' ? { dash: [5, 4] } : {}), points: { show: false }, label: '',
      }))],
      hooks: {
        setSelect: [(u: uPlot) => {
          if (u.select.width < 3) return;
          this.app.window.set(over_.time(u.posToVal(u.select.left, 'x')), over_.time(u.posToVal(u.select.left + u.select.width, 'x')));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        setCursor: [(u: uPlot) => this.readout(u)],
      },
    }, data as uPlot.AlignedData, this.frame);
    const { over } = this.plot;
    let down = 0;
    over.addEventListener('mousedown', (event) => { down = event.clientX; });
    over.addEventListener('click', (event) => {
      if (Math.abs(event.clientX - down) >= 4) return;
      const t = over_.time(this.plot!.posToVal(event.offsetX, 'x'));
      if (event.shiftKey) this.app.mark.toggle(t, (this.app.window.to - this.app.window.from) * (6 / over.clientWidth));
      else this.app.playback.setTime(t);
    });
    over.addEventListener('dblclick', () => this.app.window.reset());
    over.append(this.cursor, this.markLine, this.values);
    queueMicrotask(() => this.place());   // behind the plot's own, which sets the width of its inside
  }

  // Values under the mouse, in a box of their own: nothing else moves. With a mark, also the differences to it.
  private readout(u: uPlot): void {
    const { run, other } = this.app, i = u.cursor.idx, mark = this.app.mark.time;
    const isOff = i === null || i === undefined || (u.cursor.left ?? -1) < 0;
    this.values.hidden = isOff;
    if (isOff) return;
    const t = this.times[i], from = mark === null ? null : nearestRow(this.times, mark);
    const angle = this.app.axis.kind === 'angle' ? `  ${digits(u.data[0][i] as number, 6)} °` : '';
    const rows = [el('div', { class: 'readout-time' }, `${quantity(t, 's', 6)}${angle}${mark === null ? '' : `  Δ ${quantity(t - mark, 's', 4)}`}`)];
    this.drawn.slice(0, READOUT_ROWS).forEach(({ channel, of, i: color }, k) => {
      const value = u.data[k + 1][i];
      if (value === null || value === undefined) return;
      const before = from === null ? null : u.data[k + 1][from];
      const name = short(run.header.columns[channel].name, 26), whose = of === 'first' || !other ? '' : of === 'difference' ? 'Δ ' : `${short(other.names[1], 12)} `;
      const row = el('div', {}, `${whose}${name}  `, el('b', {}, quantity(value, run.unit(channel), 4)),
        before === null || before === undefined ? '' : `  Δ ${quantity(value - before, run.unit(channel), 4)}`);
      row.style.setProperty('--chip', theme.colors.curves[color % theme.colors.curves.length]);
      rows.push(row);
    });
    this.values.replaceChildren(...rows);
    this.values.classList.toggle('left', (u.cursor.left ?? 0) > u.over.clientWidth / 2);
  }

  private ends(): [number, number] { return [this.app.axis.at(this.app.window.from), this.app.axis.at(this.app.window.to)]; }
  private resize(): void {
    if (this.frame.clientWidth < 50) return;
    if (!this.plot) this.rebuild();
    else if (this.plot.width !== this.frame.clientWidth || this.plot.height !== this.frame.clientHeight) {
      this.plot.setSize({ width: this.frame.clientWidth, height: this.frame.clientHeight });
      queueMicrotask(() => this.place());   // behind the plot's own, which sets the width of its inside
    }
    this.place();
  }
  rebuildIfEmpty(): void { if (!this.plot) this.rebuild(); }
  zoomed(): void {
    const [min, max] = this.ends();
    this.plot?.setScale('x', { min, max });
    this.place();
  }
  place(): void {
    if (!this.plot) return;
    const { from, to } = this.app.window, wide = this.plot.over.clientWidth, [low, high] = this.ends();
    for (const [line, t] of [[this.cursor, this.app.run.time], [this.markLine, this.app.mark.time]] as const) {
      line.hidden = t === null || t < from || t > to;
      if (!line.hidden) line.style.transform = `translateX(${((this.app.axis.at(t!) - low) / (high - low)) * wide}px)`;
    }
  }
}

export interface CurvesPanel extends Panel { add(channels: number[]): void; names(): string[][]; showNames(names: string[][]): void; onChange: () => void }

export function curvesPanel(app: App): CurvesPanel {
  const plots: CurvePlot[] = [];
  const list = el('div', { class: 'plots' });
  const element = el('div', { class: 'panel curves' },
    el('div', { class: 'bar' }, button('+ panel', 'another panel of curves', () => add([])),
      el('span', { class: 'hint' }, 'click: time · shift-click: mark · drag: zoom · double click: all')), list);
  let compared: Compared = 'both';
  if (app.other) {
    const choice = el('select', { 'aria-label': 'which run', class: 'compared' }, ...([['both', 'both runs'], ['difference', 'first − second'], ['first', 'the first alone']] as const)
      .map(([value, text]) => el('option', { value }, text)));
    choice.addEventListener('change', () => { compared = choice.value as Compared; for (const plot of plots) plot.rebuild(); });
    element.querySelector('.bar')!.append(choice);
  }
  if (app.axis.channel !== null) {
    const over = el('select', { 'aria-label': 'what the curves stand over', class: 'axis' }, el('option', { value: 'time' }, 'over time'), el('option', { value: 'angle' }, `over ${short(app.axis.channel, 24)}`));
    over.addEventListener('change', () => app.axis.set(over.value as 'time' | 'angle'));
    app.axis.listen(() => { over.value = app.axis.kind; for (const plot of plots) plot.rebuild(); });
    element.querySelector('.bar')!.append(over);
  }
  app.mark.listen(() => { for (const plot of plots) plot.place(); });
  const add = (channels: number[]) => {
    if (plots.length >= MOST_PANELS) return app.message(`no more than ${MOST_PANELS} panels`);
    const plot: CurvePlot = new CurvePlot(app, channels, () => {
      plots.splice(plots.indexOf(plot), 1);
      plot.element.remove();
      panel.onChange();
    }, () => compared, () => panel.onChange());
    plots.push(plot);
    list.append(plot.element);
    plot.rebuild();
  };
  let built = false;
  app.window.listen(() => { for (const plot of plots) plot.zoomed(); });
  const panel: CurvesPanel = {
    element, add, onChange: () => undefined,
    names: () => plots.map((plot) => plot.channels.map((channel) => app.run.header.columns[channel].name)),
    // Names that the run does not have are left out.
    showNames(names) {
      built = true;
      for (const plot of plots.splice(0)) plot.element.remove();
      for (const list_ of names.slice(0, MOST_PANELS)) add(list_.map((name) => app.run.column(name)).filter((channel): channel is number => channel !== undefined));
    },
    show() {
      for (const plot of plots) plot.rebuildIfEmpty();
      if (!built) {
        built = true;
        for (const channels of firstChannels(app)) add(channels);
      }
      for (const plot of plots) plot.place();
    },
    time() { for (const plot of plots) plot.place(); },
    data() { for (const plot of plots) plot.rebuild(); },
  };
  return panel;
}
