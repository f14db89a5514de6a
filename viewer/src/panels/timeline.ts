// The timeline of contact modes: one strip per contact point, grey open, orange slipping, blue sticking,
// or one colour where the run knows only that the contact lasts; marks where it hit. From event to event where the run
// locates events. At first the most active ones.
import type { App, Panel } from '../state/app';
import type { Block, ContactPoint } from '../data/data_block';
import { button, el, named, sizedContext } from '../toolkit/dom';
import { timeText } from '../toolkit/format';
import { CONTACT, modesOf } from '../data/modes';
import type { History } from '../data/phases';
import { eventHistories, rowBars } from '../data/phases';
import { timeRuler } from './time_ruler';
import { theme } from '../toolkit/theme';

const ROW = 16;
const FEW = 12, MOST = 200;
const SNAP = 4;   // pixels: a click this near to the mark of an impact goes to the impact itself

// How often something happens: its modes change, or it hits.
const activity = ({ bars, impacts }: History) => 2 * bars.length + impacts.length;

// The most active ones, in the order of the model.
function mostActive(points: ContactPoint[], history: (point: ContactPoint) => History): ContactPoint[] {
  if (points.length <= FEW) return points;
  const score = new Map(points.map((point) => [point, activity(history(point))]));
  const best = new Set([...points].sort((a, b) => score.get(b)! - score.get(a)!).slice(0, FEW));
  return points.filter((point) => best.has(point));
}

// What a block says of its contact points, worked out when it is asked for.
function historian(block: Block): (point: ContactPoint) => History {
  const located = eventHistories(block), impactsOf = impactTimes(block);   // an impact may lie between the rows of the record
  const known = new Map<string, History>();
  return (point) => {
    let history = located?.get(point.name) ?? known.get(point.name);
    if (!history) {
      history = { bars: rowBars(block, point), impacts: impactsOf.get(point.name) ?? [] };
      known.set(point.name, history);
    }
    return history;
  };
}

