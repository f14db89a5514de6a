// The impacts as a table of any length, one row per blow or per impact: only the rows in sight exist. A click goes there, and
// from there to the rows of the record just before and after.
import type { App, Panel } from '../state/app';
import { button, el, named } from '../toolkit/dom';
import { columnFormat, digits, plainCount, quantity, short, type ColumnFormat } from '../toolkit/format';
import { groupBlows, type Blow } from '../data/blow_groups';
import { ImpactChart } from './impact_chart';
import type { Run } from '../data/run';

const ROW = 26;
const SHOWN: [string, string][] = [
  ['time', 'time'], ['contact', 'contact'], ['normal_impulse', 'normal impulse'], ['tangential_impulse_1', 'tang. impulse'],
  ['normal_velocity_before', 'v before'], ['normal_velocity_after', 'v after'], ['energy_lost', 'energy lost'],
];

// Few characters, since there are many columns.
const compact = (value: number): string =>
  (Math.abs(value) >= 1e-2 || value === 0 ? digits(value, 4) : value.toExponential(2).replace(/-/g, '−'));

// At the stop of a turning joint the impulse is a moment's and the speed an angle's. The contact's own columns tell, or,
// where they were not recorded, its joint.
const TURNING: Record<string, string> = { 'N s': 'N m s', 'm/s': 'rad/s' };
function turnsAt({ header }: Run, contact: number): boolean {
  const point = header.contact_points[contact];
  if (!point) return false;
  if (point.normal_impulse !== null) return header.columns[point.normal_impulse].unit === 'N m s';
  if (point.gap !== null) return header.columns[point.gap].unit === 'rad';
  if (point.normal_force !== null) return header.columns[point.normal_force].unit === 'N m';
  const joint = /^(.*)_(?:lower|upper)$/s.exec(point.name)?.[1];
  return header.geometry.joints.some((j) => j.name === joint && j.type === 'revolute' && j.model !== 'clearance');
}

// What a column says of several impacts together.
type Combine = (values: number[]) => number;
const total: Combine = (values) => values.reduce((a, b) => a + b, 0);
const COMBINED: Record<string, Combine> = {
  normal_impulse: total, tangential_impulse_1: total, energy_lost: total,
  normal_velocity_before: (values) => values.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a)), normal_velocity_after: (values) => values[values.length - 1],
};

