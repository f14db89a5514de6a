// Keys and the overlay that lists them.
import type { App } from '../state/app';
import { button, el } from '../toolkit/dom';
import type { Camera } from './camera';
import type { SceneControls } from './scene_controls';
import { theme } from '../toolkit/theme';

export function keyboard(app: App, controls: SceneControls, camera: Camera, showTab: (index: number) => void): { help: HTMLElement; toggleHelp(): void } {
  const { playback, run, scene } = app;
  const { mechanism } = scene;
  const hasPlay = mechanism.joints.some((joint) => joint.play);
  const magnify = (factor: number) => (hasPlay ? app.setMagnification(mechanism.magnifier.magnification * factor)
    : app.setDeformation(mechanism.poses.deformations.magnification * factor));
  const enlarged = hasPlay || mechanism.elastic.largest === 1 ? 'clearance' : 'deformation';
  const keys: [string[], string, () => void][] = [
    [[' ', 'k'], 'play, pause', () => playback.toggle()],
    [['ArrowRight', '.'], 'one recorded row on', () => playback.step(1)],
    [['ArrowLeft', ','], 'one recorded row back', () => playback.step(-1)],
    [['PageDown'], '1 % of the time on', () => playback.setTime(run.time + 0.01 * run.span)],
    [['PageUp'], '1 % of the time back', () => playback.setTime(run.time - 0.01 * run.span)],
    [['Home'], 'to the start', () => playback.setTime(run.first)],
    [['End'], 'to the end', () => playback.setTime(run.last)],
    [['+', '='], 'faster', () => playback.changeRate(1)],
    [['-'], 'slower', () => playback.changeRate(-1)],
    [['ArrowUp'], `more ${enlarged}`, () => magnify(1.25)],
    [['ArrowDown'], `less ${enlarged}`, () => magnify(1 / 1.25)],
    [['0'], 'nothing magnified', () => { app.setMagnification(1); app.setDeformation(1); }],
    [['n'], 'to the next impact', () => jump(app, 1)],
    [['b'], 'to the impact before', () => jump(app, -1)],
    [['f'], 'fit the mechanism', () => scene.fit()],
    [['x'], 'look along x', () => scene.view('x')],
    [['y'], 'look along y', () => scene.view('y')],
    [['z'], 'look along z', () => scene.view('z')],
    [['o'], 'oblique view', () => scene.view('oblique')],
    [['c'], 'contact points', () => controls.arrows()],
    [['l'], 'names', () => controls.labels()],
    [['p'], 'picture (PNG)', () => camera.picture()],
    [['r'], 'record a film (WebM), or stop', () => camera.film()],
    [['d'], 'light, dark', () => theme.toggle()],
    [['1'], 'panels: 1 to 9', () => showTab(0)],
    [['?', 'h'], 'this help', () => toggleHelp()],
  ];
  const names: Record<string, string> = {
    ' ': 'space', ArrowRight: '→', ArrowLeft: '←', ArrowUp: '↑', ArrowDown: '↓', PageDown: 'page down', PageUp: 'page up',
  };
  const help = el('div', { class: 'help', hidden: true });
  const toggleHelp = () => {
    if (!help.firstChild) {
      help.append(el('div', { class: 'help-box' },
        el('header', {}, el('h2', {}, 'Help'), button('×', 'close (Esc)', toggleHelp)),
        el('div', { class: 'keys' }, ...keys.flatMap(([list, text]) => [el('span', {}, ...list.map((key) => el('kbd', {}, names[key] ?? key))), el('span', {}, text)])),
        el('h3', {}, 'Mouse and touch'),
        el('p', {}, run.planar ? 'Drag to move the picture, wheel or pinch to zoom.' : 'Drag to turn, right button or two fingers to move, wheel or pinch to zoom.',
          ' In curves: click sets the time, a drag zooms, a double click shows all.'),
        el('h3', {}, 'Clearance magnified'),
        el('p', {}, 'With magnification M a joint of clearance c is drawn as if it had the clearance M c, and the part inside is shifted and tilted M times as far as it really is. The other joints stay closed: the whole mechanism is assembled around the magnified play, with the smallest changes of position. Curves, orbits and numbers always show the true values.'),
        ...(mechanism.elastic.largest > 1 ? [el('h3', {}, 'Deformation magnified'),
          el('p', {}, 'With magnification M an elastic body is drawn as if all its modal coordinates were M times as large. The motion of its axes is not magnified, joints stay closed as they do with magnified clearance, and what it touches stays where it is. Numbers always show the true values.')] : []),
        el('h3', {}, 'Arrows'),
        el('p', {}, 'An arrow starts at a contact point and shows the force on the first partner (the child of a joint). ',
          run.header.modes === 'contact'
            ? 'This integrator records that a contact lasts, not whether it slips: all arrows have one colour. They show the force of the law at that moment.'
            : 'It is orange while the contact slips, blue while it sticks, pink for a moment after an impact while the page plays. It is the mean over simulate.force_window, so the arrow of a blow depends on that window.')));
    }
    help.hidden = !help.hidden;
  };
  help.addEventListener('click', (event) => { if (event.target === help) toggleHelp(); });
  // After a click on a button the space bar still plays; who walks by the tabulator presses the button with it.
  let isWalking = false;
  document.addEventListener('pointerdown', () => { isWalking = false; }, true);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.matches('input[type=search], input[type=text], textarea, select')) return;
    if (event.key === 'Escape' && !help.hidden) return toggleHelp();
    if (event.key === 'Tab') isWalking = true;
    if (isWalking && isOwn(target, event.key)) return;
    if (event.key === 'Enter' && target.matches('.clickable')) return target.click();   // a row of a table is no button
    if (/^[1-9]$/.test(event.key)) return showTab(Number(event.key) - 1);
    const found = keys.find(([list]) => list.includes(event.key));
    if (!found) return;
    // A focused button or slider must not act as well.
    event.preventDefault();
    if (target instanceof HTMLButtonElement || target instanceof HTMLInputElement) target.blur();
    found[2]();
    scene.invalidate();
  });
  return { help, toggleHelp };
}

// Keys that an element uses itself, for those who have gone to it by the tabulator.
function isOwn(target: HTMLElement, key: string): boolean {
  if (target.matches('button, input[type=checkbox]')) return key === ' ';
  return target.matches('input[type=range]') && /^(Arrow|Page|Home|End)/.test(key);
}

function jump(app: App, direction: 1 | -1): void {
  const { header, whole } = app.run;
  const times = whole.impacts[header.impacts.columns.findIndex((column) => column.name === 'time')];
  if (!times || times.length === 0) return app.message('no impacts in this run');
  const now = app.run.time, least = 1e-12 + 1e-9 * app.run.span;
  let best: number | null = null;
  for (const t of times) {
    if (direction > 0 ? t > now + least && (best === null || t < best) : t < now - least && (best === null || t > best)) best = t;
  }
  if (best === null) return app.message(direction > 0 ? 'no more impacts' : 'no impact before');
  app.playback.setPlaying(false);
  app.playback.setTime(best);
}
