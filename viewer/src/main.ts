// Starts the page: reads the data, builds the parts, runs the frames.
import { Mark, TimeWindow, type App } from './state/app';
import { addressOf } from './state/address';
import { CurveAxis } from './state/axis';
import { bearingsPanel } from './panels/bearings';
import { Composer } from './film/composer';
import { curvesPanel } from './panels/curves';
import { blockOf, isStudy, sourceOfPage } from './data/data_block';
import { el } from './toolkit/dom';
import { short } from './toolkit/format';
import { pictureButtons } from './controls/camera';
import { impactsPanel } from './panels/impacts_panel';
import { keyboard } from './controls/keyboard';
import { runsKey } from './controls/runs_key';
import { ForceLabels } from './scene/forces/force_labels';
import { Labels } from './scene/labels';
import { movableEdge, Tabs, topBar } from './controls/layout';
import { ledgerPanel } from './panels/ledger';
import { lensInsets } from './panels/lens';
import { orbitPanel } from './panels/orbit_panel';
import { phasePanel } from './panels/phase';
import { PointTrace } from './scene/point_trace';
import { Playback } from './state/playback';
import { reactionsPanel } from './panels/reactions';
import { refineOnZoom } from './state/refine';
import { Run } from './data/run';
import { startStudy } from './study/page';
import { SceneView } from './scene/scene';
import { sceneControls } from './controls/scene_controls';
import { modelPanel, summaryPanel } from './panels/summary';
import { signalsPanel } from './panels/signals_panel';
import { spectrumPanel } from './panels/spectrum_panel';
import { testInterface } from './test_interface';
import { theme } from './toolkit/theme';
import { timelinePanel } from './panels/timeline';
import { transport } from './controls/transport';

const MOST_TIMED = 1000;   // frames whose script time is kept
const GLOW = 0.15;   // s on the screen for which an impact can be seen

