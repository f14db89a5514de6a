// What a run comes to, in a few numbers: the peak force and where, the hardest blow, blows per turn, how long contacts were closed,
// where the energy went, and whether its drift is small against what the run measures. The command finds these out of all rows and the
// page takes them from there; it counts by itself only where the header has none.
import { groupBlows } from './blow_groups';
import type { PeakForce, RunFindings } from './data_block';
import type { Run } from './run';

export interface Findings {
  peak: PeakForce | null;
  hardest: { contact: string; impulse: number; time: number; unit?: string } | null;
  blows: number;
  turns: { channel: string; count: number } | null;
  contact: { name: string; share: number }[];            // of the time, from 0 to 1
  losses: { cause: string; energy: number }[];           // J
  drift: { share: number; isOfLosses: boolean; grade: 'small' | 'noticeable' | 'large'; advice: string } | null;
}

const SMALL_DRIFT = 0.01, LARGE_DRIFT = 0.1;   // of what it is compared with
const HARDLY_ANY = 1e-3;                       // losses of this part of the motion are not what the run is about

// Without losses the drift is compared with the largest change of the kinetic energy.
export function judgeDrift(drift: number, losses: number, kineticChange: number): Findings['drift'] {
  const isOfLosses = losses > HARDLY_ANY * kineticChange, measure = isOfLosses ? losses : kineticChange, share = Math.abs(drift) / measure;
  if (!(measure > 0) || !Number.isFinite(share)) return null;
  const grade = share <= SMALL_DRIFT ? 'small' : share <= LARGE_DRIFT ? 'noticeable' : 'large';
  return { share, isOfLosses, grade, advice: adviceOn(grade, isOfLosses) };
}
// In the words of the command.
function adviceOn(grade: string, isOfLosses: boolean): string {
  return grade === 'small' ? '' : grade === 'noticeable' ? 'a smaller step would tell' : isOfLosses ? 'too much to trust them' : 'too much to trust the motion';
}

// The first joint or body that turns at least once, in the order of the file.
function countTurns(run: Run): Findings['turns'] {
  for (const [i, { name, unit }] of run.header.columns.entries()) {
    const values = run.whole.columns[i], count = Math.abs(values[values.length - 1] - values[0]) / (2 * Math.PI);
    if (unit === 'rad' && /\.(angle|q)$/.test(name) && count >= 1 - 1e-6) return { channel: name, count };
  }
  return null;
}

// Modes are those of the step that ends at a row, so each stands for the time since the row before.
function contactShares(run: Run): Findings['contact'] {
  const time = run.whole.columns[0], shares = new Map<string, number>(), points = run.header.contact_points.filter(({ mode }) => mode !== null);
  for (const name of new Set(points.map(({ contact }) => contact))) {
    const modes = points.filter(({ contact }) => contact === name).map(({ mode }) => run.whole.columns[mode!]);
    let closed = 0;
    for (let r = 1; r < time.length; ++r) if (modes.some((mode) => mode[r] > 0)) closed += time[r] - time[r - 1];
    shares.set(name, closed / run.span);
  }
  return [...shares].map(([name, share]) => ({ name, share })).sort((a, b) => b.share - a.share);
}

// The largest force at the rows of the page, of joints and of contact points: where the result does not keep its peaks.
function peakAtRows(run: Run): PeakForce | null {
  const { header, whole } = run, time = whole.columns[0];
  let best: PeakForce | null = null;
  const look = (name: string, columns: number[]) => {
    for (let r = 0; r < time.length && columns.length > 0; ++r) {
      let square = 0;
      for (const c of columns) square += whole.columns[c][r] ** 2;
      if (square > (best?.value ?? 0) ** 2) best = { name, unit: 'N', value: Math.sqrt(square), window: 0, time: time[r] };
    }
  };
  const inNewtons = (column: number | undefined | null): column is number => column !== undefined && column !== null && run.unit(column) === 'N';
  for (const { name } of header.geometry.joints) look(name, ['force_x', 'force_y', 'force_z'].map((part) => run.column(`${name}.${part}`)).filter(inNewtons));
  for (const { name, normal_force: force } of header.contact_points) look(name, [force].filter(inNewtons));
  return best;
}

function fromCommand(found: RunFindings, run: Run): Findings {
  const hardest = found.blows.hardest[0], { drift } = found, grade = drift.grade as 'small' | 'noticeable' | 'large';
  return {
    peak: found.peak_force ? { unit: 'N', ...found.peak_force } : peakAtRows(run),
    hardest: hardest ? { contact: hardest.element, impulse: hardest.impulse, time: hardest.hardest_time, unit: hardest.unit } : null,
    blows: found.blows.count, turns: found.turns,
    contact: Object.entries(found.contact_share).map(([name, share]) => ({ name, share })).sort((a, b) => b.share - a.share),
    losses: [['impacts', found.losses.impact], ['friction', found.losses.friction], ['dampers', found.losses.damping]].map(([cause, energy]) => ({ cause: cause as string, energy: energy as number })).filter(({ energy }) => energy > 0),
    drift: ['small', 'noticeable', 'large'].includes(grade) && drift.measure > 0 ? { share: drift.largest / drift.measure, isOfLosses: drift.compared_with === 'losses', grade, advice: drift.advice ?? adviceOn(grade, drift.compared_with === 'losses') } : null,
  };
}

export function findingsOf(run: Run): Findings {
  if (run.header.findings) return fromCommand(run.header.findings, run);
  const { header, whole } = run, column = (name: string) => { const at = run.column(name); return at === undefined ? null : whole.columns[at]; };
  const last = (name: string) => { const values = column(name); return values ? values[values.length - 1] : 0; };
  const forces = (header.summary?.peak_forces ?? []).filter(({ unit, value }) => unit === 'N' && Number.isFinite(value));
  const impulses = whole.impacts[header.impacts.columns.findIndex((c) => c.name === 'normal_impulse')], times = whole.impacts[header.impacts.columns.findIndex((c) => c.name === 'time')];
  const blows = groupBlows(whole);
  const sum = (impacts: number[]) => impacts.reduce((total, i) => total + impulses[i], 0);
  const hardest = blows.reduce<typeof blows[0] | null>((best, blow) => (!best || sum(blow.impacts) > sum(best.impacts) ? blow : best), null);
  const losses = [['impacts', 'impact_loss'], ['friction', 'friction_loss'], ['dampers', 'damping_loss']]
    .map(([cause, name]) => ({ cause, energy: last(`energy.${name}`) })).filter(({ energy }) => energy > 0);
  const kinetic = column('energy.kinetic');
  let low = Infinity, high = -Infinity;
  for (const value of kinetic ?? []) { low = Math.min(low, value); high = Math.max(high, value); }
  const drift = header.summary?.max_energy_drift;
  return {
    peak: forces.reduce<PeakForce | null>((best, force) => (!best || force.value > best.value ? force : best), null) ?? peakAtRows(run),
    hardest: hardest && { contact: hardest.contact, impulse: sum(hardest.impacts), time: times[hardest.hardest] },
    blows: blows.length, turns: countTurns(run), contact: contactShares(run), losses,
    drift: typeof drift === 'number' && kinetic ? judgeDrift(drift, losses.reduce((total, { energy }) => total + energy, 0), high - low) : null,
  };
}
