// The mechanism on the scene: one group per body, moved by the (magnified) poses, and what connects the bodies.
import { Box3, Group, Object3D, Scene, Vector3 } from 'three';
import { boundsOf, type Bounds } from './bounds';
import { BearingColors } from './forces/bearing_colors';
import { barBetween, BLOCK_LENGTH, centreMark, drawBareBody, drawReach, stemLength } from './parts/bare_bodies';
import { ContactArrows } from './forces/contact_arrows';
import { drawCouplings } from './parts/couplings';
import { Crowd } from './parts/crowd';
import { boxOf, extentOf } from '../geometry/extents';
import { ElasticBodies } from './parts/elastic_bodies';
import { ForceChains } from './forces/force_chains';
import { largestGive } from './parts/give';
import { drawStops, type StopMark } from './parts/joint_stops';
import { GroundPlanes } from './ground_planes';
import { jointsOf, vector, type Joint } from '../geometry/joint_frames';
import { drawJoint, railEnds, SHAPED } from './parts/joint_symbols';
import { Magnifier } from '../geometry/magnifier';
import { LAYER, Paint } from './paint';
import { bearingWall, drawPlay, journalRadius, largestMagnification, magnificationToSee, type PlayDrawing } from './parts/play_joints';
import { Poses } from '../geometry/poses';
import type { Run } from '../data/run';
import { drawShape } from './parts/shapes';
import { SpringDrawing } from './parts/springs';
import { Stations } from './parts/stations';

const SMALL = 0.04;   // of the mechanism's size: bodies that the mark of the centre, 0.009, would hide
const CONTOURS = new Set(['cam', 'circle', 'ellipse', 'arc']);   // what a follower may ride on

export class MechanismView {
  readonly poses: Poses;
  readonly joints: Joint[];
  readonly bounds: Bounds;
  readonly magnifier: Magnifier;
  readonly arrows: ContactArrows;
  readonly chains: ForceChains;
  readonly groups: Group[];
  readonly planes = new GroundPlanes();
  readonly elastic: ElasticBodies;
  readonly crowd: Crowd;
  readonly bearings: BearingColors;
  readonly largest: number;
  readonly magnificationToSee: number;
  readonly notes: string[] = [];           // what the picture cannot show, said in the summary
  private readonly plays: PlayDrawing[] = [];
  private readonly springs: SpringDrawing[] = [];
  readonly stations = new Map<number, Stations>();          // elastic bodies that are no uniform beams
  readonly couplings: { name: string; kind: string; bodies: number[] }[] = [];
  private readonly turning: { name: string; object: Object3D; column: number }[] = [];
  private readonly stops = new Map<string, StopMark[]>();   // by name of the joint
  private readonly marks: Object3D[] = [];
  private readonly shapes = new Map<string, { group: Group; at: Vector3 }>();   // by `body.shape`
  private readonly shaped = new Set<number>();   // bodies whose shapes are drawn

