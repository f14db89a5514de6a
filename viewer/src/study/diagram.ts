// The bifurcation diagram: all points of the section above the parameter. Few are dots; many hide one another, and become
// cells whose colour says how many there are.
import { distinct, type Study, type StudyColumn } from '../data/study';
import { densityColor, densityPart } from '../toolkit/color_map';
import { plainCount } from '../toolkit/format';
import { theme } from '../toolkit/theme';
import { columnAxis, dot, FailedMarks, upright, type Chart } from './chart';
import { rangeOf, type Plane } from '../toolkit/plane';

const MANY = 3000;
const CELL = 2;   // px
const LINES = 65536;

// The pixels that belong to each value: halfway to its neighbours.
export function strips(plane: Plane, values: number[]): Map<number, [number, number]> {
  const px = values.map((v) => plane.x(v)), found = new Map<number, [number, number]>();
  values.forEach((v, i) => {
    const before = i > 0 ? (px[i] - px[i - 1]) / 2 : 0, after = i + 1 < px.length ? (px[i + 1] - px[i]) / 2 : 0;
    const alone = values.length === 1 ? 4 : 0;
    found.set(v, [px[i] - (before || after || alone), px[i] + (after || before || alone)]);
  });
  return found;
}

export function diagram(study: Study, x: StudyColumn, point: StudyColumn, logX: boolean, logY: boolean): Chart {
  const row = study.crossingRow, values = distinct(x.values), failed = new FailedMarks(study, x);
  const way = study.parameters.find((column) => column.name === 'direction' && column.words?.length === 2);   // followed up and down
  const isMany = point.values.length > MANY && !way;
  const color = (r: number) => theme.colors.curves[way ? way.values[r] : 0];
  const placeOf = new Map(values.map((value, i) => [value, i]));
  const density = (plane: Plane) => {
    const columns = [...strips(plane, values).values()], counts = new Map<number, number>();
    for (let k = 0; k < row.length; ++k) {
      const py = plane.y(point.values[k]);
      if (!(py >= plane.top && py <= plane.top + plane.height)) continue;
      const cell = placeOf.get(x.values[row[k]])! * LINES + Math.floor(py / CELL);
      counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    let most = 1;
    for (const count of counts.values()) most = Math.max(most, count);
    for (const [cell, count] of counts) {
      const [from, to] = columns[Math.floor(cell / LINES)];
      plane.context.fillStyle = densityColor(densityPart(count, most));
      plane.context.fillRect(from, (cell % LINES) * CELL, Math.max(1, to - from), CELL);
    }
  };
  const rowsAt = (plane: Plane, px: number) => {
    const best = values.reduce((a, b) => (Math.abs(plane.x(b) - px) < Math.abs(plane.x(a) - px) ? b : a), values[0]);
    return new Set(Array.from({ length: study.rows }, (_, r) => r).filter((r) => x.values[r] === best));
  };
  return {
    x: columnAxis(x, rangeOf(values, logX, 0.02), logX), y: columnAxis(point, rangeOf(point.values, logY), logY),
    draw(plane) {
      if (isMany) density(plane);
      else for (let k = 0; k < row.length; ++k) dot(plane, plane.x(x.values[row[k]]), plane.y(point.values[k]), 1.6, color(row[k]));
      failed.draw(plane);
    },
    // The column under the pointer; of several runs there the one with the nearest point.
    at(plane, px, py) {
      const bad = failed.at(plane, px, py);
      if (bad !== null || values.length === 0) return bad;
      const rows = rowsAt(plane, px);
      let best: number | null = null, least = Infinity;
      for (let k = 0; k < row.length; ++k) {
        const d = Math.abs(plane.y(point.values[k]) - py);
        if (rows.has(row[k]) && d < least) { least = d; best = row[k]; }
      }
      return best ?? [...rows][0] ?? null;
    },
    mark(plane, r) {
      upright(plane, plane.x(x.values[r]));
      if (failed.has(r)) return failed.mark(plane, r);
      for (let k = 0; k < row.length; ++k) if (row[k] === r) dot(plane, plane.x(x.values[r]), plane.y(point.values[k]), 2.6, theme.colors.impact);
    },
    legend: [...(way ? way.words!.map((text, i) => ({ color: theme.colors.curves[i], text })) : []), ...failed.legend],
    note: `${plainCount(study.header.crossings)}${study.header.crossings < study.header.total_crossings ? ` of ${plainCount(study.header.total_crossings)}` : ''} points of the section${isMany ? ', stronger where there are more' : ''}`,
  };
}