async function start(root: HTMLElement) {
  theme.start();
  const source = sourceOfPage(), raw = await source.whole();
  if (isStudy(raw)) return startStudy(root, raw, source.served);
  const run = new Run(blockOf(raw));
  if (run.header.rows === 0) throw new Error('the result has no rows: the run ended before its first one');
  document.title = `${run.header.title || run.header.model_file} · freeplay`;

  let trace: PointTrace | null = null, address: ReturnType<typeof addressOf> | null = null;   // both need the scene
  const toast = el('div', { class: 'toast', role: 'status', hidden: true });
  let toastTimer = 0;
  const second = await source.second();
  const other = second ? { run: new Run(second.block), names: second.names } : null;
  run.follower = other?.run ?? null;
  const scene = new SceneView(run, other?.run);
  const app: App = {
    run, source, other, scene, playback: new Playback(run), window: new TimeWindow(run), mark: new Mark(), axis: new CurveAxis(run),
    setMagnification(M) {
      const bounded = Math.min(scene.mechanism.largest, Math.max(1, M));
      scene.mechanism.setMagnification(bounded);
      scene.ghost?.setMagnification(bounded);
      controls.magnification(bounded);
      trace?.compute();
      address?.magnified(bounded);
      scene.invalidate();
    },
    setDeformation(M) {
      const bounded = Math.min(scene.mechanism.elastic.largest, Math.max(1, M));
      scene.mechanism.setDeformation(bounded);
      scene.ghost?.setDeformation(bounded);
      controls.deformation(bounded);
      scene.invalidate();
    },
    message(text) {
      toast.textContent = text;
      toast.hidden = false;
      window.clearTimeout(toastTimer);
      toastTimer = window.setTimeout(() => { toast.hidden = true; }, 2500);
    },
  };

  app.playback.range = () => [app.window.from, app.window.to];

  const labels = new Labels(scene.mechanism);
  const insets = lensInsets(app);
  const composer = new Composer(app, insets), camera = pictureButtons(app, composer);
  const controls = sceneControls(app, labels, insets, camera);
  scene.element.append(labels.element, insets.element, controls.over);
  scene.inset = () => insets.room();
  if (other) scene.element.append(runsKey(app));
  app.setMagnification(scene.mechanism.magnificationToSee);
  scene.addOverlay((camera, width, height) => labels.update(camera, width, height));
  const forces = new ForceLabels(scene.mechanism.arrows, () => app.playback.playing);
  scene.element.append(forces.element, forces.key);
  scene.addOverlay((camera, width, height) => { if (!composer.busy) forces.update(camera, width, height, scene.pixel); });

  trace = new PointTrace(scene, run, () => [app.window.from, app.window.to]);
  trace.onChange = (name) => { if (name !== null) app.message(`the path of a point of ${short(name, 40)}; a click beside it takes it away`); };
  app.window.listen(() => trace?.compute());
  const curves = curvesPanel(app), phase = phasePanel(app), spectrum = spectrumPanel(app);
  const tabs = new Tabs(([
    ['Curves', curves], ['Orbits', orbitPanel(app)], ['Bearings', bearingsPanel(app)], ['Signals', signalsPanel([{ title: 'phase portrait', panel: phase }, { title: 'spectrum', panel: spectrum }])], ['Impacts', impactsPanel(app)],
    ['Reactions', reactionsPanel(app, (channels) => { tabs.showTitle('Curves'); curves.add(channels); })],
    ['Energy', ledgerPanel(app)], ['Summary', summaryPanel(app)], ['Model', modelPanel(app)],
  ] as const).flatMap(([title, panel]) => (panel ? [{ title, panel }] : [])));
  const { help, toggleHelp } = keyboard(app, controls, camera, (index) => tabs.show(index));
  const timeline = timelinePanel(app);

  const left = el('div', { class: scene.isEmpty ? 'left bare' : 'left' }, controls.element, scene.element, transport(app));
  if (timeline) left.append(movableEdge(left, '--timeline', false, true), timeline.element);
  const main = el('main', {}, left);
  main.append(movableEdge(main, '--left', true, false), tabs.element);
  root.replaceChildren(topBar(app, toggleHelp), main, help, toast);

  let stale = true, filled = false;
  app.playback.listenTime(() => { stale = true; });
  theme.listen(() => { stale = true; scene.invalidate(); });
  refineOnZoom(app, () => { tabs.data(); timeline?.data?.(); scene.invalidate(); });
  // How long the page's own script takes per frame while it plays; tests ask.
  const cost: number[] = [];
  app.playback.listenState(() => { cost.length = 0; });
  const frame = (now: number) => {
    const begin = performance.now();
    if (camera.busy || composer.busy) return void requestAnimationFrame(frame);   // the scene is the film's
    app.playback.tick(now);
    scene.mechanism.arrows.glow = app.playback.playing ? GLOW * app.playback.rate : 0;
    if (stale) {
      stale = false;
      scene.invalidate();
      scene.frame();
      if (filled) insets.update();
      tabs.time(run.time);
      timeline?.time?.(run.time);
    } else {
      scene.frame();
    }
    if (app.playback.playing && cost.length < MOST_TIMED) cost.push(performance.now() - begin);
    requestAnimationFrame(frame);
  };
  app.playback.setTime(run.first);
  // The first picture comes before the panels are filled.
  await new Promise<void>((done) => requestAnimationFrame((now) => { frame(now); done(); }));
  const firstFrame = performance.now();
  filled = stale = true;
  tabs.show(0);
  address = addressOf(app, { showTab: (name) => tabs.showTitle(name), curves });
  const stays = address.apply();
  tabs.onShow = (title) => address!.tabShown(title);
  timeline?.show?.();
  // Something that moves tells more than a still; who wants less motion presses play.
  if (!stays && !window.matchMedia('(prefers-reduced-motion: reduce)').matches) app.playback.setPlaying(true);
  return testInterface(app, insets, composer, firstFrame, cost, { trace, phase, spectrum });
}

declare global {
  interface Window { freeplayViewer: { ready: Promise<void> } & Partial<ReturnType<typeof testInterface>> & Partial<ReturnType<typeof startStudy>> }
}

const root = document.getElementById('app')!;
const ready = start(root).then((api) => {
  // Getters stay getters: the properties are moved, not their values.
  Object.defineProperties(window.freeplayViewer, Object.getOwnPropertyDescriptors(api));
}).catch((error: Error) => {
  root.replaceChildren(el('div', { class: 'failure' }, el('h1', {}, 'This page cannot be shown'), el('p', {}, error.message)));
  throw error;
});
window.freeplayViewer = { ready };
