/** SVG as text: elements with escaped attributes and content. */
import { markupText } from '../core/foreignText.js';
import { wrapText } from '../core/summaryText.js';

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Children are markup that {@link element} or {@link words} made. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const defined = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const inside = defined.map(
    ([key, value]) => ` ${key}="${markupText(typeof value === 'number' ? round(value) : String(value))}"`,
  );
  return children.length === 0
    ? `<${name}${inside.join('')}/>`
    : `<${name}${inside.join('')}>${children.join('')}</${name}>`;
}

/** Words at a place. */
export const words = (content: string, attributes: Attributes): string =>
  element('text', attributes, markupText(content));

/** Markup and the height that it takes. */
export interface Block {
  readonly markup: string;
  readonly height: number;
}

/** The heading of a picture, with the room around it. */
export function heading(title: string, x: number, width: number): Block {
  const { markup, height } = paragraph(title, width - 2 * x, { x, y: 20, 'font-size': 13, 'font-weight': 600 });
  return { markup, height: height + 17 };
}

/** Words broken into as many lines as the width asks for; `y` is where the first one stands. */
export function paragraph(
  content: string,
  width: number,
  { y, ...attributes }: Attributes & { readonly y: number },
): Block {
  const lines = content ? wrapText(content, '', Math.floor(width / LETTER)).split('\n') : [];
  const markup = lines.map((line, at) => words(line, { ...attributes, y: y + 17 * at }));
  return { markup: markup.join(''), height: 17 * lines.length };
}

/** A letter of a heading is about as wide, one of other words a little less. */
const LETTER = 7.8;

/** A picture of its own: white ground, a title and a description for screen readers. */
export function picture(
  { width, height, title, description }: { width: number; height: number; title: string; description: string },
  ...children: readonly string[]
): string {
  const frame = {
    xmlns: 'http://www.w3.org/2000/svg',
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: 'img',
    'font-family': 'system-ui, sans-serif',
    'font-size': 12,
    fill: INK,
  };
  return element(
    'svg',
    frame,
    element('title', {}, markupText(title)),
    element('desc', {}, markupText(description)),
    element('rect', { width, height, fill: 'white' }),
    ...children,
  );
}

/** Colour of words and lines. */
export const INK = '#333333';

/** Two decimals are more than a screen shows, and keep files small. */
export const round = (value: number): string => String(Math.round(value * 100) / 100);
