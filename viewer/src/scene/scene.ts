// The three.js scene: camera, light, grid, scale bar; it renders only when something has changed.
import { Box3, Color, OrthographicCamera, PerspectiveCamera, Scene, Vector3, WebGLRenderer, MOUSE, TOUCH } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { el } from '../toolkit/dom';
import { niceBelow, quantity } from '../toolkit/format';
import { CameraGuard } from './camera_guard';
import { Compass } from './compass';
import { Daylight } from './daylight';
import { MechanismView } from './mechanism';
import { PlanarGrid } from './planar_grid';
import type { Run } from '../data/run';
import { theme } from '../toolkit/theme';
import { besideOf } from './beside';

const INSET_GAP = 16;   // pixels between an inset and the mechanism
const MOST_SHRUNK = 1.6;   // by which a mechanism may be drawn smaller to keep clear of an inset

const screenRatio = () => Math.min(window.devicePixelRatio || 1, 2);

export type ViewName = 'x' | 'y' | 'z' | 'oblique';

export class SceneView {
  readonly element = el('div', { class: 'scene' });
  readonly canvas: HTMLCanvasElement;
  readonly mechanism: MechanismView;
  readonly ghost: MechanismView | null;     // of a second run, under the first
  readonly camera: OrthographicCamera | PerspectiveCamera;
  readonly compass: Compass;
  // What covers the upper right corner of the picture, in pixels; fitting keeps clear of it.
  inset: () => { width: number; height: number } | null = () => null;
  follow = -1;                              // body that stays in the middle
  private readonly scene = new Scene();
  private readonly ghostScene = new Scene();
  private together: Box3 | null = null;       // what both runs need where they are over each other
  private readonly renderer: WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly grid: PlanarGrid | null = null;
  private readonly daylight: Daylight | null = null;
  private readonly scaleBar = el('div', { class: 'scale-bar' });
  private readonly up = new Vector3(0, 1, 0);
  private readonly guard: CameraGuard;
  private readonly followed = new Vector3();
  private readonly overlays: ((camera: OrthographicCamera | PerspectiveCamera, width: number, height: number) => void)[] = [];
  private width = 0;
  private height = 0;
  private isPosing = false;                 // for pictures of another size than the screen's
  private dirty = true;

