// A film as GIF: one table of 255 colours for all frames, and in each frame only what has changed since the one before.
const TABLE = 255, UNCHANGED = 255;   // the last entry stands for "as before"

interface Box { colors: number[]; count: number }   // packed colours, and how many pixels have them

// Median cut: the box with the most pixels that has more than one colour is split at the median of its longest side.
function palette(counts: Map<number, number>): number[][] {
  const channel = (color: number, k: number) => (color >> (16 - 8 * k)) & 255;
  const sum = (colors: number[]) => colors.reduce((total, color) => total + counts.get(color)!, 0);
  const boxes: Box[] = [{ colors: [...counts.keys()], count: sum([...counts.keys()]) }];
  const spread = (box: Box) => [0, 1, 2].map((k) => {
    let low = 255, high = 0;
    for (const color of box.colors) { const v = channel(color, k); low = Math.min(low, v); high = Math.max(high, v); }
    return high - low;
  });
  // Seldom colours, such as those of arrows, must not vanish beside the background: the weight grows slower than the count.
  const weight = (box: Box) => Math.cbrt(box.count) * Math.max(...spread(box));
  while (boxes.length < TABLE) {
    const at = boxes.reduce((best, box, i) => (box.colors.length > 1 && (best < 0 || weight(box) > weight(boxes[best])) ? i : best), -1);
    if (at < 0) break;
    const box = boxes[at], sides = spread(box), k = sides.indexOf(Math.max(...sides));
    box.colors.sort((a, b) => channel(a, k) - channel(b, k));
    let half = 0, cut = 0;
    while (cut < box.colors.length - 1 && half < box.count / 2) half += counts.get(box.colors[cut++])!;
    const left = box.colors.slice(0, cut), right = box.colors.slice(cut);
    boxes.splice(at, 1, { colors: left, count: sum(left) }, { colors: right, count: sum(right) });
  }
  return boxes.map((box) => [0, 1, 2].map((k) => {
    let total = 0;
    for (const color of box.colors) total += channel(color, k) * counts.get(color)!;
    return Math.round(total / Math.max(1, box.count));
  }));
}

class Bytes {
  private data = new Uint8Array(1 << 16);
  length = 0;
  push(...values: number[]): void { for (const value of values) this.byte(value); }
  byte(value: number): void {
    if (this.length === this.data.length) {
      const larger = new Uint8Array(2 * this.length);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length++] = value;
  }
  short(value: number): void { this.push(value & 255, value >> 8); }
  text(value: string): void { for (const c of value) this.byte(c.charCodeAt(0)); }
  result(): Uint8Array { return this.data.slice(0, this.length); }
}

// Variable-length codes of eight-bit indices, in blocks of up to 255 bytes.
function compress(indices: Uint8Array, out: Bytes): void {
  const CLEAR = 256, END = 257;
  out.byte(8);
  const block: number[] = [];
  const flush = () => { if (block.length > 0) { out.byte(block.length); out.push(...block); block.length = 0; } };
  let bits = 0, held = 0, width = 9, next = END + 1;
  let table = new Map<number, number>();
  const emit = (code: number) => {
    held |= code << bits;
    bits += width;
    while (bits >= 8) {
      block.push(held & 255);
      if (block.length === 255) flush();
      held >>= 8;
      bits -= 8;
    }
  };
  emit(CLEAR);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; ++i) {
    const key = (prefix << 8) | indices[i], known = table.get(key);
    if (known !== undefined) { prefix = known; continue; }
    emit(prefix);
    if (next === 4096) {
      emit(CLEAR);
      table = new Map();
      width = 9;
      next = END + 1;
    } else {
      if (next === 1 << width) ++width;
      table.set(key, next++);
    }
    prefix = indices[i];
  }
  emit(prefix);
  emit(END);
  if (bits > 0) block.push(held & 255);
  flush();
  out.byte(0);
}

export class GifEncoder {
  private readonly out = new Bytes();
  private colors: number[][] = [];
  private readonly nearest = new Map<number, number>();
  private before: Uint8Array | null = null;

  // `samples` are pictures from which the table of colours is taken.
  constructor(private readonly width: number, private readonly height: number, private readonly delay: number, samples: Uint8ClampedArray[]) {
    const counts = new Map<number, number>();
    for (const data of samples) {
      for (let i = 0; i < data.length; i += 4) {
        const color = ((data[i] & 0xfc) << 16) | ((data[i + 1] & 0xfc) << 8) | (data[i + 2] & 0xfc);
        counts.set(color, (counts.get(color) ?? 0) + 1);
      }
    }
    this.colors = palette(counts);
    const { out } = this;
    out.text('GIF89a');
    out.short(width);
    out.short(height);
    out.push(0xf7, 0, 0);   // a table of 256 colours
    for (let i = 0; i < 256; ++i) out.push(...(this.colors[i] ?? [0, 0, 0]));
    out.push(0x21, 0xff, 11);
    out.text('NETSCAPE2.0');
    out.push(3, 1, 0, 0, 0);   // again and again
  }

  private index(color: number): number {
    let found = this.nearest.get(color);
    if (found === undefined) {
      const [r, g, b] = [color >> 16, (color >> 8) & 255, color & 255];
      let least = Infinity;
      found = 0;
      for (let i = 0; i < this.colors.length; ++i) {
        const [cr, cg, cb] = this.colors[i], d = (cr - r) ** 2 + (cg - g) ** 2 + (cb - b) ** 2;
        if (d < least) { least = d; found = i; }
      }
      this.nearest.set(color, found);
    }
    return found;
  }

  add(data: Uint8ClampedArray): void {
    const { out, width, height, before } = this, now = new Uint8Array(width * height), written = new Uint8Array(width * height);
    for (let i = 0; i < now.length; ++i) {
      now[i] = this.index((data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2]);
      written[i] = before && before[i] === now[i] ? UNCHANGED : now[i];
    }
    this.before = now;
    out.push(0x21, 0xf9, 4, (1 << 2) | 1);   // leave what is there; the last colour lets it through
    out.short(this.delay);
    out.push(UNCHANGED, 0, 0x2c, 0, 0, 0, 0);
    out.short(width);
    out.short(height);
    out.byte(0);
    compress(written, out);
  }
  finish(): Uint8Array {
    this.out.byte(0x3b);
    return this.out.result();
  }
}
