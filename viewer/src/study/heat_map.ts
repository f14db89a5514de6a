// A measure over two parameters of a grid: one cell per run. A run without the measure is a crossed cell.
import { distinct, varied, type Study, type StudyColumn } from '../data/study';
import { valueColor } from '../toolkit/color_map';
import { theme } from '../toolkit/theme';
import { BAR_ROOM, colorBar, columnAxis, cross, type Chart } from './chart';
import type { Plane } from '../toolkit/plane';
import { rangeOf } from '../toolkit/plane';

// Two parameters that are numbers and vary, and nothing else: samples have as many values as there are runs.
export function gridOf(study: Study): [StudyColumn, StudyColumn] | null {
  const list = varied(study);
  if (list.length !== 2 || list.some((column) => column.words)) return null;
  const counts = list.map((column) => distinct(column.values).length);
  return counts[0] * counts[1] <= 2 * Math.max(1, study.header.runs) ? [list[0], list[1]] : null;
}

// Edges of cells around values: halfway between neighbours, on a logarithmic axis between their logarithms.
export function edges(values: number[], log: boolean): Map<number, [number, number]> {
  const to = log ? Math.log : (v: number) => v, from = log ? Math.exp : (v: number) => v, v = values.map(to), found = new Map<number, [number, number]>();
  values.forEach((value, i) => {
    const below = i > 0 ? (v[i] - v[i - 1]) / 2 : 0, above = i + 1 < v.length ? (v[i + 1] - v[i]) / 2 : 0;
    const alone = below || above ? 0 : log ? 0.5 : Math.abs(v[i]) / 2 || 0.5;   // a single value
    found.set(value, [from(v[i] - (below || above || alone)), from(v[i] + (above || below || alone))]);
  });
  return found;
}

export function heatMap(study: Study, x: StudyColumn, y: StudyColumn, shown: StudyColumn, logX: boolean, logY: boolean, logColor: boolean): Chart {
  const columns = edges(distinct(x.values), logX), lines = edges(distinct(y.values), logY);
  const ends = rangeOf(shown.values, logColor, 0), isLog = logColor && ends[0] > 0;
  const part = (value: number) => (isLog ? Math.log(value / ends[0]) / Math.log(ends[1] / ends[0]) : (value - ends[0]) / (ends[1] - ends[0]));
  const span = (cells: Map<number, [number, number]>): [number, number] => [Math.min(...[...cells.values()].map((c) => c[0])), Math.max(...[...cells.values()].map((c) => c[1]))];
  const cell = (plane: Plane, row: number): [number, number, number, number] => {
    const [a, b] = columns.get(x.values[row])!, [c, d] = lines.get(y.values[row])!, left = plane.x(a), top = plane.y(d);
    return [left, top, plane.x(b) - left, plane.y(c) - top];
  };
  return {
    x: columnAxis(x, span(columns), logX), y: columnAxis(y, span(lines), logY), room: BAR_ROOM,
    draw(plane) {
      for (let row = 0; row < study.rows; ++row) {
        const [left, top, wide, high] = cell(plane, row), value = shown.values[row];
        if (Number.isFinite(value)) {
          plane.context.fillStyle = valueColor(part(value));
          plane.context.fillRect(left, top, wide + 0.5, high + 0.5);   // no seams
        } else cross(plane, left + wide / 2, top + high / 2);
      }
    },
    beside(plane) { colorBar(plane, shown, ends, isLog, valueColor); },
    at(plane, px, py) {
      for (let row = 0; row < study.rows; ++row) {
        const [left, top, wide, high] = cell(plane, row);
        if (px >= left && px < left + wide && py >= top && py < top + high) return row;
      }
      return null;
    },
    mark(plane, row) {
      plane.context.strokeStyle = theme.colors.impact;
      plane.context.lineWidth = 2.5;
      plane.context.strokeRect(...cell(plane, row));
      plane.context.lineWidth = 1;
    },
    legend: Array.from(shown.values).some((v) => !Number.isFinite(v)) ? [{ color: theme.colors.bad, text: '× without a value' }] : [],
    note: study.header.study?.measures?.[shown.name] ?? '',
  };
}
