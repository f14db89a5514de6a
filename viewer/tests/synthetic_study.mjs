// Studies that are made here, as docs/reference/view_data.md says, independently of the C++ that writes the real ones.
import { writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { pageText } from './synthetic_page.mjs';

// columns: { parameters, measures: [{name, unit, words?, values}], section: [{name, unit, values}], crossingRow, status, reasons }
export function studyBlock({ parameters, measures = [], section = [], crossingRow = [], status = [], reasons = [], header = {}, waterfalls = [], attractors = null }) {
  const parts = [];
  let size = 0;
  const place = (type, values) => {
    const bytes = Buffer.from({ f64: Float64Array, f32: Float32Array, i32: Int32Array }[type].from(values).buffer), padding = (8 - (bytes.length % 8)) % 8, offset = size;
    parts.push(bytes, Buffer.alloc(padding));
    size += bytes.length + padding;
    return { type, offset };
  };
  const rows = parameters[0].values.length, described = ({ name, unit, words, values }, type) => ({ name, unit, ...(words ? { words } : {}), ...place(type, values) });
  const all = {
    freeplay_study: 1, title: 'Synthetic study', model_file: 'synthetic.yaml', model_text: 'freeplay: 1\n', version: '0', study: { set: [], over: [], measures: {} }, sampling: '',
    sensitivity: null, worst: null, distributions: {}, folder: 'results/study', run_pages: '', recorded: [], runs: rows, total_rows: rows, rows,
    index: place('i32', Array.from({ length: rows }, (_, i) => i)), status: place('i32', Array.from({ length: rows }, (_, i) => status[i] ?? 0)), status_words: ['completed', 'failed', 'refused'],
    warnings: place('i32', Array(rows).fill(0)), messages: [...new Set(reasons.filter(Boolean))], message: null,
    parameters: parameters.map((column) => described(column, 'f64')), measures: measures.map((column) => described(column, 'f64')), section: section.map((column) => described(column, 'f32')),
    crossings: crossingRow.length, total_crossings: crossingRow.length, crossing_row: place('i32', crossingRow), ...header,
  };
  // level: a list of bands for each run
  if (waterfalls.length > 0) all.waterfalls = waterfalls.map(({ run, value, level, ...rest }) => ({ ...rest, count: run.length, bands: level[0].length, run: place('i32', run), value: place('f64', value), level: place('f32', level.flat()) }));
  if (attractors) all.attractors = { texts: attractors.texts, runs: attractors.runs, of_row: place('i32', attractors.ofRow) };
  all.message = place('i32', Array.from({ length: rows }, (_, i) => (reasons[i] ? all.messages.indexOf(reasons[i]) : -1)));
  let json = Buffer.from(JSON.stringify(all));
  json = Buffer.concat([json, Buffer.alloc((8 - ((4 + json.length) % 8)) % 8, ' ')]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...parts]);
}
export function writeStudyPage(file, options) { writeFileSync(file, pageText(deflateSync(studyBlock(options)).toString('base64'))); }

const range = (count, value) => Array.from({ length: count }, (_, i) => value(i));

