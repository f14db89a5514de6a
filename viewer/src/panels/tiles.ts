// What a run comes to, as tiles at the top of the summary; those with a time go there.
import type { App } from '../state/app';
import { findingsOf } from '../data/findings';
import { el } from '../toolkit/dom';
import { digits, plainCount, quantity, short } from '../toolkit/format';

const MOST_JOINTS = 4;
const percent = (share: number) => `${digits(100 * share, share < 0.1 ? 2 : 3)} %`;

export function summaryTiles(app: App): HTMLElement {
  const { peak, hardest, blows, turns, contact, losses, drift } = findingsOf(app.run);
  const tiles = el('div', { class: 'tiles' });
  const add = (title: string, value: string, text: string, time: number | null = null, grade = '') => {
    const content = [el('span', { class: 'hint' }, title), el('b', {}, value), el('span', {}, text)];
    const tile = time === null ? el('div', { class: `tile ${grade}` }, ...content) : el('button', { type: 'button', class: `tile ${grade}`, title: 'go there' }, ...content);
    if (time !== null) tile.addEventListener('click', () => { app.playback.setPlaying(false); app.playback.setTime(time); });
    tiles.append(tile);
  };
  if (peak) {
    add('peak force', quantity(peak.value, 'N', 4), `in ${short(peak.name, 24)}, ${peak.window > 0 ? `mean of ${quantity(peak.window, 's', 3)} (${quantity(peak.value * peak.window, 'N s', 3)})` : 'of the rows'}, at ${quantity(peak.time, 's', 4)}`, peak.time);
  }
  if (hardest) add('hardest blow', quantity(hardest.impulse, hardest.unit ?? 'N s', 3), `in ${short(hardest.contact, 24)} at ${quantity(hardest.time, 's', 4)}`, hardest.time);
  if (blows > 0) {
    if (turns) add('blows per turn', digits(blows / turns.count, 3), `${plainCount(blows)} in ${digits(turns.count, 3)} ${digits(turns.count, 3) === '1' ? 'turn' : 'turns'} of ${short(turns.channel, 24)}`);
    else add('blows', plainCount(blows), 'points that strike together and small hops are one');
  }
  if (contact.length > 0) {
    const listed = contact.slice(0, MOST_JOINTS);
    add('in contact', percent(listed[0].share), `of the time: ${listed.map(({ name, share }) => `${short(name, 18)} ${percent(share)}`).join(', ')}${contact.length > listed.length ? ` and ${contact.length - listed.length} more` : ''}`);
  }
  const lost = losses.reduce((sum, { energy }) => sum + energy, 0);
  if (lost > 0) add('losses', quantity(lost, 'J', 3), losses.map(({ cause, energy }) => `${cause} ${percent(energy / lost)}`).join(', '));
  if (drift) {
    const what = drift.isOfLosses ? 'losses' : 'kinetic energy that comes and goes';
    add('energy drift', percent(drift.share), `of the ${what}: ${drift.advice || 'small'}`, null, drift.grade);
  }
  return tiles;
}
