// The page of a study: its picture, the run that was chosen, and all runs.
import { Study, type StudyColumn } from '../data/study';
import type { RawBlock } from '../data/data_block';
import { button, el, named } from '../toolkit/dom';
import { plainCount, short } from '../toolkit/format';
import { listenHash, readHash, writeHash } from '../toolkit/hash';
import { theme } from '../toolkit/theme';
import { Picture } from './picture';
import { chartOf, kindsOf, KIND_NAMES, menusOf, settle, type Choice, type Kind } from './pictures';
import { RunCard } from './run_card';
import { RunList } from './run_list';
import { sensitivityBars } from './sensitivity_bars';

const flag = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === '1');

function menu(label: string, columns: StudyColumn[], chosen: string, none: boolean, changed: (name: string) => void): HTMLElement[] {
  if (columns.length === 0) return [];
  const select = el('select', { 'aria-label': label }, ...(none ? [el('option', { value: '' }, 'nothing')] : []),
    ...columns.map((column) => el('option', { value: column.name }, short(column.name, 40))));
  select.value = chosen;
  select.addEventListener('change', () => changed(select.value));
  return [el('label', { class: 'rate' }, `${label} `, select)];
}
function toggle(label: string, on: boolean, changed: (on: boolean) => void): HTMLElement {
  const box = el('input', { type: 'checkbox', ...(on ? { checked: true } : {}) });
  box.addEventListener('change', () => changed(box.checked));
  return el('label', { class: 'toggle' }, box, label);
}

function topBar(study: Study): HTMLElement {
  const { header } = study, bad = study.failed.length, isWhole = header.total_rows === header.runs;
  return el('header', { class: 'top' }, named('h1', header.title || header.model_file, 80), named('span', header.model_file, 40, 'file'),
    el('span', { class: `badge ${isWhole ? 'good' : 'note'}` }, isWhole ? `study of ${plainCount(header.runs)} runs` : `study: ${plainCount(header.total_rows)} of ${plainCount(header.runs)} runs`),
    ...(bad > 0 ? [el('span', { class: 'badge bad' }, `${plainCount(bad)} without measures`)] : []),
    ...(header.rows < header.total_rows ? [el('span', { class: 'badge note', title: 'freeplay view --serve shows more' }, `${plainCount(header.rows)} shown`)] : []),
    el('span', { class: 'grow' }), button('◐', 'light or dark (d)', () => theme.toggle()));
}

export function startStudy(root: HTMLElement, raw: RawBlock, served: boolean) {
  const study = new Study(raw);
  if (study.rows === 0) throw new Error('the study has no runs yet');
  document.title = `${study.header.title || study.header.model_file} · study · freeplay`;
  const toast = el('div', { class: 'toast', role: 'status', hidden: true });
  let timer = 0;
  const say = (text: string) => {
    toast.textContent = text;
    toast.hidden = false;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => { toast.hidden = true; }, 2500);
  };
  let choice: Choice = settle(study, {}), chosen: number | null = null;
  const picture = new Picture(study, (row) => choose(row)), card = new RunCard(study, served, say), list = new RunList(study, (row) => choose(row));
  const bar = el('div', { class: 'bar study-menus' }), stage = el('div', { class: 'study-stage' });

  const choose = (row: number | null) => {
    chosen = row;
    picture.mark(row);
    card.show(row);
    list.mark(row);
    writeHash({ run: row === null ? null : String(study.index[row]) });
  };
  const change = (wanted: Partial<Choice>) => {
    // Another axis has a scale of its own again.
    const keepsScale = wanted.logX !== undefined || wanted.logY !== undefined || (wanted.x === undefined && wanted.kind === undefined);
    choice = settle(study, { ...choice, ...(keepsScale ? {} : { logX: undefined, logY: undefined }), ...wanted });
    writeHash({ picture: choice.kind, x: choice.x || null, y: choice.y || null, color: choice.color || null, logx: choice.logX ? '1' : '0', logy: choice.logY ? '1' : '0' });
    show();
  };
  const show = () => {
    const menus = menusOf(study, choice.kind), kinds = kindsOf(study), hasAxes = choice.kind !== 'distribution' && choice.kind !== 'sensitivity' && choice.kind !== 'section' && choice.kind !== 'waterfall';
    const tabs = el('div', { class: 'kinds', role: 'tablist' }, ...kinds.map((kind) => {
      const face = button(KIND_NAMES[kind], KIND_NAMES[kind], () => change({ kind }));
      face.dataset.kind = kind;
      face.setAttribute('role', 'tab');
      face.setAttribute('aria-selected', String(kind === choice.kind));
      return face;
    }));
    bar.replaceChildren(tabs, ...menu('across', menus.x, choice.x, false, (x) => change({ x })),
      ...menu(hasAxes || choice.kind === 'section' ? 'up' : 'of', menus.y, choice.y, false, (y) => change({ y })),
      ...menu('colour', menus.color, choice.color, menus.mayHaveNoColor, (color) => change({ color })),
      ...(hasAxes ? [toggle('log across', choice.logX, (logX) => change({ logX })), toggle('log up', choice.logY, (logY) => change({ logY }))] : []));
    if (choice.kind === 'sensitivity') stage.replaceChildren(sensitivityBars(choice.y, study.header.sensitivity![choice.y]));
    else {
      if (picture.element.parentElement !== stage) stage.replaceChildren(picture.element);
      picture.show(() => chartOf(study, choice));
    }
  };
  const fromHash = (state: Record<string, string>) => {
    choice = settle(study, { kind: state.picture as Kind, x: state.x, y: state.y, color: state.color, logX: flag(state.logx), logY: flag(state.logy) });
    const row = state.run === undefined ? -1 : study.rowOf(Number(state.run));
    show();
    choose(row >= 0 ? row : null);
  };

  root.replaceChildren(topBar(study), el('main', { class: 'study' }, el('div', { class: 'study-left' }, bar, stage), el('aside', { class: 'study-right' }, card.element, list.element)), toast);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).matches('select, input[type=text]')) return;
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (event.key === 'd') theme.toggle();
    if (event.key === 'Escape') choose(null);
    if (step !== 0) { event.preventDefault(); choose(chosen === null ? 0 : Math.min(study.rows - 1, Math.max(0, chosen + step))); }
  });
  fromHash(readHash());
  listenHash(fromHash);
  return studyInterface(study, picture, () => ({ choice, chosen }), choose, change);
}

// window.freeplayViewer of a study, for tests.
function studyInterface(study: Study, picture: Picture, now: () => { choice: Choice; chosen: number | null }, choose: (row: number | null) => void, change: (wanted: Partial<Choice>) => void) {
  return {
    get choice() { return now().choice; },
    get chosen() { const { chosen } = now(); return chosen === null ? null : study.index[chosen]; },
    kinds: kindsOf(study),
    choose: (run: number) => choose(study.rowOf(run)),
    change,
    // Where values are on the canvas, and which run is at a place of it.
    place: (x: number, y: number) => [picture.plane.x(x), picture.plane.y(y)],
    runAt: (px: number, py: number) => { const row = picture.at(px, py); return row === null ? null : study.index[row]; },
    redraw: () => { const begin = performance.now(); picture.draw(); return performance.now() - begin; },
  };
}
