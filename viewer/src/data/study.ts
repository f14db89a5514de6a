// A study as its page sees it: one row per run, with parameters, measures and the points of its section
// (docs/reference/view_data.md).
import type { Column, Numbers, RawBlock } from './data_block';

export interface StudyColumn { name: string; unit: string; words?: string[]; values: Numbers }
export interface Distribution {
  unit: string; runs: number; left_out: number; mean: number; deviation: number;
  least: number; p5: number; p25: number; median: number; p75: number; p95: number; largest: number; histogram: number[];
}
export interface Estimate { value: number; low: number; high: number }
export interface Sensitivity {
  unit: string; blocks: number; left_out: number;
  parameters: Record<string, { first?: Estimate; total?: Estimate; mean_size?: Estimate; mean?: number; deviation?: number }>;
}
// The spectrum of a channel against a parameter: the k-th band of a run has its middle at k + 1 times `band`, and stands at level[i * bands + k].
export interface WaterfallData {
  channel: string; unit: string; parameter: string; slice: string; window: number; band: number; bands: number; largest: number; left_out: number;
  run: Numbers; value: Numbers; level: Numbers;
}
// Motions that runs have come to: what each is, how many runs have come to it, and of each row its place in these lists, -1 without points.
export interface Attractors { texts: string[]; runs: number[]; ofRow: number[] }
type Place = { type: Column['type']; offset: number };
type Described = Column & { words?: string[] };
interface Header {
  freeplay_study: number; title: string; model_file: string; model_text: string; version: string;
  study: { set?: string[]; over?: string[]; sample?: string; measures?: Record<string, string>; section?: string; follow?: string; backend?: string } | null;
  sampling: string; sensitivity: Record<string, Sensitivity> | null; distributions: Record<string, Distribution>;
  worst: { run?: number; value?: number } | null;
  folder: string; run_pages: string; recorded: number[]; runs: number; total_rows: number; rows: number;
  index: Place; status: Place; status_words: string[]; warnings: Place; messages: string[]; message: Place;
  parameters: Described[]; measures: Described[]; section: Described[];
  crossings: number; total_crossings: number; crossing_row: Place;
  attractors?: { texts: string[]; runs: number[]; of_row: Place };
  waterfalls?: (Omit<WaterfallData, 'run' | 'value' | 'level'> & { count: number; run: Place; value: Place; level: Place })[];
}

const FORMAT = 1;
const COMPLETED = 0;

export class Study {
  readonly header: Header;
  readonly parameters: StudyColumn[];
  readonly measures: StudyColumn[];
  readonly section: StudyColumn[];       // per crossing
  readonly crossingRow: Numbers;
  readonly waterfalls: WaterfallData[];
  readonly attractors: Attractors | null;   // of a grid of two parameters with a section
  readonly index: Numbers;
  private readonly status: Numbers;
  private readonly message: Numbers;
  private readonly warnings: Numbers;

  constructor(raw: RawBlock) {
    const header = this.header = raw.header as unknown as Header;
    if (header.freeplay_study !== FORMAT) throw new Error(`the study has format ${header.freeplay_study}, but this page reads format ${FORMAT}`);
    const columns = (list: Described[], count: number) => list.map((column) => ({ name: column.name, unit: column.unit, words: column.words, values: raw.view(column, count) }));
    this.parameters = columns(header.parameters, header.rows);
    this.measures = columns(header.measures, header.rows);
    this.section = columns(header.section, header.crossings);
    this.crossingRow = raw.view(header.crossing_row, header.crossings);
    this.waterfalls = (header.waterfalls ?? []).map(({ count, run, value, level, ...rest }) => ({
      ...rest, run: raw.view(run, count), value: raw.view(value, count), level: raw.view(level, count * rest.bands),
    }));
    const found = header.attractors;
    this.attractors = found ? { texts: found.texts, runs: found.runs, ofRow: Array.from(raw.view(found.of_row, header.rows)) } : null;
    this.index = raw.view(header.index, header.rows);
    this.status = raw.view(header.status, header.rows);
    this.message = raw.view(header.message, header.rows);
    this.warnings = raw.view(header.warnings, header.rows);
  }
  get rows(): number { return this.header.rows; }
  isGood(row: number): boolean { return this.status[row] === COMPLETED; }
  statusWord(row: number): string { return this.header.status_words[this.status[row]] ?? 'unknown'; }
  reason(row: number): string { return this.header.messages[this.message[row]] ?? ''; }
  warningCount(row: number): number { return this.warnings[row]; }
  // Compiled code does not look for what the engine warns of. Rows that it left to the engine are marked, if there are any.
  isWatched(row: number): boolean {
    if (!this.header.study?.backend) return true;
    const left = this.measures.find((column) => column.name === 'left_to_engine');
    return left !== undefined && left.values[row] === 1;
  }
  rowOf(run: number): number { return Array.prototype.indexOf.call(this.index, run) as number; }
  get failed(): number[] { return Array.from({ length: this.rows }, (_, row) => row).filter((row) => !this.isGood(row)); }
  // What the columns of a row are called by, for menus: parameters first.
  get columns(): StudyColumn[] { return [...this.parameters, ...this.measures]; }
  // A parameter goes along equal ratios if its range was asked for so.
  isLogarithmic(name: string): boolean { return (this.header.study?.over ?? []).some((text) => text.startsWith(`${name}=`) && text.endsWith(':log')); }
}

export function distinct(values: Numbers): number[] {
  return [...new Set(Array.from(values).filter(Number.isFinite))].sort((a, b) => a - b);
}
// The places of parameters that take more than one value.
export function varied(study: Study): StudyColumn[] { return study.parameters.filter((column) => distinct(column.values).length > 1); }

// What --set takes for this value: the shortest digits that give back the same number, and the unit.
export function overrideText(column: StudyColumn, row: number): string {
  const value = column.values[row];
  if (column.words) return `${column.name}=${column.words[value] ?? value}`;
  if (column.unit === '1' || column.unit === '') return `${column.name}=${value}`;
  return `${column.name}=${value}${column.unit.startsWith('1/') ? column.unit.slice(1) : ` ${column.unit}`}`;
}

// As a shell takes it for one word.
export const shellWord = (text: string): string => (/^[A-Za-z0-9_.,:/=+@%-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

// The command that shows a run, and the one that runs the model with its values.
export function viewCommand(study: Study, row: number): string { return `freeplay view ${study.header.folder} --run ${study.index[row]}`; }
export function runCommand(study: Study, row: number): string | null {
  if (study.header.study?.follow) return null;   // it begins where its neighbour ended
  const texts = [...(study.header.study?.set ?? []), ...study.parameters.map((column) => overrideText(column, row))];
  const options = texts.map((text) => (text.endsWith('=~') ? ` --unset ${shellWord(text.slice(0, -2))}` : ` --set ${shellWord(text)}`));
  return `freeplay run ${shellWord(study.header.model_file)}${options.join('')}`;
}
