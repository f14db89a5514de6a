// The run's summary and certificate: what was run, how it ended, and how good it is.
import type { App, Panel } from '../state/app';
import { button, el, named } from '../toolkit/dom';
import { plainCount, quantity } from '../toolkit/format';
import { summaryTiles } from './tiles';

const CERTIFICATE: [string, string][] = [
  ['worst_residual', 'worst residual of a contact problem'], ['worst_position_residual', 'worst residual of gaps and rows'],
  ['max_penetration', 'largest penetration'], ['largest_initial_penetration', 'largest penetration at the start'],
  ['energy_drift', 'energy drift at the end'], ['max_energy_drift', 'largest energy drift'], ['injected_energy', 'energy put in by contacts'],
];
const COUNTS: [string, string][] = [
  ['time', 'simulated time'], ['steps', 'steps'], ['rejected_steps', 'rejected steps'], ['evaluations', 'evaluations'], ['impacts', 'impacts'],
  ['contact_starts', 'contacts begun'], ['rejected_by_contact', 'steps cut at a contact'], ['energy_initial', 'energy at the start'],
  ['energy_final', 'energy at the end'], ['wall_time', 'wall time'],
];

export function statusText(status: string): { text: string; bad: boolean } {
  if (status === 'completed') return { text: 'completed', bad: false };
  return { text: status, bad: true };
}

export function summaryPanel(app: App): Panel {
  const { header } = app.run;
  const element = el('div', { class: 'panel summary' });
  const build = () => {
    const { summary } = header;
    const { text, bad } = statusText(header.status);
    const table = (rows: (HTMLElement | null)[]) => el('table', {}, el('tbody', {}, ...rows.filter((row): row is HTMLElement => row !== null)));
    const line = (label: string, value: string | HTMLElement, strong = false) =>
      el('tr', strong ? { class: 'strong' } : {}, el('th', {}, label), el('td', { class: 'number' }, value));
    const value = ([key, label]: [string, string]) => {
      const number = summary?.[key];
      if (typeof number !== 'number') return null;
      const unit = header.summary_units?.[key] ?? '1';
      return line(label, unit === '1' || unit === '' ? plainCount(number) : quantity(number, unit, 5));
    };
    element.append(el('p', { class: `status ${bad ? 'bad' : 'good'}` }, bad ? `This run ${text === 'failed' ? 'failed' : `is ${text}`}` : 'This run completed'));
    if (summary?.message) element.append(named('p', String(summary.message), 1000, bad ? 'bad-text' : ''));
    const warnings = summary?.warnings;
    if (Array.isArray(warnings)) {
      for (const warning of warnings) element.append(named('p', `Warning: ${warning}`, 2000, 'bad-text'));
    }
    if (!summary) element.append(el('p', { class: 'bad-text' }, 'The result has no summary: its run has not ended, or was killed.'));
    element.append(summaryTiles(app));
    const measures = summary?.measures ?? [];
    if (measures.length > 0) {
      const shown = (value: number | null, unit: string) => (value === null ? 'not reached' : quantity(value, unit, 6));
      element.append(el('h3', {}, 'Measures'), table(measures.slice(0, 500).map(({ name, value: number, unit }) =>
        el('tr', {}, named('th', name, 40), el('td', { class: 'number' }, shown(number, unit))))));
    }
    element.append(el('h3', {}, 'Certificate'), table(CERTIFICATE.map(value)), el('h3', {}, 'Run'), table([
      line('integrator', named('span', header.integrator ?? '', 60)), line('solver', named('span', header.solver ?? '', 60)), ...COUNTS.map(value),
      line('rows', app.run.thinned ? `${plainCount(header.rows)} of ${plainCount(header.total_rows)} (thinned)` : plainCount(header.total_rows)),
      line('freeplay', header.version ?? ''),
    ]));
    for (const note of app.scene.mechanism.notes) element.append(named('p', `Note: ${note}`, 400, 'hint'));
    const parameters = Object.entries(header.parameters ?? {});
    if (parameters.length > 0) {
      element.append(el('h3', {}, 'Parameters'), table(parameters.slice(0, 500).map(([name, p]) => {
        const changed = (header.overrides ?? []).some((text) => text.startsWith(`${name}=`) || text.startsWith(`parameters.${name}=`));
        const shown = typeof p.value === 'number' ? quantity(p.value, p.unit ?? '1', 6) : p.word ?? p.text;
        return el('tr', changed ? { class: 'strong' } : {}, named('th', name, 40), el('td', { class: 'number' }, named('span', shown, 60), changed ? ' (set)' : ''));
      })));
    }
    if ((header.overrides ?? []).length > 0) {
      element.append(el('h3', {}, 'Set on the command line'), ...header.overrides!.slice(0, 100).map((text_) => named('p', text_, 200, 'mono')));
    }
  };
  return { element, show() { if (!element.firstChild) build(); } };
}

export function modelPanel(app: App): Panel {
  const { header } = app.run;
  const element = el('div', { class: 'panel model' });
  return {
    element,
    show() {
      if (element.firstChild) return;
      const text = header.model_text ?? '';
      const copy = button('copy', 'copy the text', () => { navigator.clipboard?.writeText(text).then(() => app.message('copied'), () => app.message('the browser does not allow to copy')); });
      element.append(el('div', { class: 'bar' }, named('b', header.model_file, 60), copy));
      if (header.reference) element.append(named('p', header.reference, 400, 'hint'));
      element.append(el('pre', {}, text.length > 400000 ? `${text.slice(0, 400000)}\n… (${plainCount(text.length)} characters)` : text));
    },
  };
}
