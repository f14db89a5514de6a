// What one can change about the picture: clearance, contact points, labels, views, which body is followed.
import type { App } from '../state/app';
import type { BearingColors } from '../scene/forces/bearing_colors';
import { LOAD_QUANTITIES } from '../geometry/bearing_map';
import { button, el } from '../toolkit/dom';
import { quantity, short } from '../toolkit/format';
import { stamps, timesText } from '../data/stamps';
import type { Labels } from '../scene/labels';
import type { Camera } from './camera';

export interface SceneControls {
  element: HTMLElement;
  over: HTMLElement;                // over the picture: what is magnified, and what colours mean
  magnification(M: number): void;   // shows a value that was set elsewhere
  deformation(M: number): void;
  labels: () => void;
  arrows: () => void;
}

const magnificationText = (M: number) => (M === 1 ? '1× (true)' : timesText(M));

// A slider whose logarithm is even, from 1 to `largest`, and what it says.
function magnifier(name: string, title: string, largest: number, change: (M: number) => void): { element: HTMLElement; show(M: number): void } {
  const slider = el('input', { type: 'range', min: 0, max: 1000, value: 0, step: 1, id: name, 'aria-label': `magnification of the ${name}` });
  const shown = el('output', {}, magnificationText(1));
  slider.addEventListener('input', () => change(Number(slider.value) === 0 ? 1 : largest ** (Number(slider.value) / 1000)));
  return {
    element: el('label', { class: 'control strong', title }, el('span', {}, name), slider, shown),
    show(M) {
      slider.value = String(Math.round((1000 * Math.log(M)) / Math.log(Math.max(largest, 1.0001))));
      shown.textContent = magnificationText(M);
    },
  };
}

// What the colour of elastic bodies tells.
function loadChoice(app: App): HTMLElement {
  const { elastic } = app.scene.mechanism;
  const shown = el('output', { class: 'load-range' });
  const choice = el('select', { id: 'load', 'aria-label': 'colour of elastic bodies' }, el('option', { value: '' }, 'body'),
    ...elastic.loads.map((load) => el('option', { value: load }, load)));
  choice.addEventListener('change', () => {
    const load = elastic.loads.find((name) => name === choice.value) ?? null;
    elastic.show(load);
    shown.textContent = load ? `±${quantity(elastic.ranges.get(load) ?? 0, elastic.unit(load), 3)}` : '';
    shown.classList.toggle('scale', load !== null);
    app.scene.invalidate();
  });
  return el('label', { class: 'control', title: 'what the colour of elastic bodies tells: blue below zero, red above, full colour at the largest value of the run' },
    el('span', {}, 'colour'), choice, shown);
}

// What the colour of bores, rods and guides tells, and its scale over the picture.
function bearingChoice(app: App, legend: HTMLElement): HTMLElement {
  const { bearings } = app.scene.mechanism;
  const choice = el('select', { id: 'bearing-colour', 'aria-label': 'colour of the surfaces of joints with play' }, el('option', { value: '' }, 'metal'),
    ...LOAD_QUANTITIES.map(({ what, title }) => el('option', { value: what }, title)));
  choice.addEventListener('change', () => {
    const chosen = LOAD_QUANTITIES.find(({ what }) => what === choice.value) ?? null;
    bearings.show(chosen?.what ?? null);
    legend.replaceChildren(...bearingScale(bearings));
    legend.hidden = chosen === null;
    app.scene.invalidate();
  });
  return el('label', { class: 'control compact', title: 'what the surfaces of joints with play have carried over the run, each place in the colour of its value' }, el('span', {}, 'surfaces'), choice);
}
function bearingScale(bearings: BearingColors): (Node | string)[] {
  const { scale } = bearings;
  return scale ? [el('b', {}, scale.title), el('br'), '0 ', el('span', { class: 'ramp' }), ` ${scale.largest}`] : [];
}

