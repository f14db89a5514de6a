// The cells of a grid of two parameters, one per run: where each lies on the picture, which one is under the pointer, its mark.
import { distinct, type StudyColumn } from '../data/study';
import type { Plane } from '../toolkit/plane';
import { theme } from '../toolkit/theme';
import { columnAxis, cross, type Chart } from './chart';

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

const span = (cells: Map<number, [number, number]>): [number, number] => [Math.min(...[...cells.values()].map((c) => c[0])), Math.max(...[...cells.values()].map((c) => c[1]))];

// What every picture of cells has in common; `colorOf` a row without a colour is null, and its cell is crossed.
export function gridChart(x: StudyColumn, y: StudyColumn, logX: boolean, logY: boolean, colorOf: (row: number) => string | null): Pick<Chart, 'x' | 'y' | 'draw' | 'at' | 'mark'> {
  const columns = edges(distinct(x.values), logX), lines = edges(distinct(y.values), logY), rows = x.values.length;
  const cell = (plane: Plane, row: number): [number, number, number, number] => {
    const [a, b] = columns.get(x.values[row])!, [c, d] = lines.get(y.values[row])!, left = plane.x(a), top = plane.y(d);
    return [left, top, plane.x(b) - left, plane.y(c) - top];
  };
  return {
    x: columnAxis(x, span(columns), logX), y: columnAxis(y, span(lines), logY),
    draw(plane) {
      for (let row = 0; row < rows; ++row) {
        const [left, top, wide, high] = cell(plane, row), color = colorOf(row);
        if (color === null) { cross(plane, left + wide / 2, top + high / 2); continue; }
        plane.context.fillStyle = color;
        plane.context.fillRect(left, top, wide + 0.5, high + 0.5);   // no seams
      }
    },
    at(plane, px, py) {
      for (let row = 0; row < rows; ++row) {
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
  };
}
