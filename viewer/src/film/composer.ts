// Pictures that speak for themselves: the scene at any size and resolution, with the magnification, a scale bar, the time, the name of
// the run and the lenses drawn into it.
import type { App } from '../state/app';
import type { Lenses } from '../panels/lens';
import { ROOM } from '../scene/forces/force_labels';
import { stamps } from '../data/stamps';
import { quantity, short, timeText } from '../toolkit/format';
import { valueColor } from '../toolkit/color_map';
import { theme } from '../toolkit/theme';

const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

const FORCES = 5;   // arrows that say their newtons

export class Composer {
  readonly canvas = document.createElement('canvas');
  private width = 0;
  private height = 0;
  private ratio = 1;
  private keep = () => {};
  busy = false;                 // the scene is posing

  constructor(private readonly app: App, private readonly lenses: Lenses) {}

  // Size in CSS pixels, `ratio` pixels of the picture in each. `refit` looks at the whole mechanism again.
  begin(width: number, height: number, ratio: number, refit: boolean): void {
    const { scene } = this.app, before = scene.inset;
    Object.assign(this, { width, height, ratio, busy: true });
    // Even numbers of pixels: films halve the resolution of colours.
    this.canvas.width = 2 * Math.round((width * ratio) / 2);
    this.canvas.height = 2 * Math.round((height * ratio) / 2);
    const camera = scene.rememberCamera();
    scene.inset = () => this.lensRoom();
    scene.pose(width, height, ratio);
    if (refit) scene.fit();
    this.keep = () => { scene.inset = before; scene.unpose(); camera(); };
  }
  end(): void {
    this.keep();
    this.keep = () => {};
    this.busy = false;
    this.app.scene.invalidate();
  }

