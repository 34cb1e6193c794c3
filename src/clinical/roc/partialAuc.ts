import { InvalidOptionError, sentence } from '../../core/errors.js';
import { boolean, type InputOf, number, oneOf, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import type { Interval } from '../../intervals/interval.js';
import { sampleFacts } from '../../intervals/sample.js';
import { rocAuc } from '../../metrics/definitions/ranking.js';
import { type ScoredTable, scoredRows } from '../binaryRows.js';
import { mapValue } from '../measures/mover.js';
import { areaBetween, byPercentiles, resampledCurveOptions, rocCurve } from './curve.js';

export const partialAucOptions = optionTable('partialAuc', {
  from: number({ min: 0, max: 1 }).describe('Lower end of the range.'),
  to: number({ min: 0, max: 1 }).describe('Upper end of the range.'),
  of: oneOf('specificity', 'sensitivity').default('specificity').describe('The rate that the range is about.'),
  corrected: boolean().default(false).describe("McClish's form: .5 on the diagonal, 1 for a perfect curve."),
  ...resampledCurveOptions,
});

export type PartialAucOptions = InputOf<typeof partialAucOptions>;

/**
 * Area under the part of the ROC curve where the specificity (or `of: 'sensitivity'`) is between `from` and `to`: at
 * most `to - from`. `corrected` gives McClish's form, which lies below .5 where the curve is under the diagonal (pROC
 * says NA there). Percentile interval of `nBootstrap` resamples, stratified by class; with `groups`, patients are
 * drawn. As `auc(partial.auc, partial.auc.focus, partial.auc.correct)` and `ci.auc` of pROC.
 *
 * Source: McClish 1989, Medical Decision Making 9:190; Robin et al. 2011, BMC Bioinformatics 12:77 (pROC).
 *
 * @param yTrue labels of two classes, length n
 * @param scores numbers, higher for the positive class; they need not be probabilities. Length n
 * @throws InvalidDataError for NaN and lengths that differ, InvalidOptionError for options out of range
 * @example
 * const { estimate, lower, upper } = partialAuc(yTrue, yProba, { from: 0.8, to: 1 });
 * console.log(estimate, lower, upper);
 */
export function partialAuc(yTrue: ArrayLike<Label>, scores: ArrayLike<number>, options: PartialAucOptions): Interval {
  const { from, to, of, corrected, nBootstrap, randomState, ...rowOptions } = partialAucOptions.resolve(options);
  if (from >= to) {
    throw new InvalidOptionError(sentence('The `to` option of partialAuc', `be above \`from\`, ${from}`, to));
  }
  const rows = scoredRows(yTrue, scores, rowOptions);
  const most = to - from;
  const stratum = rocAuc.stratum as NonNullable<typeof rocAuc.stratum>;
  const value = (table: ScoredTable) => areaBetween(rocCurve(table, of), from, to);
  const found = byPercentiles(rows, { range: [0, most], stratum, value }, { nBootstrap, randomState });
  const diagonal = (most * (2 - from - to)) / 2; // area under the diagonal in this range
  const standardised = (area: number) => (1 + (area - diagonal) / (most - diagonal)) / 2;
  return { ...sampleFacts(rows), ...(corrected ? mapValue(found, standardised) : found) };
}