  constructor(private readonly run: Run, scene: Scene, isGhost = false) {
    const { geometry } = run.header;
    const paint = new Paint(run.planar, isGhost);
    this.poses = new Poses(run);
    this.joints = jointsOf(geometry, (name) => this.poses.indexOf(name), this.poses.deformations);
    this.bounds = boundsOf(run, this.poses, this.joints);
    const { size } = this.bounds;
    this.magnifier = new Magnifier(this.poses, this.joints, size, run.planar);
    this.largest = largestMagnification(this.joints, size);
    this.magnificationToSee = this.magnifier.left.length > 0 ? 1 : magnificationToSee(this.joints, size, this.largest);
    this.crowd = new Crowd(geometry, (name) => this.poses.indexOf(name), this.poses.known, run.planar, isGhost);
    this.crowd.addTo(scene);
    this.groups = this.poses.names.map((_, i) => {
      const group = new Group();
      group.visible = this.poses.known[i];
      if (!this.crowd.bodies.has(i)) scene.add(group);
      return group;
    });
    this.elastic = new ElasticBodies(run, this.poses, this.groups);
    this.drawBodies(paint, size);
    const gravity = new Vector3(...(geometry.gravity ?? [0, 0, 0]));
    this.planes.clip(size, gravity.lengthSq() > 0 ? gravity.normalize().negate() : new Vector3(0, 0, 1));
    for (const joint of this.joints) this.drawJointOf(joint, paint, size);
    this.bearings = new BearingColors(run, this.poses, size, this.joints.filter((joint) => joint.play).map((joint) => (
      { joint, travel: this.bounds.travel.get(joint)!, parent: this.elastic.groupAt(joint.parent, joint.atParent) })));
    for (const { name, kind, places, reach } of drawCouplings(geometry.couplings ?? [], this.joints, this.poses, paint, size, this.bounds.travel, (body) => this.shaped.has(body))) {
      for (const { body, object } of places) this.groups[body].add(object);
      if (!reach.isEmpty()) this.bounds.whole.union(reach);
      this.couplings.push({ name, kind, bodies: places.map(({ body }) => body) });
    }
    for (const { name, stations } of geometry.bodies) {
      const body = this.poses.indexOf(name);
      if (!stations || !this.poses.known[body]) continue;
      const drawing = new Stations(stations, name, body, run, paint);
      this.stations.set(body, drawing);
      this.groups[body].add(drawing.object);
      if (!drawing.known) this.notes.push(`'${name}' is drawn as it is at rest: its modal coordinates were not recorded`);
    }
    const give = largestGive(run, this.poses, this.joints, this.stations.values(), size);
    if (give > 1) this.elastic.largest = this.elastic.largest > 1 ? Math.min(give, this.elastic.largest) : give;
    for (const spring of geometry.springs) {
      const parent = this.poses.indexOf(spring.parent), child = this.poses.indexOf(spring.child);
      if (parent < 0 || child < 0 || !this.poses.known[parent] || !this.poses.known[child]) continue;
      const drawing = new SpringDrawing(spring, parent, child, this.poses.deformations, paint, 0.022 * size);
      this.springs.push(drawing);
      scene.add(drawing.object);
    }
    this.arrows = new ContactArrows(run, this.poses, this.magnifier, size);
    this.arrows.visible = !isGhost;
    scene.add(this.arrows.group);
    this.chains = new ForceChains(run, (body) => this.poses.known[body] ?? false, this.poses.position, (row) => {
      run.seek(run.whole.columns[0][row]);
      this.poses.update();
    });
    run.seek(run.first);
    this.poses.update();
    this.chains.visible = !isGhost;
    if (this.chains.mesh) scene.add(this.chains.mesh);
    this.elastic.draw(paint);
    const missing = this.poses.names.filter((_, i) => !this.poses.known[i]);
    if (missing.length > 0) this.notes.push(`not drawn, since their positions were not recorded: ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ` and ${missing.length - 8} more` : ''}`);
    if (this.magnifier.left.length > 0) this.notes.push('the clearance is not magnified: too many bodies hang together');
    for (const [body, beam] of this.poses.deformations.beams) {
      if (!beam.known) this.notes.push(`'${this.poses.names[body]}' is drawn straight: its modal coordinates were not recorded`);
    }
    this.setMagnification(1);
  }

  private drawBodies(paint: Paint, size: number): void {
    const { geometry, turns = {} } = this.run.header;
    const { shaped } = this, { whole } = this.bounds;
    const isLong = this.bounds.traveller > 0;
    const reach = whole.isEmpty() ? { centre: new Vector3(), radius: 0, isLong } : { centre: whole.getCenter(new Vector3()), radius: 0.5 * whole.getSize(new Vector3()).length(), isLong };
    for (const shape of geometry.shapes) {
      const body = this.poses.indexOf(shape.body);
      if (body < 0 || (paint.isGhost && body === 0)) continue;   // the ground is there already
      if (this.crowd.bodies.has(body)) {
        this.shapes.set(`${shape.body}.${shape.name}`, { group: this.groups[body], at: vector(shape.at ?? [0, 0, 0]) });
        continue;
      }
      const object = drawShape(shape, paint, body, size, reach);
      if (!object) {
        this.notes.push(`no drawing for shape '${shape.name}' of type '${shape.type}'`);
        continue;
      }
      if (shape.type !== 'point' && shape.type !== 'line' && shape.type !== 'plane') shaped.add(body);
      const at = vector(shape.at ?? [0, 0, 0]), group = this.elastic.groupAt(body, at);
      group.add(object);
      this.shapes.set(`${shape.body}.${shape.name}`, { group, at });
      if (shape.type === 'plane' && body === 0) this.planes.add(shape, object);
      if (shape.turn) {
        const name = `${shape.body}.${shape.name}`;
        if (Object.hasOwn(turns, name)) this.turning.push({ name, object, column: turns[name] });
        else this.notes.push(`'${shape.name}' is drawn at rest: the data has no angles of its turn, ${shape.turn}`);
      }
    }
    for (let body = 1; body < this.groups.length; ++body) {
      if (this.crowd.bodies.has(body)) continue;
      if (this.elastic.has(body)) {
        this.shaped.add(body);
        this.drawArms(body, paint, size);
        continue;   // drawn by itself, when all that it carries is known
      }
      if (geometry.bodies.some(({ name, stations }) => stations && name === this.poses.names[body])) {
        this.shaped.add(body);
        continue;
      }
      const joints = this.joints.filter((joint) => joint.parent === body || joint.child === body);
      if (shaped.has(body)) {
        const boxes = geometry.shapes.filter((shape) => shape.body === this.poses.names[body] && shape.type !== 'point')
          .flatMap((shape) => { const extent = extentOf(shape); return extent ? [boxOf(extent).expandByScalar(0.01 * size)] : []; });
        for (const bar of drawReach(body, joints, boxes, paint, size)) this.groups[body].add(bar);
      } else {
        const others: Vector3[] = [];
        for (const spring of geometry.springs) {
          if (spring.parent === this.poses.names[body]) others.push(vector(spring.at_parent));
          if (spring.child === this.poses.names[body]) others.push(vector(spring.at_child));
        }
        for (const shape of geometry.shapes) if ((shape.type === 'point' || shape.type === 'line') && shape.body === this.poses.names[body]) others.push(vector(shape.at ?? [0, 0, 0]));
        this.groups[body].add(drawBareBody({ index: body, joints, others, tip: this.tipOf(body), stem: this.stemOf(body), travel: (joint) => this.bounds.travel.get(joint)! }, paint, size));
      }
      if ((this.tipOf(body)?.length() ?? size) < 0.02 * size || this.reachOf(body) < SMALL * size) continue;   // the mark would hide the tip, or the body
      const mark = centreMark(paint, size);
      this.marks.push(mark);
      this.groups[body].add(mark);
    }
  }

