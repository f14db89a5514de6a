// An elastic body as it is bent: a strip of its height in the plane, a bar of its height and width in space, with lines
// across that show how it stretches and twists. The numbers change with every frame, the buffers stay.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineSegments, Mesh, MeshBasicMaterial, MeshStandardMaterial, Quaternion, Vector3,
} from 'three';
import type { Beam, Load } from '../../geometry/beams';
import { LAYER, roleColor, type Paint } from '../paint';
import { theme } from '../../toolkit/theme';

const MARKS = 10;            // pieces between the lines across
const COLD = new Color('#2166c8'), MILD = new Color('#e4e4e4'), HOT = new Color('#cf2a27');

// From -1 to 1: blue where it is pressed or bent one way, red the other way.
export function loadColor(x: number, out: Color): Color {
  const part = Math.min(1, Math.abs(x));
  return out.copy(MILD).lerp(x < 0 ? COLD : HOT, part ** 0.8);
}

export class BeamDrawing {
  readonly object = new Group();
  load: Load | null = null;
  range = 1;                                          // the load that has the full colour
  private readonly corners: [number, number][];       // of a section, in its y and z axes
  private readonly nodes: number;
  private readonly positions: Float32Array;
  private readonly colors: Float32Array;
  private readonly surface: BufferGeometry;
  private readonly edges: BufferGeometry;
  private readonly edgePositions: Float32Array;
  private readonly marks: number[];
  private readonly plain = new Color();
  private readonly color = new Color();
  private readonly at = new Vector3();
  private readonly point = new Vector3();
  private readonly turn = new Quaternion();

  constructor(readonly beam: Beam, body: number, private readonly paint: Paint) {
    const h = beam.data.height / 2, w = beam.data.width / 2;
    this.corners = paint.planar ? [[-h, 0], [h, 0]] : [[-h, -w], [h, -w], [h, w], [-h, w]];
    this.nodes = beam.nodes.length;
    // The nearest nodes to equal parts of the length.
    this.marks = Array.from({ length: MARKS + 1 }, (_, i) => {
      const s = (beam.data.length * i) / MARKS;
      return beam.nodes.reduce((best, x, k) => (Math.abs(x - s) < Math.abs(beam.nodes[best] - s) ? k : best), 0);
    });
    const c = this.corners.length;
    this.positions = new Float32Array(3 * c * this.nodes);
    this.colors = new Float32Array(3 * c * this.nodes);
    this.surface = this.makeSurface();
    this.edges = new BufferGeometry();
    const around = paint.planar ? 1 : c;              // lines of a section
    this.edgePositions = new Float32Array(6 * (c * (this.nodes - 1) + around * this.marks.length));
    this.edges.setAttribute('position', new BufferAttribute(this.edgePositions, 3));
    const material = paint.planar
      ? new MeshBasicMaterial({ side: DoubleSide, vertexColors: true, transparent: true, opacity: 0.92, depthTest: false, depthWrite: false })
      : new MeshStandardMaterial({ side: DoubleSide, vertexColors: true, roughness: 0.55, metalness: 0.08, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    const mesh = new Mesh(this.surface, material);
    const lines = new LineSegments(this.edges, paint.edge(body));
    mesh.renderOrder = LAYER.body + body;
    lines.renderOrder = LAYER.body + body + 0.4;
    mesh.frustumCulled = lines.frustumCulled = false;   // the bounds change with every frame
    this.object.add(mesh, lines);
    theme.listen((colors) => this.plain.set(roleColor(colors, body)));
  }

  private makeSurface(): BufferGeometry {
    const geometry = new BufferGeometry(), index: number[] = [], c = this.corners.length;
    geometry.setAttribute('position', new BufferAttribute(this.positions, 3));
    geometry.setAttribute('color', new BufferAttribute(this.colors, 3));
    const sides = this.paint.planar ? 1 : c;
    for (let i = 0; i + 1 < this.nodes; ++i) {
      for (let k = 0; k < sides; ++k) {
        const a = c * i + k, b = c * i + ((k + 1) % c);
        index.push(a, b, b + c, a, b + c, a + c);
      }
    }
    const last = c * (this.nodes - 1);
    if (!this.paint.planar) index.push(0, 2, 1, 0, 3, 2, last, last + 1, last + 2, last, last + 2, last + 3);
    geometry.setIndex(index);
    return geometry;
  }

  update(): void {
    const { beam, corners, positions, colors, color, at, point, turn } = this, c = corners.length;
    for (let i = 0; i < this.nodes; ++i) {
      beam.drawnSection(i, at, turn);
      if (this.load) loadColor(beam.loadAt(this.load, i) / this.range, color);
      else color.copy(this.plain);
      for (let k = 0; k < c; ++k) {
        point.set(0, corners[k][0], corners[k][1]).applyQuaternion(turn).add(at);
        point.toArray(positions, 3 * (c * i + k));
        color.toArray(colors, 3 * (c * i + k));
      }
    }
    this.surface.attributes.position.needsUpdate = this.surface.attributes.color.needsUpdate = true;
    if (!this.paint.planar) this.surface.computeVertexNormals();
    this.updateEdges();
  }

  private updateEdges(): void {
    const { edgePositions, positions } = this, c = this.corners.length;
    let o = 0;
    const line = (a: number, b: number) => {
      for (let k = 0; k < 3; ++k) edgePositions[o + k] = positions[3 * a + k];
      for (let k = 0; k < 3; ++k) edgePositions[o + 3 + k] = positions[3 * b + k];
      o += 6;
    };
    for (let i = 0; i + 1 < this.nodes; ++i) for (let k = 0; k < c; ++k) line(c * i + k, c * (i + 1) + k);
    for (const i of this.marks) {
      if (this.paint.planar) line(c * i, c * i + 1);
      else for (let k = 0; k < c; ++k) line(c * i + k, c * i + ((k + 1) % c));
    }
    this.edges.attributes.position.needsUpdate = true;
  }
}