// A line: peak = 100 + 1e6 c, but run 3 failed.
export const LINE = {
  parameters: [{ name: 'c', unit: 'm', values: range(11, (i) => 1e-4 * (i + 1)) }],
  measures: [{ name: 'peak', unit: 'N', values: range(11, (i) => (i === 3 ? NaN : 100 + 1e6 * 1e-4 * (i + 1))) }],
  status: range(11, (i) => (i === 3 ? 1 : 0)), reasons: range(11, (i) => (i === 3 ? 'the run failed at t = 0.2 s: <i>no</i> solution' : '')),
  header: { study: { set: ['friction=0.1'], over: ['c=0.1mm:1.1mm:11'], measures: { peak: 'max(guide.force)' } } },
};
// The same line with spectra: a peak of 1 mm at 10 Hz times the number of the run, the rest far below; run 3 has none.
const WITH_SPECTRUM = range(11, (i) => i).filter((i) => i !== 3);
export const FALL = {
  ...LINE, waterfalls: [{
    channel: 'slider.x', unit: 'm', parameter: 'c', slice: '', window: 0.5, band: 2, largest: 1e-3, left_out: 1, run: WITH_SPECTRUM, value: WITH_SPECTRUM.map((i) => 1e-4 * (i + 1)),
    level: WITH_SPECTRUM.map((i) => range(60, (k) => (k + 1 === 5 * (i + 1) ? 1e-3 : 1e-9))),
  }],
};
// A grid of 12 x 10: hits = i * j, one refused.
export const GRID = {
  parameters: [{ name: 'c', unit: 'm', values: range(120, (k) => 1e-3 * (1 + Math.floor(k / 10))) }, { name: 'e', unit: '1', values: range(120, (k) => 0.1 * (k % 10)) }],
  measures: [{ name: 'hits', unit: '1', values: range(120, (k) => (k === 57 ? NaN : Math.floor(k / 10) * (k % 10))) }],
  status: range(120, (k) => (k === 57 ? 2 : 0)), reasons: range(120, (k) => (k === 57 ? 'no clearance' : '')),
};
// Beginnings x0, v0 on a grid of 20 x 16: two motions on either side of v0 = x0, one cell without points.
const BASIN_OF = range(320, (k) => (k === 100 ? -1 : Math.floor(k / 16) > (k % 16) ? 1 : 0));
export const BASINS = {
  parameters: [{ name: 'x0', unit: '1', values: range(320, (k) => Math.floor(k / 16)) }, { name: 'v0', unit: '1', values: range(320, (k) => k % 16) }],
  section: [{ name: 't', unit: 's', values: range(640, (k) => k % 2) }, { name: 'x', unit: '1', values: range(640, (k) => BASIN_OF[Math.floor(k / 2)]) }],
  crossingRow: range(640, (k) => Math.floor(k / 2)),
  attractors: { texts: ['period 1: x = 0', 'period 2: x = <b>1</b>'], runs: [0, 1].map((a) => BASIN_OF.filter((of) => of === a).length), ofRow: BASIN_OF },
};
// The logistic map over its parameter, 100 runs of 100 points.
export function logistic(runs = 100, points = 100) {
  const parameter = range(runs, (i) => 2.8 + (1.2 * i) / (runs - 1)), crossingRow = [], time = [], x = [];
  parameter.forEach((r, row) => {
    let value = 0.4;
    for (let k = 0; k < 200 + points; ++k) {
      value = r * value * (1 - value);
      if (k >= 200) { crossingRow.push(row); time.push(k); x.push(value); }
    }
  });
  return { parameters: [{ name: 'r', unit: '1', values: parameter }], section: [{ name: 't', unit: 's', values: time }, { name: 'x', unit: '1', values: x }], crossingRow };
}
// A sample of two parameters, with what the command has counted.
export const SAMPLE = (() => {
  const c = range(200, (i) => 1e-3 * (0.5 + ((i * 37) % 200) / 400)), peak = c.map((v) => 1e6 * v), histogram = [50, 50, 50, 50];
  return {
    parameters: [{ name: 'c', unit: 'm', values: c }, { name: 'mu', unit: '1', values: range(200, (i) => ((i * 73) % 200) / 1000) }],
    measures: [{ name: 'peak', unit: 'N', values: peak }],
    header: {
      sampling: 'lhs', distributions: { peak: { unit: 'N', runs: 200, left_out: 0, mean: 748.75, deviation: 144.7, least: 500, p5: 525, p25: 624, median: 749, p75: 873, p95: 973, largest: 997.5, histogram } },
      sensitivity: { peak: { unit: 'N', blocks: 50, left_out: 1, parameters: { c: { first: { value: 0.9, low: 0.8, high: 1 }, total: { value: 0.95, low: 0.9, high: 1 } }, mu: { first: { value: 0.02, low: 0, high: 0.1 }, total: { value: 0.1, low: 0, high: 0.2 } } } } },
    },
  };
})();