export function sceneControls(app: App, labels: Labels, insets: { toggle(show: boolean): void }, camera: Camera): SceneControls {
  const { scene } = app;
  const { mechanism } = scene;
  const hasPlay = mechanism.joints.some((joint) => joint.play);
  const rows: HTMLElement[] = [];

  const clearance = magnifier('clearance', 'draws the play of joints wider than it is: journals, guides and what hangs on them move accordingly',
    mechanism.largest, (M) => app.setMagnification(M));
  const deformation = magnifier('deformation', 'draws elastic bodies more bent, stretched and twisted than they are, and bushings giving more, with what hangs on them',
    mechanism.elastic.largest, (M) => app.setDeformation(M));
  if (hasPlay) rows.push(clearance.element);
  if (mechanism.elastic.largest > 1) rows.push(deformation.element);
  if (mechanism.elastic.loads.length > 0) rows.push(loadChoice(app));
  const legend = el('div', { class: 'surface-key', hidden: true });
  const caption = el('div', { class: 'caption', hidden: true });
  const magnified = { clearance: 1, deformation: 1 };
  const showCaption = () => {
    caption.replaceChildren(...stamps(magnified.clearance, magnified.deformation).map(({ factor, what }) =>
      el('div', { class: 'stamp' }, el('b', {}, factor), ` ${what}`)));
    caption.hidden = !caption.firstChild;
  };

  const toggle = (label: string, title: string, on: boolean, change: (on: boolean) => void): [HTMLElement, () => void] => {
    const box = el('input', { type: 'checkbox', checked: on });
    box.addEventListener('change', () => { change(box.checked); scene.invalidate(); });
    return [el('label', { class: 'toggle', title }, box, label), () => box.click()];
  };
  const toggles = el('div', { class: 'toggles' });
  const { arrows } = mechanism;
  let arrowsKey = () => {};
  if (arrows.points.length > 0) {
    const scale = el('input', { type: 'range', min: -150, max: 150, value: 0, 'aria-label': 'length of the arrows' });
    scale.addEventListener('input', () => { arrows.scale = 10 ** (Number(scale.value) / 100); scene.invalidate(); });
    const kind = el('select', { 'aria-label': 'scale of the arrows' }, el('option', { value: 'linear' }, 'linear'), el('option', { value: 'log' }, 'log'));
    kind.value = arrows.logarithmic ? 'log' : 'linear';
    kind.addEventListener('change', () => { arrows.logarithmic = kind.value === 'log'; scene.invalidate(); });
    rows.push(el('label', { class: 'control', title: 'length of the force arrows; log shows small forces beside large ones' }, el('span', {}, 'forces'), scale, kind));
    const [box, click] = toggle('contacts', 'contact points, their normals and forces (c)', true, (on) => { arrows.visible = on; });
    arrowsKey = click;
    toggles.append(box, toggle('normals', 'a thin line along the normal of each closed contact point', true, (on) => { arrows.normals = on; })[0]);
  } else if (touches(app)) {
    const [box] = toggle('contacts', 'the run did not record where its contact points are: channels such as point_x, normal_x, force_x', false, () => {});
    box.querySelector('input')!.disabled = true;
    toggles.append(box);
  }
  const { chains } = mechanism;
  if (chains.available) {
    const [box] = toggle('chains', 'forces of the contacts that were kept, as links between bodies, wider where they are larger', true, (on) => { chains.visible = on; });
    box.append(el('output', { class: 'chain-scale', title: 'the force of the widest links' }, ` widest ${quantity(chains.full, 'N', 2)}`));
    toggles.append(box);
  }
  const [labelBox, labelsKey] = toggle('names', 'names of bodies and joints (l)', false, (on) => labels.toggle(on));
  toggles.append(labelBox);
  if (app.run.planar) toggles.append(toggle('centres', 'centres of mass (m)', true, (on) => mechanism.showCentres(on))[0]);
  if (hasPlay) toggles.append(toggle('lens', 'joints with play from near, in a corner of the scene', true, (on) => insets.toggle(on))[0]);
  rows.push(toggles);

  const follow = el('select', { 'aria-label': 'follow a body', title: 'keep a body in the middle' }, el('option', { value: -1 }, 'follow: nothing'),
    ...mechanism.poses.names.slice(1, 301).map((name, i) => el('option', { value: i + 1 }, `follow: ${short(name, 24)}`)));
  follow.value = String(mechanism.bounds.traveller);
  follow.addEventListener('change', () => { scene.followBody(Number(follow.value)); scene.invalidate(); });
  const views = el('div', { class: 'views' }, button('fit', 'fit the mechanism (f)', () => { scene.fit(); scene.frame(); }));
  if (!app.run.planar) {
    for (const name of ['x', 'y', 'z'] as const) views.append(button(name, `look along ${name} (${name})`, () => scene.view(name)));
    views.append(button('3d', 'oblique view (o)', () => scene.view('oblique')));
  }
  views.append(button('png', 'save a picture of the scene (p)', () => camera.picture()), camera.button, follow);
  if (mechanism.bearings.available) views.append(bearingChoice(app, legend));
  rows.push(views);

  const element = el('div', { class: 'scene-controls' }, ...rows);
  return {
    element, over: el('div', { class: 'over' }, caption, legend), labels: labelsKey, arrows: arrowsKey,
    magnification(M) {
      clearance.show(M);
      magnified.clearance = M;
      showCaption();
    },
    deformation(M) {
      deformation.show(M);
      magnified.deformation = M;
      showCaption();
    },
  };
}

// Whether shapes or joints with play can touch: only their contact points have places, unlike stops and dry friction.
function touches(app: App): boolean {
  const { contacts = [], joints } = app.run.header.geometry;
  const names = new Set([...contacts.map(({ name }) => name), ...joints.filter((joint) => joint.model === 'clearance').map(({ name }) => name)]);
  return app.run.header.contact_points.some((point) => names.has(point.contact));
}
