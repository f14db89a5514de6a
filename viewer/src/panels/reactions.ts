// Reactions of the joints and forces of the contacts at the time cursor; a click draws a row as curves.
import type { App, Panel } from '../state/app';
import { el, named } from '../toolkit/dom';
import { quantity } from '../toolkit/format';

// What the numbers of each kind are; the panel says it of the kinds that it shows.
const JOINT = 'Joints: what the parent exerts on the child, in the joint’s axes on the parent.';
const CONTACT = 'Contacts: the force on the first partner (the child of a joint), along the normal and the tangent of the contact.';
const STOP = 'Stops: how hard they push back. Dry friction: what acts on the joint’s coordinate.';
const SPRING = 'Springs: positive when they pull their ends together.';

interface Row { name: string; kind: string; columns: number[]; cells: HTMLElement[]; size: HTMLElement }

export function reactionsPanel(app: App, plot: (channels: number[]) => void): Panel | null {
  const { run } = app;
  const rows: Row[] = [];
  const hints = new Set<string>();
  const ideal = new Set(run.header.geometry.joints.filter((joint) => joint.model !== 'clearance').map((joint) => joint.name));
  const add = (name: string, kind: string, columns: (number | undefined | null)[], hint: string) => {
    const found = columns.filter((c): c is number => c !== undefined && c !== null);
    if (found.length === 0 || rows.length >= 400) return;
    hints.add(hint);
    rows.push({ name, kind, columns: found, cells: [], size: el('td', { class: 'number' }) });
  };
  for (const joint of run.header.geometry.joints) {
    if (joint.model === 'clearance') continue;
    add(joint.name, `${joint.model} ${joint.type}, force`, ['force_x', 'force_y', 'force_z'].map((c) => run.column(`${joint.name}.${c}`)), JOINT);
    add(joint.name, 'moment', ['moment', 'moment_x', 'moment_y', 'moment_z'].map((c) => run.column(`${joint.name}.${c}`)), JOINT);
  }
  for (const point of run.header.contact_points) {
    // Stops and dry friction of a joint act on its coordinate; other points have a place, a normal and a tangent.
    const joint = ideal.has(point.contact);
    const kind = !joint ? 'contact, normal and tangential' : point.name.endsWith('_friction') ? 'dry friction of the joint' : 'stop of the joint';
    add(point.name, kind, [point.normal_force, point.tangential_force], joint ? STOP : CONTACT);
  }
  for (const spring of run.header.geometry.springs) add(spring.name, 'spring, pull', [run.column(`${spring.name}.force`)], SPRING);
  if (rows.length === 0) return null;
  const body = el('tbody');
  const element = el('div', { class: 'panel reactions' },
    el('p', { class: 'hint' }, `${[...hints].join(' ')} Click a row to draw its curves.`),
    el('table', {}, el('thead', {}, el('tr', {}, ...['element', '', 'size', 'components'].map((text) => el('th', {}, text)))), body));
  const build = () => {
    body.replaceChildren(...rows.map((row) => {
      row.cells = row.columns.map(() => el('span', { class: 'number part' }));
      const tr = el('tr', { class: 'clickable', tabindex: 0 }, named('th', row.name, 30), el('td', { class: 'hint' }, row.kind), row.size, el('td', {}, ...row.cells));
      tr.addEventListener('click', () => plot(row.columns));
      return tr;
    }));
  };
  let stamp = 0;
  const update = () => {
    for (const row of rows) {
      let sum = 0;
      row.columns.forEach((column, k) => {
        const value = run.held(column);
        sum += value * value;
        row.cells[k].textContent = quantity(value, run.unit(column), 4);
      });
      row.size.textContent = quantity(Math.sqrt(sum), run.unit(row.columns[0]), 4);
    }
  };
  return {
    element,
    show() {
      if (!body.firstChild) build();
      update();
    },
    // Digits that change 60 times a second cannot be read.
    time() {
      const now = performance.now();
      if (app.playback.playing && now - stamp < 120) return;
      stamp = now;
      update();
    },
  };
}
