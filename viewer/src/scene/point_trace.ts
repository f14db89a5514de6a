// A click on a part draws the path of that point of it, as it is drawn: with its magnified play. Another click takes it away.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Raycaster, Vector2, Vector3, type Object3D } from 'three';
import type { Run } from '../data/run';
import { theme } from '../toolkit/theme';
import type { SceneView } from './scene';

const PLACES = 800;   // of the path; each assembles the mechanism once
const CLICK = 4;      // px that a pointer may move within a click

export class PointTrace {
  body = -1;                            // whose point it is, -1: none
  readonly point = new Vector3();       // of the body, its axes
  path: Vector3[] = [];
  onChange: (name: string | null) => void = () => undefined;
  private readonly material = new LineBasicMaterial({ depthTest: false, transparent: true });
  private readonly line = new Line(new BufferGeometry(), this.material);
  private down: [number, number] | null = null;

  constructor(private readonly view: SceneView, private readonly run: Run, private readonly part: () => [number, number]) {
    this.line.renderOrder = 5;
    this.line.frustumCulled = false;
    this.line.visible = false;
    view.mechanism.groups[0].parent?.add(this.line);
    view.canvas.addEventListener('pointerdown', (event) => { this.down = [event.clientX, event.clientY]; });
    view.canvas.addEventListener('pointerup', (event) => {
      if (!this.down || event.button !== 0 || Math.hypot(event.clientX - this.down[0], event.clientY - this.down[1]) > CLICK) return;
      const box = view.canvas.getBoundingClientRect();
      this.pick(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2);
    });
    theme.listen(() => { this.material.color.set(theme.colors.impact); });
  }

  // At a place of the picture, x and y from -1 to 1. What is hit first counts; the ground has no path.
  pick(x: number, y: number): void {
    const { groups } = this.view.mechanism, ray = new Raycaster();
    ray.setFromCamera(new Vector2(x, y), this.view.camera);
    ray.params.Line.threshold = 3 * this.view.pixel;
    for (const { object, point } of ray.intersectObjects(groups.slice(1), true)) {
      if (!isSeen(object)) continue;
      const body = groups.findIndex((group) => { for (let at: Object3D | null = object; at; at = at.parent) if (at === group) return true; return false; });
      if (body > 0) return this.set(body, groups[body].worldToLocal(point.clone()));
    }
    this.clear();
  }
  set(body: number, point: Vector3): void {
    this.body = body;
    this.point.copy(point);
    this.compute();
    this.onChange(this.view.mechanism.poses.names[body]);
  }
  clear(): void {
    if (this.body < 0) return;
    this.body = -1;
    this.path = [];
    this.line.visible = false;
    this.view.invalidate();
    this.onChange(null);
  }
  // Anew, after another magnification or part of the time.
  compute(): void {
    if (this.body < 0) return;
    const { mechanism, pixel } = this.view, now = this.run.time, [from, to] = this.part(), { position, rotation } = mechanism.magnifier;
    this.path = [];
    for (let k = 0; k < PLACES; ++k) {
      this.run.seek(from + ((to - from) * k) / (PLACES - 1));
      mechanism.update(pixel);
      this.path.push(this.point.clone().applyQuaternion(rotation[this.body]).add(position[this.body]));
    }
    this.run.seek(now);
    mechanism.update(pixel);
    this.line.geometry.dispose();
    this.line.geometry = new BufferGeometry();
    this.line.geometry.setAttribute('position', new BufferAttribute(Float32Array.from(this.path.flatMap((p) => p.toArray())), 3));
    this.line.visible = true;
    this.view.invalidate();
  }
}

function isSeen(object: Object3D): boolean {
  for (let at: Object3D | null = object; at; at = at.parent) if (!at.visible) return false;
  return true;
}
