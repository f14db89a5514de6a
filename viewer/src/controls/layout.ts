// The page: a bar on top, the scene with transport and timeline on one side, tabs on the other, edges that can be moved.
import type { App, Panel } from '../state/app';
import { button, el, named } from '../toolkit/dom';
import { plainCount } from '../toolkit/format';
import { statusText } from '../panels/summary';
import { theme } from '../toolkit/theme';

export function topBar(app: App, openHelp: () => void): HTMLElement {
  const { header } = app.run;
  const { text, bad } = statusText(header.status);
  const bar = el('header', { class: 'top' }, named('h1', header.title || header.model_file, 80), named('span', header.model_file, 40, 'file'),
    el('span', { class: `badge ${bad ? 'bad' : 'good'}` }, text));
  if (app.run.thinned) {
    const shown = app.source.served ? 'zoom into the curves for more' : 'freeplay view --serve shows all';
    bar.append(el('span', { class: 'badge note thinned', title: `This page carries ${header.rows} of ${header.total_rows} recorded rows; ${shown}. Minima and maxima between them may be missing.` },
      `${plainCount(header.rows)} of ${plainCount(header.total_rows)} rows`));
  }
  const dark = button('◐', 'light or dark (d)', () => theme.toggle());
  bar.append(el('span', { class: 'grow' }), dark, button('?', 'help and keys (?)', openHelp));
  return bar;
}

export class Tabs {
  readonly element = el('div', { class: 'tabs' });
  private readonly bar = el('nav', { role: 'tablist' });
  private readonly body = el('div', { class: 'tab-body', role: 'tabpanel' });
  private active: Panel | null = null;
  onShow: (title: string) => void = () => undefined;

  constructor(readonly panels: { title: string; panel: Panel }[]) {
    this.element.append(this.bar, this.body);
    panels.forEach(({ title }, i) => {
      const tab = button(title, `${title} (${i + 1})`, () => this.show(i));
      tab.setAttribute('role', 'tab');
      tab.dataset.tab = title.toLowerCase();
      this.bar.append(tab);
    });
    // Where not all of them fit they are one row that scrolls, and fade on the side where there are more.
    const fade = () => {
      const { scrollLeft, scrollWidth, clientWidth } = this.bar;
      this.bar.classList.toggle('before', scrollLeft > 1);
      this.bar.classList.toggle('after', scrollLeft + clientWidth < scrollWidth - 1);
    };
    this.bar.addEventListener('scroll', fade);
    new ResizeObserver(fade).observe(this.bar);
  }
  show(index: number): void {
    const entry = this.panels[index];
    if (!entry) return;
    [...this.bar.children].forEach((tab, i) => tab.setAttribute('aria-selected', String(i === index)));
    this.bar.children[index].scrollIntoView({ block: 'nearest', inline: 'center' });
    this.body.setAttribute('aria-label', entry.title);
    this.active = entry.panel;
    this.body.replaceChildren(entry.panel.element);
    entry.panel.show?.();
    this.onShow(entry.title.toLowerCase());
  }
  showTitle(title: string): void { this.show(this.panels.findIndex((entry) => entry.title.toLowerCase() === title.toLowerCase())); }
  time(t: number): void { this.active?.time?.(t); }
  data(): void { for (const { panel } of this.panels) panel.data?.(); }
}

// An edge between two parts that the pointer moves; `property` is the CSS variable that holds the size in per cent.
export function movableEdge(container: HTMLElement, property: string, vertical: boolean, fromEnd: boolean): HTMLElement {
  const edge = el('div', { class: `edge ${vertical ? 'vertical' : 'horizontal'}`, role: 'separator', tabindex: 0, 'aria-orientation': vertical ? 'vertical' : 'horizontal', 'aria-label': vertical ? 'edge of the scene' : 'edge of the timeline' });
  const set = (size: number) => container.style.setProperty(property, `${(100 * Math.min(0.85, Math.max(0.1, size))).toFixed(2)}%`);
  edge.addEventListener('pointerdown', (event) => {
    edge.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  edge.addEventListener('pointermove', (event) => {
    if (!edge.hasPointerCapture(event.pointerId)) return;
    const box = container.getBoundingClientRect();
    const part = vertical ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    set(fromEnd ? 1 - part : part);
  });
  // Its arrow keys move it by a fiftieth.
  edge.addEventListener('keydown', (event) => {
    const way = ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 } as Record<string, number>)[event.key];
    if (!way || vertical !== /Left|Right/.test(event.key)) return;
    event.stopPropagation();
    event.preventDefault();
    const box = container.getBoundingClientRect(), own = edge.getBoundingClientRect();
    const part = vertical ? (own.left - box.left) / box.width : (own.top - box.top) / box.height;
    set((fromEnd ? 1 - part : part) + 0.02 * (fromEnd ? -way : way));
  });
  return edge;
}