export function impactsPanel(app: App): Panel {
  const { header, whole } = app.run;
  const { total: all, shown, columns } = header.impacts;
  const element = el('div', { class: 'panel impacts' });
  if (all === 0) {
    element.append(el('p', { class: 'empty' }, 'No impacts in this run.'));
    return { element };
  }
  const fields = SHOWN.map(([name, label]) => ({ name, label, at: columns.findIndex((column) => column.name === name) })).filter((f) => f.at >= 0);
  const times = whole.impacts[columns.findIndex((column) => column.name === 'time')];
  const contactAt = columns.findIndex((column) => column.name === 'contact');
  const turning = header.contacts.map((_, i) => turnsAt(app.run, i));
  const turns = (i: number) => turning[whole.impacts[contactAt]?.[i]] ?? false;
  const unitOf = (unit: string, i: number) => (turns(i) ? TURNING[unit] ?? unit : unit);
  // Where not all rows have the same units, each row shows its own.
  const mixed = Array.from({ length: shown }, (_, i) => i).some((i) => turns(i) !== turns(0));
  const contactOf = (i: number) => { const p = whole.impacts[contactAt]?.[i]; return header.contact_points[p]?.contact ?? header.contacts[p] ?? `#${p}`; };
  const singles: Blow[] = Array.from({ length: shown }, (_, i) => ({ contact: contactOf(i), impacts: [i], hardest: i }));
  let blows: Blow[] | null = null, isGrouped = true, chosen = '';
  let order: Blow[] = [], byTime: Blow[] = [], sortedBy = 'time', rising = true, selected = -1, near = -1;

  const head = el('div', { class: 'impact-row head' });
  const space = el('div', { class: 'impact-space' });
  const list = el('div', { class: 'impact-list', tabindex: 0 }, space);
  const around = el('div', { class: 'around' }), sums = el('p', { class: 'hint sums' });
  const chart = new ImpactChart(app, (i) => go(i));
  const grouping = el('input', { type: 'checkbox', checked: true });
  grouping.addEventListener('change', () => { isGrouped = grouping.checked; refill(); });
  const names = [...new Set(singles.map(({ contact }) => contact))];
  const filter = el('select', { 'aria-label': 'of which joint or contact' }, el('option', { value: '' }, 'all joints and contacts'), ...names.slice(0, 300).map((name, i) => el('option', { value: i + 1 }, short(name, 30))));
  filter.addEventListener('change', () => { chosen = names[Number(filter.value) - 1] ?? ''; refill(); });
  element.append(
    el('div', { class: 'bar' }, el('label', { class: 'toggle', title: 'one row per blow: points that strike together, contacts that are pressed again and small hops are one' }, grouping, 'blows'), ...(names.length > 1 ? [filter] : []), around),
    sums, chart.element, el('div', { class: `impact-table${mixed ? ' mixed' : ''}` }, head, list));

  const value = (blow: Blow, field: { name: string; at: number }): number => {
    const column = whole.impacts[field.at];
    return blow.impacts.length > 1 && COMBINED[field.name] ? COMBINED[field.name](blow.impacts.map((i) => column[i])) : column[blow.hardest];
  };
  const text = (blow: Blow, field: { name: string; at: number }): string => {
    const number = value(blow, field), { unit } = columns[field.at];
    if (field.name === 'contact') return blow.impacts.length > 1 ? `${short(blow.contact, 28)} ×${blow.impacts.length}` : header.contacts[number] ?? `#${number}`;
    if (field.name === 'time') return number.toFixed(timeDecimals).replace('-', '−');
    const format = formats.get(field.name);
    if (!format) return `${compact(number)} ${unitOf(unit, blow.hardest)}`;
    return field.name === 'energy_lost' && number < 0 ? `gained ${format.text(-number)}` : format.text(number);
  };
  // A column where not all rows have the same unit has no format: each row says its own.
  const timeDecimals = Math.min(12, Math.max(0, 6 - Math.floor(Math.log10(Math.max(Math.abs(app.run.first), Math.abs(app.run.last), 1e-6)))));
  const formats = new Map<string, ColumnFormat>();
  const chooseFormats = () => {
    formats.clear();
    const scaled = fields.filter(({ name, at }) => columns[at].unit !== '1' && name !== 'time' && !(mixed && columns[at].unit in TURNING));
    const largest = new Map(scaled.map((field) => [field, order.reduce((most, blow) => { const size = Math.abs(value(blow, field)); return Number.isFinite(size) ? Math.max(most, size) : most; }, 0)]));
    for (const field of scaled) {
      const { unit } = columns[field.at], shared = Math.max(...scaled.filter(({ at }) => columns[at].unit === unit).map((other) => largest.get(other)!));
      formats.set(field.name, columnFormat(largest.get(field)!, unitOf(unit, 0), shared));
    }
  };
  const paintHead = () => {
    head.replaceChildren(...fields.map((field) => {
      const unit = field.name === 'time' ? 's' : formats.get(field.name)?.unit ?? '';
      const head_ = button(field.label, `sort by ${field.label}`, () => sort(field.name, true));
      head_.append(...(unit ? [', ', el('span', { class: 'unit' }, unit)] : []), field.name === sortedBy ? (rising ? ' ▴' : ' ▾') : '');
      return head_;
    }));
  };
  const sort = (name: string, isClick: boolean) => {
    if (isClick) rising = name === sortedBy ? !rising : name === 'time' || name === 'contact';
    sortedBy = name;
    const field = fields.find((f) => f.name === name)!, key = new Map(order.map((blow) => [blow, value(blow, field)]));
    order.sort((a, b) => (rising ? 1 : -1) * (key.get(a)! - key.get(b)!) || a.hardest - b.hardest);
    paintHead();
    list.scrollTop = 0;
    paint();
  };
  const refill = () => {
    blows ??= groupBlows(whole);
    order = (isGrouped ? blows : singles).filter(({ contact }) => chosen === '' || contact === chosen);
    byTime = [...order].sort((a, b) => times[a.hardest] - times[b.hardest]);
    space.style.height = `${order.length * ROW}px`;
    chooseFormats();
    sort(sortedBy, false);
    showSums();
    const impulse = fields.find((f) => f.name === 'normal_impulse');
    if (impulse) chart.show(order.map((blow) => ({ time: times[blow.hardest], impulse: value(blow, impulse), unit: unitOf(columns[impulse.at].unit, blow.hardest), index: blow.hardest })));
  };
  const showSums = () => {
    const impacts = order.reduce((count, blow) => count + blow.impacts.length, 0), counted = (n: number, what: string) => `${plainCount(n)} ${what}${n === 1 ? '' : 's'}`;
    const sum = (name: string) => { const field = fields.find((f) => f.name === name); return field ? order.reduce((s, blow) => s + value(blow, field), 0) : null; };
    const lost = sum('energy_lost'), impulse = mixed ? null : sum('normal_impulse');
    sums.textContent = [
      isGrouped ? `${counted(order.length, 'blow')}, ${counted(impacts, 'impact')}` : counted(impacts, 'impact'),
      shown < all ? `of ${plainCount(all)} impacts the ${plainCount(shown)} strongest` : '',
      impulse === null ? '' : `together ${quantity(impulse, unitOf('N s', 0), 4)}`, lost === null ? '' : `${quantity(Math.abs(lost), 'J', 4)} ${lost < 0 ? 'gained' : 'lost'}`,
      mixed ? 'stops of turning joints in N m s and rad/s' : '',
      order.some((blow) => { const field = fields.find((f) => f.name === 'energy_lost'); return field && value(blow, field) < 0; })
        ? '“gained”: the parts left with more energy than they came with, as when another contact rebounds with them' : '',
    ].filter(Boolean).join(' · ');
  };
  const paint = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
    const last = Math.min(order.length, first + Math.ceil((list.clientHeight || 400) / ROW) + 8);
    const rows: Node[] = [];
    for (let k = first; k < last; ++k) {
      const blow = order[k], i = blow.hardest;
      const row = el('div', { class: `impact-row${i === selected ? ' selected' : ''}${i === near ? ' near' : ''}`, 'data-impact': i, role: 'button' },
        ...fields.map((field) => named('span', text(blow, field), 40)));
      row.style.top = `${k * ROW}px`;
      row.addEventListener('click', () => go(i));
      rows.push(row);
    }
    space.replaceChildren(...rows);
  };
  // By its arrow keys, once the list has the focus: from row to row.
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || order.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const from = order.findIndex((blow) => blow.hardest === selected), k = Math.min(order.length - 1, Math.max(0, from < 0 ? 0 : from + step));
    if (k * ROW < list.scrollTop || (k + 1) * ROW > list.scrollTop + list.clientHeight) list.scrollTop = Math.max(0, k * ROW - list.clientHeight / 2);
    go(order[k].hardest);
  });
  const rowsAround = (t: number): [number, number] => {
    const record = app.run.whole.columns[0];
    let before = record[0], after = record[record.length - 1];
    for (let r = 0; r < record.length; ++r) {
      if (record[r] < t - 1e-12) before = record[r];
      if (record[r] > t + 1e-12) { after = record[r]; break; }
    }
    return [before, after];
  };
  const go = (i: number) => {
    selected = i;
    app.playback.setPlaying(false);
    app.playback.setTime(times[i]);
    const [before, after] = rowsAround(times[i]);
    around.replaceChildren(
      button('◂ row before', `to the recorded row before, ${digits(before, 7)} s`, () => app.playback.setTime(before)),
      button('impact', 'to the impact', () => app.playback.setTime(times[i])),
      button('row after ▸', `to the recorded row after, ${digits(after, 7)} s`, () => app.playback.setTime(after)));
    paint();
  };
  list.addEventListener('scroll', paint);
  new ResizeObserver(paint).observe(list);
  return {
    element,
    show() {
      if (!blows) refill();
      chart.draw();
      paint();
    },
    time(t) {
      chart.place(t);
      let low = 0, high = byTime.length;
      while (low < high) { const middle = (low + high) >> 1; if (times[byTime[middle].hardest] <= t + 1e-12) low = middle + 1; else high = middle; }
      const now = byTime[low - 1]?.hardest ?? -1;
      if (now !== near) {
        space.querySelector('.near')?.classList.remove('near');
        near = now;
        space.querySelector(`[data-impact="${near}"]`)?.classList.add('near');
      }
    },
  };
}
