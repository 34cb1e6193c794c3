/** A plane with two axes, and what is drawn on it: lines, bands, marks, a legend. */
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import {
  area,
  line,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
} from 'd3-shape';
import { type Attributes, element, LETTER, round, short, words } from './svg.js';

export type Point = readonly [x: number, y: number];

export interface Axis {
  readonly label: string;
  readonly domain: readonly [number, number];
  /** About so many ticks, or their places. */
  readonly ticks?: number | readonly number[];
  readonly format?: (value: number) => string;
}

interface PlaneOptions {
  readonly x: Axis;
  readonly y: Axis;
  readonly width: number;
  /** Of the picture above and below the axes, in pixels: heading, and legend. */
  readonly top: number;
  /** Of the plane itself. */
  readonly height: number;
  readonly left?: number;
  readonly right?: number;
}

export interface Plane {
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
  /** Grid, ticks and names of the axes. */
  readonly axes: string;
  /** Where what stands under the plane may begin. */
  readonly bottom: number;
}

export function plane({ x: xAxis, y: yAxis, width, top, height, left: least = 56, right = 14 }: PlaneOptions): Plane {
  const y = scaleLinear(yAxis.domain, [top + height, top]);
  const yTicks = ticksOf(y, yAxis);
  // Between the name of the axis and the axis there is room for its numbers.
  const start = Math.max(least, ...yTicks.map(([, text]) => 27 + SMALL * text.length));
  const x = scaleLinear(xAxis.domain, [start, width - right]);
  const [low, high] = [top + height, top];
  const parts: string[] = [];
  let end = 0;
  for (const [place, text] of ticksOf(x, xAxis)) {
    parts.push(element('path', { d: `M${round(x(place))},${low}V${high}`, ...GRID }));
    const half = (SMALL * text.length) / 2;
    const centre = Math.min(Math.max(x(place), half), width - half);
    if (centre - half < end) continue;
    end = centre + half + 4;
    parts.push(words(text, { x: centre, y: low + 16, 'text-anchor': 'middle', 'font-size': 11 }));
  }
  for (const [place, text] of yTicks) {
    parts.push(
      element('path', { d: `M${start},${round(y(place))}H${width - right}`, ...GRID }),
      words(text, { x: start - 6, y: y(place) + 4, 'text-anchor': 'end', 'font-size': 11 }),
    );
  }
  const middle = round(top + height / 2);
  const centre = (start + width - right) / 2;
  const inLetters = (room: number) => Math.floor(room / LETTER);
  parts.push(
    element('path', { d: `M${start},${high}V${low}H${width - right}`, fill: 'none', stroke: '#666666', class: 'axis' }),
    words(short(xAxis.label, inLetters(2 * (width - centre))), { x: centre, y: low + 34, 'text-anchor': 'middle' }),
    yAxis.label &&
      words(short(yAxis.label, inLetters(height)), {
        ...{ x: 14, y: middle, 'text-anchor': 'middle', transform: `rotate(-90,14,${middle})` },
      }),
  );
  return { x, y, axes: parts.join(''), bottom: low + 40 };
}

/** Width of a letter of numbers at the axes. */
export const SMALL = 6.6;

const GRID = { fill: 'none', stroke: '#e4e4e4', class: 'grid' };

function ticksOf(scale: ScaleLinear<number, number>, { ticks = 5, format }: Axis): [number, string][] {
  const places = typeof ticks === 'number' ? scale.ticks(ticks) : ticks;
  const text = format ?? scale.tickFormat(typeof ticks === 'number' ? ticks : 5);
  // The minus of typographers is not read by all who search a page.
  return places.map((place) => [place, text(place).replace('−', '-')]);
}

/** How a series is told from others: colour (after Okabe & Ito 2008), dashes and marks, so that no one needs the colour. */
export interface Series {
  readonly colour: string;
  readonly dashes: string | undefined;
  readonly mark: (typeof MARKS)[number];
  readonly class: string;
}

const PALETTE = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
const DASHES = [undefined, '6 3', '2 3', '8 3 2 3', '10 4', '1 2'];
const MARKS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolStar];

export const series = (at: number): Series => {
  const colour = at % PALETTE.length;
  // After six colours the same ones come with other dashes and marks.
  const shape = (at + Math.floor(at / PALETTE.length)) % DASHES.length;
  return { colour: PALETTE[colour], dashes: DASHES[shape], mark: MARKS[shape], class: `s${colour}` };
};

