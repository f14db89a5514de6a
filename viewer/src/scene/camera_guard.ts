// Keeps the camera out of the parts: who zooms or turns stops before a surface instead of going through it. What one sees
// through may be entered, as may what is beyond a plane.
import { DoubleSide, InstancedMesh, Material, Mesh, Object3D, Raycaster, Vector3 } from 'three';

const MARGIN = 0.02;   // of the mechanism's size: farther than where the camera begins to see
// No edge of a part lies along these.
const DIRECTIONS = [new Vector3(0.803, 0.337, 0.491), new Vector3(-0.411, 0.874, -0.259), new Vector3(0.173, -0.521, 0.836)].map((v) => v.normalize());

// What is drawn solid: neither planes nor what one sees through.
function parts(roots: Object3D[]): Mesh[] {
  const found: Mesh[] = [];
  for (const root of roots) {
    root.traverseVisible((node) => {
      if (!(node as Mesh).isMesh || !node.userData.isSolid) return;
      if (node instanceof InstancedMesh) node.boundingSphere = null;   // where the crowd was when one asked last
      found.push(node as Mesh);
    });
  }
  return found;
}

export class CameraGuard {
  private readonly ray = new Raycaster();
  private readonly before = new Vector3();   // where the camera was allowed to be
  private readonly way = new Vector3();

  constructor(private readonly roots: Object3D[], private readonly size: number) {}

  // The camera has been put here, or has gone along with a body.
  allow(position: Vector3): void { this.before.copy(position); }

  // Takes the camera, and what it looks at, back to before the first surface on its way.
  hold(position: Vector3, target: Vector3): void {
    const long = this.way.copy(position).sub(this.before).length(), margin = MARGIN * this.size;
    if (long > 0) {
      this.ray.set(this.before, this.way.divideScalar(long));
      this.ray.far = long + margin;
      const [hit] = this.ray.intersectObjects(parts(this.roots), false);
      if (hit) {
        const back = this.way.multiplyScalar(Math.max(0, hit.distance - margin) - long);
        position.add(back);
        target.add(back);
      }
    }
    this.before.copy(position);
  }

  // Whether a place is inside of a part: rays from there leave it once more often than they enter it.
  isInside(place: Vector3): boolean {
    this.ray.far = Infinity;
    return parts(this.roots).some((mesh) => {
      const material = mesh.material as Material, { side } = material;
      material.side = DoubleSide;
      const odd = DIRECTIONS.filter((direction) => {
        this.ray.set(place, direction);
        const distances = new Set(this.ray.intersectObject(mesh, false).map(({ distance }) => distance.toPrecision(6)));   // an edge is hit twice
        return distances.size % 2 === 1;
      }).length;
      material.side = side;
      return odd > DIRECTIONS.length / 2;
    });
  }
}
