// Pages from data that are made here: names that no example has, failed runs, thinned runs, holes in the numbers. The
// block is written as docs/reference/view_data.md says, independently of the C++ that writes the real ones.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

const asset = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'viewer.html');

class Columns {
  constructor() {
    this.list = [];
    this.parts = [];
    this.size = 0;
  }
  add(list, name, unit, type, values) {
    const array = { f64: Float64Array, f32: Float32Array, i32: Int32Array }[type].from(values);
    const bytes = Buffer.from(array.buffer);
    list.push({ name, unit, type, offset: this.size });
    const padding = (8 - (bytes.length % 8)) % 8;
    this.parts.push(bytes, Buffer.alloc(padding));
    this.size += bytes.length + padding;
    return list.length - 1;
  }
}

// A journal on a crank that turns in a bearing of the ground with play: e(t) circles at 0.6 c and hits at 1/4 of the time.
export const CLEARANCE = 1e-3;
export function syntheticBlock({ body = 'crank', joint = 'pin', contact = 'pin_1', title = 'Synthetic', status = 'completed', message = '',
  rows = 201, totalRows = rows, from = 0, to = 1, impacts = [[0.25, 1.5], [0.5, 0.3], [0.75, 2.5]], text = 'freeplay: 1\n', holes = false, tangent = -90,
  cam = false, stop = null, modes = 'set_valued', shapeContact = null, spring = false, placed = true, load = 'force', stops = null, ball = 0, ways = 1, high = 1, drum = false, crowd = 0, events = null, measures = [], gapScale = 1, blow = null, drift = 1e-9, peaks = [], hold = null, losses = null, totals = {}, rests = false } = {}) {
  const columns = new Columns();
  const names = [];
  const time = Array.from({ length: rows }, (_, i) => from + ((to - from) * i) / (rows - 1));
  const phase = time.map((t) => 2 * Math.PI * t);
  const arm = 0.1;
  columns.add(names, 'time', 's', 'f64', time);
  const x = columns.add(names, `${body}.x`, 'm', 'f32', phase.map((p) => ways * arm * Math.cos(p) + 0.6 * CLEARANCE * Math.cos(3 * p)));
  const y = columns.add(names, `${body}.y`, 'm', 'f32', phase.map((p) => high * ways * arm * Math.sin(p) + 0.6 * CLEARANCE * Math.sin(3 * p)));
  const angle = columns.add(names, `${body}.angle`, 'rad', 'f32', phase);
  const gap = columns.add(names, `${joint}.gap`, 'm', 'f32', time.map((t, i) => (holes && i % 20 === 7 ? [NaN, Infinity, -Infinity][i % 3] : gapScale * 0.4 * CLEARANCE)));
  const mode = columns.add(names, `${joint}.mode`, '1', 'f32', time.map((t) => (hold ? (t >= hold[0] && t <= hold[1] ? 1 : 0) : t < 0.25 ? 0 : t < 0.6 ? 1 : 2)));
  const force = columns.add(names, `${joint}.normal_force`, 'N', 'f32', time.map((t) => (blow !== null && Math.abs(t - blow) < 1e-9 ? 400 : t < 0.25 ? 0 : 50)));
  const tangential = columns.add(names, `${joint}.tangential_force`, 'N', 'f32', time.map((t) => (t < 0.25 ? 0 : 5)));
  const point = ['x', 'y'].map((axis, k) => columns.add(names, `${joint}.point_${axis}`, 'm', 'f32', phase.map((p) => 0.01 * [Math.cos, Math.sin][k](3 * p))));
  const normal = ['x', 'y'].map((axis, k) => columns.add(names, `${joint}.normal_${axis}`, '1', 'f32', phase.map((p) => -[Math.cos, Math.sin][k](3 * p))));
  const energy = ['kinetic', 'potential', 'total', 'drift'].map((name) => columns.add(names, `energy.${name}`, 'J', 'f32', time.map((t) => (name === 'drift' ? 1e-9 * t : rests ? 1 : 1 + t))));
  void energy;
  for (const [name, energy_] of Object.entries(losses ?? {})) columns.add(names, `energy.${name}`, 'J', 'f32', time.map((t) => energy_ * t));
  // Of groups, ropes and drives: name and unit, or [unit, rate], growing with the time.
  for (const [name, of] of Object.entries(totals)) { const [unit, rate = 1] = [of].flat(); columns.add(names, name, unit, 'f32', time.map((t) => rate * t)); }
  // What no weak parser of expressions could read: the page has to take the angles of the column.
  const turns = cam ? { 'ground.cam': columns.add(names, 'ground.cam.turn', 'rad', 'f64', time.map((t) => t * t + 0.25)) } : {};
  const shapes = cam ? [{ body: 'ground', name: 'cam', type: 'cam', at: [0.3, 0, 0], turn: 'profile(t)', outline: [[0.4, 0, 0], [0.3, 0.02, 0], [0.28, 0, 0], [0.3, -0.02, 0]] }] : [];
  if (spring) columns.add(names, 'coil.force', 'N', 'f32', time.map((t) => t));
  if (stop === 'force') columns.add(names, 'hinge.force_x', 'N', 'f32', time.map(() => 1));
  // The stop of a hinge, of which `stop` says what was recorded: 'impulse', 'gap', 'force' or 'nothing'. Contact 1.
  const stopImpulse = stop === 'impulse' ? columns.add(names, 'hinge.normal_impulse_upper', 'N m s', 'f32', time.map(() => 0)) : null;
  const stopGap = stop === 'gap' ? columns.add(names, 'hinge.gap_upper', 'rad', 'f32', time.map(() => 0)) : null;
  const stopForce = stop === 'force' ? columns.add(names, 'hinge.normal_force_upper', 'N m', 'f32', time.map(() => 0)) : null;
  const hinge = { name: 'hinge', type: 'revolute', model: 'ideal', parent: 'ground', child: body, at_parent: [0, 0, 0], at_child: [-arm, 0, 0], axis: [0, 0, 1], rotation: [1, 0, 0, 0] };
  // A hinge and a slide with stops; the slide carries a circle.
  const stopped = stops ? [{ ...hinge, stops }, { ...hinge, name: 'rail', type: 'prismatic', axis: [0, 1, 0], stops: { lower: -0.05, upper: 0.07 } }] : [];
  if (stops) shapes.push({ body, name: 'disc', type: 'circle', at: [-arm, 0, 0], radius: 0.02 });
  // A small ball on a way around, above a floor and on a large plate.
  if (ball) {
    shapes.push({ body, name: 'skin', type: 'circle', at: [0, 0, 0], radius: ball }, { body: 'ground', name: 'floor', type: 'line', at: [0, -0.13, 0], normal: [0, 1, 0] },
      { body: 'ground', name: 'plate', type: 'polygon', vertices: [[-50, -90, 0], [50, -90, 0], [50, -0.12, 0], [-50, -0.12, 0]] });
  }
  // A rim around the centre of mass, and a lifter on it.
  if (drum) {
    shapes.push({ body, name: 'rim', type: 'arc', at: [0, 0, 0], radius: 0.05, from: 0, to: 2 * Math.PI },
      { body, name: 'lifter', type: 'polygon', vertices: [[0.04, -0.004, 0], [0.055, -0.004, 0], [0.055, 0.004, 0], [0.04, 0.004, 0]] });
  }
  // The columns of the force as a force or, for one who looks at impulses only, as those.
  const loads = load === 'force' ? { normal_force: force, tangential_force: tangential, normal_impulse: null, tangential_impulse: null }
    : { normal_force: null, tangential_force: null, normal_impulse: force, tangential_impulse: tangential };
  // Points without places, the k-th of which opens and closes k times.
  const others = Array.from({ length: crowd }, (_, k) => ({
    name: `other_${k + 1}`, contact: `other_${k + 1}`, gap: null, normal_force: null, tangential_force: null, normal_impulse: null, tangential_impulse: null,
    point: null, normal: null, force: null, tangent: -90, mode: columns.add(names, `other_${k + 1}.mode`, '1', 'f32', time.map((t) => Math.floor(2 * (k + 1) * t + 0.1) % 2)),
  }));
  const impactColumns = [];
  columns.add(impactColumns, 'time', 's', 'f64', impacts.map((i) => i[0]));
  columns.add(impactColumns, 'contact', '1', 'i32', impacts.map((i) => i[2] ?? 0));
  columns.add(impactColumns, 'normal_impulse', 'N s', 'f32', impacts.map((i) => i[1]));
  columns.add(impactColumns, 'normal_velocity_before', 'm/s', 'f32', impacts.map((i) => -i[1]));
  columns.add(impactColumns, 'energy_lost', 'J', 'f32', impacts.map((i) => 0.1 * i[1]));
  // Of a run that locates events: [time, contact, kind]; fewer than `total` are none.
  const kinds = ['impact', 'landing', 'release', 'stick', 'slip', 'reversal', 'rest'], eventColumns = [], listed = events?.list ?? [];
  columns.add(eventColumns, 'time', 's', 'f64', listed.map((e) => e[0]));
  columns.add(eventColumns, 'contact', '1', 'i32', listed.map((e) => e[1]));
  columns.add(eventColumns, 'kind', '1', 'i32', listed.map((e) => kinds.indexOf(e[2])));
  const header = {
    freeplay_view: 1, title, model_file: 'synthetic.yaml', reference: '', model_text: text, version: '0', integrator: 'none', solver: 'none',
    parameters: { [body]: { text: '1 mm', value: 1e-3, unit: 'm' } }, overrides: [], status,
    summary: { status, steps: 200, rejected_steps: 0, impacts: impacts.length, max_penetration: 1e-9, worst_residual: 1e-12, energy_drift: 1e-9, max_energy_drift: drift, message, measures, peak_forces: peaks },
    summary_units: { steps: '1', rejected_steps: '1', impacts: '1', max_penetration: 'm', worst_residual: 'm/s', energy_drift: 'J' },
    geometry: {
      space: 'planar', gravity: [0, -9.81, 0], bodies: [{ name: 'ground' }, { name: body, mass: 1 }],
      joints: ball ? [] : [{
        name: joint, type: 'revolute', model: 'clearance', parent: 'ground', child: body, at_parent: [0, 0, 0], at_child: [-arm, 0, 0],
        axis: [0, 0, 1], rotation: [1, 0, 0, 0], clearance: CLEARANCE, journal_radius: 0.01, bearing_radius: 0.011,
      }, ...(stop ? [hinge] : []), ...stopped],
      springs: spring ? [{ name: 'coil', parent: 'ground', child: body, at_parent: [0, 0.1, 0], at_child: [0, 0, 0] }] : [], shapes, contacts: shapeContact ? [shapeContact] : [],
    },
    contacts: [contact, ...(stop ? ['hinge_upper'] : []), ...others.map(({ name }) => name)], modes, total_rows: totalRows, rows, time_from: 0, time_to: 1, columns: names, poses: { [body]: { x, y, angle } }, turns,
    contact_points: [{
      name: contact, contact: shapeContact?.name ?? joint, gap, mode, ...loads,
      point: placed ? [...point, null] : null, normal: placed ? [...normal, null] : null, force: null, tangent,
    }, ...(stop ? [{
      name: 'hinge_upper', contact: 'hinge', gap: stopGap, mode: null, normal_force: stopForce, tangential_force: null, normal_impulse: stopImpulse,
      tangential_impulse: null, point: null, normal: null, force: null, tangent: -90,
    }] : []), ...others],
    impacts: { total: impacts.length, shown: impacts.length, columns: impactColumns },
    ...(events ? { events: { total: events.total ?? listed.length, shown: listed.length, kinds, columns: eventColumns } } : {}),
  };
  let json = Buffer.from(JSON.stringify(header));
  const padding = (8 - ((4 + json.length) % 8)) % 8;
  json = Buffer.concat([json, Buffer.alloc(padding, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...columns.parts]);
}

export function pageText(data) {
  const page = readFileSync(asset, 'utf8');
  const parts = page.split('FREEPLAY_DATA');
  if (parts.length !== 2) throw new Error('the asset has not exactly one FREEPLAY_DATA');
  return parts[0] + data + parts[1];
}
const packed = (options) => deflateSync(syntheticBlock(options)).toString('base64');
// Two runs over each other, called by `names`.
export function writeSyntheticPair(file, first, second, names) {
  writeFileSync(file, pageText([packed(first), packed(second), Buffer.from(JSON.stringify(names)).toString('base64')].join('|')));
}
export function writeSyntheticPage(file, options) {
  writeFileSync(file, pageText(packed(options)));
}
