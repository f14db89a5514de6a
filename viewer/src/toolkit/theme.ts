// Light and dark. CSS holds the colours of the page; what is drawn on canvases asks here.
export interface Colors {
  background: string; grid: string; gridStrong: string; text: string; faint: string; accent: string;
  open: string; slip: string; stick: string; contact: string; impact: string; ground: string; groundFill: string; metal: string; metalFill: string;
  pin: string; spring: string; bodies: string[]; curves: string[]; axes: string[]; bad: string;
}
const LIGHT: Colors = {
  background: '#fbfcfd', grid: '#e9edf1', gridStrong: '#d5dce3', text: '#1d2733', faint: '#5d6976', accent: '#0b63c5',
  open: '#dfe4e9', slip: '#d97a12', stick: '#1c6fc6', contact: '#12908e', impact: '#c2185b', ground: '#56606b', groundFill: '#dde2e7', metal: '#4d5864',
  metalFill: '#c3ccd6', pin: '#ffffff', spring: '#7a5cc0', bad: '#c62828',
  bodies: ['#3f7fc4', '#d98b2b', '#4b9e63', '#b5568f', '#7a6bc9', '#2f9aa5', '#c25e4a', '#8a8f3c'],
  curves: ['#0b63c5', '#d2691e', '#2e8b57', '#b03a8a', '#6a55c4', '#148a96', '#b94a36', '#7c8122'],
  axes: ['#c0392b', '#2b7d46', '#2563c0'],
};
const DARK: Colors = {
  background: '#12171d', grid: '#1d252e', gridStrong: '#2a3540', text: '#e4eaf0', faint: '#8f9caa', accent: '#5aa9ff',
  open: '#2b3540', slip: '#ffa53d', stick: '#4ea1f7', contact: '#3fc7bd', impact: '#ff5c93', ground: '#93a1af', groundFill: '#303b46', metal: '#b3bec9',
  metalFill: '#66757f', pin: '#12171d', spring: '#b29cf2', bad: '#ff6b6b',
  bodies: ['#5b9be0', '#e5a04a', '#67bd80', '#d277ad', '#9a8ce6', '#4fbac5', '#e07e69', '#b0b55c'],
  curves: ['#5aa9ff', '#ffa53d', '#63cf92', '#ec7fc2', '#a897ff', '#47ccd8', '#ff8d75', '#ccd25f'],
  axes: ['#ff7d70', '#63cf92', '#6fb1ff'],
};

type Listener = (colors: Colors) => void;

class Theme {
  colors: Colors = LIGHT;
  dark = false;
  private readonly listeners: Listener[] = [];

  start(): void {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    let chosen: string | null = null;
    try { chosen = localStorage.getItem('freeplay-theme'); } catch { /* pages from disk may have no storage */ }
    this.apply(chosen ? chosen === 'dark' : system.matches);
    system.addEventListener('change', (event) => { if (!chosen) this.apply(event.matches); });
  }
  toggle(): void {
    this.apply(!this.dark);
    try { localStorage.setItem('freeplay-theme', this.dark ? 'dark' : 'light'); } catch { /* as above */ }
  }
  // A colour by the name of its role; one that is unknown is that of the text.
  named(role: string): string {
    const value = (this.colors as unknown as Record<string, unknown>)[role];
    return typeof value === 'string' ? value : this.colors.text;
  }
  listen(listener: Listener): void {
    this.listeners.push(listener);
    listener(this.colors);
  }
  private apply(dark: boolean): void {
    this.dark = dark;
    this.colors = dark ? DARK : LIGHT;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    for (const listener of this.listeners) listener(this.colors);
  }
}
export const theme = new Theme();
