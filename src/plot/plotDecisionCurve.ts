import { binaryRows } from '../clinical/binaryRows.js';
import { benefitIntervals, benefitOf } from '../clinical/decisions/netBenefit.js';
import { formatNumber } from '../core/format.js';
import { type InputOf, number, optionTable } from '../core/options.js';
import { weightedMean } from '../metrics/ratioOfSums.js';
import { band, curve, type Point, series } from './plane.js';
import { planePicture } from './planePicture.js';
import type { PlottedResults } from './plottedResults.js';
import { type PlainRisks, pictureOptions, riskOptions, risksOf } from './risks.js';
import type { Svg } from './svg.js';

export const plotDecisionCurveOptions = optionTable('plotDecisionCurve', {
  ...riskOptions,
  ...pictureOptions,
  maxThreshold: number({ above: 0, max: 0.99 })
    .default(0.99)
    .describe('The highest threshold drawn; clinicians treat at few.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the band.'),
});
export type PlotDecisionCurveOptions = InputOf<typeof plotDecisionCurveOptions>;

/**
 * Net benefit over the threshold from which on a patient is treated, beside treating all and treating none, with a pointwise band; see
 * `decisionCurve`. A model helps at a threshold where its line is above both others. Over all tested rows.
 * Source: Vickers & Elkin 2006, Medical Decision Making 26:565.
 *
 * @param source what `run`, `validate` or `evaluate` gives, awaited, or plain numbers
 * @throws {InvalidDataError} without probabilities of two classes
 * @example
 * const picture = plotDecisionCurve(result, { maxThreshold: 0.5 });
 * await writeFile('benefit.svg', String(picture));
 * console.log(picture.description);
 */
export function plotDecisionCurve(source: PlottedResults | PlainRisks, input: PlotDecisionCurveOptions = {}): Svg {
  const { positiveLabel, time, title, width, maxThreshold, level } = plotDecisionCurveOptions.resolve(input);
  const { y, p, weight, groups, event } = risksOf('plotDecisionCurve', source, { positiveLabel, time });
  const more = { ...(weight ? { sampleWeight: weight } : {}), ...(groups ? { groups } : {}) };
  const thresholds = Array.from({ length: Math.round(100 * maxThreshold) }, (_, at) => (at + 1) / 100);
  const rows = binaryRows(y, p, { positiveLabel: 1, level, ...more });
  const interval = benefitIntervals(rows);
  const meanOf = (benefit: Float64Array) => weightedMean(rows.table, (row) => benefit[row]);
  // Of treating all no interval, which is not drawn and would take twice the time.
  const points = thresholds.map((threshold) => ({
    threshold,
    model: interval(benefitOf(rows, threshold)),
    treatAll: meanOf(benefitOf(rows, threshold, true)),
  }));
  const top = Math.max(...points.map(({ model, treatAll }) => Math.max(model.estimate ?? 0, treatAll)), 0.01);
  // Far below 0 nobody would treat.
  const [low, high] = [-0.15 * top, 1.05 * top];
  const cut = (value: number | null) => (value === null ? Number.NaN : Math.max(low, value));
  const [ofModel, ofAll, ofNone] = [{ ...series(0), dashes: undefined }, series(1), series(2)];
  const shown = points.filter(({ treatAll }) => treatAll >= low);
  return planePicture({
    ...{ title: title ?? `Decision curve: ${event}`, width, ratio: 0.7 },
    x: { label: 'threshold probability', domain: [0, maxThreshold] },
    y: { label: 'net benefit', domain: [low, high] },
    draw: (on) => [
      band(
        on,
        points.map(({ threshold, model }) => [threshold, cut(model.lower), Math.min(high, cut(model.upper))]),
        ofModel,
      ),
      curve(
        on,
        [
          [0, 0],
          [maxThreshold, 0],
        ],
        ofNone,
      ),
      curve(
        on,
        shown.map(({ threshold, treatAll }): Point => [threshold, treatAll]),
        ofAll,
      ),
      curve(
        on,
        points.map(({ threshold, model }): Point => [threshold, cut(model.estimate)]),
        ofModel,
      ),
    ],
    legend: [
      { ...ofModel, label: 'by the model, and its band', as: 'line' },
      { ...ofAll, label: 'treat all', as: 'line' },
      { ...ofNone, label: 'treat none', as: 'line' },
    ],
    description: `Net benefit of ${y.length} rows at thresholds from ${thresholds[0]} to ${maxThreshold}.`,
    table: {
      header: ['threshold', 'net benefit', `${Math.round(100 * level)} % interval`, 'treat all'],
      rows: points
        .filter(({ threshold }) => Math.round(100 * threshold) % 5 === 0)
        .map(({ threshold, model, treatAll }) => [
          ...[formatNumber(threshold), formatNumber(model.estimate)],
          model.lower === null ? 'none' : `${formatNumber(model.lower)} to ${formatNumber(model.upper)}`,
          formatNumber(treatAll),
        ]),
    },
  });
}
