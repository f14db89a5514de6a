// The orbit plot: a part with play inside of its clearance, the whole path faint, the last part of it strong, a dot now.
import { el, named, sizedContext } from '../toolkit/dom';
import { quantity } from '../toolkit/format';
import { samplesOf, type Track } from '../geometry/play_tracks';
import type { Poses } from '../geometry/poses';
import type { Run } from '../data/run';
import { theme } from '../toolkit/theme';

const TAIL = 0.03;   // of the whole time

export class OrbitPlot {
  readonly element: HTMLElement;
  private readonly canvas = el('canvas');
  private samples: { time: Float64Array; points: Float32Array } | null = null;
  private readonly path = document.createElement('canvas');
  private drawnFor = '';
  private readonly out = new Float64Array(4);

  constructor(private readonly track: Track, private readonly run: Run, private readonly poses: Poses, onTime: (t: number) => void) {
    const { name, clearance } = track.joint.data;
    this.element = el('figure', { class: 'orbit', title: track.label }, this.canvas,
      el('figcaption', {}, named('b', name, 18), ` c = ${quantity(clearance!, 'm', 3)}`));
    this.canvas.addEventListener('click', (event) => this.nearest(event.offsetX, event.offsetY, onTime));
    theme.listen(() => { this.drawnFor = ''; });
  }

  private reach(): number {
    const { boundary } = this.track;
    const c = 'circle' in boundary ? boundary.circle : Math.max(...boundary.polygon.map((p) => Math.hypot(p.x, p.y)));
    return c * 1.15;
  }

  update(): void {
    const sized = sizedContext(this.canvas);
    if (!sized) return;
    this.samples ??= samplesOf(this.track, this.run, this.poses);
    const { context, width, height } = sized;
    const scale = Math.min(width, height) / 2 / this.reach();
    const key = `${width} ${height} ${theme.dark}`;
    if (key !== this.drawnFor) {
      this.drawPath(width, height, scale);
      this.drawnFor = key;
    }
    context.drawImage(this.path, 0, 0, width, height);
    this.drawTail(context, width, height, scale);
    this.track.at(this.out);
    for (let k = 0; k < this.track.count; ++k) {
      context.beginPath();
      context.arc(width / 2 + this.out[2 * k] * scale, height / 2 - this.out[2 * k + 1] * scale, Math.max(3.5, width / 45), 0, 2 * Math.PI);
      context.fillStyle = k === 0 ? theme.colors.accent : theme.colors.slip;
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = theme.colors.background;
      context.stroke();
    }
  }

  private drawPath(width: number, height: number, scale: number): void {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.path.width = width * ratio;
    this.path.height = height * ratio;
    const context = this.path.getContext('2d')!;
    context.scale(ratio, ratio);
    const { colors } = theme;
    const { boundary, count } = this.track;
    context.beginPath();
    if ('circle' in boundary) context.arc(width / 2, height / 2, boundary.circle * scale, 0, 2 * Math.PI);
    else boundary.polygon.forEach((p, i) => context[i === 0 ? 'moveTo' : 'lineTo'](width / 2 + p.x * scale, height / 2 - p.y * scale));
    context.closePath();
    context.fillStyle = theme.dark ? '#1a222b' : '#ffffff';
    context.fill();
    context.lineWidth = 2;
    context.strokeStyle = colors.metal;
    context.stroke();
    context.lineWidth = 1;
    context.strokeStyle = colors.gridStrong;
    context.beginPath();
    context.moveTo(width / 2 - 5, height / 2);
    context.lineTo(width / 2 + 5, height / 2);
    context.moveTo(width / 2, height / 2 - 5);
    context.lineTo(width / 2, height / 2 + 5);
    context.stroke();
    context.globalAlpha = 0.45;
    for (let k = 0; k < count; ++k) {
      context.strokeStyle = k === 0 ? colors.accent : colors.slip;
      this.stroke(context, k, 0, this.samples!.time.length, width, height, scale, 0.7);
    }
  }

  private drawTail(context: CanvasRenderingContext2D, width: number, height: number, scale: number): void {
    const { time } = this.samples!;
    const now = this.run.time, from = now - TAIL * this.run.span;
    let first = 0, last = time.length;
    while (first < last && time[first] < from) ++first;
    while (last > first && time[last - 1] > now) --last;
    for (let k = 0; k < this.track.count; ++k) {
      context.strokeStyle = k === 0 ? theme.colors.accent : theme.colors.slip;
      this.stroke(context, k, first, last, width, height, scale, 2);
    }
  }

  private stroke(context: CanvasRenderingContext2D, k: number, from: number, to: number, width: number, height: number, scale: number, line: number): void {
    const { points } = this.samples!;
    const n = 2 * this.track.count;
    context.lineWidth = line;
    context.beginPath();
    let pen = false;
    for (let i = from; i < to; ++i) {
      const x = points[i * n + 2 * k], y = points[i * n + 2 * k + 1];
      if (!Number.isFinite(x + y)) { pen = false; continue; }
      context[pen ? 'lineTo' : 'moveTo'](width / 2 + x * scale, height / 2 - y * scale);
      pen = true;
    }
    context.stroke();
  }

  private nearest(px: number, py: number, onTime: (t: number) => void): void {
    if (!this.samples) return;
    const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    const scale = Math.min(width, height) / 2 / this.reach(), n = 2 * this.track.count;
    let best = -1, least = 12 * 12;
    this.samples.time.forEach((_, i) => {
      const d = (width / 2 + this.samples!.points[i * n] * scale - px) ** 2 + (height / 2 - this.samples!.points[i * n + 1] * scale - py) ** 2;
      if (d < least) { least = d; best = i; }
    });
    if (best >= 0) onTime(this.samples.time[best]);
  }
}
