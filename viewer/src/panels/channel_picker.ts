// A list of channels with a search box, opened beside a button.
import { el, named } from '../toolkit/dom';
import type { Run } from '../data/run';

const MOST = 300;

export class ChannelPicker {
  constructor(private readonly run: Run, private chosen: number[], private readonly done: (channels: number[]) => void, private readonly single = false) {}

  open(anchor: HTMLElement): void {
    document.querySelector('.picker')?.remove();
    const search = el('input', { type: 'search', placeholder: `search ${this.run.channels.length} channels: crank omega`, 'aria-label': 'search channels' });
    const list = el('div', { class: 'picker-list' });
    const popup = el('div', { class: 'picker' }, search, list);
    const close = () => {
      popup.remove();
      document.removeEventListener('pointerdown', outside, true);
    };
    const outside = (event: Event) => { if (!popup.contains(event.target as Node)) close(); };
    const fill = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      const rows: Node[] = [];
      let found = 0;
      for (let i = 1; i < this.run.header.columns.length; ++i) {
        const { name, unit } = this.run.header.columns[i];
        const lower = name.slice(0, 400).toLowerCase();
        if (!words.every((word) => lower.includes(word))) continue;
        if (++found > MOST) continue;
        const row = el('button', { type: 'button', class: this.chosen.includes(i) ? 'picked' : '' }, named('span', name, 60), el('i', {}, unit === '1' ? '' : unit));
        row.addEventListener('click', () => {
          if (this.single) {
            this.done([i]);
            close();
            return;
          }
          this.chosen = this.chosen.includes(i) ? this.chosen.filter((c) => c !== i) : [...this.chosen, i];
          row.classList.toggle('picked', this.chosen.includes(i));
          this.done(this.chosen);
        });
        rows.push(row);
      }
      if (found > MOST) rows.push(el('p', { class: 'hint' }, `${found - MOST} more: search for fewer`));
      if (found === 0) rows.push(el('p', { class: 'hint' }, 'no channel has these words'));
      list.replaceChildren(...rows);
    };
    search.addEventListener('input', fill);
    popup.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') close();
      if (event.key === 'Enter') (list.querySelector('button') as HTMLButtonElement | null)?.click();
    });
    fill();
    document.body.append(popup);
    const box = anchor.getBoundingClientRect();
    popup.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - popup.offsetWidth - 8))}px`;
    popup.style.top = `${Math.max(8, Math.min(box.bottom + 4, window.innerHeight - popup.offsetHeight - 8))}px`;
    document.addEventListener('pointerdown', outside, true);
    search.focus();
  }
}
