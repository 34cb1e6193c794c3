/** SVG as text: elements with escaped attributes and content. */

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element. Children are markup that {@link element} or {@link text} made. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const inside = given.map(([key, value]) => ` ${key}="${escaped(typeof value === 'number' ? round(value) : value)}"`);
  return children.length === 0
    ? `<${name}${inside.join('')}/>`
    : `<${name}${inside.join('')}>${children.join('')}</${name}>`;
}

/** Words at a place. */
export const words = (content: string, attributes: Attributes): string => element('text', attributes, escaped(content));

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
    element('title', {}, escaped(title)),
    element('desc', {}, escaped(description)),
    element('rect', { width, height, fill: 'white' }),
    ...children,
  );
}

/** Colour of words and lines. */
export const INK = '#333333';

/** Two decimals are more than a screen shows, and keep files small. */
export const round = (value: number): string => String(Math.round(value * 100) / 100);

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (value: unknown) => String(value).replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
