// A plane with two axes on a canvas: ticks with units, linear or logarithmic, a part of it that a drag chooses.
import { sizedContext } from './dom';
import { digits, quantity, short } from './format';
import { theme } from './theme';

export interface Axis { label: string; unit: string; low: number; high: number; log: boolean; words?: string[] }
const EDGE = { left: 74, right: 16, top: 12, bottom: 42 };
const NICE = [1, 2, 2.5, 5, 10];

// Both ends of numbers, with a margin; never empty.
export function rangeOf(values: Iterable<number>, log: boolean, margin = 0.04): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const v of values) if (Number.isFinite(v) && (!log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!(low <= high)) return log ? [1, 10] : [0, 1];
  if (log) { const m = high > low ? (high / low) ** margin : 2; return [low / m, high * m]; }
  const m = high > low ? margin * (high - low) : Math.abs(high) * 0.1 || 1;
  return [low - m, high + m];
}

function ticksOf(low: number, high: number, log: boolean, count: number): number[] {
  const list: number[] = [];
  if (log && high / low >= 10) {
    const decades = Math.log10(high / low), steps = decades > count ? [1] : decades > count / 2 ? [1, 3] : [1, 2, 5];
    for (let p = Math.floor(Math.log10(low)); p <= Math.ceil(Math.log10(high)); ++p) for (const s of steps) list.push(s * 10 ** p);
    return list.filter((v) => v >= low && v <= high);
  }
  const rough = (high - low) / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough));
  const step = (NICE.find((s) => s * power >= rough) ?? 10) * power;
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list;
}

// The prefix that suits an axis, once in its title: "c in mm", and ticks in it.
export function scaledUnit(unit: string, largest: number): { factor: number; unit: string } {
  if (!(largest > 0)) return { factor: 1, unit };
  const [number, ...rest] = quantity(largest, unit, 12).split(' ');
  const value = Number(number.replace('−', '-').replace('e−', 'e-'));
  return rest.length > 0 && value > 0 ? { factor: largest / value, unit: rest.join(' ') } : { factor: 1, unit };
}
export const axisTitle = (label: string, unit: string): string => `${short(label, 48)}${unit === '1' || unit === '' ? '' : ` in ${unit}`}`;

export class Plane {
  context!: CanvasRenderingContext2D;
  width = 0; height = 0;              // of the area between the axes
  left = EDGE.left; top = EDGE.top;
  private shown: { x: [number, number]; y: [number, number] } | null = null;   // the part that was chosen
  private axes!: { x: Axis; y: Axis };

  constructor(readonly canvas: HTMLCanvasElement) {}
  get zoomed(): boolean { return this.shown !== null; }
  range(which: 'x' | 'y'): [number, number] { return this.shown?.[which] ?? [this.axes[which].low, this.axes[which].high]; }
  private part(which: 'x' | 'y', value: number): number {
    const [low, high] = this.range(which);
    return this.axes[which].log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  }
  private value(which: 'x' | 'y', part: number): number {
    const [low, high] = this.range(which);
    return this.axes[which].log ? low * (high / low) ** part : low + part * (high - low);
  }
  x(value: number): number { return this.left + this.part('x', value) * this.width; }
  y(value: number): number { return this.top + (1 - this.part('y', value)) * this.height; }
  valueX(px: number): number { return this.value('x', (px - this.left) / this.width); }
  valueY(py: number): number { return this.value('y', 1 - (py - this.top) / this.height); }
  contains(px: number, py: number): boolean { return px >= this.left && px <= this.left + this.width && py >= this.top && py <= this.top + this.height; }
  zoom(a: [number, number], b: [number, number]): void {
    const x = [this.valueX(Math.min(a[0], b[0])), this.valueX(Math.max(a[0], b[0]))] as [number, number];
    const y = [this.valueY(Math.max(a[1], b[1])), this.valueY(Math.min(a[1], b[1]))] as [number, number];
    if (x[1] > x[0] && y[1] > y[0]) this.shown = { x, y };
  }
  reset(): void { this.shown = null; }

  // Clears the canvas and draws the axes; false where there is no room. What is drawn until end() stays inside.
  begin(x: Axis, y: Axis, room = 0): boolean {
    this.axes = { x, y };
    const sized = sizedContext(this.canvas);
    if (!sized || sized.width < 160 || sized.height < 120) return false;
    this.context = sized.context;
    this.width = sized.width - EDGE.left - EDGE.right - room;
    this.height = sized.height - EDGE.top - EDGE.bottom;
    this.drawAxis('x');
    this.drawAxis('y');
    this.context.save();
    this.context.beginPath();
    this.context.rect(this.left, this.top, this.width, this.height);
    this.context.clip();
    return true;
  }
  end(): void {
    this.context.restore();
    this.context.strokeStyle = theme.colors.gridStrong;
    this.context.strokeRect(this.left, this.top, this.width, this.height);
  }

  private drawAxis(which: 'x' | 'y'): void {
    const { context } = this, axis = this.axes[which], across = which === 'x', [low, high] = this.range(which);
    const count = Math.max(2, across ? this.width / 90 : this.height / 45);
    const ticks = axis.words ? axis.words.map((_, i) => i).filter((i) => i >= low && i <= high) : ticksOf(low, high, axis.log, count);
    const { factor, unit } = scaledUnit(axis.unit, Math.max(Math.abs(low), Math.abs(high)));
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0;
    context.font = '11px system-ui, sans-serif';
    context.lineWidth = 1;
    context.strokeStyle = theme.colors.grid;
    context.fillStyle = theme.colors.faint;
    context.textAlign = across ? 'center' : 'right';
    context.textBaseline = across ? 'top' : 'middle';
    for (const tick of ticks) {
      const text = axis.words ? short(axis.words[tick], 14) : Math.abs(tick) < 1e-9 * step ? '0' : digits(tick / factor, 5);
      context.beginPath();
      if (across) { const px = this.x(tick); context.moveTo(px, this.top); context.lineTo(px, this.top + this.height); context.fillText(text, px, this.top + this.height + 6); }
      else { const py = this.y(tick); context.moveTo(this.left, py); context.lineTo(this.left + this.width, py); context.fillText(text, this.left - 7, py); }
      context.stroke();
    }
    context.fillStyle = theme.colors.text;
    context.textAlign = 'center';
    const title = axisTitle(axis.label, axis.words ? '1' : unit);
    if (across) context.fillText(title, this.left + this.width / 2, this.top + this.height + 24);
    else {
      context.save();
      context.translate(13, this.top + this.height / 2);
      context.rotate(-Math.PI / 2);
      context.fillText(title, 0, 0);
      context.restore();
    }
  }
}
