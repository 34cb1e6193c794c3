import { counted, formatNumber, percentOf } from '../core/format.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { type InputOf, integer, number, optionTable } from '../core/options.js';

export const expectedAucWidthOptions = optionTable('expectedAucWidth', {
  nPositive: integer({ min: 1 }).describe('Patients with the outcome that will be tested.'),
  nNegative: integer({ min: 1 }).describe('Patients without it.'),
  auc: number({ min: 0.5, below: 1 }).default(0.8).describe('Expected area under the ROC curve.'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the interval.'),
});

export type ExpectedAucWidthOptions = InputOf<typeof expectedAucWidthOptions>;

/** What `expectedAucWidth` gives. */
export interface ExpectedAucWidth {
  readonly standardError: number;
  /** Half of the width of the interval: the area is known to plus or minus so much. */
  readonly halfWidth: number;
  /** At most what fits between 0 and 1. */
  readonly width: number;
  /** A sentence that says it. */
  readonly text: string;
}

/**
 * How wide the interval of an AUC will be, before anything is trained: from the numbers of patients with and without the
 * outcome that will be tested, for independent patients and fixed predictions. An interval about the training procedure
 * is wider still. Limits beyond 0 and 1 are cut before the width is taken.
 *
 * Source: Hanley & McNeil 1982, Radiology 143:29, for scores with negative exponential distributions.
 *
 * @example
 * console.log(expectedAucWidth({ nPositive: 23, nNegative: 177 }).text);
 */
export function expectedAucWidth(input: ExpectedAucWidthOptions): ExpectedAucWidth {
  const { nPositive, nNegative, auc, level } = expectedAucWidthOptions.resolve(input);
  // Hanley and McNeil's Q1 - A^2 and Q2 - A^2, multiplied out so that nothing cancels.
  const [twoPositive, twoNegative] = [(auc * (1 - auc) ** 2) / (2 - auc), (auc * auc * (1 - auc)) / (1 + auc)];
  const variance =
    (auc * (1 - auc) + (nPositive - 1) * twoPositive + (nNegative - 1) * twoNegative) / (nPositive * nNegative);
  const standardError = Math.sqrt(variance);
  const reach = normalQuantile((1 + level) / 2) * standardError;
  const width = Math.min(1, auc + reach) - Math.max(0, auc - reach);
  const halfWidth = width / 2;
  return {
    standardError,
    halfWidth,
    width,
    text: `With ${counted(nPositive, 'patient')} with the outcome and ${nNegative} without, the ${percentOf(level)} interval of an AUC of ${formatNumber(auc)} will be about ±${formatNumber(halfWidth)} wide.`,
  };
}
