// Lines of a signal, as `plot --spectrum` has them: without mean and drift, under a window, as amplitudes in the unit of the
// channel. A sine at one of the frequencies has its own amplitude there.
export type WindowName = 'hann' | 'flat top' | 'none';
// Sums of cosines; the mean is the first number.
const WINDOWS: Record<WindowName, number[]> = {
  hann: [0.5, -0.5], 'flat top': [0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368], none: [1],
};
export const WINDOW_NAMES = Object.keys(WINDOWS) as WindowName[];
export interface Spectrum { frequency: Float64Array; amplitude: Float64Array; samples: number; resolution: number }

const LEAST = 8;

// In place, by halves (Cooley and Tukey 1965); the length is a power of two.
function transform(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; ++i) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) { [re[i], re[j]] = [re[j], re[i]]; [im[i], im[j]] = [im[j], im[i]]; }
  }
  for (let length = 2; length <= n; length <<= 1) {
    const half = length / 2;
    for (let k = 0; k < half; ++k) {
      const c = Math.cos((-2 * Math.PI * k) / length), s = Math.sin((-2 * Math.PI * k) / length);
      for (let i = k; i < n; i += length) {
        const a = c * re[i + half] - s * im[i + half], b = s * re[i + half] + c * im[i + half];
        re[i + half] = re[i] - a; im[i + half] = im[i] - b;
        re[i] += a; im[i] += b;
      }
    }
  }
}

function resampled(time: ArrayLike<number>, values: ArrayLike<number>, count: number): Float64Array {
  const equal = new Float64Array(count), step = (time[time.length - 1] - time[0]) / count;
  for (let i = 0, next = 1; i < count; ++i) {
    const t = time[0] + i * step;
    while (next + 1 < time.length && time[next] < t) ++next;
    const length = time[next] - time[next - 1], part = length > 0 ? (t - time[next - 1]) / length : 1;
    equal[i] = values[next - 1] + part * (values[next] - values[next - 1]);
  }
  return equal;
}

function takeLineAway(x: Float64Array): void {
  const n = x.length, middle = (n - 1) / 2;
  let sum = 0, moment = 0;
  x.forEach((v, i) => { sum += v; moment += (i - middle) * v; });
  const slope = (moment * 12) / (n * (n * n - 1));
  for (let i = 0; i < n; ++i) x[i] -= sum / n + slope * (i - middle);
}

// `time` rises, values are finite. Null where there are too few of them.
export function amplitudeSpectrum(time: number[], values: number[], window: WindowName = 'hann'): Spectrum | null {
  if (time.length < LEAST || !(time[time.length - 1] > time[0])) return null;
  const n = 2 ** Math.ceil(Math.log2(time.length)), re = resampled(time, values, n), im = new Float64Array(n), terms = WINDOWS[window];
  takeLineAway(re);
  for (let i = 0; i < n; ++i) re[i] *= terms.reduce((sum, a, k) => sum + a * Math.cos((2 * Math.PI * k * i) / n), 0);
  transform(re, im);
  const duration = time[time.length - 1] - time[0], lines = n / 2 - 1, frequency = new Float64Array(lines), amplitude = new Float64Array(lines);
  for (let k = 1; k <= lines; ++k) {
    frequency[k - 1] = k / duration;
    amplitude[k - 1] = (2 * Math.hypot(re[k], im[k])) / (n * terms[0]);   // two lines of opposite frequency share a sine
  }
  return { frequency, amplitude, samples: n, resolution: 1 / duration };
}

// Up to where there is something to see: rows are often recorded at every step, and their highest frequencies are empty.
export function highestWorthShowing({ frequency, amplitude }: Spectrum): number {
  let largest = 0;
  for (const a of amplitude) largest = Math.max(largest, a);
  let highest = frequency[Math.min(frequency.length, 40) - 1];
  amplitude.forEach((a, i) => { if (a >= 0.01 * largest) highest = Math.max(highest, 1.5 * frequency[i]); });
  return Math.min(highest, frequency[frequency.length - 1]);
}
