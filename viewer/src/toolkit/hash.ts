// The state of a page in its address, behind the '#': who sends the address sends the view. Values are texts; what is not
// said is as the page chooses.
type State = Record<string, string>;

export function readHash(): State {
  const state: State = {};
  for (const [name, value] of new URLSearchParams(window.location.hash.slice(1))) state[name] = value;
  return state;
}

const WAIT = 300;   // ms: browsers refuse an address that changes with every frame
let pending: State | null = null;

// Entries that are null are taken away, others stay as they are.
export function writeHash(changes: Record<string, string | null>): void {
  const waits = pending !== null;
  const state = pending ?? readHash();
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete state[name]; else state[name] = value;
  }
  pending = state;
  if (!waits) window.setTimeout(flushHash, WAIT);
}
export function flushHash(): void {
  if (pending === null) return;
  const text = new URLSearchParams(pending).toString();
  pending = null;
  // A page in a frame without an address of its own (srcdoc) has nothing to write to.
  try { window.history.replaceState(null, '', text ? `#${text}` : window.location.pathname + window.location.search); } catch { /* as said */ }
}
// Another address was typed, or a link to this page was followed.
export function listenHash(listener: (state: State) => void): void {
  window.addEventListener('hashchange', () => listener(readHash()));
}
