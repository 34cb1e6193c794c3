import { formatNumber, wholeNumber } from '../core/format.js';
import { mean } from '../core/numbers.js';
import { type InputOf, integer, optionTable } from '../core/options.js';
import { sortedQuantile } from '../core/quantiles.js';
import { type Instability, instabilityOf, type PlainPredictions, type RepeatedResults } from './instability.js';
import { band, dots, type Point, reference, series } from './plane.js';
import { planePicture } from './planePicture.js';
import { pictureOptions, riskOptions } from './risks.js';
import type { Svg } from './svg.js';

export const plotInstabilityOptions = optionTable('plotInstability', {
  ...riskOptions,
  ...pictureOptions,
  maxRows: integer({ min: 20, max: 5000 })
    .default(400)
    .describe('Rows with dots, evenly spaced by their risk; the picture says how many there are.'),
});
export type PlotInstabilityOptions = InputOf<typeof plotInstabilityOptions>;

/** Of all dots, so that files stay small. */
const MOST_DOTS = 8000;
/** Rows of about equal risk: so much risk, and so many predictions, are one group. */
const [WIDTH_OF_GROUP, LEAST_IN_GROUP] = [0.05, 100];

/**
 * Instability of single predictions: for each row its mean predicted risk against the prediction of each repeat, the diagonal, and
 * a band from the 2.5 to the 97.5 percentile of the differences from the row's mean, in groups of neighbouring risks.
 *
 * Repeats of a cross-validation train on other parts of the same rows, so this shows less than what models of new samples would
 * differ by; Riley and Collins train on bootstrap samples, and compare with the final model. See {@link instabilityOf}, whose numbers
 * these are. Source: Riley & Collins 2023, Biometrical Journal 65:2200302.
 *
 * @param source results of a repeated design, or plain predictions, a list for each row
 * @throws {InvalidDataError} without probabilities, and where no row was predicted twice
 * @example
 * const repeated = await new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).run({ model, data: [X, y, groups] });
 * const picture = plotInstability(repeated);
 * await writeFile('instability.svg', String(picture));
 * console.log(picture.description);
 */
export function plotInstability(source: RepeatedResults | PlainPredictions, input: PlotInstabilityOptions = {}): Svg {
  const {
    positiveLabel,
    time,
    title = 'Instability of predictions',
    width,
    maxRows,
  } = plotInstabilityOptions.resolve(input);
  const found = instabilityOf(source, positiveLabel, time);
  const rows = [...found.perRow].sort((a, b) => a.mean - b.mean || a.row - b.row);
  const most = Math.max(20, Math.min(maxRows, Math.floor(MOST_DOTS / found.repeats)));
  const drawn =
    rows.length <= most
      ? rows
      : Array.from({ length: most }, (_, at) => rows[Math.floor(((at + 0.5) * rows.length) / most)]);
  const groups = groupsOf(rows);
  const inside = (value: number) => Math.min(1, Math.max(0, value));
  const [first, last] = [groups[0], groups[groups.length - 1]];
  const places = [{ ...first, mean: rows[0].mean }, ...groups, { ...last, mean: rows[rows.length - 1].mean }];
  const [grey, style] = [{ ...series(0), colour: '#333333', class: 'mean' }, series(0)];
  const { meanAbsoluteDeviation: average, percentile95, largest } = found;
  return planePicture({
    ...{ title, width },
    x: { label: 'mean predicted risk of a row', domain: [0, 1] },
    y: { label: 'prediction of a repeat', domain: [0, 1] },
    draw: (on) => [
      dots(
        drawn.flatMap(({ mean: centre, predictions }) =>
          predictions.map((value): Point => [on.x(centre), on.y(value)]),
        ),
        style,
        { 'stroke-width': 2, 'stroke-opacity': 0.5 },
      ),
      band(
        on,
        places.map(({ mean: x, low, high }) => [x, inside(x + low), inside(x + high)]),
        grey,
      ),
      reference(on, [0, 0], [1, 1]),
    ],
    legend: [
      { ...style, label: 'a repeat', as: 'mark' },
      { ...grey, label: '2.5 to 97.5 percentiles', as: 'area' },
      { label: 'no instability', as: 'reference' },
    ],
    note:
      `Mean absolute deviation from the row's mean ${formatNumber(average)}; 95 % of rows below ${formatNumber(percentile95)}, ` +
      `largest ${formatNumber(largest)}. ${wholeNumber(found.rows)} rows, ${found.repeats} repeats.` +
      (drawn.length < rows.length ? ` Dots: ${drawn.length} rows, evenly spaced by risk.` : ''),
    description:
      'Predictions of repeats over the mean prediction of each row. ' +
      `The band has the percentiles of differences from the row's mean, in ${groups.length} groups of neighbouring risks.`,
    table: {
      header: ['mean predicted risk', 'rows', 'mean absolute deviation', 'from', 'to'],
      rows: groups.map((group) => [
        ...[formatNumber(group.mean), String(group.n), formatNumber(group.deviation)],
        ...[group.low, group.high].map((value) => formatNumber(inside(group.mean + value))),
      ]),
    },
  });
}

/** Neighbours from the lowest risk to the highest, with the percentiles of their differences from their own means. */
function groupsOf(rows: Instability['perRow']) {
  const groups: Instability['perRow'][number][][] = [];
  let open: (typeof groups)[number] = [];
  for (const row of rows) {
    open.push(row);
    if (row.mean - open[0].mean < WIDTH_OF_GROUP || open.length * row.predictions.length < LEAST_IN_GROUP) continue;
    groups.push(open);
    open = [];
  }
  // What remains is too little for a group of its own.
  if (groups.length === 0) groups.push(open);
  else groups[groups.length - 1].push(...open);
  return groups.map((some) => {
    const differences = some.flatMap((row) => row.predictions.map((value) => value - row.mean));
    const sorted = Float64Array.from(differences).sort();
    return {
      ...{ n: some.length, mean: mean(some.map((row) => row.mean)), deviation: mean(some.map((row) => row.deviation)) },
      ...{ low: sortedQuantile(sorted, 0.025), high: sortedQuantile(sorted, 0.975) },
    };
  });
}