type On = Pick<Plane, 'x' | 'y'>;

/** A line through points; it breaks where a number is missing. */
export function curve(
  { x, y }: On,
  points: readonly Point[],
  { colour, dashes, class: name }: Series,
  more: Attributes = {},
) {
  const path = line<Point>()
    .defined(([a, b]) => Number.isFinite(a) && Number.isFinite(b))
    .x(([a]) => x(a))
    .y(([, b]) => y(b))
    .digits(2);
  return element('path', {
    ...{ d: path(points) ?? '', fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-dasharray': dashes },
    ...{ class: `line ${name}`, ...more },
  });
}

/** What lies between two lines. */
export function band(
  { x, y }: On,
  points: readonly (readonly [x: number, low: number, high: number])[],
  { colour, class: name }: Series,
) {
  const path = area<readonly [number, number, number]>()
    .defined((point) => point.every(Number.isFinite))
    .x(([a]) => x(a))
    .y0(([, low]) => y(low))
    .y1(([, , high]) => y(high))
    .digits(2);
  return element('path', { d: path(points) ?? '', fill: colour, 'fill-opacity': 0.15, class: `area ${name}` });
}

/** One mark for each point, in one path. */
export function marks(
  { x, y }: On,
  points: readonly Point[],
  { colour, mark, class: name }: Series,
  size = 28,
): string {
  const shape = symbol(mark, size).digits(2)() ?? '';
  return points
    .filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b))
    .map(([a, b]) =>
      element('path', {
        d: shape,
        transform: `translate(${round(x(a))},${round(y(b))})`,
        fill: colour,
        class: `mark ${name}`,
      }),
    )
    .join('');
}

/** Small dots in one path, however many: pictures of thousands stay small. */
export const dots = (points: readonly Point[], { colour, class: name }: Series, more: Attributes = {}): string =>
  element('path', {
    ...{ d: points.map(([x, y]) => `M${round(x)},${round(y)}h0`).join(''), fill: 'none', stroke: colour },
    ...{ 'stroke-width': 5, 'stroke-linecap': 'round', 'stroke-opacity': 0.7, class: `line dots ${name}` },
    ...more,
  });

/** A straight line for reference, from one place to another. */
export const reference = ({ x, y }: On, [a, b]: Point, [c, d]: Point): string =>
  element('path', {
    ...{ d: `M${round(x(a))},${round(y(b))}L${round(x(c))},${round(y(d))}`, fill: 'none', stroke: '#777777' },
    ...{ 'stroke-dasharray': '3 3', class: 'reference' },
  });

export interface LegendEntry extends Partial<Series> {
  readonly label: string;
  /** As a line, a mark, or a filled square. */
  readonly as: 'line' | 'mark' | 'area' | 'reference';
  /** Of an area. */
  readonly opacity?: number;
}

/** Entries from left to right, in as many lines as the width asks for. */
export function legend(entries: readonly LegendEntry[], { x, y, width }: { x: number; y: number; width: number }) {
  let [left, top] = [x, y];
  const parts: string[] = [];
  for (const entry of entries) {
    const { label: whole, as, opacity = 0.3, colour = '#777777', dashes, mark, class: name = 'reference' } = entry;
    // What is at the end of a long label is its number.
    const label = short(whole, Math.floor((width - 30) / LETTER), 12);
    const needs = 30 + LETTER * label.length;
    if (left > x && left + needs > x + width) [left, top] = [x, top + 18];
    const middle = top - 4;
    parts.push(
      as === 'area'
        ? element('rect', {
            ...{ x: left, y: top - 10, width: 18, height: 12, fill: colour },
            ...(opacity < 1 ? { 'fill-opacity': opacity, class: `area ${name}` } : { stroke: '#999999' }),
          })
        : as === 'mark'
          ? element('path', {
              ...{ d: symbol(mark ?? symbolCircle, 40).digits(2)() ?? '', fill: colour, class: `mark ${name}` },
              transform: `translate(${round(left + 9)},${middle})`,
            })
          : element('path', {
              ...{ d: `M${round(left)},${middle}h18`, fill: 'none', stroke: colour, class: `line ${name}` },
              ...{ 'stroke-width': as === 'line' ? 2 : 1, 'stroke-dasharray': as === 'line' ? dashes : '3 3' },
            }),
      words(label, { x: left + 24, y: top }),
    );
    left += needs;
  }
  return { markup: parts.join(''), bottom: entries.length === 0 ? y - 18 : top + 8 };
}
