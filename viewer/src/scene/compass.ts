// The axes of the world and the direction of gravity as the camera sees them, in a corner of the picture.
import { Quaternion, Vector3 } from 'three';
import { el } from '../toolkit/dom';
import { theme } from '../toolkit/theme';

const WIDTH = 118, HEIGHT = 74, ARM = 25, HEAD = 6;
const FONT = '600 11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const RIM = 1.8;
const TO_VIEWER = 0.12;    // an arrow that is shorter than this part of its length points at the viewer, or away

export class Compass {
  readonly element = el('canvas', { class: 'compass', 'aria-hidden': 'true' });
  readonly height = HEIGHT;
  private readonly inverse = new Quaternion();
  private readonly arrow = new Vector3();
  private readonly last = new Quaternion(0, 0, 0, 0);
  private isStale = true;

  // `gravity` null: weightless.
  constructor(private readonly planar: boolean, private readonly gravity: Vector3 | null) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    Object.assign(this.element, { width: WIDTH * ratio, height: HEIGHT * ratio });
    this.element.title = gravity ? 'axes of the world; g: gravity' : 'axes of the world; no gravity';
    theme.listen(() => { this.isStale = true; });
  }

  update(camera: Quaternion): void {
    if (!this.isStale && this.last.equals(camera)) return;
    this.isStale = false;
    this.last.copy(camera);
    const context = this.element.getContext('2d');
    if (!context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.element.width, this.element.height);
    const ratio = this.element.width / WIDTH;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paint(context, camera);
  }

  // Also for pictures and films: with the left upper corner at the origin of the context.
  paint(context: CanvasRenderingContext2D, camera: Quaternion): void {
    const { colors } = theme;
    this.inverse.copy(camera).invert();
    context.font = FONT;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const axes = [['x', new Vector3(1, 0, 0), colors.axes[0]], ['y', new Vector3(0, 1, 0), colors.axes[1]], ['z', new Vector3(0, 0, 1), colors.axes[2]]] as const;
    const drawn = axes.slice(0, this.planar ? 2 : 3).map(([name, direction, color]) => ({ name, color, seen: direction.clone().applyQuaternion(this.inverse) }));
    // What points away is drawn first.
    for (const { name, color, seen } of drawn.sort((a, b) => a.seen.z - b.seen.z)) this.drawClear(context, WIDTH - 38, HEIGHT / 2, seen, name, color);
    if (this.gravity) {
      const seen = this.arrow.copy(this.gravity).normalize().applyQuaternion(this.inverse);
      this.drawClear(context, 24 - 0.5 * ARM * seen.x, HEIGHT / 2 + 0.5 * ARM * seen.y, seen, 'g', colors.faint);
    }
    context.textAlign = 'left';
    context.textBaseline = 'alphabetic';
  }

  // With a rim in the colour of the paper, that keeps lines of the scene away from it.
  private drawClear(context: CanvasRenderingContext2D, x: number, y: number, seen: Vector3, name: string, color: string): void {
    this.draw(context, x, y, seen, name, theme.colors.background, RIM);
    this.draw(context, x, y, seen, name, color, 0);
  }
  private draw(context: CanvasRenderingContext2D, x: number, y: number, seen: Vector3, name: string, color: string, rim: number): void {
    context.strokeStyle = context.fillStyle = color;
    context.lineJoin = 'round';
    const line = name === 'g' ? 2.4 : 1.8;
    const letter = (atX: number, atY: number) => {
      context.lineWidth = 2 * rim;
      if (rim > 0) context.strokeText(name, atX, atY);
      else context.fillText(name, atX, atY);
    };
    context.lineWidth = line + 2 * rim;
    const length = Math.hypot(seen.x, seen.y);
    if (length < TO_VIEWER) {
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.stroke();
      context.beginPath();
      if (seen.z > 0) context.arc(x, y, 1.5, 0, 2 * Math.PI);   // the tip of an arrow; its feathers are a cross
      else for (const s of [-1, 1]) { context.moveTo(x - 2.8, y - 2.8 * s); context.lineTo(x + 2.8, y + 2.8 * s); }
      if (seen.z > 0) context.fill();
      else context.stroke();
      letter(x - 10, y - 9);
      return;
    }
    const dx = seen.x / length, dy = -seen.y / length, long = ARM * length, head = Math.min(HEAD, 0.7 * long);
    const endX = x + dx * long, endY = y + dy * long;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(endX - dx * head, endY - dy * head);
    context.stroke();
    context.beginPath();
    context.moveTo(endX, endY);
    context.lineTo(endX - dx * head - 0.5 * dy * head, endY - dy * head + 0.5 * dx * head);
    context.lineTo(endX - dx * head + 0.5 * dy * head, endY - dy * head - 0.5 * dx * head);
    context.fill();
    context.lineWidth = 2 * rim;
    if (rim > 0) context.stroke();
    const beside = name === 'g' ? 1 : 0;   // the letter of gravity stands beside its arrow
    letter(beside ? x + dx * long * 0.5 + 9 : endX + 8 * dx, beside ? y + dy * long * 0.5 : endY + 8 * dy);
  }
}
