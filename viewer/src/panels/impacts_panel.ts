// The impacts as a table of any length: only the rows in sight exist. A click goes there, and from there to the rows of
// the record just before and after.
import type { App, Panel } from '../state/app';
import { button, el, named } from '../toolkit/dom';
import { digits, plainCount } from '../toolkit/format';
import type { Run } from '../data/run';

const ROW = 26;
const SHOWN: [string, string][] = [
  ['time', 'time'], ['contact', 'contact'], ['normal_impulse', 'normal impulse'], ['tangential_impulse_1', 'tang. impulse'],
  ['normal_velocity_before', 'v before'], ['normal_velocity_after', 'v after'], ['energy_lost', 'energy lost'],
];

// Few characters, since there are many columns.
const compact = (value: number) =>
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

export function impactsPanel(app: App): Panel {
  const { header, whole } = app.run;
  const { total, shown, columns } = header.impacts;
  const element = el('div', { class: 'panel impacts' });
  if (total === 0) {
    element.append(el('p', { class: 'empty' }, 'No impacts in this run.'));
    return { element };
  }
  const fields = SHOWN.map(([name, label]) => ({ name, label, at: columns.findIndex((column) => column.name === name) })).filter((f) => f.at >= 0);
  const timeAt = columns.findIndex((column) => column.name === 'time');
  const times = whole.impacts[timeAt];
  const order = Array.from({ length: shown }, (_, i) => i);
  const contactAt = columns.findIndex((column) => column.name === 'contact');
  const turning = header.contacts.map((_, i) => turnsAt(app.run, i));
  const turns = (i: number) => turning[whole.impacts[contactAt]?.[i]] ?? false;
  const unitOf = (unit: string, i: number) => (turns(i) ? TURNING[unit] ?? unit : unit);
  // Where not all rows have the same units, each row shows its own.
  const mixed = order.some((i) => turns(i) !== turns(0));
  let sortedBy = 'time', rising = true, selected = -1, near = -1;

  const head = el('div', { class: 'impact-row head' });
  const space = el('div', { class: 'impact-space' });
  const list = el('div', { class: 'impact-list', tabindex: 0 }, space);
  space.style.height = `${shown * ROW}px`;
  const around = el('div', { class: 'around' });
  element.append(
    el('p', { class: 'hint' }, `${plainCount(total)} impacts${shown < total ? `; the ${plainCount(shown)} strongest are listed` : ''}. Click to go there.${mixed ? ' Stops of turning joints have impulses in N m s and speeds in rad/s.' : ''}`),
    around, el('div', { class: `impact-table${mixed ? ' mixed' : ''}` }, head, list));

  const text = (i: number, field: { name: string; at: number }): string => {
    const value = whole.impacts[field.at][i], { unit } = columns[field.at];
    if (field.name === 'contact') return header.contacts[value] ?? `#${value}`;
    if (field.name === 'time') return digits(value, 7);
    return mixed && unit in TURNING ? `${compact(value)} ${unitOf(unit, i)}` : compact(value);
  };
  const paintHead = () => {
    head.replaceChildren(...fields.map((field) => {
      const recorded = columns[field.at].unit;
      const unit = recorded === '1' || (mixed && recorded in TURNING) ? '' : unitOf(recorded, 0);
      const cell = button(field.label + (unit && `, ${unit}`) + (field.name === sortedBy ? (rising ? ' ▴' : ' ▾') : ''), `sort by ${field.label}`, () => sort(field.name));
      return cell;
    }));
  };
  const sort = (name: string) => {
    rising = name === sortedBy ? !rising : name === 'time' || name === 'contact';
    sortedBy = name;
    const values = whole.impacts[fields.find((field) => field.name === name)!.at];
    order.sort((a, b) => (rising ? 1 : -1) * (values[a] - values[b]) || a - b);
    paintHead();
    list.scrollTop = 0;
    paint();
  };
  const paint = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 4);
    const last = Math.min(shown, first + Math.ceil((list.clientHeight || 400) / ROW) + 8);
    const rows: Node[] = [];
    for (let k = first; k < last; ++k) {
      const i = order[k];
      const row = el('div', { class: `impact-row${i === selected ? ' selected' : ''}${i === near ? ' near' : ''}`, 'data-impact': i, role: 'button' },
        ...fields.map((field) => named('span', text(i, field), 40)));
      row.style.top = `${k * ROW}px`;
      row.addEventListener('click', () => go(i));
      rows.push(row);
    }
    space.replaceChildren(...rows);
  };
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
      button('row after ▸', `to the recorded row after, ${digits(after, 7)} s`, () => app.playback.setTime(after)),
      el('span', {}, `${text(i, fields[0])} s · `), named('b', header.contacts[whole.impacts[contactAt][i]] ?? '', 30));
    paint();
  };
  list.addEventListener('scroll', paint);
  new ResizeObserver(paint).observe(list);
  let built = false;
  return {
    element,
    show() {
      if (!built) { built = true; paintHead(); }
      paint();
    },
    time(t) {
      let low = 0, high = times.length;
      while (low < high) { const middle = (low + high) >> 1; if (times[middle] <= t + 1e-12) low = middle + 1; else high = middle; }
      if (low - 1 !== near) {
        space.querySelector('.near')?.classList.remove('near');
        near = low - 1;
        space.querySelector(`[data-impact="${near}"]`)?.classList.add('near');
      }
    },
  };
}