  constructor(private readonly run: Run, other: Run | null = null) {
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(screenRatio());
    this.renderer.localClippingEnabled = true;
    this.canvas = this.renderer.domElement;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('aria-label', 'The mechanism');
    const gravity = new Vector3(...(run.header.geometry.gravity ?? [0, 0, 0]));
    this.compass = new Compass(run.planar, gravity.lengthSq() > 0 ? gravity.clone() : null);
    this.element.append(this.canvas, this.scaleBar, this.compass.element);
    if (!run.planar) this.up.copy(gravity.lengthSq() > 0 ? gravity.normalize().negate() : new Vector3(0, 0, 1));
    this.mechanism = new MechanismView(run, this.scene);
    this.ghost = other && other.planar === run.planar ? new MechanismView(other, this.ghostScene, true) : null;
    if (this.ghost) this.mechanism.bounds.whole.union(this.ghost.bounds.whole);
    this.scene.add(this.ghostScene);
    if (this.isEmpty) {
      this.element.append(el('p', { class: 'nothing' }, 'Nothing to draw: the positions of the bodies were not recorded. Curves and tables show what was.'));
    }
    const { size } = this.mechanism.bounds;
    if (run.planar) {
      this.camera = new OrthographicCamera(-1, 1, 1, -1, 0.01 * size, 200 * size);
      this.camera.position.set(0, 0, 100 * size);
      this.grid = new PlanarGrid();
      this.scene.add(this.grid.object);
    } else {
      this.camera = new PerspectiveCamera(32, 1, 0.005 * size, 500 * size);
      this.camera.up.copy(this.up);
      const { whole, atStart, traveller } = this.mechanism.bounds;
      this.daylight = new Daylight(this.renderer, this.scene, this.up, size, traveller > 0 ? atStart : whole);
      if (!run.header.geometry.shapes.some((shape) => shape.type === 'plane')) this.daylight.floor(this.scene, whole);
    }
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.guard = new CameraGuard([this.scene], size);
    this.controls.addEventListener('change', () => {
      if (!run.planar) this.guard.hold(this.camera.position, this.controls.target);
      this.dirty = true;
    });
    this.controls.zoomToCursor = true;
    this.controls.zoomSpeed = 2.2;
    if (!run.planar) this.controls.minDistance = 0.05 * size;
    if (run.planar) {
      this.controls.enableRotate = false;
      this.controls.screenSpacePanning = true;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    theme.listen((colors) => {
      this.scene.background = new Color(colors.background);
      this.dirty = true;
    });
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  // Where the run has recorded no positions.
  get isEmpty(): boolean { return !this.mechanism.poses.known.some((known, i) => known && i > 0); }
  addOverlay(update: (camera: OrthographicCamera | PerspectiveCamera, width: number, height: number) => void): void { this.overlays.push(update); }
  invalidate(): void { this.dirty = true; }

  private resize(): void {
    const width = this.element.clientWidth, height = this.element.clientHeight;
    if (this.isPosing || width < 2 || height < 2 || (width === this.width && height === this.height)) return;
    const first = this.width === 0;
    this.setSize(width, height);
    if (first) {
      if (this.mechanism.bounds.traveller > 0) this.followBody(this.mechanism.bounds.traveller);
      this.fit();
    }
    this.frame();
  }
  private setSize(width: number, height: number): void {
    const first = this.width === 0;
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, !this.isPosing);
    if (!this.isPosing) this.placeCompass();
    if (this.camera instanceof OrthographicCamera) {
      // The same part of the world stays visible in height.
      const half = first ? 1 : this.camera.top;
      this.camera.top = half;
      this.camera.bottom = -half;
      this.camera.left = (-half * width) / height;
      this.camera.right = (half * width) / height;
    } else {
      this.camera.aspect = width / height;
    }
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  // From here to `unpose` pictures have another size (CSS pixels) and resolution than the screen.
  pose(width: number, height: number, ratio: number): void {
    this.isPosing = true;
    this.renderer.setPixelRatio(ratio);
    this.setSize(width, height);
  }
  unpose(): void {
    this.isPosing = false;
    this.renderer.setPixelRatio(screenRatio());
    this.width = this.width || 1;
    this.setSize(Math.max(2, this.element.clientWidth), Math.max(2, this.element.clientHeight));
    this.frame();
  }
  showGhost(show: boolean): void { this.ghostScene.visible = show; }
  // The second run beside the first instead of under it.
  setSideBySide(on: boolean): void {
    if (!this.ghost) return;
    const { whole } = this.mechanism.bounds;
    this.together ??= whole.clone();
    this.ghostScene.position.copy(on ? besideOf(this.together, this.run.planar, this.camera) : new Vector3());
    whole.copy(this.together);
    if (on) whole.union(this.together.clone().translate(this.ghostScene.position));
    this.fit();
    this.dirty = true;
  }
  get ghostShift(): Vector3 { return this.ghostScene.position; }

  // What brings the camera back to where it is now.
  rememberCamera(): () => void {
    const { camera, controls } = this;
    const position = camera.position.clone(), target = controls.target.clone(), zoom = camera.zoom, turn = camera.quaternion.clone();
    const half = camera instanceof OrthographicCamera ? camera.top : 0;
    return () => {
      camera.position.copy(position);
      camera.quaternion.copy(turn);
      camera.zoom = zoom;
      if (camera instanceof OrthographicCamera) {
        Object.assign(camera, { top: half, bottom: -half, left: (-half * this.width) / this.height, right: (half * this.width) / this.height });
      }
      camera.updateProjectionMatrix();
      controls.target.copy(target);
      this.guard.allow(position);
      controls.update();
      if (this.follow > 0) this.followed.copy(this.mechanism.magnifier.position[this.follow]);
      this.dirty = true;
    };
  }
  // The canvas with the mechanism as it is at the cursor: to be copied before the next frame.
  shoot(): HTMLCanvasElement {
    this.dirty = true;
    this.frame();
    return this.canvas;
  }
  get scale(): { length: number; pixels: number; text: string } {
    const length = niceBelow(this.pixel * 130);
    return { length, pixels: length / this.pixel, text: quantity(length, 'm', 3) };
  }

  // The space in which the mechanism moves; where that is long against its size, the space around the body that is followed.
  private target(): Box3 {
    const { whole, atStart, size, traveller } = this.mechanism.bounds;
    const box = whole.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : whole.clone();
    if (traveller > 0) {
      box.copy(atStart).expandByScalar(0.25 * size);
      if (this.follow > 0) box.translate(box.getCenter(new Vector3()).negate().add(this.mechanism.magnifier.position[this.follow]));
    }
    const margin = (this.run.planar ? 0.09 : 0.04) * size + (this.mechanism.magnifier.magnification - 1) * this.largestClearance();
    return box.expandByScalar(margin);
  }
  private largestClearance(): number {
    return this.mechanism.joints.reduce((most, joint) => Math.max(most, joint.play ? joint.data.clearance ?? 0 : 0), 0);
  }

  fit(): void {
    const box = this.target();
    const centre = box.getCenter(new Vector3()), extent = box.getSize(new Vector3());
    if (this.camera instanceof OrthographicCamera) {
      const { worldPerPixel, beside, below } = this.roomFor(extent);
      const halfWidth = (worldPerPixel * this.width) / 2, half = (worldPerPixel * this.height) / 2;
      centre.x += (worldPerPixel * beside) / 2;
      centre.y += (worldPerPixel * below) / 2;
      Object.assign(this.camera, { top: half, bottom: -half, left: -halfWidth, right: halfWidth, zoom: 1 });
      this.camera.position.set(centre.x, centre.y, this.camera.position.z);
      this.camera.updateProjectionMatrix();
      this.controls.target.set(centre.x, centre.y, 0);
      this.controls.update();
      this.dirty = true;
    } else {
      this.view('oblique');
    }
    this.placeCompass();
  }

  // The largest picture of a box that keeps clear of the inset in the upper right corner: beside it or below it.
  private roomFor(extent: Vector3): { worldPerPixel: number; beside: number; below: number } {
    const { width, height } = this;
    const scale = (w: number, h: number) => Math.max(extent.x / Math.max(1, w), extent.y / Math.max(1, h), 1e-9 / Math.max(1, height));
    const whole = { worldPerPixel: scale(width, height), beside: 0, below: 0 };
    const box = this.inset();
    if (!box || box.width === 0) return whole;
    const right = box.width + INSET_GAP, top = box.height + INSET_GAP;
    const choices = [{ worldPerPixel: scale(width - right, height), beside: right, below: 0 }, { worldPerPixel: scale(width, height - top), beside: 0, below: top }];
    // Below, if that is no smaller, but no farther from the middle than it has to: at the lower edge are the scales.
    const best = choices[1].worldPerPixel <= choices[0].worldPerPixel ? choices[1] : choices[0];
    // A phone has no room to give away: rather a lens over a corner of the mechanism than a mechanism that one cannot see.
    if (best.worldPerPixel > MOST_SHRUNK * whole.worldPerPixel) return whole;
    return { ...best, below: Math.min(best.below, Math.max(0, 2 * top + extent.y / best.worldPerPixel - height)) };
  }

  view(name: ViewName): void {
    if (!(this.camera instanceof PerspectiveCamera)) return;
    const box = this.target();
    const centre = box.getCenter(new Vector3());
    const direction = new Vector3();
    if (name === 'oblique') {
      const side = new Vector3().crossVectors(this.up, Math.abs(this.up.z) < 0.9 ? new Vector3(0, 0, 1) : new Vector3(1, 0, 0)).normalize();
      const front = new Vector3().crossVectors(side, this.up);
      direction.copy(this.up).multiplyScalar(0.5).addScaledVector(side, 0.75).addScaledVector(front, 0.85);
    } else {
      direction.setComponent({ x: 0, y: 1, z: 2 }[name], 1);
      // Along the upward axis the camera needs a little of another direction to know what is up.
      if (Math.abs(direction.dot(this.up)) > 0.99) direction.add(new Vector3(1e-3, 1e-3, 1e-3).projectOnPlane(this.up));
    }
    const distance = this.distanceToSee(box, centre, direction.normalize());
    this.camera.position.copy(centre).addScaledVector(direction, distance);
    this.guard.allow(this.camera.position);
    this.controls.target.copy(centre);
    this.controls.update();
    this.dirty = true;
  }

  // How far away the camera sees all of a box whose centre it looks at.
  private distanceToSee(box: Box3, centre: Vector3, direction: Vector3): number {
    const { fov, aspect } = this.camera as PerspectiveCamera;
    const right = new Vector3().crossVectors(this.up, direction).normalize(), upward = new Vector3().crossVectors(direction, right);
    const slope = Math.tan((fov * Math.PI) / 360), corner = new Vector3();
    let distance = 0;
    for (let i = 0; i < 8; ++i) {
      corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z).sub(centre);
      const across = Math.max(Math.abs(corner.dot(upward)), Math.abs(corner.dot(right)) / aspect);
      distance = Math.max(distance, corner.dot(direction) + across / slope);
    }
    return 1.03 * distance;
  }

  isInside(place: Vector3): boolean { return this.guard.isInside(place); }
  followBody(body: number): void {
    this.follow = body;
    if (body > 0) this.followed.copy(this.mechanism.magnifier.position[body]);
  }

  get pixel(): number {
    if (this.camera instanceof OrthographicCamera) return (this.camera.top - this.camera.bottom) / this.camera.zoom / Math.max(1, this.height);
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / Math.max(1, this.height);
  }

  private readonly moved = new Vector3();
  frame(): void {
    if (!this.dirty || this.width === 0) return;
    this.dirty = false;
    this.mechanism.update(this.pixel);
    if (this.ghostScene.visible) this.ghost?.update(this.pixel);
    if (this.follow > 0) {
      const now = this.mechanism.magnifier.position[this.follow];
      this.moved.copy(now).sub(this.followed);
      this.camera.position.add(this.moved);
      this.controls.target.add(this.moved);
      this.followed.copy(now);
      this.guard.allow(this.camera.position);
      this.daylight?.follow(now);
    }
    this.camera.updateMatrixWorld();
    if (!this.isPosing) this.compass.update(this.camera.quaternion);
    this.mechanism.planes.update(this.camera);
    if (this.grid) this.grid.update(this.camera as OrthographicCamera, this.pixel);
    this.renderer.render(this.scene, this.camera);
    for (const overlay of this.overlays) overlay(this.camera, this.width, this.height);
    this.updateScaleBar();
  }

  // Lenses that reach down to the axes of the world push them aside.
  placeCompass(): void {
    const box = this.inset(), isAbove = box !== null && box.height + this.compass.height > this.height;
    this.compass.element.style.right = isAbove ? `${box.width + INSET_GAP}px` : '';
  }

  private barLength = 0;
  private updateScaleBar(): void {
    const { length, pixels, text } = this.scale;
    const width = `${Math.round(pixels)}px`;
    if (this.scaleBar.style.width !== width) this.scaleBar.style.width = width;
    if (length === this.barLength) return;
    this.barLength = length;
    this.scaleBar.textContent = text;
  }

  // Pixels as they are on the screen now: rendered again, since browsers may drop the buffer after a frame.
  readPixels(): { width: number; height: number; data: Uint8Array } {
    this.dirty = true;
    this.frame();
    const gl = this.renderer.getContext();
    const width = gl.drawingBufferWidth, height = gl.drawingBufferHeight;
    const data = new Uint8Array(width * height * 4);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
    return { width, height, data };
  }
}
