// Very many balls, blocks or discs of one kind: one drawing for each kind, with a place and a colour for each of its bodies. An object of its
// own for each of a thousand balls takes longer per frame than the screen waits.
import {
  BoxGeometry, BufferGeometry, CircleGeometry, Color, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, Quaternion, Scene, SphereGeometry, Vector3,
} from 'three';
import type { Geometry, ShapeData } from '../../data/data_block';
import { quaternion, vector } from '../../geometry/joint_frames';
import { LAYER, roleColor } from '../paint';
import { striped, withOctants } from '../stripes';
import { theme } from '../../toolkit/theme';

const MANY = 100;             // bodies, from which on they are a crowd
// The more bodies, the fewer triangles each: how many they are at most, and pieces around and from pole to pole.
const FINENESS = [[300, 24, 16], [2500, 14, 9], [Infinity, 8, 6]] as const;
const SHADOWS = 2500;         // bodies, beyond which they throw none
const KINDS: Record<string, 'planar' | 'spatial'> = { circle: 'planar', sphere: 'spatial', box: 'spatial' };

interface Member { body: number; at: Vector3; turn: Quaternion; scale: Vector3 }

// Bodies that are nothing but one simple shape, held by nothing: by index, with their shape.
function loose(geometry: Geometry, indexOf: (name: string) => number, planar: boolean): Map<number, ShapeData> {
  const found = new Map<number, ShapeData>(), others = new Set<number>();
  for (const shape of geometry.shapes) {
    const body = indexOf(shape.body);
    if (body <= 0 || found.has(body) || shape.turn || KINDS[shape.type] !== (planar ? 'planar' : 'spatial')) others.add(body);
    else found.set(body, shape);
  }
  for (const { parent, child } of [...geometry.joints, ...geometry.springs]) others.add(indexOf(parent)).add(indexOf(child));
  for (const { name, elastic } of geometry.bodies) if (elastic) others.add(indexOf(name));
  for (const body of others) found.delete(body);
  return found;
}

// A disc with its rim and a spoke, each as wide as lines are elsewhere on the page.
function discMaterial(): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = `varying vec2 vDisc;\n${shader.vertexShader.replace('#include <begin_vertex>', '#include <begin_vertex>\n  vDisc = position.xy;')}`;
    shader.fragmentShader = `varying vec2 vDisc;\n${shader.fragmentShader.replace('#include <color_fragment>', `#include <color_fragment>
  float discRadius = length(vDisc), discPixel = max(fwidth(discRadius), 1e-9);
  float discRim = smoothstep(1.0 - 2.4 * discPixel, 1.0 - 1.4 * discPixel, discRadius);
  float discSpoke = vDisc.x > 0.0 ? 1.0 - smoothstep(0.5, 1.3, abs(vDisc.y) / discPixel) : 0.0;
  diffuseColor.rgb *= mix(1.0, 0.55, max(discRim, discSpoke));`)}`;
  };
  material.customProgramCacheKey = () => 'disc';
  return material;
}

class Kind {
  readonly mesh: InstancedMesh;
  private readonly matrix = new Matrix4();
  private readonly place = new Vector3();
  private readonly turn = new Quaternion();

  constructor(type: string, private readonly members: Member[]) {
    const [, around, up] = FINENESS.find(([most]) => members.length <= most)!;
    const form: BufferGeometry = type === 'box' ? withOctants(new BoxGeometry(1, 1, 1, 2, 2, 2)) : type === 'sphere' ? withOctants(new SphereGeometry(1, around, up))
      : new CircleGeometry(1, 2 * around);
    const solid = type !== 'circle';
    this.mesh = new InstancedMesh(form, solid ? striped(members.length <= SHADOWS ? new MeshStandardMaterial({ roughness: 0.55, metalness: 0.08 }) : new MeshLambertMaterial()) : discMaterial(), members.length);
    this.mesh.frustumCulled = false;   // the bounds change with every frame
    this.mesh.castShadow = this.mesh.receiveShadow = solid && members.length <= SHADOWS;
    this.mesh.userData.isSolid = solid;
    this.mesh.renderOrder = solid ? 0 : LAYER.body;
    const color = new Color();
    theme.listen((colors) => {
      members.forEach(({ body }, i) => this.mesh.setColorAt(i, color.set(roleColor(colors, body))));
      this.mesh.instanceColor!.needsUpdate = true;
    });
  }
  update(position: Vector3[], rotation: Quaternion[]): void {
    const { matrix, place, turn } = this, { array } = this.mesh.instanceMatrix;
    for (let i = 0; i < this.members.length; ++i) {
      const { body, at, turn: own, scale } = this.members[i];
      place.copy(at).applyQuaternion(rotation[body]).add(position[body]);
      matrix.compose(place, turn.copy(rotation[body]).multiply(own), scale).toArray(array, 16 * i);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

export class Crowd {
  readonly bodies: ReadonlySet<number>;
  private readonly kinds: Kind[] = [];

  constructor(geometry: Geometry, indexOf: (name: string) => number, known: boolean[], planar: boolean, isGhost: boolean) {
    const found = isGhost ? new Map<number, ShapeData>() : loose(geometry, indexOf, planar);
    for (const body of [...found.keys()]) if (!known[body]) found.delete(body);
    if (found.size < MANY) found.clear();
    this.bodies = new Set(found.keys());
    const kinds = new Map<string, Member[]>();
    for (const [body, shape] of found) {
      const scale = shape.size ? vector(shape.size) : new Vector3(shape.radius!, shape.radius!, shape.radius!);
      const member = { body, at: vector(shape.at ?? [0, 0, 0]), turn: quaternion(shape.rotation ?? [1, 0, 0, 0]), scale };
      if (!kinds.has(shape.type)) kinds.set(shape.type, []);
      kinds.get(shape.type)!.push(member);
    }
    for (const [type, members] of kinds) this.kinds.push(new Kind(type, members));
  }
  addTo(scene: Scene): void { for (const kind of this.kinds) scene.add(kind.mesh); }
  update(position: Vector3[], rotation: Quaternion[]): void { for (const kind of this.kinds) kind.update(position, rotation); }
}
