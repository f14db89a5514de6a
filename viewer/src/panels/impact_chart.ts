// Impulses over time, on a logarithmic axis: a dot per blow; a click goes there.
import type { App } from '../state/app';
import { el, sizedContext } from '../toolkit/dom';
import { quantity } from '../toolkit/format';
import { theme } from '../toolkit/theme';

const LEFT = 58, BELOW = 4, ABOVE = 8, REACH = 14;   // pixels

export interface ChartDot { time: number; impulse: number; unit: string; index: number }

export class ImpactChart {
  readonly element = el('div', { class: 'impact-chart' });
  private readonly canvas = el('canvas');
  private readonly cursor = el('div', { class: 'cursor' });
  private dots: ChartDot[] = [];

  constructor(private readonly app: App, private readonly go: (index: number) => void) {
    this.element.append(this.canvas, this.cursor);
    this.canvas.addEventListener('click', (event) => {
      const near = this.nearest(event.offsetX, event.offsetY);
      if (near) this.go(near.index);
    });
    this.canvas.addEventListener('pointermove', (event) => {
      const near = this.nearest(event.offsetX, event.offsetY);
      this.canvas.title = near ? `${quantity(near.time, 's', 6)}: ${quantity(near.impulse, near.unit, 3)}` : '';
      this.canvas.style.cursor = near ? 'pointer' : 'default';
    });
    app.window.listen(() => this.draw());
    theme.listen(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(dots: ChartDot[]): void {
    this.dots = dots.filter(({ impulse }) => impulse > 0 && Number.isFinite(impulse));
    this.draw();
  }

  // Whole decades, three of them at least; what is below the lowest of six lies on the axis.
  private range(): [number, number] {
    const sizes = this.dots.map(({ impulse }) => Math.log10(impulse));
    const high = Math.ceil(sizes.reduce((a, b) => Math.max(a, b), -Infinity) + 1e-9), low = Math.floor(sizes.reduce((a, b) => Math.min(a, b), Infinity));
    return [Math.max(high - 6, Math.min(low, high - 3)), high];
  }
  private x(t: number): number {
    const { from, to } = this.app.window;
    return LEFT + ((t - from) / (to - from)) * (this.canvas.clientWidth - LEFT - 8);
  }
  private y(impulse: number, [low, high]: [number, number]): number {
    const part = Math.max(0, (Math.log10(impulse) - low) / (high - low));
    return ABOVE + (1 - part) * (this.canvas.clientHeight - ABOVE - BELOW);
  }
  private nearest(px: number, py: number): ChartDot | null {
    if (this.dots.length === 0) return null;
    const range = this.range();
    let best: ChartDot | null = null, least = REACH;
    for (const dot of this.dots) {
      const d = Math.hypot(this.x(dot.time) - px, this.y(dot.impulse, range) - py);
      if (d < least) { least = d; best = dot; }
    }
    return best;
  }

  draw(): void {
    const sized = sizedContext(this.canvas);
    if (!sized || this.dots.length === 0) return;
    const { context, width, height } = sized, range = this.range(), { colors } = theme;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let power = range[0]; power <= range[1]; ++power) {
      const y = this.y(10 ** power, range);
      context.strokeStyle = colors.gridStrong;
      context.beginPath();
      context.moveTo(LEFT, y);
      context.lineTo(width - 8, y);
      context.stroke();
      context.fillStyle = colors.faint;
      context.fillText(quantity(10 ** power, this.dots[0].unit, 2), LEFT - 6, y);
    }
    const { from, to } = this.app.window;
    for (const { time, impulse } of this.dots) {
      if (time < from || time > to) continue;
      const x = this.x(time), y = this.y(impulse, range);
      context.strokeStyle = context.fillStyle = colors.impact;
      context.globalAlpha = 0.35;
      context.beginPath();
      context.moveTo(x, height - BELOW);
      context.lineTo(x, y);
      context.stroke();
      context.globalAlpha = 1;
      context.beginPath();
      context.arc(x, y, 3, 0, 2 * Math.PI);
      context.fill();
    }
    this.place(this.app.run.time);
  }
  place(t: number): void {
    const { from, to } = this.app.window;
    this.cursor.hidden = t < from || t > to;
    this.cursor.style.transform = `translateX(${this.x(t)}px)`;
  }
}
