// The timeline of contact modes: one strip per contact point, grey open, orange slipping, blue sticking,
// or one colour where the run knows only that the contact lasts; marks where it hit. At first the most active ones.
import type { App, Panel } from '../state/app';
import type { ContactPoint, Numbers } from '../data/data_block';
import { button, el, named, sizedContext } from '../toolkit/dom';
import { timeText } from '../toolkit/format';
import { modesOf } from '../data/modes';
import { theme } from '../toolkit/theme';

const ROW = 16;
const FEW = 12, MOST = 200;
const SNAP = 4;   // pixels: a click this near to the mark of an impact goes to the impact itself

function everCloses(point: ContactPoint, columns: Numbers[]): boolean {
  if (point.mode === null) return false;
  return (columns[point.mode] as Float32Array).some((mode) => mode > 0);
}

// How often something happens: its modes change, or it hits.
function activity(point: ContactPoint, columns: Numbers[], impacts: number): number {
  const modes = columns[point.mode!];
  let changes = 0;
  for (let i = 1; i < modes.length; ++i) if (modes[i] !== modes[i - 1]) ++changes;
  return changes + impacts;
}

// The most active ones, in the order of the model.
function mostActive(points: ContactPoint[], columns: Numbers[], impactsOf: Map<string, number[]>): ContactPoint[] {
  if (points.length <= FEW) return points;
  const score = new Map(points.map((point) => [point, activity(point, columns, impactsOf.get(point.name)?.length ?? 0)]));
  const best = new Set([...points].sort((a, b) => score.get(b)! - score.get(a)!).slice(0, FEW));
  return points.filter((point) => best.has(point));
}

export function timelinePanel(app: App): Panel | null {
  const { run } = app;
  const withMode = run.header.contact_points.filter((point) => point.mode !== null);
  if (withMode.length === 0) return null;
  const impactsOf = impactTimes(app);  // an impact may lie between the rows of the record
  const closing = withMode.filter((point) => everCloses(point, run.whole.columns) || impactsOf.has(point.name));
  const few = mostActive(closing, run.whole.columns, impactsOf);
  let shown = few;
  const modes = modesOf(run.header);
  const canvas = el('canvas', { class: 'strips' });
  const cursor = el('div', { class: 'cursor' });
  const strips = el('div', { class: 'strips-frame' }, canvas, cursor);
  const names = el('div', { class: 'strip-names' });
  const more = button('', 'all contact points that ever close, or the most active ones', () => show(shown === few ? closing.slice(0, MOST) : few), 'more');
  more.hidden = few.length === closing.length;
  const hint = el('span', { class: 'hint' });
  const legend = el('div', { class: 'legend' },
    ...[...new Set(modes)].map((mode) => el('span', {}, el('i', { class: `key ${mode.role}` }), mode.label)),
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
    const { context, width } = sized;
    const { from, to } = app.window;
    const fine = run.detail && run.detail.columns[0][0] <= from && run.detail.columns[0][run.detail.header.rows - 1] >= to ? run.detail : run.whole;
    const time = fine.columns[0];
    shown.forEach((point, i) => {
      const y = i * ROW + 2, h = ROW - 4;
      context.fillStyle = theme.colors.open;
      context.fillRect(0, y, width, h);
      const recorded = fine.columns[point.mode!];
      // Between rows the mode is that of the row at which the step ends. Sticking is drawn over slipping.
      for (const mode of [1, 2]) {
        context.fillStyle = theme.colors[modes[mode].role];
        let start = -1;
        for (let r = 1; r <= time.length; ++r) {
          const on = r < time.length && Math.round(recorded[r]) === mode;
          if (on && start < 0) start = r - 1;
          if (!on && start >= 0) {
            const x0 = ((time[start] - from) / (to - from)) * width, x1 = ((time[r - 1] - from) / (to - from)) * width;
            if (x1 >= 0 && x0 <= width) context.fillRect(x0, y, Math.max(0.7, x1 - x0), h);
            start = -1;
          }
        }
      }
      context.fillStyle = theme.colors.impact;
      for (const t of impactsOf.get(point.name) ?? []) {
        if (t >= from && t <= to) context.fillRect(((t - from) / (to - from)) * width - 0.5, y, 1, 4);
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
    const near = (point ? impactsOf.get(point.name) ?? [] : []).filter((impact) => Math.abs(impact - t) <= reach);
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
function impactTimes(app: App): Map<string, number[]> {
  const { header, whole } = app.run;
  const times = new Map<string, number[]>();
  const index = (name: string) => header.impacts.columns.findIndex((column) => column.name === name);
  const t = whole.impacts[index('time')], contact = whole.impacts[index('contact')];
  if (!t || !contact) return times;
  for (let i = 0; i < t.length; ++i) {
    const name = header.contacts[contact[i]];
    const list = times.get(name);
    if (list) list.push(t[i]); else times.set(name, [t[i]]);
  }
  return times;
}
