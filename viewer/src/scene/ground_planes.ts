// Planes of the ground in space. Several of them make a box: each is drawn only as far as it borders on the space in
// front of all others, and only while the camera is in front of it, so that one can look in.
import { Camera, Material, Mesh, MeshBasicMaterial, Object3D, Plane, ShadowMaterial, Vector3 } from 'three';
import type { ShapeData } from '../data/data_block';
import { vector } from '../geometry/joint_frames';
import { theme } from '../toolkit/theme';

const LYING = 0.5;   // cosine of the slope up to which a plane of a box shows shadows

export class GroundPlanes {
  private readonly planes: { plane: Plane; object: Object3D }[] = [];
  private readonly eye = new Vector3();

  add(shape: ShapeData, object: Object3D): void {
    const normal = vector(shape.normal!).normalize();
    this.planes.push({ plane: new Plane().setFromNormalAndCoplanarPoint(normal, vector(shape.at ?? [0, 0, 0])), object });
  }

  // `up` is against gravity.
  clip(size: number, up: Vector3): void {
    for (const { plane, object } of this.planes) {
      const others = this.planes.filter((other) => other.plane !== plane).map((other) => other.plane.clone().translate(
        other.plane.normal.clone().multiplyScalar(-1e-4 * size)));
      if (others.length === 0) continue;
      object.traverse((node) => {
        const mesh = node as Mesh;
        if (!mesh.material) return;
        // The shader of shadows knows no clipping: on a wall they would go on below the floor, as long as the wall is steep.
        if (mesh.material instanceof ShadowMaterial) {
          mesh.visible = plane.normal.dot(up) > LYING;
          return;
        }
        const shared = mesh.material as Material & { color: MeshBasicMaterial['color'] };
        const own = shared.clone() as typeof shared;
        own.clippingPlanes = others;
        own.onBeforeCompile = shared.onBeforeCompile;   // which a copy does not have
        own.customProgramCacheKey = shared.customProgramCacheKey;
        mesh.material = own;
        theme.listen(() => { own.color.copy(shared.color); own.opacity = shared.opacity; });   // after the shared one: it listens since before
      });
    }
  }

  update(camera: Camera): void {
    this.eye.setFromMatrixPosition(camera.matrixWorld);
    for (const { plane, object } of this.planes) object.visible = plane.distanceToPoint(this.eye) > 0;
  }
}
