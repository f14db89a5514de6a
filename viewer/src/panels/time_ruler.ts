// Times under the timeline: ticks at round numbers of the window that is shown.
import type { App } from '../state/app';
import { el, sizedContext } from '../toolkit/dom';
import { digits, niceAbove } from '../toolkit/format';
import { scaledUnit } from '../toolkit/plane';
import { theme } from '../toolkit/theme';

const APART = 80;   // px between ticks, at least

export function timeTicks(from: number, to: number, most: number): { at: number; text: string }[] {
  const step = niceAbove((to - from) / Math.max(1, most)), { factor, unit } = scaledUnit('s', Math.max(Math.abs(from), Math.abs(to))), list: number[] = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + 1e-9 * step; ++k) list.push(k * step);
  const places = Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9) + 1);
  return list.map((at, i) => {
    const text = Math.abs(at) < 1e-9 * step ? '0' : digits(Number((at / factor).toFixed(Math.min(12, places))), 12);
    return { at, text: i === list.length - 1 ? `${text} ${unit}` : text };
  });
}

export function timeRuler(app: App): { element: HTMLElement; draw(): void } {
  const canvas = el('canvas', { class: 'time-ruler' });
  return {
    element: canvas,
    draw() {
      const sized = sizedContext(canvas);
      if (!sized) return;
      const { context, width } = sized, { from, to } = app.window;
      context.font = '10px system-ui, sans-serif';
      context.textBaseline = 'top';
      context.fillStyle = theme.colors.faint;
      context.strokeStyle = theme.colors.gridStrong;
      for (const { at, text } of timeTicks(from, to, width / APART)) {
        const x = ((at - from) / (to - from)) * width, half = context.measureText(text).width / 2;
        context.beginPath();
        context.moveTo(x, 0);
        context.lineTo(x, 4);
        context.stroke();
        context.textAlign = 'left';
        context.fillText(text, Math.min(width - 2 * half, Math.max(0, x - half)), 5);
      }
    },
  };
}
