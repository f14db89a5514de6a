// Films: the run at even steps of time, one picture after the other, however long each takes. For the button of the page and for
// `freeplay view --film`, which drives the page from outside.
import type { App } from '../state/app';
import { Composer } from './composer';
import { GifEncoder } from './gif';
import { webm, type EncodedFrame } from './webm';

export type FilmKind = 'webm' | 'gif' | 'png';   // png: single pictures, for other programs
export interface FilmRequest { kind: FilmKind; width: number; height: number; ratio?: number; from?: number; to?: number; speed?: number; refit?: boolean }
export interface FilmPlan { frames: number; rate: number; from: number; step: number; width: number; height: number }

const FRAMES_PER_SECOND: Record<FilmKind, number> = { webm: 30, png: 30, gif: 25 };   // GIF counts in hundredths of a second
const SAMPLES = 6;             // pictures from which a GIF takes its colours
const KEY_FRAMES = 2;          // s between frames that need no other
const MOST_FRAMES = 20000;
const CODECS = [['vp09.00.31.08', 'V_VP9'], ['vp8', 'V_VP8']] as const;

export class Film {
  readonly plan: FilmPlan;
  private gif: GifEncoder | null = null;
  private video: VideoEncoder | null = null;
  private codec: 'V_VP8' | 'V_VP9' = 'V_VP9';
  private readonly encoded: EncodedFrame[] = [];
  private failure: Error | null = null;
  private readonly before: { time: number; playing: boolean; glow: number };

  constructor(private readonly app: App, private readonly composer: Composer, private readonly request: FilmRequest) {
    const { run, playback, scene } = app;
    const from = Math.max(run.first, request.from ?? run.first), to = Math.min(run.last, request.to ?? run.last);
    const speed = request.speed ?? playback.rate, rate = FRAMES_PER_SECOND[request.kind];
    if (!(to > from)) throw new Error('the film would end before it begins: its times lie outside of the run');
    if (!(speed > 0)) throw new Error('the speed of a film is above zero');
    const frames = Math.max(1, Math.round(((to - from) / speed) * rate));
    if (frames > MOST_FRAMES) throw new Error(`the film would have ${frames} pictures, more than ${MOST_FRAMES}: take a part of the time, or a higher speed`);
    this.before = { time: run.time, playing: playback.playing, glow: scene.mechanism.arrows.glow };
    playback.setPlaying(false);
    composer.begin(request.width, request.height, request.ratio ?? 1, request.refit ?? false);
    this.plan = { frames, rate, from, step: speed / rate, width: composer.canvas.width, height: composer.canvas.height };
  }

  // The picture number i, on the composer's canvas.
  draw(i: number): HTMLCanvasElement {
    const { run, scene } = this.app;
    run.seek(this.plan.from + i * this.plan.step);
    scene.mechanism.arrows.glow = 0.15 * this.plan.rate * this.plan.step;   // an impact can be seen as long as on the page
    return this.composer.frame();
  }
  private pixels(i: number): Uint8ClampedArray {
    const canvas = this.draw(i);
    return canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height).data;
  }

  async open(): Promise<void> {
    const { frames, rate, width, height } = this.plan;
    if (this.request.kind === 'gif') {
      const places = Array.from({ length: Math.min(SAMPLES, frames) }, (_, k) => Math.floor((k * frames) / SAMPLES));
      this.gif = new GifEncoder(width, height, Math.round(100 / rate), places.map((i) => this.pixels(i)));
    }
    if (this.request.kind !== 'webm') return;
    if (typeof VideoEncoder === 'undefined') throw new Error('this browser cannot encode films (it has no WebCodecs)');
    const bitrate = Math.min(20e6, Math.max(2e6, 6 * width * height));
    for (const [codec, name] of CODECS) {
      const config = { codec, width, height, bitrate, framerate: rate };
      if (!(await VideoEncoder.isConfigSupported(config)).supported) continue;
      this.codec = name;
      this.video = new VideoEncoder({
        output: (chunk) => {
          const data = new Uint8Array(chunk.byteLength);
          chunk.copyTo(data);
          this.encoded.push({ data, time: chunk.timestamp / 1000, isKey: chunk.type === 'key' });
        },
        error: (error) => { this.failure = error; },
      });
      this.video.configure(config);
      return;
    }
    throw new Error('this browser has no encoder for WebM');
  }

  async add(i: number): Promise<void> {
    const { rate } = this.plan;
    if (this.gif) return this.gif.add(this.pixels(i));
    const video = this.video!;
    const frame = new VideoFrame(this.draw(i), { timestamp: Math.round((1e6 * i) / rate), duration: Math.round(1e6 / rate) });
    video.encode(frame, { keyFrame: i % Math.round(KEY_FRAMES * rate) === 0 });
    frame.close();
    // The encoder keeps what it has not worked off in memory.
    while (video.encodeQueueSize > 4 && !this.failure) await new Promise((done) => setTimeout(done, 2));
    if (this.failure) throw this.failure;
  }
  async finish(): Promise<Uint8Array> {
    if (this.gif) return this.gif.finish();
    await this.video!.flush();
    this.video!.close();
    const { frames, rate, width, height } = this.plan;
    if (this.failure) throw this.failure;
    if (this.encoded.length !== frames) throw new Error(`the browser encoded ${this.encoded.length} of ${frames} pictures`);
    return webm({ codec: this.codec, width, height, frameTime: 1000 / rate, duration: (1000 * frames) / rate }, this.encoded);
  }
  // Back to what the page showed before.
  close(): void {
    if (this.video && this.video.state !== 'closed') this.video.close();
    this.composer.end();
    this.app.scene.mechanism.arrows.glow = this.before.glow;
    this.app.playback.setTime(this.before.time);
    this.app.playback.setPlaying(this.before.playing);
  }
}
