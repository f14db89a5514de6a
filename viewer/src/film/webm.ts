// A film as WebM: frames encoded by the browser (WebCodecs), in the container written here (Matroska, of which WebM is a part).
export interface EncodedFrame { data: Uint8Array; time: number; isKey: boolean }   // ms
export interface Track { codec: 'V_VP8' | 'V_VP9'; width: number; height: number; frameTime: number; duration: number }   // ms

const encoder = new TextEncoder();

function joined(parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
function big(value: number, bytes: number): Uint8Array {
  const out = new Uint8Array(bytes);
  for (let i = bytes - 1; i >= 0; --i) {
    out[i] = value % 256;
    value = Math.floor(value / 256);
  }
  return out;
}
const bytesOf = (value: number): number => { let n = 1; while (value >= 256 ** n) ++n; return n; };

// An element: its identifier, its size in eight bytes, its contents.
function element(id: number, ...contents: Uint8Array[]): Uint8Array {
  const size = contents.reduce((sum, part) => sum + part.length, 0), length = big(size, 8);
  length[0] |= 0x01;
  return joined([big(id, bytesOf(id)), length, ...contents]);
}
const whole = (id: number, value: number) => element(id, big(value, Math.max(1, bytesOf(value))));
const text = (id: number, value: string) => element(id, encoder.encode(value));
function real(id: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, bytes);
}

const MILLISECOND = 1e6;   // of the container's clock, ns

function simpleBlock(frame: EncodedFrame, clusterTime: number): Uint8Array {
  const head = new Uint8Array(4), view = new DataView(head.buffer);
  head[0] = 0x81;                                          // track 1
  view.setInt16(1, Math.round(frame.time) - clusterTime);
  head[3] = frame.isKey ? 0x80 : 0;
  return element(0xa3, head, frame.data);
}

// A cluster begins with a frame that needs no other, so that one can jump to it.
function clusters(frames: EncodedFrame[]): { time: number; bytes: Uint8Array }[] {
  const groups: EncodedFrame[][] = [];
  for (const frame of frames) {
    if (frame.isKey || groups.length === 0) groups.push([]);
    groups[groups.length - 1].push(frame);
  }
  return groups.map((group) => {
    const time = Math.round(group[0].time);
    return { time, bytes: element(0x1f43b675, whole(0xe7, time), ...group.map((frame) => simpleBlock(frame, time))) };
  });
}

export function webm(track: Track, frames: EncodedFrame[]): Uint8Array {
  const head = element(0x1a45dfa3, whole(0x4286, 1), whole(0x42f7, 1), whole(0x42f2, 4), whole(0x42f3, 8), text(0x4282, 'webm'), whole(0x4287, 4), whole(0x4285, 2));
  const info = element(0x1549a966, whole(0x2ad7b1, MILLISECOND), text(0x4d80, 'freeplay'), text(0x5741, 'freeplay'), real(0x4489, track.duration));
  const tracks = element(0x1654ae6b, element(0xae, whole(0xd7, 1), whole(0x73c5, 1), whole(0x9c, 0), whole(0x83, 1), text(0x86, track.codec),
    whole(0x23e383, Math.round(track.frameTime * MILLISECOND)), element(0xe0, whole(0xb0, track.width), whole(0xba, track.height))));
  const parts = clusters(frames);
  let at = info.length + tracks.length;   // from the start of the segment's contents
  const cues = parts.map(({ time, bytes }) => {
    const cue = element(0xbb, whole(0xb3, time), element(0xb7, whole(0xf7, 1), whole(0xf1, at)));
    at += bytes.length;
    return cue;
  });
  return joined([head, element(0x18538067, info, tracks, ...parts.map(({ bytes }) => bytes), element(0x1c53bb6b, ...cues))]);
}
