// Newtons beside the arrows of the strongest contacts, and the scale of all arrows.
import { Camera, MathUtils, Vector3 } from 'three';
import type { ContactArrows } from './contact_arrows';
import { el } from '../../toolkit/dom';
import { niceBelow, quantity } from '../../toolkit/format';

const MOST = 5;            // labels at once
const READABLE = 120;      // ms between two values
export const ROOM = { width: 58, height: 15 };   // pixels that a label takes
const KEY_PIXELS = 70;     // the longest arrow of the scale
const EDGE = 12;           // and stands this far beside its arrow

export class ForceLabels {
  readonly element = el('div', { class: 'labels forces' });
  readonly key = el('div', { class: 'force-key', title: 'the length of the force arrows' });
  private readonly nodes = Array.from({ length: MOST }, () => el('span'));
  private readonly bar = el('i');
  private readonly text = el('span');
  private readonly place = new Vector3();
  private stamp = 0;
  private said = '';

  constructor(private readonly arrows: ContactArrows, private readonly isPlaying: () => boolean) {
    this.element.append(...this.nodes);
    this.key.append(this.bar, this.text);
  }

  update(camera: Camera, width: number, height: number, pixel: number): void {
    const shown = this.arrows.visible ? this.arrows.tips(MOST) : [], now = performance.now();
    const isFresh = !this.isPlaying() || now - this.stamp > READABLE;
    if (isFresh) this.stamp = now;
    const taken: [number, number][] = [];
    this.nodes.forEach((node, i) => {
      const tip = shown[i];
      this.place.copy(tip?.at ?? this.place).project(camera);
      // What lies outside is said at the edge.
      const x = MathUtils.clamp(((this.place.x + 1) / 2) * width, 0, width - ROOM.width - EDGE);
      const y = MathUtils.clamp(((1 - this.place.y) / 2) * height, ROOM.height, height - ROOM.height);
      // Of two that would lie over each other the stronger one is said.
      node.hidden = !tip || taken.some(([left, top]) => Math.abs(left - x) < ROOM.width && Math.abs(top - y) < ROOM.height);
      if (node.hidden) return;
      taken.push([x, y]);
      node.style.transform = `translate(${x}px, ${y}px)`;
      node.style.color = `var(--${tip.role}-text)`;
      if (isFresh) node.textContent = quantity(tip.value, tip.unit, 3);
    });
    this.updateKey(pixel);
  }

  private updateKey(pixel: number): void {
    const { arrows } = this, unit = arrows.unit;
    this.key.hidden = !arrows.visible || unit === null;
    if (unit === null) return;
    const value = niceBelow(arrows.loadOfLength(KEY_PIXELS * pixel)), long = arrows.lengthOfLoad(value) / pixel;
    const said = `${quantity(value, unit, 2)}${arrows.logarithmic ? ' (log)' : ''}`, wide = `${Math.round(long)}px`;
    if (this.bar.style.width !== wide) this.bar.style.width = wide;
    if (said === this.said) return;
    this.said = said;
    this.text.textContent = said;
  }
}
