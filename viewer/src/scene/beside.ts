// Where a second mechanism stands beside the first: in the plane to the right of it, or below where it is wider than high; in space to the
// right as the camera sees it.
import { Vector3, type Box3, type Camera } from 'three';

const GAP = 1.12;   // of the size

export function besideOf(box: Box3, planar: boolean, camera: Camera): Vector3 {
  const size = box.getSize(new Vector3());
  if (planar) return size.x > size.y ? new Vector3(0, -GAP * size.y, 0) : new Vector3(GAP * size.x, 0, 0);
  const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
  // As far as the box reaches along that direction.
  return right.multiplyScalar(GAP * (Math.abs(right.x) * size.x + Math.abs(right.y) * size.y + Math.abs(right.z) * size.z));
}