  // From the axis of an elastic body to joints beside it, which the section next to them carries.
  private drawArms(body: number, paint: Paint, size: number): void {
    const { start, length, height, width } = this.poses.deformations.beams.get(body)!.data;
    for (const joint of this.joints) {
      for (const [end, at] of [[joint.parent, joint.atParent], [joint.child, joint.atChild]] as const) {
        const foot = new Vector3(Math.min(start[0] + length, Math.max(start[0], at.x)), start[1], start[2]);
        if (end !== body || foot.distanceTo(at) < Math.max(height, paint.planar ? 0 : width)) continue;
        this.elastic.groupAt(body, at).add(paint.planar ? paint.polyline([foot, at], body, LAYER.body, 2.4) : barBetween(foot, at, 0.006 * size, paint, body));
      }
    }
  }

  // How far the shapes of a body reach; of one without shapes no limit.
  private reachOf(body: number): number {
    if (!this.shaped.has(body)) return Infinity;
    const box = new Box3();
    for (const shape of this.run.header.geometry.shapes) {
      const extent = shape.body === this.poses.names[body] ? extentOf(shape) : null;
      if (extent) box.union(boxOf(extent));
    }
    return box.isEmpty() ? Infinity : 0.5 * box.getSize(new Vector3()).length();
  }
  private tipOf(body: number): Vector3 | null {
    const tips = this.run.header.geometry.shapes.filter((shape) => shape.type === 'point' && shape.body === this.poses.names[body]);
    return tips.length === 1 ? vector(tips[0].at ?? [0, 0, 0]) : null;
  }
  // A follower's stem leaves its tip away from what the ground has there, such as a cam: along its slide, + or -.
  private stemOf(body: number): number {
    const tip = this.tipOf(body);
    const slide = this.joints.find((joint) => joint.child === body && joint.data.type === 'prismatic');
    const { shapes, contacts = [] } = this.run.header.geometry, name = this.poses.names[body];
    const tipName = shapes.find((shape) => shape.type === 'point' && shape.body === name)?.name;
    const touched = contacts.flatMap(({ a, b }) => (a === `${name}.${tipName}` ? [b] : b === `${name}.${tipName}` ? [a] : []));
    const rides = shapes.filter((shape) => CONTOURS.has(shape.type) && shape.at && shape.body !== name);
    const partner = rides.find((shape) => touched.includes(`${shape.body}.${shape.name}`)) ?? rides[0];
    if (!tip || !slide || !partner) return 0;
    const at = vector(partner.at!).add(this.poses.position[Math.max(0, this.poses.indexOf(partner.body))]);
    const axis = new Vector3(1, 0, 0).applyQuaternion(slide.frameParent);
    return tip.clone().add(this.poses.position[body]).sub(at).dot(axis) >= 0 ? 1 : -1;
  }

