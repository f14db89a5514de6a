// Ticks of curves.
import type uPlot from 'uplot';
import { digits, quantity } from './format';

// Room for them beside the curves, in pixels: "−0.05 rad/s" fits. The same for all panels, so that their times stand below each other.
export const TICK_ROOM = 76;

// Ticks of an axis in the prefix that suits the largest of them; the unit stands once, at the top tick.
export function ticks(unit: string): (u: uPlot, splits: number[]) => string[] {
  return (_, splits) => {
    const largest = Math.max(...splits.map(Math.abs));
    const sample = quantity(largest, unit, 6).split(' ');
    const shown = sample.length > 1 ? sample.slice(1).join(' ') : '';
    const factor = largest > 0 && Number(sample[0].replace('−', '-')) > 0 ? largest / Number(sample[0].replace('−', '-')) : 1;
    return splits.map((value, i) => {
      const text = Math.abs(value) < 1e-9 * largest ? '0' : digits(value / factor, 6);
      return i === splits.length - 1 && shown ? `${text} ${shown}` : text;
    });
  };
}
