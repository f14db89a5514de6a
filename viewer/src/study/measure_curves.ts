// A measure over one parameter. Other parameters make a curve for each of their values; where these are too many, points.
import { varied, type Study, type StudyColumn } from '../data/study';
import { theme } from '../toolkit/theme';
import { columnAxis, dot, FailedMarks, nearest, ring, valueText, type Chart } from './chart';
import { rangeOf } from '../toolkit/plane';

const MOST_CURVES = 8, MOST_DOTS = 400;

export function measureCurves(study: Study, x: StudyColumn, y: StudyColumn, logX: boolean, logY: boolean): Chart {
  const others = varied(study).filter((column) => column !== x), groups = new Map<string, number[]>();
  const hasValue = (row: number) => Number.isFinite(y.values[row]);
  for (let row = 0; row < study.rows; ++row) {
    const key = others.map((column) => column.values[row]).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const lists = [...groups.values()].map((rows) => rows.sort((a, b) => x.values[a] - x.values[b]));
  const asCurves = lists.length <= MOST_CURVES, failed = new FailedMarks(study, x, hasValue);
  const rows = Array.from({ length: study.rows }, (_, row) => row).filter(hasValue);
  const color = (i: number) => theme.colors.curves[i % theme.colors.curves.length];
  return {
    x: columnAxis(x, rangeOf(x.values, logX, 0.02), logX), y: columnAxis(y, rangeOf(y.values, logY), logY),
    draw(plane) {
      lists.forEach((list, i) => {
        const { context } = plane;
        context.strokeStyle = color(asCurves ? i : 0);
        context.lineWidth = 1.4;
        context.beginPath();
        let pen = false;
        for (const row of asCurves ? list : []) {
          if (!hasValue(row)) { pen = false; continue; }   // a run that failed is a gap
          context[pen ? 'lineTo' : 'moveTo'](plane.x(x.values[row]), plane.y(y.values[row]));
          pen = true;
        }
        context.stroke();
        for (const row of list) if (hasValue(row) && (!asCurves || list.length <= MOST_DOTS)) dot(plane, plane.x(x.values[row]), plane.y(y.values[row]), 2, color(asCurves ? i : 0));
      });
      failed.draw(plane);
    },
    at(plane, px, py) {
      return failed.at(plane, px, py) ?? nearest(rows, (row) => Math.hypot(plane.x(x.values[row]) - px, plane.y(y.values[row]) - py), 40);
    },
    mark(plane, row) { if (hasValue(row)) ring(plane, plane.x(x.values[row]), plane.y(y.values[row])); else failed.mark(plane, row); },
    legend: [...(asCurves && others.length > 0 ? lists.map((list, i) => ({ color: color(i), text: others.map((column) => `${column.name} = ${valueText(column, list[0])}`).join(', ') })) : []), ...failed.legend],
    note: study.header.study?.measures?.[y.name] ?? '',
  };
}
