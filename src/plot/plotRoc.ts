import { rateAt, rocCurve } from '../clinical/roc/curve.js';
import { type InputOf, optionTable } from '../core/options.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import { score } from '../metrics/metric.js';
import { foldCurveOptions, foldCurves } from './foldCurves.js';
import type { Point } from './plane.js';
import type { PlottedResults } from './plottedResults.js';
import { type PlainRisks, risksOf, tableOfRisks } from './risks.js';
import type { Svg } from './svg.js';

export const plotRocOptions = optionTable('plotRoc', foldCurveOptions);
export type PlotRocOptions = InputOf<typeof plotRocOptions>;

/**
 * ROC curves: sensitivity over 1 - specificity, a line for each fold, their mean (at each specificity, the mean of the
 * sensitivities) and the range of the folds, which shows how they differ and is no confidence interval. Predictions of one model,
 * and folds of which fewer than two have both classes, have one line. Source: Fawcett 2006, Pattern Recognition Letters 27:861.
 *
 * @param source what `run`, `validate` or `evaluate` gives, awaited, or plain numbers
 * @throws {InvalidDataError} without probabilities of two classes
 * @example
 * const picture = plotRoc(result);
 * await writeFile('roc.svg', String(picture));
 * console.log(picture.description);
 */
export function plotRoc(source: PlottedResults | PlainRisks, input: PlotRocOptions = {}): Svg {
  const { positiveLabel, time, title, width, maxFolds } = plotRocOptions.resolve(input);
  const risks = risksOf('plotRoc', source, { positiveLabel, time });
  return foldCurves(risks, {
    title: title ?? `ROC curve: ${risks.event}`,
    ...{ width, maxFolds, x: '1 - specificity', y: 'sensitivity', measure: 'AUC', what: 'ROC curve' },
    curveOf(each) {
      const table = tableOfRisks(each);
      const found = rocCurve(table, 'specificity');
      const points = Array.from(found.along, (specificity, at): Point => [1 - specificity, found.other[at]]).reverse();
      return { points, value: score(rocAuc, table).value, at: (x) => rateAt(found, 1 - x) };
    },
    chance: { from: [0, 0], to: [1, 1], label: 'chance' },
    places: [0.95, 0.9, 0.8].map((specificity) => [1 - specificity, `sensitivity at specificity ${specificity}`]),
  });
}