export function timelinePanel(app: App): Panel | null {
  const { run } = app;
  const ofWhole = historian(run.whole);
  const happens = (point: ContactPoint) => ofWhole(point).bars.length > 0 || ofWhole(point).impacts.length > 0;
  const withMode = run.header.contact_points.filter((point) => point.mode !== null || ofWhole(point).bars.length > 0);
  if (withMode.length === 0) return null;
  const closing = withMode.filter(happens);
  if (closing.length === 0 && !app.source.served && !run.thinned) return null;   // no row shows one closed, and there are no others
  const few = mostActive(closing, ofWhole);
  let shown = few;
  let detail: { block: Block; history: (point: ContactPoint) => History } | null = null;
  // Of the part that the window shows: more rows of it, or its events where all of them are too many.
  const historyNow = () => {
    const { from, to } = app.window, fine = run.detail;
    if (!fine || fine.columns[0][0] > from || fine.columns[0][fine.header.rows - 1] < to) return ofWhole;
    if (detail?.block !== fine) detail = { block: fine, history: historian(fine) };
    return detail.history;
  };
  const modes = modesOf(run.header);
  // Closed, and nothing tells whether it slides.
  const unsaid = closing.some((point) => ofWhole(point).bars.some(({ role }) => role === 'contact')) ? [CONTACT] : [];
  const canvas = el('canvas', { class: 'strips' });
  const cursor = el('div', { class: 'cursor' });
  const ruler = timeRuler(app);
  const strips = el('div', { class: 'strips-frame' }, canvas, ruler.element, cursor);
  const names = el('div', { class: 'strip-names' });
  const more = button('', 'all contact points that ever close, or the most active ones', () => show(shown === few ? closing.slice(0, MOST) : few), 'more');
  more.hidden = few.length === closing.length;
  const hint = el('span', { class: 'hint' });
  const legend = el('div', { class: 'legend' },
    ...[...new Map([...modes, ...unsaid].map((mode) => [mode.role, mode])).values()].map((mode) => el('span', {}, el('i', { class: `key ${mode.role}` }), mode.label)),
    el('span', {}, el('i', { class: 'key impact' }), 'impact'),
    more, hint);
  const element = el('div', { class: 'panel timeline' }, legend, el('div', { class: 'strips-body' }, names, strips));

  const show = (points: ContactPoint[]) => {
    shown = points;
    canvas.style.height = `${Math.max(1, shown.length) * ROW}px`;
    names.replaceChildren(...shown.map((point) => named('div', point.name, 24)));
    more.textContent = shown === few ? `all ${Math.min(MOST, closing.length)}` : `the ${FEW} most active`;
    hint.textContent = [
      withMode.length > closing.length ? `${withMode.length - closing.length} of ${withMode.length} contact points are open in all rows shown` : '',
      closing.length > shown.length ? `${shown === few ? 'the most active; ' : ''}${closing.length - shown.length} more are not shown` : '',
      shown.length > 0 ? 'drag: time · wheel: zoom · double click: all' : '',
    ].filter(Boolean).join(' · ');
    draw();
  };
  const draw = () => {
    const sized = sizedContext(canvas);
    if (!sized) return;
    ruler.draw();
    const { context, width } = sized;
    const { from, to } = app.window;
    const history = historyNow();
    const xOf = (t: number) => ((t - from) / (to - from)) * width;
    shown.forEach((point, i) => {
      const y = i * ROW + 2, h = ROW - 4, { bars, impacts } = history(point);
      context.fillStyle = theme.colors.open;
      context.fillRect(0, y, width, h);
      // Sticking is drawn over slipping.
      for (const role of ['contact', 'slip', 'stick'] as const) {
        context.fillStyle = theme.colors[role];
        for (const bar of bars) {
          if (bar.role !== role || bar.to < from || bar.from > to) continue;
          const x0 = xOf(Math.max(bar.from, from)), x1 = xOf(Math.min(bar.to, to));
          context.fillRect(x0, y, Math.max(0.7, x1 - x0), h);
        }
      }
      context.fillStyle = theme.colors.impact;
      for (const t of impacts) {
        if (t >= from && t <= to) context.fillRect(xOf(t) - 0.5, y, 1, 4);
      }
    });
    place();
  };
  const place = () => {
    const { from, to } = app.window;
    const x = ((run.time - from) / (to - from)) * canvas.clientWidth;
    cursor.style.transform = `translateX(${x}px)`;
    cursor.hidden = x < 0 || x > canvas.clientWidth;
  };
  const timeAt = (event: PointerEvent | WheelEvent) => {
    const box = canvas.getBoundingClientRect();
    return app.window.from + ((event.clientX - box.left) / box.width) * (app.window.to - app.window.from);
  };
  // The impact whose mark is under the pointer.
  const impactAt = (event: PointerEvent): number | null => {
    const box = canvas.getBoundingClientRect(), point = shown[Math.floor((event.clientY - box.top) / ROW)];
    const t = timeAt(event), reach = (SNAP / box.width) * (app.window.to - app.window.from);
    const near = (point ? historyNow()(point).impacts : []).filter((impact) => Math.abs(impact - t) <= reach);
    return near.length > 0 ? near.reduce((best, impact) => (Math.abs(impact - t) < Math.abs(best - t) ? impact : best)) : null;
  };
  strips.addEventListener('pointerdown', (event) => {
    strips.setPointerCapture(event.pointerId);
    app.playback.setTime(impactAt(event) ?? timeAt(event));
  });
  strips.addEventListener('pointermove', (event) => {
    if (strips.hasPointerCapture(event.pointerId)) app.playback.setTime(timeAt(event));
    canvas.title = timeText(timeAt(event), run.span);
  });
  strips.addEventListener('wheel', (event) => {
    event.preventDefault();
    const t = timeAt(event), factor = Math.exp(event.deltaY * 0.002);
    app.window.set(t - (t - app.window.from) * factor, t + (app.window.to - t) * factor);
  }, { passive: false });
  strips.addEventListener('dblclick', () => app.window.reset());
  show(few);
  app.window.listen(draw);
  theme.listen(draw);
  new ResizeObserver(draw).observe(strips);
  return { element, show: draw, time: place, data: draw };
}

// Times of the impacts by name of the contact point.
function impactTimes({ header, impacts }: Block): Map<string, number[]> {
  const times = new Map<string, number[]>();
  const index = (name: string) => header.impacts.columns.findIndex((column) => column.name === name);
  const t = impacts[index('time')], contact = impacts[index('contact')];
  if (!t || !contact) return times;
  for (let i = 0; i < t.length; ++i) {
    const name = header.contacts[contact[i]];
    const list = times.get(name);
    if (list) list.push(t[i]); else times.set(name, [t[i]]);
  }
  return times;
}
