/** Reads pictures: their elements, and where paths lie on the axes. */
import { expect } from 'vitest';

export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const TAG = /<(\/?)(\w+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g;

/** The elements of an SVG text that is well formed: every tag closed in order. */
export function elements(svg: string): SvgElement[] {
  const open: string[] = [];
  const found: SvgElement[] = [];
  for (const [, end, name, inside, empty] of svg.matchAll(TAG)) {
    if (end) expect(open.pop()).toBe(name);
    else {
      if (!empty) open.push(name);
      const attributes = Object.fromEntries(Array.from(inside.matchAll(/ ([\w:-]+)="([^"]*)"/g), ([, k, v]) => [k, v]));
      found.push({ name, attributes });
    }
  }
  expect(open).toEqual([]);
  expect(svg.replace(TAG, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/);
  return found;
}

/** The words of a picture, in the order of its elements. */
export const textsIn = (svg: string): string[] =>
  Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, text]) => text);

/** Corners of the paths of one class, in pixels. */
export const pathsOf = (svg: string, name: string): [number, number][][] =>
  elements(svg)
    .filter((each) => each.name === 'path' && (each.attributes.class ?? '').split(' ').includes(name))
    .map(({ attributes }) =>
      Array.from(attributes.d.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g), ([, x, y]) => [Number(x), Number(y)]),
    );