  // The picture at the cursor of the run, on `canvas`.
  frame(): HTMLCanvasElement {
    const context = this.canvas.getContext('2d', { willReadFrequently: true })!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.app.scene.shoot(), 0, 0, this.canvas.width, this.canvas.height);
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.drawForces(context);
    this.drawStamp(context);
    this.drawLegend(context);
    this.drawScale(context);
    this.drawTitle(context);
    this.drawCompass(context);
    this.drawLenses(context);
    return this.canvas;
  }

  private get unit(): number { return Math.max(0.7, Math.min(this.width, 1.5 * this.height) / 900); }
  private font(size: number, weight = 400): string { return `${weight} ${Math.round(size * this.unit)}px ${FONT}`; }

  private drawStamp(context: CanvasRenderingContext2D): void {
    const { mechanism } = this.app.scene, u = this.unit;
    context.fillStyle = theme.colors.accent;
    context.textBaseline = 'alphabetic';
    stamps(mechanism.magnifier.magnification, mechanism.poses.deformations.magnification).forEach(({ factor, what }, i) => {
      context.font = this.font(26, 700);
      const x = 16 * u, y = (34 + 30 * i) * u, wide = context.measureText(factor).width;
      context.fillText(factor, x, y);
      context.font = this.font(15, 600);
      context.fillText(what, x + wide + 7 * u, y);
    });
  }

  // What the colours of bearings mean, below the stamps.
  private drawLegend(context: CanvasRenderingContext2D): void {
    const { mechanism } = this.app.scene, { scale } = mechanism.bearings, u = this.unit, x = 16 * u, wide = 110 * u;
    if (!scale) return;
    const y = (30 + 30 * stamps(mechanism.magnifier.magnification, mechanism.poses.deformations.magnification).length) * u;
    context.fillStyle = theme.colors.text;
    context.font = this.font(13, 600);
    context.fillText(scale.title, x, y);
    context.font = this.font(13);
    context.fillText('0', x, y + 18 * u);
    const ramp = context.createLinearGradient(x + 12 * u, 0, x + 12 * u + wide, 0), stops = 8;
    for (let i = 0; i <= stops; ++i) ramp.addColorStop(i / stops, valueColor(i / stops));
    context.fillText(scale.largest, x + 18 * u + wide, y + 18 * u);
    context.fillStyle = ramp;
    context.fillRect(x + 12 * u, y + 8 * u, wide, 10 * u);
  }

  private drawForces(context: CanvasRenderingContext2D): void {
    const { arrows } = this.app.scene.mechanism, { camera } = this.app.scene, u = this.unit;
    if (!arrows.visible) return;
    context.font = this.font(13, 600);
    context.textBaseline = 'middle';
    const taken: [number, number][] = [];
    for (const { at, value, unit, role } of arrows.tips(FORCES)) {
      const { x, y } = at.clone().project(camera), text = quantity(value, unit, 3);
      const left = ((x + 1) / 2) * this.width + 8 * u, middle = ((1 - y) / 2) * this.height;
      if (taken.some(([a, b]) => Math.abs(a - left) < ROOM.width * u && Math.abs(b - middle) < ROOM.height * u)) continue;
      taken.push([left, middle]);
      context.strokeStyle = theme.colors.background;   // readable on whatever is behind
      context.lineWidth = 3 * u;
      context.strokeText(text, left, middle);
      context.fillStyle = theme.named(role);
      context.fillText(text, left, middle);
    }
    context.textBaseline = 'alphabetic';
  }

  private drawScale(context: CanvasRenderingContext2D): void {
    const { pixels, text } = this.app.scene.scale, u = this.unit, x = 16 * u, y = this.height - 40 * u;
    context.strokeStyle = context.fillStyle = theme.colors.faint;
    context.lineWidth = 1.5 * u;
    context.beginPath();
    context.moveTo(x, y - 7 * u);
    context.lineTo(x, y);
    context.lineTo(x + pixels, y);
    context.lineTo(x + pixels, y - 7 * u);
    context.stroke();
    context.font = this.font(13);
    context.fillText(text, x + pixels / 2 - context.measureText(text).width / 2, y - 6 * u);
  }

  private drawTitle(context: CanvasRenderingContext2D): void {
    const { run } = this.app, u = this.unit, y = this.height - 14 * u;
    const time = `t = ${timeText(run.time, run.span)}`, title = short(run.header.title || run.header.model_file, 70);
    context.font = this.font(15, 600);
    context.fillStyle = theme.colors.text;
    context.fillText(time, 16 * u, y);
    context.font = this.font(14);
    const wide = context.measureText(title).width, room = this.width - (16 + 16 + 150) * u;
    context.fillStyle = theme.colors.faint;
    context.fillText(title, this.width - 16 * u - Math.min(wide, room), y, room);
  }

  private drawCompass(context: CanvasRenderingContext2D): void {
    const { compass, camera } = this.app.scene, u = this.unit;
    context.save();
    context.translate(this.width - 124 * u, this.height - 108 * u);
    context.scale(u, u);
    compass.paint(context, camera.quaternion);
    context.restore();
  }

  private lensSize(): number {
    const count = Math.max(1, this.lenses.visible.length);
    return Math.min(0.34 * this.height, (0.94 * this.height) / count - 44 * this.unit);
  }
  private lensRoom(): { width: number; height: number } | null {
    const { visible } = this.lenses, size = this.lensSize(), u = this.unit;
    return visible.length > 0 ? { width: size + 24 * u, height: visible.length * (size + 44 * u) } : null;
  }
  private drawLenses(context: CanvasRenderingContext2D): void {
    const size = this.lensSize(), u = this.unit, pad = 6 * u, high = size + 36 * u;
    this.lenses.visible.forEach((lens, i) => {
      const left = this.width - size - 2 * pad - 10 * u, top = 10 * u + i * (high + pad + 2 * u);
      context.fillStyle = theme.dark ? '#161c23ee' : '#ffffffee';
      context.strokeStyle = theme.colors.gridStrong;
      context.lineWidth = u;
      context.beginPath();
      context.roundRect(left, top, size + 2 * pad, high + pad, 9 * u);
      context.fill();
      context.stroke();
      lens.paint(context, left + pad, top + pad, size, this.app.scene.camera.quaternion);
      const { role, text } = lens.state();
      context.textAlign = 'center';
      context.font = this.font(13, 600);
      context.fillStyle = theme.colors.text;
      context.fillText(short(lens.joint.data.name, 22), left + pad + size / 2, top + pad + size + 13 * u, size);
      context.fillStyle = theme.named(role);
      context.fillText(text, left + pad + size / 2, top + pad + size + 29 * u, size);
      context.textAlign = 'left';
    });
  }
}
