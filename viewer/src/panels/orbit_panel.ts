// The panel of orbits (large) and the insets on the scene (small), from the same plots.
import type { App, Panel } from '../state/app';
import { el } from '../toolkit/dom';
import { OrbitPlot } from './orbit';
import { tracksOf } from '../geometry/play_tracks';

const MOST_INSETS = 4;

function plotsOf(app: App): OrbitPlot[] {
  const { mechanism } = app.scene;
  return mechanism.joints.flatMap((joint) => tracksOf(joint, app.run, mechanism.poses))
    .map((track) => new OrbitPlot(track, app.run, mechanism.poses, (t) => app.playback.setTime(t)));
}

export function orbitPanel(app: App): Panel | null {
  if (!app.scene.mechanism.joints.some((joint) => joint.play)) return null;
  const element = el('div', { class: 'panel orbits' });
  let plots: OrbitPlot[] | null = null;
  const update = () => { for (const plot of plots ?? []) plot.update(); };
  new ResizeObserver(update).observe(element);
  return {
    element,
    show() {
      if (!plots) {
        plots = plotsOf(app);
        element.append(el('p', { class: 'hint' }, 'The moving part inside of its clearance: faint the whole run, strong the last 3 % of it, the dot now. Click on a path to go there.'),
          ...plots.map((plot) => plot.element));
      }
      update();
    },
    time: update,
  };
}

// Small orbits in a corner of the scene.
export function orbitInsets(app: App): { element: HTMLElement; update(): void; toggle(show: boolean): void } {
  const element = el('div', { class: 'insets' });
  let plots: OrbitPlot[] | null = null;
  let shown = true;
  return {
    element,
    update() {
      if (!shown) return;
      if (!plots) {
        plots = plotsOf(app).slice(0, MOST_INSETS);
        element.append(...plots.map((plot) => plot.element));
      }
      for (const plot of plots) plot.update();
    },
    toggle(show) {
      shown = show;
      element.hidden = !show;
    },
  };
}
