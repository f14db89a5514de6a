// Bearing maps: what the surface around a part with play has carried, by place.
import type { App, Panel } from '../state/app';
import { bearingMap, GUIDE_BINS, largestOf, LOAD_QUANTITIES, type BearingMap, type LoadQuantity, type Wall } from '../geometry/bearing_map';
import type { Joint } from '../geometry/joint_frames';
import { el, named, sizedContext } from '../toolkit/dom';
import { plainCount, quantity } from '../toolkit/format';
import { theme } from '../toolkit/theme';

const RING = 0.42;   // of the half width: the bore; bars go outwards from it

// What one figure shows: a bore or one end of a sleeve, or two walls of a guide that face each other.
interface View { name: string; walls: (Wall | undefined)[] }
function viewsOf(map: BearingMap): View[] {
  if (map.kind === 'round') return map.walls.map((wall) => ({ name: wall.name, walls: [wall] }));
  const wall = (name: string) => map.walls.find((one) => one.name === name);
  return ['y', 'z'].map((axis) => ({ name: '', walls: [wall(`+${axis}`), wall(`-${axis}`)] })).filter(({ walls }) => walls.some(Boolean));
}

// Where the largest value is, as a person says it.
function placeText(map: BearingMap, wall: Wall, what: LoadQuantity, largest: number): string {
  const bin = wall[what].indexOf(largest), at = map.from + ((map.to - map.from) * (bin + 0.5)) / wall[what].length;
  return map.kind === 'round' ? `at ${Math.round(((at * 180) / Math.PI + 360) % 360)}°` : `at ${quantity(at, 'm', 3)}, ${wall.name.replace('-', '−')} wall`;
}

function valueText(map: BearingMap, { walls }: View, what: LoadQuantity, unit: string): string {
  const present = walls.flatMap((wall) => wall ?? []), largest = Math.max(...present.map((wall) => Math.max(...wall[what])));
  if (!(largest > 0)) return 'none';
  const sum = present.reduce((all, wall) => all + wall[what].reduce((a, b) => a + b, 0), 0), at = present.find((wall) => wall[what].includes(largest))!;
  return `${what === 'peak' ? quantity(largest, unit, 4) : `${quantity(sum, unit, 4)} in all, most`} ${placeText(map, at, what, largest)}`;
}

class MapFigure {
  readonly element: HTMLElement;
  private readonly canvas = el('canvas');
  private readonly largest: number;   // of the whole map: its figures compare

  constructor(private readonly map: BearingMap, private readonly view: View, private readonly what: LoadQuantity, title: string, unit: string) {
    this.largest = largestOf(map, what);
    this.element = el('figure', { class: `bearing ${map.kind}` }, this.canvas, el('figcaption', {}, el('b', {}, view.name ? `${title}, ${view.name}` : title), el('br'),
      valueText(map, view, what, unit)));
  }

  draw(): void {
    const sized = sizedContext(this.canvas);
    if (!sized) return;
    const { context, width, height } = sized, { colors } = theme;
    context.lineWidth = 1.4;
    context.strokeStyle = colors.metal;
    if (this.map.kind === 'round') this.drawRound(context, width, height); else this.drawGuide(context, width, height);
  }

  // Bars from the bore outwards, as long as the value against the largest.
  private drawRound(context: CanvasRenderingContext2D, width: number, height: number): void {
    const values = this.view.walls[0]![this.what], { largest } = this, half = Math.min(width, height) / 2 - 14;
    const x = width / 2, y = height / 2, step = (2 * Math.PI) / values.length, inner = RING * half;
    context.fillStyle = theme.dark ? '#0d1116' : '#ffffff';
    context.beginPath();
    context.arc(x, y, inner, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    context.fillStyle = theme.colors.accent;
    for (let i = 0; i < values.length && largest > 0; ++i) {
      if (!(values[i] > 0)) continue;
      const from = -Math.PI + i * step, outer = inner + ((half - inner) * values[i]) / largest;
      context.globalAlpha = 0.35 + (0.6 * values[i]) / largest;
      context.beginPath();
      context.arc(x, y, outer, -from, -from - step, true);
      context.arc(x, y, inner, -from - step, -from);
      context.closePath();
      context.fill();
    }
    context.globalAlpha = 1;
    context.fillStyle = theme.colors.faint;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const [text, px, py] of [['0°', half + 6, 0], ['90°', 0, half + 7], ['180°', -half - 4, 0], ['270°', 0, -half - 7]] as const) context.fillText(text, x + px, y - py);
  }

  // Bars up from the wall at +y (or +z) and down from the one at -y (or -z).
  private drawGuide(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { largest } = this, gap = 0.13 * height, room = height / 2 - gap - 14;
    this.view.walls.forEach((wall, side) => {
      const sign = side === 0 ? -1 : 1, base = height / 2 + sign * gap, values = wall?.[this.what] ?? [], step = (width - 20) / GUIDE_BINS;
      context.beginPath();
      context.moveTo(10, base);
      context.lineTo(width - 10, base);
      context.stroke();
      context.fillStyle = theme.colors.accent;
      values.forEach((value: number, i: number) => {
        if (!(value > 0) || !(largest > 0)) return;
        const long = (room * value) / largest;
        context.globalAlpha = 0.35 + (0.6 * value) / largest;
        context.fillRect(10 + i * step + 0.5, sign < 0 ? base - long : base, Math.max(1, step - 1), long);
      });
      context.globalAlpha = 1;
    });
    context.fillStyle = theme.colors.faint;
    context.font = '10px system-ui, sans-serif';
    context.textAlign = 'left';
    context.fillText(quantity(this.map.from, 'm', 3), 10, height / 2 + 3);
    context.textAlign = 'right';
    context.fillText(quantity(this.map.to, 'm', 3), width - 10, height / 2 + 3);
  }
}

export function bearingsPanel(app: App): Panel | null {
  const { mechanism } = app.scene, { run } = app;
  const joints = mechanism.joints.filter((joint: Joint) => joint.play && run.header.contact_points.some((p) => p.contact === joint.data.name && p.normal && p.normal_force !== null));
  if (joints.length === 0) return null;
  const element = el('div', { class: 'panel bearings' });
  const figures: MapFigure[] = [];
  const draw = () => { for (const figure of figures) figure.draw(); };
  const build = () => {
    element.append(el('p', { class: 'hint' }, `What each place of the surface has carried over the whole run, in the joint’s axes on the parent.${run.thinned
      ? ` Force and impulse from ${plainCount(run.header.rows)} of ${plainCount(run.header.total_rows)} rows; work from all.` : ''}`));
    for (const joint of joints.slice(0, 8)) {
      const map = bearingMap(joint, run, mechanism.poses);
      const row = el('div', { class: `maps ${map?.kind ?? ''}` });
      element.append(named('h3', joint.data.name, 40, 'as-named'), row);
      if (!map) { row.append(el('p', { class: 'hint' }, 'nothing to show: never in contact')); continue; }
      for (const view of viewsOf(map)) {
        for (const { what, title, unit } of LOAD_QUANTITIES) {
          if (what === 'work' && !map.hasWork) continue;
          const figure = new MapFigure(map, view, what, title, unit);
          figures.push(figure);
          row.append(figure.element);
        }
      }
    }
  };
  theme.listen(draw);
  new ResizeObserver(draw).observe(element);
  return { element, show() { if (!element.firstChild) build(); draw(); } };
}
