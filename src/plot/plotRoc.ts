import { rateAt, rocCurve } from '../clinical/roc/curve.js';
import { formatNumber } from '../core/format.js';
import { type InputOf, integer, optionTable } from '../core/options.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import { score } from '../metrics/metric.js';
import { band, curve, type LegendEntry, legend, type Point, plane, reference, series } from './plane.js';
import {
  hasBoth,
  type PlainRisks,
  type PlottedResults,
  pictureOptions,
  type Risks,
  riskOptions,
  risksOf,
  tableOfRisks,
} from './risks.js';
import { heading, paragraph, Svg } from './svg.js';

export const plotRocOptions = optionTable('plotRoc', {
  ...riskOptions,
  ...pictureOptions,
  maxFolds: integer({ min: 0, max: 30 })
    .default(10)
    .describe('Folds that have a line of their own; with more, none has.'),
});
export type PlotRocOptions = InputOf<typeof plotRocOptions>;

/**
 * ROC curves: sensitivity over 1 - specificity, a line for each fold, their mean (at each specificity, the mean of the sensitivities)
 * and the range of the folds. The range shows how folds differ; it is no confidence interval. Source: Fawcett 2006, Pattern Recognition Letters 27:861.
 *
 * @param source what `run`, `validate` or `evaluate` gives, awaited, or plain numbers
 * @throws {InvalidDataError} without probabilities, and where no fold has rows with the class and without it
 * @example
 * await writeFile('roc.svg', String(plotRoc(result)));
 */
export function plotRoc(source: PlottedResults | PlainRisks, input: PlotRocOptions = {}): Svg {
  const { positiveLabel, title, width, maxFolds } = plotRocOptions.resolve(input);
  const { event, folds, ...all } = risksOf('plotRoc', source, positiveLabel);
  const drawn = folds.filter(hasBoth);
  const curves = drawn.map((fold) => ({ ...fold, points: rocPoints(fold), auc: areaOf(fold) }));
  const single = folds.length === 1 || curves.length === 0;
  const lines = single ? [{ name: 'all rows', points: rocPoints(all), auc: areaOf(all) }] : curves;
  const mean = single ? undefined : averageOf(curves.map(({ points }) => points));
  const head = heading(title ?? `ROC, ${event}`, 14, width);
  const square = width - 70;
  const on = plane({
    ...{ x: { label: '1 - specificity', domain: [0, 1] }, y: { label: 'sensitivity', domain: [0, 1] } },
    ...{ width, top: head.height + 4, height: square },
  });
  const own = !single && lines.length > maxFolds ? [] : lines;
  const text = (name: string, auc: number | null) => `${name}: AUC ${formatNumber(auc)}`;
  const meanAuc = single ? null : meanOf(curves.map(({ auc }) => auc));
  const entries: LegendEntry[] = own.map(({ name, auc }, at) => ({
    ...styleOf(at, single),
    label: text(name, auc),
    as: 'line',
  }));
  if (mean) {
    entries.push({ ...MEAN, label: text(`mean of ${curves.length} folds`, meanAuc), as: 'line' });
    entries.push({ ...MEAN, label: 'range of the folds', as: 'area' });
  }
  entries.push({ label: 'chance', as: 'reference' });
  const key = legend(entries, { x: 14, y: on.bottom + 16, width: width - 28 });
  const missing = folds.length - drawn.length;
  const note = paragraph(
    missing > 0 ? `${missing} of ${folds.length} folds lack a class and have no curve.` : '',
    width - 28,
    {
      x: 14,
      y: key.bottom + 10,
    },
  );
  return new Svg(
    {
      title: title ?? `ROC, ${event}`,
      description: single
        ? `ROC curve of ${all.y.length} rows; area under it ${formatNumber(lines[0].auc)}.`
        : `ROC curves of ${curves.length} folds; mean area under them ${formatNumber(meanAuc)}.`,
      ...{ width, height: key.bottom + note.height + 4 },
      table: tableOf(lines),
    },
    head.markup,
    on.axes,
    reference(on, [0, 0], [1, 1]),
    ...(mean
      ? [
          band(
            on,
            mean.map(({ x, low, high }) => [x, low, high]),
            MEAN,
          ),
        ]
      : []),
    ...own.map(({ points }, at) => curve(on, points, styleOf(at, single), single ? {} : THIN)),
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
    key.markup,
    note.markup,
  );
}

/** Of all folds; it stands above their lines. */
const MEAN = { ...series(0), dashes: undefined, colour: '#333333', class: 'mean' };
const THIN = { 'stroke-width': 1.2, 'stroke-opacity': 0.8 };
const styleOf = (at: number, single: boolean) => (single ? { ...series(0), dashes: undefined } : series(at));

/** From [0, 0] to [1, 1]: [1 - specificity, sensitivity]. */
function rocPoints(risks: Risks): Point[] {
  const { along, other } = rocCurve(tableOfRisks(risks), 'specificity');
  return thinned(Array.from(along, (specificity, at): Point => [1 - specificity, other[at]]).reverse());
}

/** What a screen cannot show is left out, so that pictures of a million rows stay small. */
function thinned(points: Point[]): Point[] {
  const kept: Point[] = [];
  for (const [at, [x, y]] of points.entries()) {
    const last = kept.at(-1);
    const far = !last || Math.abs(x - last[0]) + Math.abs(y - last[1]) > 1 / 500;
    if (far || at === points.length - 1) kept.push([x, y]);
  }
  return kept;
}

const areaOf = (risks: Risks): number | null => score(rocAuc, tableOfRisks(risks)).value;

const meanOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value as number), 0) / values.length;

const GRID = Array.from({ length: 101 }, (_, at) => at / 100);

/** Vertical averages, with the lowest and the highest line. */
function averageOf(curves: readonly (readonly Point[])[]) {
  const lines = curves.map((points) => ({
    along: Float64Array.from(points, ([x]) => x),
    other: Float64Array.from(points, ([, y]) => y),
  }));
  return GRID.map((x) => {
    const values = lines.map((line) => (x === 0 ? 0 : rateAt(line, x)));
    return { x, mean: meanOf(values), low: Math.min(...values), high: Math.max(...values) };
  });
}

function tableOf(
  lines: readonly { readonly name: string; readonly auc: number | null; readonly points: readonly Point[] }[],
) {
  return {
    header: ['curve', 'AUC', ...TABLE.map((place) => `sensitivity at specificity ${formatNumber(1 - place)}`)],
    rows: lines.map(({ name, auc, points }) => {
      const line = { along: Float64Array.from(points, ([x]) => x), other: Float64Array.from(points, ([, y]) => y) };
      return [name, formatNumber(auc), ...TABLE.map((place) => formatNumber(rateAt(line, place)))];
    }),
  };
}

const TABLE = [0.05, 0.1, 0.2];
