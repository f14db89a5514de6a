// Expressions of time in a model file, such as the turn of a cam: `cam_speed*t`. Numbers, units of angle and time,
// parameters, + - * / ^, brackets and the usual functions; no `eval`. Null where a text is beyond that.

const FUNCTIONS: Record<string, (...x: number[]) => number> = {
  sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan, atan2: Math.atan2,
  sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, exp: Math.exp, log: Math.log, sqrt: Math.sqrt, abs: Math.abs,
  floor: Math.floor, ceil: Math.ceil, min: Math.min, max: Math.max, pow: Math.pow, sign: Math.sign,
};
const UNITS: Record<string, number> = {
  rad: 1, deg: Math.PI / 180, s: 1, ms: 1e-3, us: 1e-6, min: 60, Hz: 1, rpm: Math.PI / 30, rev: 2 * Math.PI, m: 1, mm: 1e-3, um: 1e-6,
};

type Node = (t: number) => number;

class Reader {
  private at = 0;
  private readonly tokens: string[];
  constructor(text: string, private readonly values: Map<string, number>) {
    this.tokens = text.match(/\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|[A-Za-z_]\w*|\*\*|[-+*/^(),]|\S/g) ?? [];
  }
  whole(): Node {
    const node = this.sum();
    if (this.at < this.tokens.length) throw new Error(`unexpected ${this.tokens[this.at]}`);
    return node;
  }
  private take(...wanted: string[]): string | null {
    return wanted.includes(this.tokens[this.at]) ? this.tokens[this.at++] : null;
  }
  private sum(): Node {
    let left = this.product();
    for (let op; (op = this.take('+', '-'));) {
      const a = left, b = this.product(), sign = op === '+' ? 1 : -1;
      left = (t) => a(t) + sign * b(t);
    }
    return left;
  }
  private product(): Node {
    let left = this.signed();
    for (let op; (op = this.take('*', '/'));) {
      const a = left, b = this.signed();
      left = op === '*' ? (t) => a(t) * b(t) : (t) => a(t) / b(t);
    }
    return left;
  }
  private signed(): Node {
    if (this.take('-')) {
      const inner = this.signed();
      return (t) => -inner(t);
    }
    this.take('+');
    const base = this.atom();
    if (!this.take('^', '**')) return base;
    const exponent = this.signed();
    return (t) => base(t) ** exponent(t);
  }
  private atom(): Node {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new Error('unexpected end');
    if (token === '(') {
      const inner = this.sum();
      if (!this.take(')')) throw new Error('missing )');
      return inner;
    }
    if (/^[\d.]/.test(token)) {
      let value = Number(token);
      while (Object.hasOwn(UNITS, this.tokens[this.at] ?? '') && this.tokens[this.at + 1] !== '(') {
        value *= UNITS[this.tokens[this.at++]];
        // "rad/s" belongs to the number that stands before it
        if (this.tokens[this.at] === '/' && Object.hasOwn(UNITS, this.tokens[this.at + 1] ?? '')) {
          value /= UNITS[this.tokens[this.at + 1]];
          this.at += 2;
        }
      }
      return () => value;
    }
    if (this.take('(')) {
      const f = Object.hasOwn(FUNCTIONS, token) ? FUNCTIONS[token] : null;
      if (!f) throw new Error(`no function ${token}`);
      const inner = [this.sum()];
      while (this.take(',')) inner.push(this.sum());
      if (!this.take(')')) throw new Error('missing )');
      return (t) => f(...inner.map((x) => x(t)));
    }
    if (token === 't') return (t) => t;
    if (token === 'pi') return () => Math.PI;
    const value = this.values.get(token);
    if (value === undefined) throw new Error(`no value for ${token}`);
    return () => value;
  }
}

export function expressionOfTime(text: string, values: Map<string, number>): ((t: number) => number) | null {
  try {
    const node = new Reader(text, values).whole();
    return Number.isFinite(node(0)) ? node : null;
  } catch {
    return null;  // the caller says that the shape stands still in the picture
  }
}
