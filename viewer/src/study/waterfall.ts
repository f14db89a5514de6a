// The spectrum of a channel against the parameter of a study: one column of bands per run, colours for amplitudes by powers of ten.
import type { Study, StudyColumn, WaterfallData } from '../data/study';
import { valueColor } from '../toolkit/color_map';
import { quantity } from '../toolkit/format';
import { theme } from '../toolkit/theme';
import { BAR_ROOM, colorBar, columnAxis, type Chart } from './chart';
import { edges } from './grid_cells';
import type { Plane } from '../toolkit/plane';

const DECADES = 3;   // from the largest amplitude down, as `plot --waterfall` has them

export function waterfall(study: Study, data: WaterfallData, logX: boolean): Chart {
  const values = Array.from(data.value), strips = edges(values, logX), lowest = data.largest * 10 ** -DECADES;
  const parameter: StudyColumn = study.parameters.find((column) => column.name === data.parameter) ?? { name: data.parameter, unit: '1', values: data.value };
  const rows = Array.from(data.run, (run) => study.rowOf(run));
  const ends = values.flatMap((value) => strips.get(value)!);
  const part = (level: number) => (level > lowest ? Math.log10(level / lowest) / DECADES : 0);
  const placeOf = (plane: Plane, i: number): [number, number] => { const [a, b] = strips.get(values[i])!; return [plane.x(a), plane.x(b)]; };
  return {
    x: columnAxis(parameter, [Math.min(...ends), Math.max(...ends)], logX),
    y: { label: 'frequency', unit: 'Hz', low: 0.5 * data.band, high: (data.bands + 0.5) * data.band, log: false },
    room: BAR_ROOM,
    draw(plane) {
      for (let i = 0; i < values.length; ++i) {
        const [left, right] = placeOf(plane, i);
        for (let k = 0; k < data.bands; ++k) {
          const top = plane.y((k + 1.5) * data.band);
          plane.context.fillStyle = valueColor(part(data.level[i * data.bands + k]));
          plane.context.fillRect(left, top, right - left + 0.5, plane.y((k + 0.5) * data.band) - top + 0.5);   // no seams
        }
      }
    },
    beside(plane) { colorBar(plane, { name: data.channel, unit: data.unit, values: data.level }, [lowest, data.largest], true, valueColor); },
    at(plane, px, py) {
      if (!plane.contains(px, py)) return null;
      const i = values.findIndex((_, k) => { const [left, right] = placeOf(plane, k); return px >= left && px < right; });
      return i < 0 || rows[i] < 0 ? null : rows[i];
    },
    mark(plane, row) {
      const i = rows.indexOf(row);
      if (i < 0) return;
      const [left, right] = placeOf(plane, i);
      plane.context.strokeStyle = theme.colors.impact;
      plane.context.lineWidth = 2;
      plane.context.strokeRect(left, plane.top + 1, Math.max(2, right - left), plane.height - 2);
      plane.context.lineWidth = 1;
    },
    legend: [],
    note: `amplitudes of ${data.channel} by powers of ten, Hann window of ${quantity(data.window, 's', 3)}, bands of ${quantity(data.band, 'Hz', 3)}${data.slice ? `; ${data.slice}` : ''}${data.left_out > 0 ? `; ${data.left_out} run${data.left_out === 1 ? '' : 's'} without a spectrum` : ''}`,
  };
}
