// Which beginnings lead to which motion: a grid of two parameters, one cell per run in the colour of the motion that it has come to.
import type { Attractors, StudyColumn } from '../data/study';
import { theme } from '../toolkit/theme';
import type { Chart } from './chart';
import { gridChart } from './grid_cells';

const MOST_COLORS = 7;   // motions beyond share one
const colorOf = (attractor: number): string => (attractor < MOST_COLORS ? theme.colors.curves[attractor % theme.colors.curves.length] : theme.colors.faint);

// The common ones first: a colour belongs to a motion, however many there are.
function ranks({ runs }: Attractors): number[] {
  const order = runs.map((_, i) => i).sort((a, b) => runs[b] - runs[a] || a - b), rank = new Array<number>(runs.length);
  order.forEach((attractor, place) => { rank[attractor] = place; });
  return rank;
}

export function basins(attractors: Attractors, x: StudyColumn, y: StudyColumn, logX: boolean, logY: boolean): Chart {
  const rank = ranks(attractors);
  const named = attractors.texts.map((text, i) => ({ place: rank[i], color: colorOf(rank[i]), text: `${text} (${attractors.runs[i]})` })).sort((a, b) => a.place - b.place);
  const others = named.slice(MOST_COLORS), without = attractors.ofRow.filter((of: number) => of < 0).length;
  return {
    ...gridChart(x, y, logX, logY, (row) => (attractors.ofRow[row] < 0 ? null : colorOf(rank[attractors.ofRow[row]]))),
    legend: [
      ...named.slice(0, MOST_COLORS).map(({ color, text }) => ({ color, text })),
      ...(others.length > 0 ? [{ color: theme.colors.faint, text: `${others.length} other motions` }] : []),
      ...(without > 0 ? [{ color: theme.colors.bad, text: `× without points of the section: ${without}` }] : []),
    ],
    note: `${attractors.texts.length} motion${attractors.texts.length === 1 ? '' : 's'}, told apart by the points of the section; in brackets: how many runs have come to each`,
  };
}
