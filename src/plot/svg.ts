/** SVG as text: elements, words that are broken into lines, and the picture with its numbers. No DOM, no script, no style. */
import { markupText, plainText } from '../core/foreignText.js';
import { wrapText } from '../core/summaryText.js';

/** The numbers of a picture. */
export interface PlotTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Facts {
  readonly title: string;
  /** What the picture shows, for those who do not see it. */
  readonly description: string;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  readonly table: PlotTable;
}

/**
 * A picture: SVG 1.1 as text, white under dark words, with title and description. Notebooks show it by itself
 * (Deno and other Jupyter kernels); elsewhere write `String(svg)` to a file, or put it into a page.
 *
 * @example
 * const { title, width, height, table } = plotRoc(result);
 * console.log(title, width, height, table.header);
 */
export class Svg {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  /** What is drawn, as numbers. */
  readonly table: PlotTable;
  readonly #children: readonly string[];

  constructor({ title, description, width, height, table }: Facts, ...children: readonly string[]) {
    this.title = title;
    this.description = description;
    this.width = Math.ceil(width);
    this.height = Math.ceil(height);
    this.table = table;
    this.#children = children;
  }

  toString(): string {
    const { width, height, title, description } = this;
    return element(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        ...{ width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
        ...{ 'font-family': 'system-ui, sans-serif', 'font-size': 12, fill: INK, class: 'ink' },
      },
      element('title', {}, markupText(title)),
      element('desc', {}, markupText(description)),
      element('rect', { width, height, fill: 'white', class: 'paper' }),
      ...this.#children,
    );
  }

  /** What Jupyter shows. */
  [Symbol.for('Jupyter.display')](): Readonly<Record<string, string>> {
    return { 'image/svg+xml': String(this), 'text/plain': `${this.title}. ${this.description}` };
  }

  /** The picture as an element, in pages: what Observable shows. */
  toNode(): Element {
    return new DOMParser().parseFromString(String(this), 'image/svg+xml').documentElement;
  }
}

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

export const words = (content: string, attributes: Attributes): string =>
  element('text', attributes, markupText(content));

export function heading(title: string, x: number, width: number) {
  const { markup, height } = paragraph(title, width - 2 * x, { x, y: 20, 'font-size': 13, 'font-weight': 600 });
  return { markup, height: height + 17 };
}

/** Words, and long ones within, broken into as many lines as the width asks for; `y` is where the first one stands. */
export function paragraph(content: string, width: number, { y, ...attributes }: Attributes & { readonly y: number }) {
  const most = Math.floor(width / LETTER);
  const lines = content
    ? wrapText(content, '', most)
        .split('\n')
        .flatMap((line) => pieces(line, most))
    : [];
  const markup = lines.map((line, at) => words(line, { ...attributes, y: y + 17 * at }));
  return { markup: markup.join(''), height: 17 * lines.length };
}

function pieces(line: string, most: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < line.length; from += found[found.length - 1].length) {
    const piece = line.slice(from, from + most);
    // The first half of a letter of two goes with the second.
    found.push(/[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece);
  }
  return found;
}

/** A letter of a heading is about as wide, one of other words a little less. */
export const LETTER = 7.8;

export const INK = '#333333';

/** Two decimals are more than a screen shows, and keep files small. */
export const round = (value: number): string => String(Math.round(value * 100) / 100);

/** A label on one line that fits into so many letters, of which the last `end` are those of its end. */
export function short(label: string, most = 16, end = 0): string {
  const text = plainText(label);
  if (text.length <= most) return text;
  const parts = `${text.slice(0, most - 1 - end)}…${text.slice(text.length - end)}`;
  return parts.replace(/\p{Cs}/gu, '');
}
