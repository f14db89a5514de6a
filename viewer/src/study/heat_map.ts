// A measure over two parameters of a grid: one cell per run. A run without the measure is a crossed cell.
import { distinct, varied, type Study, type StudyColumn } from '../data/study';
import { valueColor } from '../toolkit/color_map';
import { theme } from '../toolkit/theme';
import { rangeOf } from '../toolkit/plane';
import { BAR_ROOM, colorBar, type Chart } from './chart';
import { gridChart } from './grid_cells';

// Two parameters that are numbers and vary, and nothing else: samples have as many values as there are runs.
export function gridOf(study: Study): [StudyColumn, StudyColumn] | null {
  const list = varied(study);
  if (list.length !== 2 || list.some((column) => column.words)) return null;
  const counts = list.map((column) => distinct(column.values).length);
  return counts[0] * counts[1] <= 2 * Math.max(1, study.header.runs) ? [list[0], list[1]] : null;
}

export function heatMap(study: Study, x: StudyColumn, y: StudyColumn, shown: StudyColumn, logX: boolean, logY: boolean, logColor: boolean): Chart {
  const ends = rangeOf(shown.values, logColor, 0), isLog = logColor && ends[0] > 0;
  const part = (value: number) => (isLog ? Math.log(value / ends[0]) / Math.log(ends[1] / ends[0]) : (value - ends[0]) / (ends[1] - ends[0]));
  return {
    ...gridChart(x, y, logX, logY, (row) => (Number.isFinite(shown.values[row]) ? valueColor(part(shown.values[row])) : null)),
    room: BAR_ROOM,
    beside(plane) { colorBar(plane, shown, ends, isLog, valueColor); },
    legend: Array.from(shown.values).some((v) => !Number.isFinite(v)) ? [{ color: theme.colors.bad, text: '× without a value' }] : [],
    note: study.header.study?.measures?.[shown.name] ?? '',
  };
}
