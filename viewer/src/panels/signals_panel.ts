// Signals: the phase portrait and the spectrum, one of them at a time.
import type { Panel } from '../state/app';
import { button, el } from '../toolkit/dom';

export function signalsPanel(parts: { title: string; panel: Panel }[]): Panel {
  let shown = parts[0];
  const body = el('div', { class: 'signals-body' });
  const bar = el('div', { class: 'kinds', role: 'tablist' }, ...parts.map((part) => {
    const face = button(part.title, part.title, () => choose(part));
    face.dataset.signal = part.title;
    return face;
  }));
  const choose = (part: typeof shown) => {
    shown = part;
    [...bar.children].forEach((face, i) => face.setAttribute('aria-selected', String(parts[i] === part)));
    body.replaceChildren(part.panel.element);
    part.panel.show?.();
  };
  return {
    element: el('div', { class: 'signals' }, bar, body),
    show: () => choose(shown), time: (t) => shown.panel.time?.(t), data() { for (const { panel } of parts) panel.data?.(); },
  };
}
