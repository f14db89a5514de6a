// A measure of a sampled study as a distribution, with the parts that `freeplay sweep` has counted.
import type { Distribution, Study, StudyColumn } from '../data/study';
import { quantity } from '../toolkit/format';
import { theme } from '../toolkit/theme';
import { nearest, ring, upright, type Chart } from './chart';

export function histogram(study: Study, measure: StudyColumn, found: Distribution): Chart {
  const width = (found.largest - found.least) / found.histogram.length || Math.abs(found.least) * 0.1 || 1;
  const share = (i: number) => found.histogram[i] / found.runs, highest = Math.max(...found.histogram) / found.runs;
  const rows = Array.from({ length: study.rows }, (_, row) => row).filter((row) => Number.isFinite(measure.values[row]));
  const lines: [string, number, string][] = [['median', found.median, theme.colors.curves[1]], ['5 %', found.p5, theme.colors.curves[2]], ['95 %', found.p95, theme.colors.curves[2]]];
  const text = (value: number) => quantity(value, measure.unit, 4);
  return {
    x: { label: measure.name, unit: measure.unit, low: found.least - 0.5 * width, high: found.least + (found.histogram.length + 0.5) * width, log: false },
    y: { label: 'share of the runs', unit: '1', low: 0, high: 1.08 * highest, log: false },
    draw(plane) {
      const { context } = plane, floor = plane.y(0);
      context.fillStyle = theme.colors.accent;
      context.globalAlpha = 0.75;
      found.histogram.forEach((_, i) => {
        const left = plane.x(found.least + i * width), right = plane.x(found.least + (i + 1) * width), top = plane.y(share(i));
        context.fillRect(left + 0.5, top, right - left - 1, floor - top);
      });
      context.globalAlpha = 1;
      context.font = '11px system-ui, sans-serif';
      context.textAlign = 'left';
      context.textBaseline = 'top';
      lines.forEach(([name, value, color], i) => {
        context.strokeStyle = context.fillStyle = color;
        context.lineWidth = 1.6;
        context.beginPath();
        context.moveTo(plane.x(value), plane.top);
        context.lineTo(plane.x(value), floor);
        context.stroke();
        context.fillText(name, plane.x(value) + 4, plane.top + 3 + 14 * (i === 0 ? 0 : 1));
      });
      context.lineWidth = 1;
    },
    at(plane, px) { return nearest(rows, (row) => Math.abs(plane.x(measure.values[row]) - px), 30); },
    mark(plane, row) {
      if (!Number.isFinite(measure.values[row])) return;
      upright(plane, plane.x(measure.values[row]));
      ring(plane, plane.x(measure.values[row]), plane.y(0) - 8);
    },
    legend: [],
    note: `mean ${text(found.mean)} ± ${text(found.deviation)}, median ${text(found.median)}, 5 % to 95 %: ${text(found.p5)} to ${text(found.p95)}, of ${found.runs} runs${found.left_out > 0 ? ` (${found.left_out} without a value are left out)` : ''}`,
  };
}
