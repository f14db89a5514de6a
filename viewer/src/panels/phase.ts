// The phase portrait: any channel over any other. As a path, the whole of it faint, the last part strong, a dot now; as a density, stronger
// where the motion spends more time; or as a Poincaré section, once per turn or per period.
import type { App, Panel } from '../state/app';
import { ChannelPicker } from './channel_picker';
import { el, named, sizedContext } from '../toolkit/dom';
import { digits, niceAbove, short } from '../toolkit/format';
import { densityColor, densityPart } from '../toolkit/color_map';
import { sectionTimes, turningOf } from '../data/turning';
import { theme } from '../toolkit/theme';

const TAIL = 0.05;
type Look = 'path' | 'density' | 'section';
const CELL = 3;      // px of a cell of the density
const EDGE = { left: 62, right: 14, top: 12, bottom: 34 };

// How long the path is in each cell, seconds; cells are numbered line by line.
export function dwellTimes(time: ArrayLike<number>, cellOf: (row: number, part: number) => number | null, pieces: (row: number) => number): Map<number, number> {
  const dwell = new Map<number, number>();
  for (let row = 0; row + 1 < time.length; ++row) {
    const count = Math.max(1, pieces(row)), share = (time[row + 1] - time[row]) / count;
    for (let k = 0; k < count; ++k) {
      const cell = cellOf(row, (k + 0.5) / count);
      if (cell !== null) dwell.set(cell, (dwell.get(cell) ?? 0) + share);
    }
  }
  return dwell;
}

