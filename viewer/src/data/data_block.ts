// The data block of a page: where it comes from and how it is read. Its layout is the one that `freeplay view` writes
// (docs/reference/view_data.md): uint32 length, JSON header, binary columns at multiples of 8 bytes.
import { unzlibSync } from 'fflate';

export type Vec = [number, number, number];
export type Numbers = Float64Array | Float32Array | Int32Array;

export interface Column { name: string; unit: string; type: 'f64' | 'f32' | 'i32'; offset: number }
export interface ShapeData {
  body: string; name: string; type: string; turn?: string;
  at?: Vec; normal?: Vec; axis?: Vec; size?: Vec; semi_axes?: Vec; rotation?: number[];
  radius?: number; length?: number; from?: number; to?: number; hollow?: boolean; angle?: number;
  semi_axis_x?: number; semi_axis_y?: number; closed?: boolean;
  vertices?: Vec[]; points?: Vec[]; outline?: Vec[];
  triangles?: [number, number, number][];   // of vertices, counter-clockwise seen from outside
}
export interface JointData {
  name: string; type: string; model: string; parent: string; child: string;
  at_parent: Vec; at_child: Vec; axis: Vec; second_axis?: Vec; rotation: number[];
  clearance?: number; length?: number; width?: number; journal_radius?: number; bearing_radius?: number;
  axial_clearance?: number; head_radius?: number; slot_radius?: number; sides?: string; section?: [number, number][];
  stops?: { lower?: number; upper?: number };   // of the coordinate, m or rad
}
export interface SpringData { name: string; parent: string; child: string; at_parent: Vec; at_child: Vec }
export interface ContactData { name: string; a: string; b: string }   // of two shapes, each `body.shape`
// W = cos * cos(ks) + sin * sin(ks) + decay * exp(-ks) + growth * exp(-k(length - s)), k the wave number.
export interface BeamModeData { direction: 'x' | 'y' | 'z' | 'twist'; cos: number; sin: number; decay: number; growth: number; wave_number: number }
// An elastic body: a beam from `start` along x, with its shape functions in the order of the modal coordinates.
export interface BeamData {
  length: number; start: Vec; height: number; width: number; foreshortening: boolean;
  bending_stiffness: number; bending_stiffness_xz: number; axial_stiffness: number; torsional_stiffness: number; section_modulus: number;
  modes: BeamModeData[];
}
// An elastic body of knots or nodes: places in body axes, and how far each mode moves them per unit of its coordinate.
export interface StationsData { places: Vec[]; modes: Vec[][]; is_axis: boolean; height: number }
export interface CouplingData { name: string; angle: boolean; terms: { joint: string; coordinate: number; factor: number }[] }
export interface Geometry {
  space?: 'planar' | 'spatial'; system?: string; gravity?: Vec;
  bodies: { name: string; mass?: number; elastic?: BeamData; stations?: StationsData }[]; joints: JointData[]; springs: SpringData[]; shapes: ShapeData[];
  contacts?: ContactData[]; couplings?: CouplingData[];
}
export type PoseColumns = { x: number; y: number; angle: number } |
  { x: number; y: number; z: number; e0: number; e1: number; e2: number; e3: number };
export type Triple = (number | null)[] | null;
export interface ContactPoint {
  name: string; contact: string; gap: number | null; mode: number | null;
  normal_force: number | null; tangential_force: number | null;
  normal_impulse: number | null; tangential_impulse: number | null;
  point: Triple; normal: Triple; force: Triple;
  tangent?: number;    // degrees by which the normal is turned to the tangent in the plane: -90 or 90
}
export interface Measure { name: string; value: number | null; unit: string }   // null: the run has not come far enough
export interface PeakForce { name: string; unit: string; value: number; window: number; time: number }   // window 0: of the values at the rows
export interface Parameter { text: string; value?: number; unit?: string; word?: string }
// What the command has found out of the whole run (freeplay info --json).
export interface RunFindings {
  peak_force: { name: string; value: number; window: number; impulse: number; time: number } | null;
  blows: { count: number; impacts: number; window: number; hardest: { element: string; impulse: number; unit: string; hardest_time: number }[] };
  turns: { channel: string; count: number } | null;
  contact_share: Record<string, number>;
  losses: { impact: number; friction: number; damping: number };
  drift: { largest: number; compared_with: string; measure: number; grade: string; advice?: string; sentence: string };
}
export interface Header {
  freeplay_view: number; title: string; model_file: string; reference?: string; model_text?: string;
  force_window?: string; version?: string; integrator?: string; solver?: string;
  parameters?: Record<string, Parameter>; overrides?: string[]; status: string;
  summary: (Record<string, number | string | string[] | Measure[] | PeakForce[]> & { measures?: Measure[]; peak_forces?: PeakForce[] }) | null; summary_units?: Record<string, string>;
  findings?: RunFindings | null;
  geometry: Geometry; contacts: string[]; modes?: 'set_valued' | 'contact'; total_rows: number; rows: number; time_from: number; time_to: number;
  columns: Column[]; poses: Record<string, PoseColumns>;
  turns?: Record<string, number>;   // `body.shape`: column of the angle by which the shape is turned against its body
  contact_points: ContactPoint[];
  impacts: { total: number; shown: number; columns: Column[] };
  events?: { total: number; shown: number; kinds: string[]; columns: Column[] };
  contact_forces?: { shown: number; is_cut: boolean; begins: { type: Column['type']; offset: number }; columns: Column[] };
}
// Contacts that carry load, of one row after the other: those of a row stand from begins[row] to begins[row + 1].
export interface RowForces { begins: Numbers; first: Numbers; second: Numbers; x: Numbers; y: Numbers; z: Numbers; force: Numbers }
export interface Block { header: Header; columns: Numbers[]; impacts: Numbers[]; events: Numbers[]; forces: RowForces | null }

