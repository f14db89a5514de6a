// The lens: a joint with play in a corner of the scene, its parts and the gap between them, the force at each contact and
// what the contact does. The mechanism beside it keeps its scale.
import type { Quaternion } from 'three';
import type { App } from '../state/app';
import type { Look } from '../scene/forces/contact_arrows';
import { lensFigure, type Layer, type LensFigure } from '../geometry/lens_figure';
import type { Joint } from '../geometry/joint_frames';
import { el, named, sizedContext } from '../toolkit/dom';
import { digits, quantity } from '../toolkit/format';
import { theme } from '../toolkit/theme';

const MOST_LENSES = 4, FEW = 2;
const READABLE = 120;       // ms between two values: digits that change with every frame cannot be read
const ARROW = 0.42;         // of the half width: an arrow of a typical force

type Mark = { at: [number, number]; to: [number, number]; length: number; look: Look };

export class Lens {
  readonly element: HTMLElement;
  private readonly canvas = el('canvas');
  private readonly said = el('span', { class: 'lens-state' });
  private readonly points: number[];       // of the arrows, those of this joint
  private stamp = 0;

  constructor(private readonly app: App, readonly joint: Joint, private readonly figure: LensFigure) {
    const { name, clearance } = joint.data;
    this.points = app.scene.mechanism.arrows.points.flatMap((point, i) => (point.contact === name ? [i] : []));
    const factor = figure.factor > 1 ? `gap drawn ${digits(figure.factor, 2)}×` : 'gap not to scale';
    this.element = el('figure', { class: 'lens', title: `the joint from near: ${factor}, seen from the parent` }, this.canvas,
      el('figcaption', {}, named('b', name, 18), ' ', el('span', { class: 'whole' }, `c = ${quantity(clearance!, 'm', 3)}`), el('br'), this.said));
  }

  private marks(): Mark[] {
    const { arrows } = this.app.scene.mechanism;
    return this.points.flatMap((i) => {
      const look = arrows.look(i);
      if (!look) return [];
      const at = this.figure.mark(look.place, look.normal), size = look.force.length();
      const to: [number, number] = size > 0 ? this.figure.direction(look.force.clone().divideScalar(size)) : [0, 0];
      return [{ at, to, look, length: ARROW * Math.min(1.6, arrows.relativeLength(i, size)) }];
    });
  }

  // What the contacts of the joint do now: the mode of the strongest, and the size of the force on the child.
  state(marks = this.marks()): { role: string; text: string } {
    if (marks.length === 0) return { role: 'faint', text: 'no contact' };
    const strongest = marks.reduce((best, mark) => (mark.look.force.lengthSq() > best.look.force.lengthSq() ? mark : best));
    const sum = strongest.look.force.clone().multiplyScalar(0);
    for (const { look } of marks) {
      // Impulses of blows have the directions of their forces.
      const size = look.force.length();
      if (look.impact === strongest.look.impact && size > 0) sum.addScaledVector(look.force, look.value / size);
    }
    const { impact, mode, unit } = strongest.look;
    return { role: impact ? 'impact' : mode.role, text: `${impact ? 'impact' : mode.label}  ${quantity(sum.length(), unit, 3)}` };
  }

  update(view: Quaternion): void {
    const sized = sizedContext(this.canvas);
    if (!sized) return;
    const marks = this.paint(sized.context, 0, 0, Math.min(sized.width, sized.height), view);
    const now = performance.now();
    if (this.app.playback.playing && now - this.stamp < READABLE) return;
    this.stamp = now;
    const { role, text } = this.state(marks);
    // What it does and how strongly may stand on two lines, a number and its unit may not.
    const [does, ...force] = text.split('  ');
    this.said.replaceChildren(does, ...(force.length > 0 ? ['  ', el('span', {}, force.join('  '))] : []));
    this.said.style.color = `var(--${role}-text)`;
  }

  // For tests: what is drawn, in the units of the lens.
  drawn(view: Quaternion) {
    const layers = this.figure.layers(view);
    return { factor: this.figure.factor, layers, marks: this.marks().map(({ at, to }) => ({ at, to })), text: this.state().text };
  }

  // Into a square of a canvas; returns what it has marked.
  paint(context: CanvasRenderingContext2D, left: number, top: number, size: number, view: Quaternion): Mark[] {
    const half = size / 2, x = (v: number) => left + half + v * half * 0.97, y = (v: number) => top + half - v * half * 0.97;
    context.save();
    context.beginPath();
    context.rect(left, top, size, size);
    context.clip();
    context.lineJoin = 'round';
    for (const layer of this.figure.layers(view)) this.paintLayer(context, layer, x, y, size);
    const marks = this.marks();
    for (const mark of marks) this.paintMark(context, mark, x, y, size);
    context.restore();
    return marks;
  }