export function phasePanel(app: App): Panel & { sectionPoints(): [number, number][]; setLook(look: Look, period?: number): void } {
  const { run } = app;
  const canvas = el('canvas', { class: 'phase' });
  let [x, y] = firstPair(app);
  const chooser = (axis: string, get: () => number, set: (channel: number) => void) => {
    const face = el('button', { type: 'button', class: 'chip', title: `choose the channel ${axis}` });
    const label = () => face.replaceChildren(`${axis}: `, named('b', run.header.columns[get()]?.name ?? 'none', 32));
    face.addEventListener('click', () => new ChannelPicker(run, [get()], ([channel]) => { set(channel); label(); path = null; draw(); }, true).open(face));
    label();
    return face;
  };
  const turning = turningOf(run);
  let look: Look = 'path', period = 0;   // 0: once per turn
  const looks = el('select', { 'aria-label': 'how it is drawn' }, ...([['path', 'path'], ['density', 'density'], ['section', 'section (Poincaré)']] as const).map(([value, text]) => el('option', { value }, text)));
  const length = el('input', { type: 'text', size: 7, 'aria-label': 'period in seconds', placeholder: turning ? 'a turn' : 'period, s', title: 'period of the section in seconds', hidden: true });
  const setLook = (to: Look, seconds?: number) => {
    look = looks.value = to;
    if (seconds !== undefined) { period = seconds; length.value = seconds > 0 ? String(seconds) : ''; }
    length.hidden = look !== 'section';
    path = null;
    draw();
  };
  looks.addEventListener('change', () => setLook(looks.value as Look));
  length.addEventListener('change', () => setLook('section', Number(length.value.replace(/s$/, '')) || 0));
  const sectionPoints = (): [number, number][] => {
    const times = period > 0 ? sectionTimes(run, period) : turning ? sectionTimes(run, turning) : [];
    const a = run.resampled(x, times), b = run.resampled(y, times);
    return times.flatMap((_, i) => (a[i] === null || b[i] === null ? [] : [[a[i]!, b[i]!] as [number, number]]));
  };
  const hint = el('span', { class: 'hint' });
  const element = el('div', { class: 'panel phase-panel' },
    el('div', { class: 'bar' }, chooser('across', () => x, (c) => { x = c; }), chooser('up', () => y, (c) => { y = c; }),
      looks, length, hint), canvas);
  let path: HTMLCanvasElement | null = null;
  let place: ((a: number, b: number) => [number, number]) | null = null;
  let key = '';

  const range = (column: number): [number, number] => {
    let low = Infinity, high = -Infinity;
    for (const v of run.whole.columns[column]) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!(low <= high)) return [-1, 1];
    const margin = high > low ? 0.05 * (high - low) : Math.abs(high) * 0.05 || 1;
    return [low - margin, high + margin];
  };
  const stroke = (context: CanvasRenderingContext2D, from: number, to: number) => {
    const a = run.whole.columns[x], b = run.whole.columns[y];
    let pen = false;
    context.beginPath();
    for (let i = from; i < to; ++i) {
      if (!Number.isFinite(a[i] + b[i])) { pen = false; continue; }
      const [px, py] = place!(a[i], b[i]);
      context[pen ? 'lineTo' : 'moveTo'](px, py);
      pen = true;
    }
    context.stroke();
  };
  const background = (width: number, height: number) => {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    path = document.createElement('canvas');
    path.width = width * ratio;
    path.height = height * ratio;
    const context = path.getContext('2d')!;
    context.scale(ratio, ratio);
    const [x0, x1] = range(x), [y0, y1] = range(y);
    const w = width - EDGE.left - EDGE.right, h = height - EDGE.top - EDGE.bottom;
    place = (a, b) => [EDGE.left + ((a - x0) / (x1 - x0)) * w, EDGE.top + (1 - (b - y0) / (y1 - y0)) * h];
    context.font = '11px system-ui, sans-serif';
    context.fillStyle = theme.colors.faint;
    context.strokeStyle = theme.colors.grid;
    context.lineWidth = 1;
    const stepX = niceAbove((x1 - x0) / (w / 80)), stepY = niceAbove((y1 - y0) / (h / 45));
    context.textAlign = 'center';
    for (let v = Math.ceil(x0 / stepX) * stepX; v <= x1; v += stepX) {
      const [px] = place(v, y0);
      context.strokeRect(px, EDGE.top, 0, h);
      context.fillText(digits(Math.abs(v) < stepX * 1e-6 ? 0 : v, 4), px, height - EDGE.bottom + 14);
    }
    context.textAlign = 'right';
    for (let v = Math.ceil(y0 / stepY) * stepY; v <= y1; v += stepY) {
      const [, py] = place(x0, v);
      context.strokeRect(EDGE.left, py, w, 0);
      context.fillText(digits(Math.abs(v) < stepY * 1e-6 ? 0 : v, 4), EDGE.left - 6, py + 4);
    }
    context.textAlign = 'center';
    const title = (column: number) => `${short(run.header.columns[column].name, 40)}${run.unit(column) === '1' ? '' : ` in ${run.unit(column)}`}`;
    context.fillText(title(x), EDGE.left + w / 2, height - 4);
    context.save();
    context.translate(11, EDGE.top + h / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(title(y), 0, 0);
    context.restore();
    if (look === 'density') return shade(context);
    if (look === 'section') return dots(context);
    hint.textContent = 'click on the path to go there';
    context.strokeStyle = theme.colors.accent;
    context.globalAlpha = 0.45;
    context.lineWidth = 0.9;
    stroke(context, 0, run.header.rows);
  };
  const shade = (context: CanvasRenderingContext2D) => {
    const a = run.whole.columns[x], b = run.whole.columns[y], WIDE = 65536;
    const at = (row: number, part: number) => place!(a[row] + part * (a[row + 1] - a[row]), b[row] + part * (b[row + 1] - b[row]));
    const dwell = dwellTimes(run.whole.columns[0], (row, part) => {
      const [px, py] = at(row, part);
      return Number.isFinite(px + py) ? Math.floor(py / CELL) * WIDE + Math.floor(px / CELL) : null;
    }, (row) => { const [px, py] = at(row, 0), [qx, qy] = at(row, 1), far = Math.hypot(qx - px, qy - py) / CELL; return Number.isFinite(far) ? Math.min(1000, Math.ceil(2 * far)) : 1; });
    let most = 0, least = Infinity;
    for (const seconds of dwell.values()) { most = Math.max(most, seconds); if (seconds > 0) least = Math.min(least, seconds); }
    for (const [cell, seconds] of dwell) {
      if (!(seconds > 0)) continue;
      context.fillStyle = densityColor(densityPart(Math.max(1, seconds / Math.max(least, most * 1e-4)), Math.max(2, most / Math.max(least, most * 1e-4))));
      context.fillRect((cell % WIDE) * CELL, Math.floor(cell / WIDE) * CELL, CELL, CELL);
    }
    hint.textContent = 'stronger where it spends more time';
  };
  const dots = (context: CanvasRenderingContext2D) => {
    const points = sectionPoints();
    context.fillStyle = theme.colors.accent;
    for (const [u, v] of points) {
      const [px, py] = place!(u, v);
      context.beginPath();
      context.arc(px, py, 2.2, 0, 2 * Math.PI);
      context.fill();
    }
    hint.textContent = points.length > 0 ? `${points.length} points, ${period > 0 ? `every ${period} s` : `once per turn of ${short(turning!.channel, 24)}`}` : 'nothing turns here: give the period in seconds';
  };
  const draw = () => {
    if (run.channels.length < 2) return;
    const sized = sizedContext(canvas);
    if (!sized) return;
    const { context, width, height } = sized;
    if (!path || key !== `${width} ${height} ${theme.dark} ${x} ${y}`) {
      key = `${width} ${height} ${theme.dark} ${x} ${y}`;
      background(width, height);
    }
    context.drawImage(path!, 0, 0, width, height);
    const time = run.whole.columns[0];
    let from = 0, to = time.length;
    while (from < to && time[from] < run.time - TAIL * run.span) ++from;
    while (to > from && time[to - 1] > run.time) --to;
    context.strokeStyle = theme.colors.accent;
    context.lineWidth = 2.2;
    if (look === 'path') stroke(context, from, to);
    const [px, py] = place!(run.now(x), run.now(y));
    if (!Number.isFinite(px + py)) return;
    context.beginPath();
    context.arc(px, py, 5, 0, 2 * Math.PI);
    context.fillStyle = theme.colors.slip;
    context.fill();
  };
  canvas.addEventListener('click', (event) => {
    if (!place) return;
    let best = -1, least = 15 * 15;
    const a = run.whole.columns[x], b = run.whole.columns[y];
    for (let i = 0; i < run.header.rows; ++i) {
      const [px, py] = place(a[i], b[i]);
      const d = (px - event.offsetX) ** 2 + (py - event.offsetY) ** 2;
      if (d < least) { least = d; best = i; }
    }
    if (best >= 0) app.playback.setTime(run.whole.columns[0][best]);
  });
  theme.listen(() => draw());
  new ResizeObserver(draw).observe(canvas);
  return { element, show: draw, time: draw, sectionPoints, setLook };
}

// A velocity over its position: of the last body (the one that the mechanism is made for) the coordinate that moves most.
function firstPair(app: App): [number, number] {
  const { run } = app;
  const candidates: [number, number, number][] = [];
  for (const body of Object.keys(run.header.poses)) {
    for (const [q, u] of [['x', 'vx'], ['y', 'vy'], ['z', 'vz'], ['angle', 'omega']]) {
      const a = run.column(`${body}.${q}`), b = run.column(`${body}.${u}`);
      if (a === undefined || b === undefined) continue;
      let low = Infinity, high = -Infinity;
      for (const v of run.whole.columns[a]) { low = Math.min(low, v); high = Math.max(high, v); }
      candidates.push([high - low, a, b]);
    }
    if (candidates.length > 200) break;
  }
  const last = candidates.slice(-4).sort((p, q) => q[0] - p[0])[0];
  return last && last[0] > 0 ? [last[1], last[2]] : [Math.min(1, run.header.columns.length - 1), Math.min(2, run.header.columns.length - 1)];
}
