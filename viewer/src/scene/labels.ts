// Names of bodies and joints over the scene, on demand.
import { Camera, Vector3 } from 'three';
import { el, named } from '../toolkit/dom';
import type { MechanismView } from './mechanism';

const MOST = 150;

export class Labels {
  readonly element = el('div', { class: 'labels', hidden: true });
  private items: { node: HTMLElement; body: number; at: Vector3 }[] | null = null;
  private readonly place = new Vector3();

  constructor(private readonly mechanism: MechanismView) {}

  toggle(show: boolean): void { this.element.hidden = !show; }

  private build(): void {
    this.items = [];
    const add = (name: string, body: number, at: Vector3, className: string) => {
      if (this.items!.length >= MOST || !this.mechanism.poses.known[body]) return;
      const node = named('span', name, 24, className);
      this.element.append(node);
      this.items!.push({ node, body, at });
    };
    this.mechanism.poses.names.forEach((name, i) => { if (i > 0) add(name, i, new Vector3(), 'body'); });
    for (const joint of this.mechanism.joints) add(joint.data.name, joint.child, joint.drawn.atChild, 'joint');
  }

  update(camera: Camera, width: number, height: number): void {
    if (this.element.hidden) return;
    if (!this.items) this.build();
    const { position, rotation } = this.mechanism.magnifier;
    for (const { node, body, at } of this.items!) {
      this.place.copy(at).applyQuaternion(rotation[body]).add(position[body]).project(camera);
      const visible = this.place.z < 1 && Math.abs(this.place.x) < 1.1 && Math.abs(this.place.y) < 1.1;
      node.hidden = !visible;
      if (visible) node.style.transform = `translate(${((this.place.x + 1) / 2) * width}px, ${((1 - this.place.y) / 2) * height}px)`;
    }
  }
}
