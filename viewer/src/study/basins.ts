// Which beginnings lead to which motion: a grid of two parameters, one cell per run in the colour of the motion that it has come to.
import { distinct, type Attractors, type Study, type StudyColumn } from '../data/study';
import type { Plane } from '../toolkit/plane';
import { theme } from '../toolkit/theme';
import { columnAxis, cross, type Chart } from './chart';
import { edges } from './heat_map';

const MOST_COLORS = 7;   // motions beyond share one
const colorOf = (attractor: number): string => (attractor < MOST_COLORS ? theme.colors.curves[attractor % theme.colors.curves.length] : theme.colors.faint);

// The common ones first: a colour belongs to a motion, however many there are.
function ranks({ runs }: Attractors): number[] {
  const order = runs.map((_, i) => i).sort((a, b) => runs[b] - runs[a] || a - b), rank = new Array<number>(runs.length);
  order.forEach((attractor, place) => { rank[attractor] = place; });
  return rank;
}

export function basins(study: Study, attractors: Attractors, x: StudyColumn, y: StudyColumn, logX: boolean, logY: boolean): Chart {
  const columns = edges(distinct(x.values), logX), lines = edges(distinct(y.values), logY), rank = ranks(attractors);
  const span = (cells: Map<number, [number, number]>): [number, number] => [Math.min(...[...cells.values()].map((c) => c[0])), Math.max(...[...cells.values()].map((c) => c[1]))];
  const cell = (plane: Plane, row: number): [number, number, number, number] => {
    const [a, b] = columns.get(x.values[row])!, [c, d] = lines.get(y.values[row])!, left = plane.x(a), top = plane.y(d);
    return [left, top, plane.x(b) - left, plane.y(c) - top];
  };
  const named = attractors.texts.map((text, i) => ({ place: rank[i], color: colorOf(rank[i]), text: `${text} (${attractors.runs[i]})` })).sort((a, b) => a.place - b.place);
  const others = named.slice(MOST_COLORS), without = attractors.ofRow.filter((of: number) => of < 0).length;
  return {
    x: columnAxis(x, span(columns), logX), y: columnAxis(y, span(lines), logY),
    draw(plane) {
      for (let row = 0; row < study.rows; ++row) {
        const [left, top, wide, high] = cell(plane, row), of = attractors.ofRow[row];
        if (of < 0) { cross(plane, left + wide / 2, top + high / 2); continue; }
        plane.context.fillStyle = colorOf(rank[of]);
        plane.context.fillRect(left, top, wide + 0.5, high + 0.5);   // no seams
      }
    },
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
    legend: [
      ...named.slice(0, MOST_COLORS).map(({ color, text }) => ({ color, text })),
      ...(others.length > 0 ? [{ color: theme.colors.faint, text: `${others.length} other motions` }] : []),
      ...(without > 0 ? [{ color: theme.colors.bad, text: `× without points of the section: ${without}` }] : []),
    ],
    note: `${attractors.texts.length} motion${attractors.texts.length === 1 ? '' : 's'}, told apart by the points of the section; in brackets: how many runs have come to each`,
  };
}
