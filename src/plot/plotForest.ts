import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { plainText } from '../core/foreignText.js';
import { counted, formatNumber } from '../core/format.js';
import { type InputOf, number, optionTable, string } from '../core/options.js';
import { band, dots, reference as line, plane, SMALL, series } from './plane.js';
import { pictureOptions } from './risks.js';
import { type Attributes, element, heading, INK, LETTER, paragraph, round, Svg, short, words } from './svg.js';

/** One line of a forest. */
export interface ForestRow {
  readonly label: string;
  readonly estimate: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** What stands beside the label: `120 patients`. */
  readonly size?: string;
  /** Why there is no estimate; a row without one says so. */
  readonly reason?: string;
  /** A summary of the others, drawn as a diamond. */
  readonly pooled?: boolean;
  /** Points of a row, as those of folds. */
  readonly points?: readonly (number | null)[];
}

export const plotForestOptions = optionTable('plotForest', {
  title: string().default('Estimates and intervals').describe('Heading.'),
  label: string().default('estimate').describe('What the numbers are: the name of the axis.'),
  reference: number().optional().describe('A value that has a line: that of all rows, or of no difference.'),
  width: pictureOptions.width,
});
export type PlotForestOptions = InputOf<typeof plotForestOptions>;

/** Height of a row, and of one whose label stands above its number. */
const ROWS = [30, 44];

/**
 * A forest: an estimate with its interval on each line, for subgroups, sites, metrics or models. A summary is a diamond. The labels
 * stand above their lines, so that it is read on a phone.
 *
 * @throws {InvalidDataError} without a row that has an estimate
 * @example
 * const row = (label, estimate, lower, upper) => ({ label, estimate, lower, upper });
 * const picture = plotForest([row('women', 0.81, 0.74, 0.88), row('men', 0.77, 0.69, 0.85)], { label: 'AUC', reference: 0.5 });
 * await writeFile('forest.svg', String(picture));
 * console.log(picture.description);
 */
export function plotForest(rows: readonly ForestRow[], input: PlotForestOptions = {}): Svg {
  const options = plotForestOptions.resolve(input);
  checkRows(rows);
  return forestOf('The rows of plotForest', rows, options);
}

interface Forest {
  readonly title: string;
  readonly label: string;
  readonly reference?: number | undefined;
  readonly width: number;
  /** Differences that do not matter, as a grey band. */
  readonly range?: readonly [number, number] | undefined;
  /** What stands below. */
  readonly note?: string;
}

/** @param subject of the error where no row has an estimate */
export function forestOf(
  subject: string,
  rows: readonly ForestRow[],
  { title, label, reference, width, range, note = '' }: Forest,
): Svg {
  const numbers = rows
    .flatMap(({ estimate, lower, upper, points = [] }) => [estimate, lower, upper, ...points])
    .concat(reference ?? [], range ?? [])
    .filter((value): value is number => typeof value === 'number' && Number.isFinite(value));
  if (!rows.some(({ estimate }) => estimate !== null)) {
    throw new InvalidDataError(sentence(subject, 'have an estimate, at least one of them', phrase('none')));
  }
  const [low, high] = [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))];
  const space = 0.05 * (high - low || Math.abs(high) || 1);
  const head = heading(title, 14, width);
  const top = head.height + 2;
  const texts = rows.map((row) => ({
    value: valueText(row),
    name: row.size ? `${row.label} (${row.size})` : row.label,
  }));
  const lettersFor = (value: string) => Math.floor((width - 42 - SMALL * value.length) / LETTER);
  const isTall = texts.some(({ name, value }) => plainText(name).length > lettersFor(value));
  const step = ROWS[Number(isTall)];
  const bottom = top + step * rows.length + 6;
  const on = plane({
    x: { label, domain: [low - space, high + space], ticks: 5 },
    y: { label: '', domain: [0, rows.length], ticks: [] },
    ...{ width, top, height: bottom - top, left: 14 },
  });
  const style = series(0);
  const lines = rows.map((row, at) => {
    const { name, value } = texts[at];
    const [textAt, y] = [top + step * at + 13, top + step * (at + 1) - 7];
    const room = isTall ? Math.floor((width - 34) / LETTER) : lettersFor(value);
    return [
      words(short(name, room, row.size ? Math.min(row.size.length + 2, 20) : Math.floor(room / 3)), {
        ...{ x: 18, y: textAt, ...(row.pooled ? { 'font-weight': 600 } : {}) },
      }),
      words(value, { x: width - 16, y: isTall ? textAt + 14 : textAt, 'text-anchor': 'end', 'font-size': 11 }),
      ...drawn(row, y, on.x, style.colour),
    ].join('');
  });
  const missing = rows.filter(({ estimate, lower, reason }) => (estimate === null || lower === null) && reason);
  const reasons = [...new Set(missing.map(({ reason }) => reason))].slice(0, 3).join('; ');
  const below = paragraph([note, reasons].filter(Boolean).join(' '), width - 28, { x: 14, y: on.bottom + 12 });
  return new Svg(
    {
      ...{ title, width, height: on.bottom + below.height + (below.height > 0 ? 6 : 0) },
      description: `${counted(rows.length, 'estimate')} with intervals; the axis shows ${label}. ${note}`.trim(),
      table: {
        header: ['name', 'size', label, 'lower', 'upper'],
        rows: rows.map(({ label: name, size = '', estimate, lower, upper }) => [
          ...[name, size, formatNumber(estimate), formatNumber(lower), formatNumber(upper)],
        ]),
      },
    },
    head.markup,
    on.axes,
    ...(range
      ? [
          band(
            on,
            range.map((x) => [x, 0, rows.length]),
            GREY,
          ),
        ]
      : []),
    ...(reference === undefined ? [] : [line(on, [reference, 0], [reference, rows.length])]),
    ...lines,
    below.markup,
  );
}

