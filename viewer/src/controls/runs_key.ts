// Which of two runs is which, and a switch for the ghost.
import type { App } from '../state/app';
import { el, named } from '../toolkit/dom';

export function runsKey(app: App): HTMLElement {
  const [first, second] = app.other!.names, { scene } = app;
  const box = el('input', { type: 'checkbox', checked: true });
  box.addEventListener('change', () => { scene.showGhost(box.checked); scene.invalidate(); });
  const key = el('div', { class: 'runs-key' }, el('i', { class: 'key first' }), named('span', first, 24),
    el('label', { title: 'the second run, at the same time' }, box, el('i', { class: 'key ghost' }), named('span', second, 24)));
  if (scene.ghost) {
    const where = el('select', { 'aria-label': 'where the second run is', class: 'beside' }, el('option', { value: 'over' }, 'over each other'), el('option', { value: 'beside' }, 'side by side'));
    where.addEventListener('change', () => scene.setSideBySide(where.value === 'beside'));
    key.append(where);
  }
  if (!scene.ghost) key.append(el('span', { class: 'hint' }, 'not drawn: one of them is planar, the other spatial'));
  return key;
}
