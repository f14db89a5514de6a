// The run that was chosen: its values, how it ended, and how to see it.
import { runCommand, viewCommand, type Study } from '../data/study';
import { button, el, named } from '../toolkit/dom';
import { plainCount, short } from '../toolkit/format';
import { valueText } from './chart';

const ASK_AGAIN = 400;   // ms
interface Answer { state: 'running' | 'waiting' | 'done' | 'failed'; message: string }

function command(text: string, what: string, say: (text: string) => void): HTMLElement {
  const copy = button('copy', `copy ${what}`, () => { navigator.clipboard?.writeText(text).then(() => say('copied'), () => say('the browser does not allow to copy')); });
  return el('div', { class: 'command' }, el('code', {}, text), copy);
}

// Lets the server make the run, and goes to its page once it is there.
function openButton(study: Study, row: number, say: (text: string) => void): HTMLElement {
  const run = study.index[row], state = el('span', { class: 'hint making', role: 'status' }), why = el('pre', { class: 'making-failed', hidden: true });
  let busy = false;
  const open = button('open this run', 'run it again with everything that the model records, and open its page', async () => {
    if (busy) return;
    busy = true;
    why.hidden = true;
    try {
      for (let waited = 0; ; ++waited) {
        const response = await fetch(`run/${run}/make`, { headers: { 'X-Freeplay': 'make' } });
        if (!response.ok) throw new Error(`freeplay answers ${response.status}: ${short((await response.text()).trim(), 300)}`);
        const answer = await response.json() as Answer;
        if (answer.state === 'done') { window.location.href = `run/${run}/`; return; }
        if (answer.state === 'failed') throw new Error(answer.message);
        state.textContent = `${answer.state === 'waiting' ? 'waits for other runs' : 'is being run'} … ${Math.round((waited * ASK_AGAIN) / 1000)} s`;
        await new Promise((done) => { window.setTimeout(done, ASK_AGAIN); });
      }
    } catch (error) {
      state.textContent = 'this run cannot be shown:';
      why.textContent = short((error as Error).message.trim() || 'freeplay does not answer', 2000);
      why.hidden = false;
      say('the run was not made');
    } finally { busy = false; }
  }, 'strong-button');
  return el('div', {}, el('div', { class: 'bar' }, open, state), why);
}

export class RunCard {
  readonly element = el('section', { class: 'run-card' });
  constructor(private readonly study: Study, private readonly served: boolean, private readonly say: (text: string) => void) { this.show(null); }

  show(row: number | null): void {
    const { study } = this;
    if (row === null) {
      this.element.replaceChildren(el('p', { class: 'hint' }, 'Click a point to see its run. Arrow keys go from run to run.'));
      return;
    }
    const table = (title: string, columns: typeof study.parameters) => (columns.length === 0 ? [] : [el('h3', {}, title), el('table', {}, el('tbody', {},
      ...columns.slice(0, 200).map((column) => el('tr', {}, named('th', column.name, 34), named('td', valueText(column, row), 40, 'number')))))]);
    const good = study.isGood(row), reason = study.reason(row), warnings = study.warningCount(row);
    const crossings = study.section.length === 0 ? '' : `, ${plainCount(Array.prototype.filter.call(study.crossingRow, (r: number) => r === row).length)} points shown`;
    const warned = warnings > 0 ? `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}` : study.isWatched(row) ? 'no warnings' : 'compiled code, not watched for warnings';
    this.element.replaceChildren(
      el('h2', {}, `Run ${study.index[row]} `, el('span', { class: `badge ${good ? 'good' : 'bad'}` }, study.statusWord(row))),
      el('p', { class: 'hint' }, `${warned}${crossings}`),
      ...(reason ? [named('p', reason, 600, good ? 'hint reason' : 'bad-text reason')] : []),
      ...table('Parameters', study.parameters), ...table('Measures', study.measures), el('h3', {}, 'See it move'), ...this.ways(row));
  }

  private ways(row: number): HTMLElement[] {
    const { study } = this, run = study.index[row], again = runCommand(study, row), list: HTMLElement[] = [];
    if (this.served) list.push(openButton(study, row, this.say));
    else if (study.header.recorded.includes(run)) list.push(el('p', {}, el('a', { href: `${study.header.run_pages}run_${run}/view.html`, class: 'open-run' }, `open the page of run ${run}`)));
    else list.push(el('p', { class: 'hint' }, 'A study keeps numbers, not motions. This runs it again and writes its page:'), command(viewCommand(study, row), 'this command', this.say));
    if (again !== null) list.push(el('p', { class: 'hint' }, 'The same values for the model file:'), command(again, 'this command', this.say));
    else list.push(el('p', { class: 'hint' }, 'This run began where its neighbour ended, so that values alone do not repeat it.'));
    return list;
  }
}