const FORMAT = 1;

// A block of either kind: its header, and its columns as views on the bytes.
export interface RawBlock { header: Record<string, unknown>; view(column: { name?: string; type: Column['type']; offset: number }, count: number): Numbers }

export function openBlock(bytes: Uint8Array): RawBlock {
  // Columns are views on the buffer and need its alignment; a buffer that starts elsewhere is copied once.
  const data = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  if (data.length < 4) throw new Error('the data block is empty');
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  if (4 + size > data.length) throw new Error('the data block ends within its header');
  const header = JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size))) as Record<string, unknown>;
  const start = data.byteOffset + 4 + size;
  const end = data.byteOffset + data.length;
  return {
    header,
    view(column, count) {
      const type = { f64: Float64Array, f32: Float32Array, i32: Int32Array }[column.type];
      const from = start + column.offset;
      if (from + count * type.BYTES_PER_ELEMENT > end) throw new Error(`the data block ends within '${column.name ?? 'a column'}'`);
      return new type(data.buffer as ArrayBuffer, from, count);
    },
  };
}

export const isStudy = (raw: RawBlock): boolean => raw.header.freeplay_study !== undefined;

function forcesOf(raw: RawBlock, header: Header): RowForces | null {
  const { contact_forces: kept } = header;
  if (!kept) return null;
  const column = (name: string): Numbers => {
    const found = kept.columns.find((one) => one.name === name);
    if (!found) throw new Error(`the contact forces have no '${name}'`);
    return raw.view(found, kept.shown);
  };
  return {
    begins: raw.view(kept.begins, header.rows + 1), first: column('first'), second: column('second'),
    x: column('x'), y: column('y'), z: column('z'), force: column('force'),
  };
}

export function blockOf(raw: RawBlock): Block {
  const header = raw.header as unknown as Header;
  if (header.freeplay_view !== FORMAT) {
    throw new Error(`the data has format ${header.freeplay_view}, but this page reads format ${FORMAT}`);
  }
  return {
    header,
    columns: header.columns.map((column) => raw.view(column, header.rows)),
    impacts: header.impacts.columns.map((column) => raw.view(column, header.impacts.shown)),
    events: (header.events?.columns ?? []).map((column) => raw.view(column, header.events!.shown)),
    forces: forcesOf(raw, header),
  };
}

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export interface Source {
  served: boolean;
  whole(): Promise<RawBlock>;   // of a run or of a study
  // A second run to be shown over the first, and what the two are called.
  second(): Promise<{ block: Block; names: [string, string] } | null>;
  part(from: number, to: number, rows: number): Promise<Block>;
}

async function fetchBlock(url: string): Promise<RawBlock> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`freeplay answers ${response.status} to ${url}`);
  return openBlock(new Uint8Array(await response.arrayBuffer()));
}

function namesOf(text: string): [string, string] {
  const list = JSON.parse(new TextDecoder().decode(fromBase64(text))) as unknown[];
  return [String(list[0] ?? 'first'), String(list[1] ?? 'second')];
}

export function sourceOfPage(): Source {
  const text = (document.getElementById('freeplay-data')?.textContent ?? '').trim();
  const SERVED = 'serve:';
  if (text.startsWith(SERVED)) {
    const names_ = text.slice(SERVED.length);   // of two runs
    return {
      served: true,
      whole: () => fetchBlock('data'),
      second: async () => (names_ ? { block: blockOf(await fetchBlock('second')), names: namesOf(names_) } : null),
      part: async (from, to, rows) => blockOf(await fetchBlock(`data?from=${from}&to=${to}&rows=${rows}`)),
    };
  }
  const [first, second, names] = text.split('|');
  const block = (part: string) => {
    if (part.length === 0 || !/^[A-Za-z0-9+/=\s]+$/.test(part) || part.length < 64) {
      throw new Error('this page carries no data: make one by `freeplay view RESULT -o page.html`');
    }
    return openBlock(unzlibSync(fromBase64(part)));
  };
  return {
    served: false,
    whole: async () => block(first),
    async second() {
      if (second === undefined) return null;
      return { block: blockOf(block(second)), names: namesOf(names ?? 'W10=') };
    },
    part: () => Promise.reject(new Error('a page on disk has no more rows than it carries')),
  };
}
