// Which pictures a study has, what can be chosen for each, and which one it opens with.
import { distinct, varied, type Study, type StudyColumn } from '../data/study';
import { basins } from './basins';
import type { Chart } from './chart';
import { diagram } from './diagram';
import { gridOf, heatMap } from './heat_map';
import { histogram } from './histogram';
import { measureCurves } from './measure_curves';
import { scatter, sectionPlane } from './scatter';
import { waterfall } from './waterfall';

export type Kind = 'diagram' | 'section' | 'basins' | 'curves' | 'map' | 'scatter' | 'distribution' | 'sensitivity' | 'waterfall';
export const KIND_NAMES: Record<Kind, string> = {
  diagram: 'bifurcation diagram', section: 'section', basins: 'basins', curves: 'curves', map: 'map', scatter: 'scatter', distribution: 'distribution', sensitivity: 'sensitivities', waterfall: 'waterfall',
};
// What is chosen, by the names of columns; what a picture does not have is empty.
export interface Choice { kind: Kind; x: string; y: string; color: string; logX: boolean; logY: boolean }
export interface Menus { x: StudyColumn[]; y: StudyColumn[]; color: StudyColumn[]; mayHaveNoColor: boolean }

const MANY_VALUES = 8;   // of a second parameter: more curves cannot be told apart
const numbers = (columns: StudyColumn[]) => columns.filter((column) => !column.words);
// The parameter with most values first.
const widest = (study: Study) => numbers(varied(study)).map((column) => ({ column, count: distinct(column.values).length })).sort((a, b) => b.count - a.count).map(({ column }) => column);

export function kindsOf(study: Study): Kind[] {
  const parameters = widest(study), has = (list: unknown[], least = 1) => list.length >= least;
  const all: [Kind, boolean][] = [
    ['diagram', has(study.section, 2) && has(parameters)], ['section', has(study.section, 3)], ['basins', study.attractors !== null && gridOf(study) !== null], ['curves', has(study.measures) && has(parameters)],
    ['map', has(study.measures) && gridOf(study) !== null], ['scatter', has(study.columns, 2)],
    ['distribution', has(Object.keys(study.header.distributions ?? {}))], ['sensitivity', has(Object.keys(study.header.sensitivity ?? {}))],
    ['waterfall', has(study.waterfalls)],
  ];
  return all.filter(([, is]) => is).map(([kind]) => kind);
}

export function menusOf(study: Study, kind: Kind): Menus {
  const parameters = widest(study), points = study.section.slice(1), named = (keys: object) => study.measures.filter((column) => column.name in keys);
  const menus = { x: [] as StudyColumn[], y: [] as StudyColumn[], color: [] as StudyColumn[], mayHaveNoColor: false };
  if (kind === 'diagram') return { ...menus, x: parameters, y: points };
  if (kind === 'section') return { ...menus, x: points, y: [...points.slice(1), points[0]] };
  if (kind === 'curves') return { ...menus, x: parameters, y: study.measures };
  if (kind === 'basins') return { ...menus, x: gridOf(study) ?? [] };
  if (kind === 'map') return { ...menus, x: gridOf(study) ?? [], color: study.measures };
  if (kind === 'scatter') return { ...menus, x: [...parameters, ...study.measures], y: [...study.measures, ...parameters], color: numbers(study.columns), mayHaveNoColor: true };
  if (kind === 'distribution') return { ...menus, y: named(study.header.distributions) };
  if (kind === 'waterfall') return { ...menus, y: study.waterfalls.map(({ channel, unit, level }) => ({ name: channel, unit, values: level })) };
  return { ...menus, y: named(study.header.sensitivity ?? {}) };
}

export function firstKind(study: Study): Kind | null {
  const kinds = kindsOf(study), grid = gridOf(study);
  const isMap = grid !== null && grid.every((column) => distinct(column.values).length > MANY_VALUES);
  // Few motions in a fine grid are what its runs were made for; a motion of its own in every cell is no picture.
  const areBasins = isMap && study.attractors !== null && study.attractors.texts.length > 1 && study.attractors.texts.length <= MANY_VALUES;
  const order: Kind[] = ['waterfall', 'sensitivity', ...(areBasins ? ['basins' as Kind] : []), 'diagram', 'distribution', ...(isMap ? ['map' as Kind] : []), 'curves', 'map', 'basins', 'scatter'];
  return order.find((kind) => kinds.includes(kind)) ?? null;
}

// Completes a choice: names that the picture does not have become its first ones.
export function settle(study: Study, wanted: Partial<Choice>): Choice {
  const kinds = kindsOf(study), kind = wanted.kind && kinds.includes(wanted.kind) ? wanted.kind : firstKind(study) ?? 'scatter', menus = menusOf(study, kind);
  const pick = (list: StudyColumn[], name?: string, otherwise = 0) => (list.find((column) => column.name === name) ?? list[otherwise] ?? list[0])?.name ?? '';
  const x = pick(menus.x, wanted.x), y = pick(menus.y, wanted.y);
  return {
    kind, x, y, color: menus.mayHaveNoColor && !menus.color.some((column) => column.name === wanted.color) ? '' : pick(menus.color, wanted.color),
    logX: wanted.logX ?? study.isLogarithmic(kind === 'waterfall' ? study.waterfalls.find(({ channel }) => channel === y)?.parameter ?? '' : x), logY: wanted.logY ?? ((kind === 'map' || kind === 'basins') && gridOf(study)!.some((column) => column.name !== x && study.isLogarithmic(column.name))),
  };
}

export function chartOf(study: Study, choice: Choice): Chart | null {
  const { kind, logX, logY } = choice, menus = menusOf(study, kind), of = (list: StudyColumn[], name: string) => list.find((column) => column.name === name);
  const x = of(menus.x, choice.x), y = of(menus.y, choice.y), color = of(menus.color, choice.color);
  if (kind === 'diagram' && x && y) return diagram(study, x, y, logX, logY);
  if (kind === 'section' && x && y) return sectionPlane(study, x, y);
  if (kind === 'curves' && x && y) return measureCurves(study, x, y, logX, logY);
  if (kind === 'basins' && x && study.attractors) return basins(study.attractors, x, gridOf(study)!.find((column) => column !== x)!, logX, logY);
  if (kind === 'map' && x && color) return heatMap(study, x, gridOf(study)!.find((column) => column !== x)!, color, logX, logY, false);
  if (kind === 'scatter' && x && y) return scatter(study, x, y, color ?? null, logX, logY);
  if (kind === 'distribution' && y) return histogram(study, y, study.header.distributions[y.name]);
  const fall = kind === 'waterfall' ? study.waterfalls.find(({ channel }) => channel === choice.y) : undefined;
  if (fall) return waterfall(study, fall, logX && fall.value[0] > 0);
  return null;
}
