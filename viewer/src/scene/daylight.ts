// Light of spatial scenes: sky and a sun with soft shadows on the parts and on the floor, which tell what lies on what and how high
// something flies. The floor of a model without a plane is a grid below the motion.
import {
  AmbientLight, Box3, Color, DirectionalLight, HemisphereLight, Mesh, PCFShadowMap, PlaneGeometry, Quaternion, Scene, ShadowMaterial,
  Vector3, WebGLRenderer,
} from 'three';
import { ruledMaterial, ruledPlane } from './plane_grid';
import { theme } from '../toolkit/theme';

const SHADOW_PIXELS = 2048;
const SHADE = { light: 0.22, dark: 0.5 };   // of the floor

export const shadowMaterial = (): ShadowMaterial => {
  const material = new ShadowMaterial({ transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -1 });
  material.color = new Color(0x000000);
  theme.listen(() => { material.opacity = theme.dark ? SHADE.dark : SHADE.light; });
  return material;
};

export class Daylight {
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private readonly towards: Vector3;       // from what is lit to the sun
  private readonly middle = new Vector3();

  // `lit` is the box in which parts throw shadows; `size` that of the mechanism.
  constructor(renderer: WebGLRenderer, scene: Scene, private readonly up: Vector3, private readonly size: number, lit: Box3) {
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;   // the one that takes a radius
    scene.add(new HemisphereLight(0xffffff, 0x8894a0, 1.35), new AmbientLight(0xffffff, 0.3));
    const across = Math.abs(up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    this.towards = up.clone().multiplyScalar(3).addScaledVector(across.clone().cross(up), 1.2).addScaledVector(across, 0.6).normalize();
    const radius = lit.isEmpty() ? size : Math.max(0.5 * lit.getSize(new Vector3()).length(), 0.5 * size);
    this.aim(lit.isEmpty() ? new Vector3() : lit.getCenter(new Vector3()), radius);
    scene.add(this.sun, this.sun.target);
  }

  private aim(centre: Vector3, radius: number): void {
    const { sun } = this, { camera } = sun.shadow, reach = 1.25 * radius;
    sun.castShadow = true;
    sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * radius, far: 8 * radius });
    camera.updateProjectionMatrix();
    // Two texels of the map: less and a surface shades itself, more and what touches seems to float.
    sun.shadow.normalBias = (4 * reach) / SHADOW_PIXELS;
    sun.shadow.bias = -5e-4;
    sun.shadow.radius = 3;
    this.distance = 4 * radius;
    this.follow(centre);
  }
  private distance = 1;

  // The sun goes with what the camera follows.
  follow(centre: Vector3): void {
    if (this.middle.equals(centre) && this.sun.position.lengthSq() > 0) return;
    this.middle.copy(centre);
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(this.towards, this.distance);
  }

  // A grid below the box in which the mechanism moves, with the shadows on it.
  floor(scene: Scene, box: Box3): void {
    const { up, size } = this, material = ruledMaterial(0.6), grid = ruledPlane(3 * size, 24, material);
    if (!box.isEmpty()) {
      box.getCenter(grid.position);
      const corner = new Vector3();
      let low = Infinity;
      for (let i = 0; i < 8; ++i) {
        corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
        low = Math.min(low, corner.dot(up));
      }
      grid.position.addScaledVector(up, low - grid.position.dot(up) - 0.08 * size);
    }
    grid.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up));
    theme.listen((colors) => material.color.set(colors.gridStrong));
    const shade = new Mesh(new PlaneGeometry(6 * size, 6 * size), shadowMaterial());
    shade.receiveShadow = true;
    grid.add(shade);
    scene.add(grid);
  }
}
