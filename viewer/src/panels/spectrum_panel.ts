// The spectrum of a channel over the part of the time that the curves show.
import type { App, Panel } from '../state/app';
import { amplitudeSpectrum, highestWorthShowing, WINDOW_NAMES, type Spectrum, type WindowName } from '../data/spectrum';
import { ChannelPicker } from './channel_picker';
import { firstChannels } from './first_channels';
import { el, named } from '../toolkit/dom';
import { plainCount, quantity, short } from '../toolkit/format';
import { Plane } from '../toolkit/plane';
import { theme } from '../toolkit/theme';

const DECADES = 5;   // below the largest line, on a logarithmic axis
const FINGER = 8;    // px around the pointer in which the largest line is read

export function spectrumPanel(app: App): Panel & { spectrum(): Spectrum | null; choose(name: string): void } {
  const { run } = app;
  let channel = firstChannels(app)[0]?.[0] ?? Math.min(1, run.header.columns.length - 1), log = true, window_: WindowName = 'hann';
  let found: Spectrum | null = null, stale = true, under: number | null = null;
  const canvas = el('canvas', { class: 'phase spectrum' }), plane = new Plane(canvas), note = el('p', { class: 'hint' }), readout = el('b', { class: 'peak-line' });
  const face = el('button', { type: 'button', class: 'chip', title: 'choose the channel' });
  const label = () => face.replaceChildren('of ', named('b', run.header.columns[channel]?.name ?? 'none', 32));
  const pick = (to: number) => { channel = to; label(); stale = true; draw(); };
  face.addEventListener('click', () => new ChannelPicker(run, [channel], ([to]) => pick(to), true).open(face));
  const windows = el('select', { 'aria-label': 'window', title: 'Hann tells frequencies apart, flat top reads amplitudes, none is for whole periods' }, ...WINDOW_NAMES.map((name) => el('option', { value: name }, `window: ${name}`)));
  windows.addEventListener('change', () => { window_ = windows.value as WindowName; stale = true; draw(); });
  const scale = el('input', { type: 'checkbox', checked: true });
  scale.addEventListener('change', () => { log = scale.checked; draw(); });
  const element = el('div', { class: 'panel phase-panel' }, el('div', { class: 'bar' }, face, windows, el('label', { class: 'toggle' }, scale, 'log'), readout), canvas, note);

  const compute = () => {
    const [times, values] = run.series([0, channel]), time: number[] = [], kept: number[] = [];
    times.forEach((t, i) => {
      const v = values[i];
      if (t === null || v === null || t < app.window.from || t > app.window.to || (time.length > 0 && !(t > time[time.length - 1]))) return;
      time.push(t);
      kept.push(v);
    });
    found = amplitudeSpectrum(time, kept, window_);
    under = null;
    note.textContent = found ? `amplitudes of ${quantity(app.window.from, 's', 4)} to ${quantity(app.window.to, 's', 4)}: ${plainCount(time.length)} rows, ${plainCount(found.samples)} samples, lines ${quantity(found.resolution, 'Hz', 3)} apart, mean and drift taken away${run.thinned && !app.source.served ? '. The page has some of the rows only: fast parts may be missing' : ''}`
      : 'too few rows here for a spectrum';
  };
  const say = (line: number | null) => { readout.textContent = line === null || !found ? '' : `${quantity(found.frequency[line], 'Hz', 4)}: ${quantity(found.amplitude[line], run.unit(channel), 4)}`; };
  const largest = (from: number, to: number): number | null => {
    let best: number | null = null;
    found?.frequency.forEach((f, i) => { if (f >= from && f <= to && (best === null || found!.amplitude[i] > found!.amplitude[best])) best = i; });
    return best;
  };
  const draw = () => {
    if (!canvas.isConnected) return;
    if (stale) { stale = false; compute(); }
    if (!found) return void canvas.getContext('2d')?.clearRect(0, 0, canvas.width, canvas.height);
    const high = Math.max(Number.MIN_VALUE, found.amplitude.reduce((a, b) => Math.max(a, b), 0)), end = highestWorthShowing(found);
    const y = { label: `${short(run.header.columns[channel].name, 30)}, amplitude`, unit: run.unit(channel), low: log ? high * 10 ** -DECADES : 0, high: high * (log ? 2 : 1.06), log };
    if (!plane.begin({ label: 'frequency', unit: 'Hz', low: 0, high: end, log: false }, y)) return;
    const { context } = plane;
    context.strokeStyle = theme.colors.accent;
    context.lineWidth = 1.2;
    context.beginPath();
    found.frequency.forEach((f, i) => { if (f <= end) context[i === 0 ? 'moveTo' : 'lineTo'](plane.x(f), plane.y(Math.max(found!.amplitude[i], y.low || 0))); });
    context.stroke();
    const top = under ?? largest(0, end);
    if (top !== null) {
      context.fillStyle = theme.colors.slip;
      context.beginPath();
      context.arc(plane.x(found.frequency[top]), plane.y(Math.max(found.amplitude[top], y.low || 0)), 4, 0, 2 * Math.PI);
      context.fill();
    }
    plane.end();
    say(top);
  };
  canvas.addEventListener('pointermove', (event) => {
    if (!found) return;
    under = largest(plane.valueX(event.offsetX - FINGER), plane.valueX(event.offsetX + FINGER));
    draw();
  });
  canvas.addEventListener('pointerleave', () => { under = null; draw(); });
  label();
  app.window.listen(() => { stale = true; draw(); });
  theme.listen(() => draw());
  new ResizeObserver(() => draw()).observe(canvas);
  return {
    element, show: draw, data() { stale = true; draw(); },
    spectrum() { compute(); return found; },
    choose(name) { const to = run.column(name); if (to !== undefined) pick(to); },
  };
}