const GREY = { ...series(0), colour: INK, class: 'mean' };

const isNumber = (value: unknown) => value === null || Number.isFinite(value);

export function isForestRow(row: unknown): row is ForestRow {
  const { label, estimate, lower, upper, points = [] } = Object(row) as ForestRow;
  return typeof label === 'string' && [estimate, lower, upper].every(isNumber) && Array.isArray(points);
}

function checkRows(rows: readonly ForestRow[]): void {
  const at = Array.isArray(rows) ? rows.findIndex((row) => !isForestRow(row)) : -1;
  if (Array.isArray(rows) && at === -1) return;
  const must = 'be a list of { label, estimate, lower, upper }, with null where there is no number';
  const got = at === -1 ? rows : phrase(`${show(rows[at])} in place ${at}`);
  throw new InvalidDataError(sentence('The rows of plotForest', must, got));
}

function valueText({ estimate, lower, upper }: ForestRow): string {
  if (estimate === null) return 'none';
  return lower === null || upper === null
    ? formatNumber(estimate)
    : `${formatNumber(estimate)} (${formatNumber(lower)} to ${formatNumber(upper)})`;
}

function drawn(
  { estimate, lower, upper, pooled, points = [] }: ForestRow,
  y: number,
  x: (value: number) => number,
  colour: string,
) {
  const line: Attributes = { fill: 'none', stroke: colour, 'stroke-width': 2, class: 'line s0' };
  const numbers = points.filter((value) => value !== null && Number.isFinite(value)) as number[];
  const parts =
    numbers.length === 0
      ? []
      : [
          dots(
            numbers.map((value) => [x(value), y]),
            series(1),
          ),
        ];
  if (estimate === null) return parts;
  if (pooled && lower !== null && upper !== null) {
    const [a, b, c] = [lower, estimate, upper].map((value) => round(x(value)));
    return [
      ...parts,
      element('path', { d: `M${a},${y}L${b},${y - 5}L${c},${y}L${b},${y + 5}z`, fill: colour, class: 'mark s0' }),
    ];
  }
  if (lower !== null && upper !== null) {
    const [a, b] = [round(x(lower)), round(x(upper))];
    parts.unshift(element('path', { d: `M${a},${y}H${b}M${a},${y - 4}v8M${b},${y - 4}v8`, ...line }));
  }
  const centre = round(x(estimate) - 4);
  return [
    ...parts,
    element('rect', { x: Number(centre), y: y - 4, width: 8, height: 8, fill: colour, class: 'mark s0' }),
  ];
}