  private drawJointOf(joint: Joint, paint: Paint, size: number): void {
    const travel = this.bounds.travel.get(joint)!;
    if (joint.play) {
      const play = drawPlay(joint, paint, size, travel);
      if (!play) return;
      this.plays.push(play);
      this.elastic.groupAt(joint.parent, joint.atParent).add(play.onParent);
      this.elastic.groupAt(joint.child, joint.atChild).add(play.onChild);
      // The wall around a journal that the ground holds: a shaft alone would leave it out.
      if (paint.planar && joint.parent === 0 && joint.data.type === 'revolute') {
        const reach = journalRadius(joint, size) + joint.data.clearance! + bearingWall(joint, size);
        for (const side of [-reach, reach]) this.bounds.whole.expandByPoint(joint.atParent.clone().add(new Vector3(side, side, 0)));
      }
      // A rod that goes on where the camera stands would fill the picture.
      if (!paint.planar && joint.parent === 0) {
        play.magnify(1);
        this.bounds.whole.union(new Box3().setFromObject(play.onParent));
      }
      return;
    }
    const stem = this.shaped.has(joint.child) ? SHAPED : this.tipOf(joint.child) ? this.stemOf(joint.child) : 0;
    if (Math.abs(stem) === 1) {
      // The stem counts for the fit of the view.
      const { whole } = this.bounds;
      const axis = new Vector3(1, 0, 0).applyQuaternion(joint.frameParent);
      const end = (stem > 0 ? travel.from : travel.to) + stem * stemLength(size, travel);
      whole.expandByPoint(joint.atParent.clone().addScaledVector(axis, end));
    }
    this.drawStopsOf(joint, paint, size, stem);
    // The rails of a slide go on to stops that are not far off.
    const { lower = travel.from, upper = travel.to } = (joint.data.type === 'prismatic' && joint.data.stops) || {};
    if (lower > travel.from - 0.5 * size) travel.from = Math.min(travel.from, lower);
    if (upper < travel.to + 0.5 * size) travel.to = Math.max(travel.to, upper);
    const symbol = drawJoint(joint, paint, size, travel, stem);
    for (const end of railEnds(joint, size, travel, stem)) this.bounds.whole.expandByPoint(end);
    if (symbol.onParent) this.elastic.groupAt(joint.parent, joint.atParent).add(symbol.onParent);
    if (symbol.onChild) this.elastic.groupAt(joint.child, joint.atChild).add(symbol.onChild);
  }

  private drawStopsOf(joint: Joint, paint: Paint, size: number, stem: number): void {
    const shapes = this.run.header.geometry.shapes.filter((shape) => shape.body === this.poses.names[joint.child] && shape.type !== 'point')
      .flatMap((shape) => extentOf(shape) ?? []);
    const stops = drawStops(joint, paint, size, { shapes, halfLength: stem === 0 ? 0.5 * BLOCK_LENGTH * size : 0 });
    if (!stops) return;
    this.elastic.groupAt(joint.parent, joint.atParent).add(stops.onParent);
    this.stops.set(joint.data.name, stops.marks);
    // Stops that are far from all that happens do not count for the fit of the view.
    const { whole } = this.bounds, near = whole.clone().expandByScalar(0.3 * size);
    this.groups[joint.parent].updateMatrixWorld(true);
    for (const { object } of stops.marks) {
      const at = object.getWorldPosition(new Vector3());
      if (joint.parent === 0 && near.containsPoint(at)) whole.expandByPoint(at);
    }
  }
  // Where the marks of a joint's stops are drawn now.
  stopPlaces(name: string): { side: string; place: number[] }[] {
    return (this.stops.get(name) ?? []).map(({ side, object }) => ({ side, place: object.getWorldPosition(new Vector3()).toArray() }));
  }

  setMagnification(M: number): void {
    this.magnifier.magnification = M;
    for (const play of this.plays) play.magnify(M);
    this.bearings.magnify(M);
  }
  setDeformation(M: number): void { this.poses.deformations.magnification = M; }
  // The angle at which a shape with a turn is drawn, by `body.shape`.
  drawnTurn(name: string): number | null { return this.turning.find((shape) => shape.name === name)?.object.rotation.z ?? null; }
  shapePosition(name: string): number[] | null {
    const shape = this.shapes.get(name);
    shape?.group.updateWorldMatrix(true, false);
    return shape ? shape.at.clone().applyMatrix4(shape.group.matrixWorld).toArray() : null;
  }
  showCentres(show: boolean): void { for (const mark of this.marks) mark.visible = show; }

  // Puts everything where it is at the cursor of the run.
  update(pixel: number): void {
    this.poses.update();
    this.magnifier.update();
    const { position, rotation } = this.magnifier;
    for (let i = 1; i < this.groups.length; ++i) {
      this.groups[i].position.copy(position[i]);
      this.groups[i].quaternion.copy(rotation[i]);
    }
    this.crowd.update(position, rotation);
    this.elastic.update();
    for (const { object, column } of this.turning) object.rotation.z = this.run.now(column);
    for (const stations of this.stations.values()) stations.update(this.poses.deformations.magnification);
    for (const spring of this.springs) spring.update(position, rotation);
    this.arrows.update(pixel);
    this.chains.update(position);
  }
}
