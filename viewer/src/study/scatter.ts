// Any number of the runs over any other, coloured by a third; and one point of the section over another.
import type { Study, StudyColumn } from '../data/study';
import { densityColor, densityPart, valueColor } from '../toolkit/color_map';
import { plainCount } from '../toolkit/format';
import { theme } from '../toolkit/theme';
import { BAR_ROOM, colorBar, columnAxis, dot, FailedMarks, nearest, ring, type Chart } from './chart';
import { rangeOf } from '../toolkit/plane';

export function scatter(study: Study, x: StudyColumn, y: StudyColumn, colored: StudyColumn | null, logX: boolean, logY: boolean): Chart {
  const isDrawn = (row: number) => Number.isFinite(x.values[row]) && Number.isFinite(y.values[row]);
  const rows = Array.from({ length: study.rows }, (_, row) => row).filter(isDrawn);
  const failed = new FailedMarks(study, x, isDrawn), ends = colored ? rangeOf(colored.values, false, 0) : null;
  const color = (row: number) => (colored && ends ? valueColor((colored.values[row] - ends[0]) / (ends[1] - ends[0])) : theme.colors.accent);
  return {
    x: columnAxis(x, rangeOf(x.values, logX), logX), y: columnAxis(y, rangeOf(y.values, logY), logY), room: colored ? BAR_ROOM : 0,
    draw(plane) {
      plane.context.globalAlpha = rows.length > 1000 && !colored ? 0.45 : 0.85;
      for (const row of rows) dot(plane, plane.x(x.values[row]), plane.y(y.values[row]), rows.length > 2000 ? 1.8 : 3, color(row));
      plane.context.globalAlpha = 1;
      failed.draw(plane);
    },
    beside(plane) { if (colored && ends) colorBar(plane, colored, ends, false, valueColor); },
    at(plane, px, py) { return failed.at(plane, px, py) ?? nearest(rows, (row) => Math.hypot(plane.x(x.values[row]) - px, plane.y(y.values[row]) - py)); },
    mark(plane, row) { if (isDrawn(row)) ring(plane, plane.x(x.values[row]), plane.y(y.values[row])); else if (failed.has(row)) failed.mark(plane, row); },
    legend: failed.legend,
    note: `${plainCount(rows.length)} runs`,
  };
}

const CELL = 3;   // px
export function sectionPlane(study: Study, x: StudyColumn, y: StudyColumn): Chart {
  const row = study.crossingRow, all = Array.from({ length: row.length }, (_, k) => k);
  return {
    x: columnAxis(x, rangeOf(x.values, false), false), y: columnAxis(y, rangeOf(y.values, false), false),
    draw(plane) {
      const counts = new Map<number, number>();
      for (const k of all) {
        const px = plane.x(x.values[k]), py = plane.y(y.values[k]);
        if (!plane.contains(px, py)) continue;
        const cell = Math.floor(px / CELL) * 65536 + Math.floor(py / CELL);
        counts.set(cell, (counts.get(cell) ?? 0) + 1);
      }
      let most = 1;
      for (const count of counts.values()) most = Math.max(most, count);
      for (const [cell, count] of counts) {
        plane.context.fillStyle = densityColor(densityPart(count, most));
        plane.context.fillRect(Math.floor(cell / 65536) * CELL, (cell % 65536) * CELL, CELL, CELL);
      }
    },
    at(plane, px, py) { const k = nearest(all, (c) => Math.hypot(plane.x(x.values[c]) - px, plane.y(y.values[c]) - py)); return k === null ? null : row[k]; },
    mark(plane, r) { for (const k of all) if (row[k] === r) dot(plane, plane.x(x.values[k]), plane.y(y.values[k]), 2.6, theme.colors.impact); },
    legend: [],
    note: `${plainCount(row.length)} points of the section, stronger where there are more`,
  };
}
