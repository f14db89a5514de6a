// Pages of many loose bodies: balls in space that turn on a floor, or discs in the plane. Ball i stands on the floor z = 0 in a square grid and turns
// about x, one turn in the run; the first one also rises. `forces(row)`: [first, second, x, y, z, newtons] of each contact of a row.
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { pageText } from './synthetic_page.mjs';

export const RADIUS = 0.05;
export function crowdBlock({ count = 1, planar = false, rows = 21, gravity = planar ? [0, -9.81, 0] : [0, 0, -9.81], rise = 0, forces = null, wall = null } = {}) {
  const columns = [], parts = [], poses = {}, bodies = [{ name: 'ground' }], shapes = [];
  let size = 0;
  const add = (name, unit, values) => {
    const bytes = Buffer.from(Float64Array.from(values).buffer);
    columns.push({ name, unit, type: 'f64', offset: size });
    parts.push(bytes);
    size += bytes.length;
    return columns.length - 1;
  };
  const time = Array.from({ length: rows }, (_, i) => i / (rows - 1)), side = Math.ceil(Math.sqrt(count));
  add('time', 's', time);
  for (let i = 0; i < count; ++i) {
    const name = `ball_${i + 1}`, x = 3 * RADIUS * (i % side), y = 3 * RADIUS * Math.floor(i / side);
    const at = (axis, value) => add(`${name}.${axis}`, axis === 'angle' ? 'rad' : 'm', time.map(value));
    bodies.push({ name, mass: 1 });
    shapes.push({ body: name, name: 'skin', type: planar ? 'circle' : 'sphere', at: [0, 0, 0], radius: RADIUS });
    if (planar) {
      poses[name] = { x: at('x', () => x), y: at('y', () => y), angle: at('angle', (t) => 2 * Math.PI * t) };
    } else {
      poses[name] = { x: at('x', () => x), y: at('y', () => y), z: at('z', (t) => RADIUS + (i === 0 ? rise * t : 0)), e0: at('e0', (t) => Math.cos(Math.PI * t)), e1: at('e1', (t) => Math.sin(Math.PI * t)), e2: at('e2', () => 0), e3: at('e3', () => 0) };
    }
  }
  if (!planar) shapes.push({ body: 'ground', name: 'floor', type: 'plane', at: [0, 0, 0], normal: [0, 0, 1] });
  if (wall !== null) shapes.push({ body: 'ground', name: 'wall', type: 'plane', at: [wall, 0, 0], normal: [1, 0, 0] });
  const put = (type, values) => {
    const bytes = Buffer.from({ f32: Float32Array, i32: Int32Array }[type].from(values).buffer), offset = size;
    parts.push(bytes, Buffer.alloc((8 - (bytes.length % 8)) % 8));
    size += bytes.length + parts[parts.length - 1].length;
    return { type, offset };
  };
  const kept = () => {
    const lists = time.map((_, row) => forces(row)), all = lists.flat(), begins = [0];
    for (const list of lists) begins.push(begins[begins.length - 1] + list.length);
    const names = ['first', 'second', 'x', 'y', 'z', 'force'];
    return { shown: all.length, is_cut: false, begins: put('i32', begins), columns: names.map((name, k) => ({ name, unit: '1', ...put(k < 2 ? 'i32' : 'f32', all.map((force) => force[k])) })) };
  };
  const header = {
    ...(forces ? { contact_forces: kept() } : {}),
    freeplay_view: 1, title: `A crowd of ${count}`, model_file: 'crowd.yaml', status: 'completed', summary: null, contacts: [], modes: 'set_valued', total_rows: rows, rows, time_from: 0, time_to: 1,
    geometry: { space: planar ? 'planar' : 'spatial', gravity, bodies, joints: [], springs: [], shapes, contacts: [] }, columns, poses, contact_points: [], impacts: { total: 0, shown: 0, columns: [] },
  };
  let json = Buffer.from(JSON.stringify(header));
  json = Buffer.concat([json, Buffer.alloc((8 - ((4 + json.length) % 8)) % 8, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...parts]);
}
export function writeCrowdPage(file, options) { writeFileSync(file, pageText(deflateSync(crowdBlock(options)).toString('base64'))); }
