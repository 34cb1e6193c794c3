/** Reads pictures: their elements, and where paths lie on the axes. */
import { expect } from 'vitest';

export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** By how much the groups that it is in are moved. */
  readonly shift: readonly [x: number, y: number];
}

const TAG = /<(\/?)(\w+)((?: [\w:-]+="[^"<]*")*)(\/?)>/g;

/** The elements of an SVG text that is well formed: every tag closed in order. */
export function elements(svg: string): SvgElement[] {
  const open: { name: string; shift: readonly [number, number] }[] = [];
  const found: SvgElement[] = [];
  for (const [, end, name, inside, empty] of svg.matchAll(TAG)) {
    if (end) expect(open.pop()?.name).toBe(name);
    else {
      const shift = open.at(-1)?.shift ?? [0, 0];
      const attributes = Object.fromEntries(Array.from(inside.matchAll(/ ([\w:-]+)="([^"]*)"/g), ([, k, v]) => [k, v]));
      const [, x = '0', y = '0'] = /^translate\((.+),(.+)\)$/.exec(attributes.transform ?? '') ?? [];
      if (!empty) open.push({ name, shift: [shift[0] + Number(x), shift[1] + Number(y)] });
      found.push({ name, attributes, shift });
    }
  }
  expect(open).toEqual([]);
  expect(svg.replace(TAG, '')).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|#39;)/);
  return found;
}

/** The words of a picture, in the order of its elements. */
export const textsIn = (svg: string): string[] =>
  Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, text]) => text);

interface TextBox {
  readonly text: string;
  readonly corners: readonly (readonly [x: number, y: number])[];
}

/** Where the words of a picture are: a letter counts as 0.6 em wide, which few are, and turned words are turned. */
export function textBoxes(svg: string): TextBox[] {
  const texts = textsIn(svg);
  const places = elements(svg).filter(({ name }) => name === 'text');
  return places.map(({ attributes, shift }, at) => {
    const text = texts[at].replace(/&(amp|lt|gt|quot|#39);/g, '-');
    const [x, y, size] = [attributes.x ?? '0', attributes.y, attributes['font-size'] ?? '12'].map(Number);
    const width = 0.6 * size * text.length;
    const anchor = attributes['text-anchor'];
    const from = anchor === 'end' ? x - width : anchor === 'middle' ? x - width / 2 : x;
    const [top, bottom] = [y - 0.8 * size, y + 0.2 * size];
    const plain = [
      [from, top],
      [from + width, top],
      [from + width, bottom],
      [from, bottom],
    ];
    const [angle = 0, a = 0, b = 0] = (attributes.transform ?? '').match(/-?[\d.]+/g)?.map(Number) ?? [];
    const [sin, cos] = [Math.sin((angle * Math.PI) / 180), Math.cos((angle * Math.PI) / 180)];
    const turned = ([c, d]: number[]) =>
      [a + (c - a) * cos - (d - b) * sin + shift[0], b + (c - a) * sin + (d - b) * cos + shift[1]] as const;
    return { text, corners: plain.map(turned) };
  });
}

/** Whether two boxes share more than their edges: no side of either has them on two sides. */
function overlap(one: TextBox, other: TextBox): boolean {
  const isApart = ({ corners }: TextBox) =>
    corners.some(([x, y], at) => {
      const [c, d] = corners[(at + 1) % 4];
      const along = ({ corners: of }: TextBox) => of.map(([e, f]) => (e - x) * (d - y) - (f - y) * (c - x));
      return (
        Math.max(...along(one)) <= Math.min(...along(other)) + 0.01 ||
        Math.max(...along(other)) <= Math.min(...along(one)) + 0.01
      );
    });
  return !isApart(one) && !isApart(other);
}

/** Words that cover others, or that are outside of the picture; empty for a picture that can be read. */
export function crowdedTexts(svg: string): string[] {
  const boxes = textBoxes(svg);
  const [width, height] = ['width', 'height'].map((side) => Number(elements(svg)[0].attributes[side]));
  const isInside = ([x, y]: readonly [number, number]) => x >= 0 && x <= width && y >= 0 && y <= height;
  return [
    ...boxes.filter(({ corners }) => !corners.every(isInside)).map(({ text }) => `outside: ${text}`),
    ...boxes.flatMap((box, at) =>
      boxes.slice(at + 1).flatMap((other) => (overlap(box, other) ? [`${box.text} / ${other.text}`] : [])),
    ),
  ];
}

/** Corners of the paths of one class, in pixels. */
export const pathsOf = (svg: string, name: string): [number, number][][] =>
  elements(svg)
    .filter((each) => each.name === 'path' && (each.attributes.class ?? '').split(' ').includes(name))
    .map(({ attributes }) =>
      Array.from(attributes.d.matchAll(/[ML](-?[\d.]+),(-?[\d.]+)/g), ([, x, y]) => [Number(x), Number(y)]),
    );
