// What all pictures of a study have in common: they draw on a plane, and know which run is where.
import type { Study, StudyColumn } from '../data/study';
import { quantity } from '../toolkit/format';
import { theme } from '../toolkit/theme';
import { scaledUnit, type Axis, type Plane } from '../toolkit/plane';

export interface Chart {
  x: Axis; y: Axis;
  room?: number;                                                // px beside the plane, for a colour bar
  draw(plane: Plane): void;
  beside?(plane: Plane): void;                                  // drawn outside of the axes
  at(plane: Plane, px: number, py: number): number | null;      // the row there
  mark(plane: Plane, row: number): void;                        // the run that was chosen
  legend: { color: string; text: string }[];
  note: string;
}

const REACH = 14;      // px
const ABOVE = 8;       // of the marks of failed runs over the lower edge, px

export function columnAxis(column: StudyColumn, range: [number, number], log: boolean): Axis {
  return { label: column.name, unit: column.unit, low: range[0], high: range[1], log: log && !column.words, words: column.words };
}
export function valueText(column: StudyColumn, row: number): string {
  const value = column.values[row];
  return column.words ? column.words[value] ?? String(value) : Number.isFinite(value) ? quantity(value, column.unit, 6) : 'none';
}

export function dot(plane: Plane, px: number, py: number, radius: number, color: string): void {
  plane.context.fillStyle = color;
  plane.context.beginPath();
  plane.context.arc(px, py, radius, 0, 2 * Math.PI);
  plane.context.fill();
}
export function ring(plane: Plane, px: number, py: number): void {
  const { context } = plane;
  context.strokeStyle = theme.colors.impact;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(px, py, 6.5, 0, 2 * Math.PI);
  context.stroke();
  context.lineWidth = 1;
}
export function upright(plane: Plane, px: number): void {
  const { context } = plane;
  context.strokeStyle = theme.colors.impact;
  context.globalAlpha = 0.7;
  context.setLineDash([4, 4]);
  context.beginPath();
  context.moveTo(px, plane.top);
  context.lineTo(px, plane.top + plane.height);
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}
export function cross(plane: Plane, px: number, py: number): void {
  const { context } = plane;
  context.strokeStyle = theme.colors.bad;
  context.lineWidth = 1.6;
  context.beginPath();
  context.moveTo(px - 4, py - 4); context.lineTo(px + 4, py + 4);
  context.moveTo(px - 4, py + 4); context.lineTo(px + 4, py - 4);
  context.stroke();
  context.lineWidth = 1;
}

// Runs without a value stand at the lower edge, where their parameter is.
export class FailedMarks {
  private readonly rows: number[];
  constructor(study: Study, private readonly column: StudyColumn, hasValue: (row: number) => boolean = (row) => study.isGood(row)) {
    this.rows = Array.from({ length: study.rows }, (_, row) => row).filter((row) => !hasValue(row) && Number.isFinite(column.values[row]));
  }
  private y(plane: Plane): number { return plane.top + plane.height - ABOVE; }
  draw(plane: Plane): void { for (const row of this.rows) cross(plane, plane.x(this.column.values[row]), this.y(plane)); }
  at(plane: Plane, px: number, py: number): number | null {
    return Math.abs(py - this.y(plane)) <= 9 ? nearest(this.rows, (row) => Math.abs(plane.x(this.column.values[row]) - px), 9) : null;
  }
  has(row: number): boolean { return this.rows.includes(row); }
  mark(plane: Plane, row: number): void { ring(plane, plane.x(this.column.values[row]), this.y(plane)); }
  get legend(): Chart['legend'] { return this.rows.length > 0 ? [{ color: theme.colors.bad, text: `× without a value: ${this.rows.length}` }] : []; }
}

export function nearest(rows: Iterable<number>, distance: (row: number) => number, reach = REACH): number | null {
  let best: number | null = null, least = reach;
  for (const row of rows) {
    const d = distance(row);
    if (d <= least) { least = d; best = row; }
  }
  return best;
}

// A bar of colours right of the plane, with its least, middle and largest number.
export const BAR_ROOM = 92;
export function colorBar(plane: Plane, column: StudyColumn, [low, high]: [number, number], log: boolean, color: (part: number) => string): void {
  const { context } = plane, x = plane.left + plane.width + 14, { factor, unit } = scaledUnit(column.unit, Math.max(Math.abs(low), Math.abs(high)));
  for (let k = 0; k < plane.height; ++k) {
    context.fillStyle = color(1 - k / plane.height);
    context.fillRect(x, plane.top + k, 13, 1.5);
  }
  context.fillStyle = theme.colors.faint;
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'left';
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const value = log ? low * (high / low) ** part : low + part * (high - low);
    context.textBaseline = part === 1 ? 'top' : part === 0 ? 'bottom' : 'middle';
    context.fillText(String(Number((value / factor).toPrecision(3))).replace('-', '−'), x + 17, plane.top + (1 - part) * plane.height);
  }
  context.textBaseline = 'top';
  context.fillStyle = theme.colors.text;
  context.textAlign = 'right';
  const name = column.name.length > 14 ? `${column.name.slice(0, 13)}…` : column.name;
  context.fillText(`${name}${unit === '1' || unit === '' ? '' : `, ${unit}`}`, plane.left + plane.width + BAR_ROOM, plane.top + plane.height + 8);
}
