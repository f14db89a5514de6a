// Numbers and names as people read them.

const PREFIXES: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n'], [1e-12, 'p']];
// Units that take a prefix; others (kg m^2, m/s^2, N s ...) are printed as they are.
const PREFIXED = new Set(['m', 's', 'N', 'J', 'W', 'm/s', 'N m', 'N s', 'Hz', 'Pa']);

export function digits(value: number, count = 5): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(count - 1).replace(/\.?0+e/, 'e').replace('e+', 'e')
    : String(Number(value.toPrecision(count)));
  return text.replace('-', '−').replace('e-', 'e−');
}

export function quantity(value: number, unit: string, count = 4): string {
  if (unit === '1' || unit === '') return digits(value, count);
  if (!Number.isFinite(value) || value === 0 || !PREFIXED.has(unit)) return `${digits(value, count)} ${unit}`;
  const size = Math.abs(value);
  if (unit === 'm' && size >= 1e3) return `${digits(value, count)} m`;
  const [factor, prefix] = PREFIXES.find(([f]) => size >= f * 0.9999999) ?? PREFIXES[PREFIXES.length - 1];
  if (size < 1e-12) return `${digits(value, count)} ${unit}`;
  return `${digits(value / factor, count)} ${prefix}${unit}`;
}

// Numbers below each other in one unit and with as many decimals, so that their points line up: four digits of the largest, in the unit that
// suits `shared`, the largest of columns that one compares. One of which fewer than two digits would be left has its power of ten.
export interface ColumnFormat { unit: string; text(value: number): string }
export function columnFormat(largest: number, unit: string, shared = largest): ColumnFormat {
  const isScaled = PREFIXED.has(unit) && shared > 0;
  const [factor, prefix] = isScaled ? PREFIXES.find(([f]) => shared >= f * 0.9999999) ?? PREFIXES[PREFIXES.length - 1] : [1, ''];
  const top = Math.floor(Math.log10(largest / factor)), decimals = Number.isFinite(top) ? Math.min(6, Math.max(0, 3 - top)) : 3;
  return {
    unit: prefix + unit,
    text(value) {
      const size = Math.abs(value / factor);
      if (!Number.isFinite(value) || value === 0) return digits(value);
      return (size < 10 ** (1 - decimals) || size >= 1e7 ? (value / factor).toExponential(1) : (value / factor).toFixed(decimals)).replace('e+', 'e').replace(/-/g, '−');
    },
  };
}

// A time with as many decimals as the step between rows deserves.
export function timeText(t: number, span: number): string {
  const [factor, unit] = span >= 2 ? [1, 's'] : span >= 2e-3 ? [1e3, 'ms'] : [1e6, 'µs'];
  return `${(t * factor).toFixed(span * factor >= 1000 ? 2 : 3).replace('-', '−')} ${unit}`;
}

export function plainCount(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
}

// Names come from model files and may be as long as they like.
export function short(text: string, limit = 60): string {
  const points = text.length > 4 * limit ? Array.from(text.slice(0, 4 * limit)) : Array.from(text);
  return points.length > limit ? points.slice(0, limit - 1).join('') + '…' : text;
}

export function niceAbove(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  for (const step of [1, 2, 2.5, 5, 10]) if (step * power >= x * 0.999) return step * power;
  return 10 * power;
}
export function niceBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  for (const step of [5, 2.5, 2, 1]) if (step * power <= x * 1.001) return step * power;
  return power;
}
