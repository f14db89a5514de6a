// Numbers as colours. The map of values is viridis, which keeps its order without colour vision and in print; that of
// densities goes from the background to the text.
import { theme } from './theme';

type Rgb = [number, number, number];
const VIRIDIS: Rgb[] = [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]];
const DENSITY_LIGHT: Rgb[] = [[200, 220, 243], [120, 170, 220], [45, 110, 185], [10, 50, 115], [5, 20, 60]];
const DENSITY_DARK: Rgb[] = [[30, 62, 98], [45, 105, 165], [90, 165, 235], [175, 215, 255], [245, 250, 255]];

function between(map: Rgb[], part: number): Rgb {
  const at = Math.min(1, Math.max(0, part)) * (map.length - 1), i = Math.min(map.length - 2, Math.floor(at)), f = at - i;
  return [0, 1, 2].map((k) => Math.round(map[i][k] + f * (map[i + 1][k] - map[i][k]))) as Rgb;
}
const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

export const valueRgb = (part: number): Rgb => between(VIRIDIS, part);
export const valueColor = (part: number): string => css(valueRgb(part));
export const densityColor = (part: number): string => css(between(theme.dark ? DENSITY_DARK : DENSITY_LIGHT, part));
// Of so many in one place where the most have `most`: single ones can be seen, and order is kept over decades.
export const densityPart = (count: number, most: number): number => (most > 1 ? Math.log(count) / Math.log(most) : 1);
