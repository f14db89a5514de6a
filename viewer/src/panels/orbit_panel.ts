// The panel of orbits: how parts with play move inside of it.
import type { App, Panel } from '../state/app';
import { el } from '../toolkit/dom';
import { OrbitPlot } from './orbit';
import { tracksOf } from '../geometry/play_tracks';

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
