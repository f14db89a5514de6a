// The channels that a page opens with.
import type { App } from '../state/app';

const STILL = 1e-9;   // m/s or rad/s
const SAME = 1e-6;    // of the largest value
const OF_ELASTIC = /\.(deflection|moment|stress|axial_force|twist)(_xz)?_\d+$/;   // at stations of a body
const SHUT = 1e-7;    // of the mechanism's size: gaps that never get wider are rounding, or a contact that gives

// What a first look should show: the forces where they are largest, gaps, speeds; then the energy.
const FIRST_CURVES = 4, FIRST_PANELS = 3;
// Channels of what is neither a body nor a joint nor a contact point: groups, springs, drives, ropes.
function totalsOf({ run }: App): { name: string; unit: string; column: number }[] {
  const { joints, bodies } = run.header.geometry;
  const known = new Set(['energy', 'step', ...bodies.map(({ name }) => name), ...Object.keys(run.header.poses), ...joints.map(({ name }) => name), ...run.header.contact_points.map(({ contact }) => contact)]);
  return run.channels.map(({ name, unit }, i) => ({ name, unit, column: i + 1 })).filter(({ name }) => !known.has(name.slice(0, name.lastIndexOf('.'))));
}

export function firstChannels(app: App): number[][] {
  const { run } = app;
  const some = (list: (number | null | undefined)[]) => list.filter((c): c is number => c !== null && c !== undefined);
  const values = (column: number) => run.whole.columns[column] as Float32Array;
  const range = (column: number) => {
    let low = Infinity, high = -Infinity;
    for (const v of values(column)) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
    return high - low;
  };
  const largest = (column: number) => values(column).reduce((most: number, v: number) => (Math.abs(v) > most ? Math.abs(v) : most), 0);
  const closing = run.header.contact_points.filter((point) => point.mode === null || values(point.mode).some((mode) => mode > 0));
  const strength = new Map(closing.slice(0, 200).map((point) => [point, point.normal_force === null ? 0 : range(point.normal_force)]));
  const strongest = new Set([...strength.keys()].sort((a, b) => strength.get(b)! - strength.get(a)!).slice(0, FIRST_CURVES));
  const points = closing.filter((point) => strongest.has(point));
  // Without contacts what the joints carry, of the one that carries most.
  const reactions = run.header.geometry.joints.slice(0, 200).map((joint) => some(['force_x', 'force_y', 'force_z'].map((name) => run.column(`${joint.name}.${name}`))))
    .map((columns) => ({ columns: columns.filter((column) => largest(column) > SAME * Math.max(...columns.map(largest))), most: Math.max(0, ...columns.map(range)) })).sort((a, b) => b.most - a.most)[0];
  const bodies = Object.keys(run.header.poses), { size, traveller } = app.scene.mechanism.bounds;
  const last = traveller > 0 ? app.scene.mechanism.poses.names[traveller] : bodies[bodies.length - 1];
  // Rigid bodies sink in by what a scheme leaves; under force laws that is what carries.
  const gives = run.header.modes === 'contact';
  const opens = (column: number) => values(column).some((gap) => (gives ? Math.abs(gap) : gap) > SHUT * size && Number.isFinite(gap));
  const changing = (names: string[]) => some(names.map((name) => run.column(`${last}.${name}`))).filter((column) => range(column) > STILL)
    .sort((a, b) => range(b) - range(a)).slice(0, 2);
  const moving = changing(['vx', 'vy', 'vz']);
  const turning = changing(['omega', 'omega_x', 'omega_y', 'omega_z']);   // a gear only turns
  // A scene of many bodies may record the speeds of some and the totals of its groups, of loads and of drives.
  const moved = (columns: number[]) => columns.filter((column) => range(column) > STILL).slice(0, FIRST_CURVES);
  const ofOthers = ['omega', 'vx', 'vy', 'vz'].map((name) => moved(some(bodies.slice(0, 300).map((body) => run.column(`${body}.${name}`)))));
  const speeds = [moving, turning, ...ofOthers].find((columns) => columns.length > 0) ?? [];
  const totals = totalsOf(app);
  const loads = moved(totals.filter(({ unit }) => unit === 'N').map(({ column }) => column)), torques = moved(totals.filter(({ unit }) => unit === 'N m').map(({ column }) => column));
  const counts = moved(totals.filter(({ name }) => name.endsWith('.contacts')).map(({ column }) => column));
  // How far elastic bodies are bent, and what loads them.
  const own = run.channels.map(({ name, unit }, i) => ({ name, unit, column: i + 1 })).filter(({ name }) => OF_ELASTIC.test(name));
  const bent = moved(own.filter(({ unit }) => unit === own[0].unit).map(({ column }) => column));
  const forces = some(points.map((point) => point.normal_force)).filter((column) => values(column).some((force) => force !== 0));   // none of blows alone
  // A sum that stays as it is, as where everything rests, is a straight line.
  const energies = some(['energy.kinetic', 'energy.potential', 'energy.total'].map((name) => run.column(name)));
  const changes = (column: number) => range(column) > SAME * largest(column);
  const groups = [
    [forces, reactions?.most > 0 ? reactions.columns : [], loads].find((columns) => columns.length > 0) ?? [],
    some(points.map((point) => point.gap)).filter(opens), speeds, speeds.length > 0 ? [] : torques,
    energies.some(changes) ? energies : [], bent, counts, changing(['x', 'y', 'z']),
  ].filter((group) => group.length > 0);
  // Of two runs first what both have.
  const isShared = (column: number) => app.other?.run.column(run.header.columns[column].name) !== undefined;
  if (app.other) groups.sort((a, b) => Number(b.some(isShared)) - Number(a.some(isShared)));
  if (groups.length > 0) return groups.slice(0, FIRST_PANELS);
  return energies.length > 0 ? [energies] : run.channels.length > 0 ? [[1]] : [];
}
