// Play, step, scrub, speed.
import type { App } from '../state/app';
import { button, el } from '../toolkit/dom';
import { timeText } from '../toolkit/format';
import { RATES, rateText } from '../state/playback';

const STEPS = 100000;   // of the scrub bar

export function transport(app: App): HTMLElement {
  const { run, playback } = app;
  const play = button('▶', 'play or pause (space)', () => playback.toggle(), 'play');
  const scrub = el('input', { type: 'range', min: 0, max: STEPS, value: 0, step: 1, class: 'scrub', 'aria-label': 'time' });
  const now = el('span');
  const clock = el('output', { class: 'clock' }, now, el('span', { class: 'of' }, ` / ${timeText(run.last, run.span)}`));
  const rate = el('select', { title: 'speed: simulated over real time (- and +)', 'aria-label': 'speed' },
    ...RATES.map((value) => el('option', { value }, rateText(value))));
  const loop = el('input', { type: 'checkbox', checked: true });
  loop.addEventListener('change', () => { playback.loop = loop.checked; });
  scrub.addEventListener('input', () => {
    playback.setTime(run.first + (Number(scrub.value) / STEPS) * run.span);
  });
  rate.addEventListener('change', () => playback.setRate(Number(rate.value)));
  playback.listenTime((t) => {
    scrub.value = String(Math.round(((t - run.first) / run.span) * STEPS));
    now.textContent = timeText(t, run.span);
  });
  const state = () => {
    play.textContent = playback.playing ? '❚❚' : '▶';
    play.classList.toggle('on', playback.playing);
    rate.value = String(playback.rate);
  };
  playback.listenState(state);
  state();
  return el('div', { class: 'transport' },
    button('|◂', 'to the start (Home)', () => playback.setTime(run.first)),
    button('◂', 'one row back (left arrow)', () => playback.step(-1)), play,
    button('▸', 'one row on (right arrow)', () => playback.step(1)),
    scrub, clock, el('label', { class: 'rate' }, 'speed ', rate), el('label', { class: 'loop', title: 'start again at the end' }, loop, 'loop'));
}
