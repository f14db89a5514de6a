// What one can change about the picture: clearance, contact points, labels, views, which body is followed.
import type { App } from '../state/app';
import { button, el } from '../toolkit/dom';
import { short } from '../toolkit/format';
import type { Labels } from '../scene/labels';

export interface SceneControls {
  element: HTMLElement;
  magnification(M: number): void;   // shows a value that was set elsewhere
  labels: () => void;
  arrows: () => void;
}

const magnificationText = (M: number) => (M === 1 ? '1× (true)' : `${M < 10 ? M.toFixed(1) : Math.round(M)}×`);

export function sceneControls(app: App, labels: Labels, insets: { toggle(show: boolean): void }): SceneControls {
  const { scene } = app;
  const { mechanism } = scene;
  const hasPlay = mechanism.joints.some((joint) => joint.play);
  const largest = mechanism.largest;
  const rows: HTMLElement[] = [];

  const slider = el('input', { type: 'range', min: 0, max: 1000, value: 0, step: 1, id: 'clearance', 'aria-label': 'magnification of the clearance' });
  const shown = el('output', {}, '1× (true)');
  slider.addEventListener('input', () => {
    const M = largest ** (Number(slider.value) / 1000);
    app.setMagnification(Number(slider.value) === 0 ? 1 : M);
  });
  if (hasPlay) {
    rows.push(el('label', { class: 'control strong', title: 'draws the play of joints wider than it is: journals, guides and what hangs on them move accordingly' },
      el('span', {}, 'clearance'), slider, shown));
  }

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
  const [labelBox, labelsKey] = toggle('names', 'names of bodies and joints (l)', false, (on) => labels.toggle(on));
  toggles.append(labelBox);
  if (app.run.planar) toggles.append(toggle('centres', 'centres of mass (m)', true, (on) => mechanism.showCentres(on))[0]);
  if (hasPlay) toggles.append(toggle('orbits', 'small orbit plots on the scene', true, (on) => insets.toggle(on))[0]);
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
  views.append(button('png', 'save a picture of the scene (p)', () => savePicture(app)), follow);
  rows.push(views);

  const element = el('div', { class: 'scene-controls' }, ...rows);
  return {
    element, labels: labelsKey, arrows: arrowsKey,
    magnification(M) {
      slider.value = String(Math.round((1000 * Math.log(M)) / Math.log(Math.max(largest, 1.0001))));
      shown.textContent = magnificationText(M);
    },
  };
}

// Whether shapes or joints with play can touch: only their contact points have places, unlike stops and dry friction.
function touches(app: App): boolean {
  const { contacts = [], joints } = app.run.header.geometry;
  const names = new Set([...contacts.map(({ name }) => name), ...joints.filter((joint) => joint.model === 'clearance').map(({ name }) => name)]);
  return app.run.header.contact_points.some((point) => names.has(point.contact));
}

export function savePicture(app: App): void {
  const link = el('a', { href: app.scene.picture(), download: 'freeplay.png' });
  link.click();
}
