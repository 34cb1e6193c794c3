/** Curves of folds over [0, 1] x [0, 1]: a line for each fold, their mean, and the range of the folds. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { formatNumber } from '../core/format.js';
import { integer } from '../core/options.js';
import { band, curve, type LegendEntry, type Point, reference, series } from './plane.js';
import { planePicture } from './planePicture.js';
import type { Risks } from './plottedResults.js';
import { hasBoth, pictureOptions, type RisksByFold, riskOptions } from './risks.js';
import type { Svg } from './svg.js';

interface Curve {
  readonly name: string;
  readonly points: readonly Point[];
  /** The number that stands beside it. */
  readonly value: number | null;
  /** Its height at a place from 0 to 1. */
  at(x: number): number;
}

interface FoldCurves {
  readonly title: string;
  readonly width: number;
  readonly maxFolds: number;
  readonly x: string;
  readonly y: string;
  /** Of the curve of some rows, and its name: `AUC`. */
  readonly measure: string;
  readonly what: string;
  curveOf(risks: Risks): Omit<Curve, 'name'>;
  /** The line of a model that knows nothing. */
  readonly chance: { readonly from: Point; readonly to: Point; readonly label: string };
  /** Places that the table has, and their names. */
  readonly places: readonly (readonly [x: number, name: string])[];
}

export function foldCurves({ folds, ...all }: RisksByFold, options: FoldCurves): Svg {
  const { title, width, maxFolds, measure, what, curveOf, chance, places } = options;
  if (!hasBoth(all)) {
    const message = sentence(`The rows of a ${what}`, 'be of both classes', phrase('one class alone'));
    throw new InvalidDataError(message, { code: 'one_class' });
  }
  const usable = folds.filter(hasBoth);
  const isOne = folds.length === 1 || usable.length < 2;
  const lines: Curve[] = isOne
    ? [{ name: folds.length === 1 ? 'all rows' : 'all rows, pooled', ...curveOf(all) }]
    : usable.map((fold) => ({ name: fold.name, ...curveOf(fold) }));
  const mean = isOne ? undefined : averageOf(lines);
  const average = isOne ? null : lines.reduce((sum, { value }) => sum + (value as number), 0) / lines.length;
  const drawn = lines.length > maxFolds ? [] : lines;
  const styleOf = (place: number) => (isOne ? { ...series(0), dashes: undefined } : series(place));
  const entries: LegendEntry[] = drawn.map(({ name, value }, place) => ({
    ...{ ...styleOf(place), label: `${name}: ${measure} ${formatNumber(value)}`, as: 'line' },
  }));
  if (mean) {
    const label = `mean of ${lines.length} folds: ${measure} ${formatNumber(average)}`;
    entries.push({ ...MEAN, label, as: 'line' }, { ...MEAN, label: 'range of the folds', as: 'area' });
  }
  entries.push({ label: chance.label, as: 'reference' });
  const missing = folds.length - usable.length;
  const number = formatNumber(isOne ? lines[0].value : average);
  return planePicture({
    ...{ title, width, legend: entries },
    x: { label: options.x, domain: [0, 1] },
    y: { label: options.y, domain: [0, 1] },
    draw: (on) => [
      reference(on, chance.from, chance.to),
      ...(mean
        ? [
            band(
              on,
              mean.map(({ x, low, high }) => [x, low, high]),
              MEAN,
            ),
          ]
        : []),
      ...drawn.map(({ points }, place) => curve(on, thinned(points), styleOf(place), isOne ? {} : THIN)),
      ...(mean
        ? [
            curve(
              on,
              mean.map(({ x, mean: y }): Point => [x, y]),
              MEAN,
              { 'stroke-width': 2.5 },
            ),
          ]
        : []),
    ],
    note: missing > 0 ? `${missing} of ${folds.length} folds lack a class and have no curve.` : '',
    description: isOne
      ? `${what} of ${all.y.length} rows; ${measure} ${number}.`
      : `${what}s of ${lines.length} folds; mean ${measure} ${number}.`,
    table: {
      header: ['curve', measure, ...places.map(([, name]) => name)],
      rows: lines.map(({ name, value, at }) => [
        ...[name, formatNumber(value)],
        ...places.map(([x]) => formatNumber(at(x))),
      ]),
    },
  });
}

/** Of all folds; it stands above their lines. */
const MEAN = { ...series(0), dashes: undefined, colour: '#333333', class: 'mean' };
const THIN = { 'stroke-width': 1.2, 'stroke-opacity': 0.85 };

/** What a screen cannot show is left out, so that pictures of a million rows stay small. */
function thinned(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const [at, point] of points.entries()) {
    const last = kept.at(-1);
    const far = !last || Math.abs(point[0] - last[0]) + Math.abs(point[1] - last[1]) > 1 / 400;
    if (far || at === points.length - 1) kept.push(point);
  }
  return kept;
}

const GRID = Array.from({ length: 101 }, (_, at) => at / 100);

/** Vertical averages, with the lowest and the highest curve. */
const averageOf = (curves: readonly Curve[]) =>
  GRID.map((x) => {
    const values = curves.map(({ at }) => at(x));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { x, mean, low: Math.min(...values), high: Math.max(...values) };
  });

/** Options of curves of folds. */
export const foldCurveOptions = {
  ...riskOptions,
  ...pictureOptions,
  maxFolds: integer({ min: 0, max: 30 })
    .default(10)
    .describe('Folds that have a line of their own; with more, none has.'),
};
