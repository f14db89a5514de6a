// Springs as zigzags of unit length that are stretched between their ends: no geometry is made while it moves.
import { Group, Object3D, Quaternion, Vector3 } from 'three';
import type { SpringData } from '../../data/data_block';
import type { Deformations } from '../../geometry/beams';
import { vector } from '../../geometry/joint_frames';
import { LAYER, type Paint } from '../paint';

const X = new Vector3(1, 0, 0);
const COILS = 9;

export class SpringDrawing {
  readonly object: Object3D = new Group();
  private readonly atParent: Vector3;
  private readonly atChild: Vector3;
  private readonly a = new Vector3();
  private readonly b = new Vector3();

  constructor(spring: SpringData, private readonly parent: number, private readonly child: number, deformations: Deformations, paint: Paint, private readonly width: number) {
    this.atParent = deformations.attach(parent, vector(spring.at_parent)).drawn.at;
    this.atChild = deformations.attach(child, vector(spring.at_child)).drawn.at;
    const points = [new Vector3(0, 0, 0), new Vector3(0.12, 0, 0)];
    for (let i = 0; i < COILS; ++i) points.push(new Vector3(0.12 + (0.76 * (i + 0.5)) / COILS, i % 2 === 0 ? 1 : -1, 0));
    points.push(new Vector3(0.88, 0, 0), new Vector3(1, 0, 0));
    this.object.add(paint.polyline(points, 'spring', LAYER.joint - 10, 1.8));
    // Seen edge-on in space a flat zigzag would vanish, hence a second one across.
    if (!paint.planar) {
      const across = paint.polyline(points.map((p) => new Vector3(p.x, 0, p.y)), 'spring', LAYER.joint - 10, 1.8);
      this.object.add(across);
    }
  }

  update(position: Vector3[], rotation: Quaternion[]): void {
    this.a.copy(this.atParent).applyQuaternion(rotation[this.parent]).add(position[this.parent]);
    this.b.copy(this.atChild).applyQuaternion(rotation[this.child]).add(position[this.child]).sub(this.a);
    const length = this.b.length();
    this.object.visible = length > 1e-9;
    if (!this.object.visible) return;
    this.object.position.copy(this.a);
    this.object.quaternion.setFromUnitVectors(X, this.b.divideScalar(length));
    this.object.scale.set(length, this.width, this.width);
  }
}
