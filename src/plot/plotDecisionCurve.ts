import { drawnBenefits } from '../clinical/decisions/decisionCurve.js';
import { formatNumber } from '../core/format.js';
import { type InputOf, number, optionTable } from '../core/options.js';
import { band, curve, legend, type Point, plane, series } from './plane.js';
import { type PlainRisks, type PlottedResults, pictureOptions, riskOptions, risksOf } from './risks.js';
import { heading, Svg } from './svg.js';

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
 * await writeFile('benefit.svg', String(plotDecisionCurve(result, { maxThreshold: 0.5 })));
 */
export function plotDecisionCurve(source: PlottedResults | PlainRisks, input: PlotDecisionCurveOptions = {}): Svg {
  const { positiveLabel, title, width, maxThreshold, level } = plotDecisionCurveOptions.resolve(input);
  const { y, p, weight, groups, event } = risksOf('plotDecisionCurve', source, positiveLabel);
  const more = { ...(weight ? { sampleWeight: weight } : {}), ...(groups ? { groups } : {}) };
  const thresholds = Array.from({ length: Math.round(100 * maxThreshold) }, (_, at) => (at + 1) / 100);
  const points = drawnBenefits(y, p, { positiveLabel: 1, level, thresholds, ...more });
  const top = Math.max(
    ...points.map(({ model, treatAll }) => Math.max(model.estimate ?? 0, treatAll.estimate ?? 0)),
    0.01,
  );
  const words = title ?? `Decision curve: ${event}`;
  const head = heading(words, 14, width);
  const on = plane({
    x: { label: 'threshold probability', domain: [0, maxThreshold] },
    // Far below 0 nobody would treat.
    y: { label: 'net benefit', domain: [-0.15 * top, 1.05 * top] },
    ...{ width, top: head.height + 4, height: 0.7 * (width - 70) },
  });
  const low = on.y.domain()[0];
  const cut = (value: number | null) => (value === null ? Number.NaN : Math.max(low, value));
  const [ofModel, ofAll, ofNone] = [{ ...series(0), dashes: undefined }, series(1), series(2)];
  const key = legend(
    [
      { ...ofModel, label: 'by the model, and its band', as: 'line' },
      { ...ofAll, label: 'treat all', as: 'line' },
      { ...ofNone, label: 'treat none', as: 'line' },
    ],
    { x: 14, y: on.bottom + 16, width: width - 28 },
  );
  const shown = points.filter(({ treatAll }) => (treatAll.estimate ?? low) >= low);
  return new Svg(
    {
      ...{ title: words, width, height: key.bottom + 4 },
      description: `Net benefit of ${y.length} rows at thresholds from ${thresholds[0]} to ${maxThreshold}.`,
      table: {
        header: ['threshold', 'net benefit', `${Math.round(100 * level)} % interval`, 'treat all'],
        rows: points
          .filter(({ threshold }) => Math.round(100 * threshold) % 5 === 0)
          .map(({ threshold, model, treatAll }) => [
            ...[formatNumber(threshold), formatNumber(model.estimate)],
            model.lower === null ? 'none' : `${formatNumber(model.lower)} to ${formatNumber(model.upper)}`,
            formatNumber(treatAll.estimate),
          ]),
      },
    },
    head.markup,
    on.axes,
    band(
      on,
      points.map(({ threshold, model }) => [threshold, cut(model.lower), Math.min(on.y.domain()[1], cut(model.upper))]),
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
      shown.map(({ threshold, treatAll }): Point => [threshold, treatAll.estimate ?? Number.NaN]),
      ofAll,
    ),
    curve(
      on,
      points.map(({ threshold, model }): Point => [threshold, cut(model.estimate)]),
      ofModel,
    ),
    key.markup,
  );
}