  private paintLayer(context: CanvasRenderingContext2D, layer: Layer, x: (v: number) => number, y: (v: number) => number, size: number): void {
    const { colors, dark } = theme, child = colors.bodies[(this.joint.child - 1) % colors.bodies.length];
    const parent = this.joint.parent > 0 ? colors.bodies[(this.joint.parent - 1) % colors.bodies.length] : colors.metalFill;
    const fill = { housing: parent, parent, child, hole: dark ? '#0d1116' : '#ffffff' }[layer.role];
    context.beginPath();
    for (const outline of layer.hole ? [layer.outline, layer.hole] : [layer.outline]) {
      outline.forEach(([px, py], i) => context[i === 0 ? 'moveTo' : 'lineTo'](x(px), y(py)));
      context.closePath();
    }
    context.setLineDash(layer.dashed ? [size / 40, size / 40] : []);
    if (!layer.dashed) {
      context.globalAlpha = layer.role === 'hole' ? 1 : 0.85;
      context.fillStyle = fill;
      context.fill('evenodd');
      context.globalAlpha = 1;
    }
    context.lineWidth = Math.max(1, size / 110);
    context.strokeStyle = layer.dashed ? fill : colors.metal;
    context.stroke();
    context.setLineDash([]);
  }

  private paintMark(context: CanvasRenderingContext2D, { at, to, length, look }: Mark, x: (v: number) => number, y: (v: number) => number, size: number): void {
    const color = look.impact ? theme.colors.impact : look.mode.role === 'open' ? theme.colors.faint : theme.colors[look.mode.role];
    const dot = Math.max(3, size / 45), head = Math.min(0.12, 0.6 * length);
    const tip = [at[0] + to[0] * length, at[1] + to[1] * length], neck = [at[0] + to[0] * (length - head), at[1] + to[1] * (length - head)];
    for (const [style, wide] of [[theme.colors.background, 3], [color, 0]] as const) {
      context.strokeStyle = context.fillStyle = style;
      context.lineWidth = Math.max(2.2, size / 55) + wide;
      context.beginPath();
      context.moveTo(x(at[0]), y(at[1]));
      context.lineTo(x(neck[0]), y(neck[1]));
      if (length > 0.03) context.stroke();
      context.beginPath();
      context.moveTo(x(tip[0]), y(tip[1]));
      for (const side of [0.5, -0.5]) context.lineTo(x(neck[0] - side * head * to[1]), y(neck[1] + side * head * to[0]));
      context.closePath();
      if (length > 0.03) {
        context.lineWidth = wide;
        if (wide > 0) context.stroke();
        context.fill();
      }
      context.beginPath();
      context.arc(x(at[0]), y(at[1]), dot + wide / 2, 0, 2 * Math.PI);
      context.fill();
    }
  }
}

export interface Lenses {
  element: HTMLElement;
  readonly list: Lens[];
  readonly visible: Lens[];                                // as far as they are on the screen
  room(): { width: number; height: number } | null;        // that they take, in pixels
  update(): void;
  toggle(show: boolean): void;
}

// The lenses in a corner of the scene, of the first joints with play.
export function lensInsets(app: App): Lenses {
  const { mechanism, camera } = app.scene;
  const list = mechanism.joints.flatMap((joint) => {
    const figure = lensFigure(joint, app.run, mechanism.poses);
    return figure ? [new Lens(app, joint, figure)] : [];
  }).slice(0, MOST_LENSES);
  const element = el('div', { class: `insets${list.length > FEW ? ' many' : ''}` }, ...list.map((lens) => lens.element));
  let shown = true;
  // Those that would be cut off are left out.
  const room = () => {
    const height = app.scene.element.clientHeight;
    for (const lens of list) lens.element.style.visibility = '';
    for (const lens of list) if (lens.element.offsetTop + lens.element.offsetHeight > height - element.offsetTop) lens.element.style.visibility = 'hidden';
  };
  const observer = new ResizeObserver(() => { room(); app.scene.placeCompass(); });
  for (const node of [app.scene.element, element]) observer.observe(node);   // a caption that gets a second line moves those below
  return {
    element, list,
    get visible() { return shown ? list.filter((lens) => lens.element.style.visibility === '') : []; },
    room() {
      const last = list.filter(({ element: { style, offsetHeight } }) => style.visibility === '' && offsetHeight > 0).pop();   // a phone shows few
      return shown && last ? { width: element.offsetWidth, height: last.element.offsetTop + last.element.offsetHeight } : null;
    },
    update() { if (shown) for (const lens of list) lens.update(camera.quaternion); },
    toggle(show) {
      shown = show;
      element.hidden = !show;
    },
  };
}
