// Elements without markup: every text of a model goes through textContent, so a name is never parsed.
import { short } from './format';

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') node.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') node.toggleAttribute(name, value);
    else node.setAttribute(name, String(value));
  }
  node.append(...children);
  return node;
}

// A name of a model: cut with an ellipsis, whole in the tooltip (the first 2000 characters of it).
export function named<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, limit = 60, className = ''): HTMLElementTagNameMap[K] {
  const text = short(name, limit);
  const node = el(tag, className ? { class: className } : {}, text);
  if (text !== name) node.title = short(name, 2000);
  return node;
}

export function button(label: string, title: string, action: () => void, className = ''): HTMLButtonElement {
  const node = el('button', { type: 'button', title, class: className, onclick: action }, label);
  node.setAttribute('aria-label', title);
  return node;
}

// A canvas that follows the size of its element at the resolution of the screen.
export function sizedContext(canvas: HTMLCanvasElement): { context: CanvasRenderingContext2D; width: number; height: number } | null {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  if (width < 2 || height < 2) return null;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const w = Math.round(width * ratio), h = Math.round(height * ratio);
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}
