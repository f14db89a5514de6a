// Paper behind a planar mechanism: lines at round distances that follow the zoom.
import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments, OrthographicCamera } from 'three';
import { niceAbove } from '../toolkit/format';
import { theme } from '../toolkit/theme';

const MOST = 120;   // lines per direction

export class PlanarGrid {
  readonly object: LineSegments;
  private readonly positions = new BufferAttribute(new Float32Array(MOST * 2 * 2 * 3), 3);
  private readonly colors = new BufferAttribute(new Float32Array(MOST * 2 * 2 * 3), 3);
  private readonly thin = new Color();
  private readonly thick = new Color();

  constructor() {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.positions);
    geometry.setAttribute('color', this.colors);
    this.object = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, depthWrite: false }));
    this.object.renderOrder = -1;
    this.object.frustumCulled = false;
    theme.listen((colors) => {
      this.thin.set(colors.grid);
      this.thick.set(colors.gridStrong);
    });
  }

  update(camera: OrthographicCamera, pixel: number): void {
    const step = niceAbove(45 * pixel);
    const { x, y } = camera.position;
    const halfWidth = camera.right / camera.zoom, halfHeight = camera.top / camera.zoom;
    let n = 0;
    const line = (x0: number, y0: number, x1: number, y1: number, color: Color) => {
      if (n >= MOST * 4) return;
      this.positions.setXYZ(n, x0, y0, 0);
      this.positions.setXYZ(n + 1, x1, y1, 0);
      this.colors.setXYZ(n, color.r, color.g, color.b);
      this.colors.setXYZ(n + 1, color.r, color.g, color.b);
      n += 2;
    };
    for (let i = Math.ceil((x - halfWidth) / step); i <= (x + halfWidth) / step; ++i) {
      line(i * step, y - halfHeight, i * step, y + halfHeight, i === 0 ? this.thick : this.thin);
    }
    for (let i = Math.ceil((y - halfHeight) / step); i <= (y + halfHeight) / step; ++i) {
      line(x - halfWidth, i * step, x + halfWidth, i * step, i === 0 ? this.thick : this.thin);
    }
    this.object.geometry.setDrawRange(0, n);
    this.positions.needsUpdate = true;
    this.colors.needsUpdate = true;
  }
}
