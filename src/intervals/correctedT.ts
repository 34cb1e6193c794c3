import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { mean, unbiasedVariance } from '../core/numbers.js';
import {
  commonObstacle,
  countUnits,
  type Interval,
  type IntervalFold,
  type IntervalInput,
  intervalFacts,
  joinNotes,
} from './interval.js';

/**
 * Corrected resampled t interval for the procedure: mean of the J fold scores, their variance (ddof 1) times
 * 1/J + n_test/n_train to allow for overlapping training sets, J - 1 degrees of freedom. n_test and n_train are mean
 * numbers of units (patients, else rows). Limits are clipped to the range of the metric.
 *
 * Source: Nadeau & Bengio 2003, Machine Learning 52:239, equation 9.
 */
export function correctedT(input: IntervalInput): Interval {
  const { metric, folds, level } = input;
  refuseDesign(input.design, input.folds);
  const facts = { ...intervalFacts(input), method: 'corrected_t', estimand: 'procedure' } as const;
  const values = folds.flatMap(({ score }) => (score.value === null ? [] : [score.value]));
  const J = values.length;
  const estimate = J === 0 ? null : mean(values);
  const reason = obstacle(input, values, facts.nUnits);
  if (estimate === null || reason !== undefined) return { ...facts, estimate, lower: null, upper: null, reason };

  const tested = folds.reduce((sum, fold) => sum + countUnits([fold]), 0);
  const trained = folds.reduce((sum, fold) => sum + fold.nTrain, 0);
  const half =
    studentTQuantile((1 + level) / 2, J - 1) * Math.sqrt(unbiasedVariance(values) * (1 / J + tested / trained));
  if (half === Infinity) return { ...facts, estimate, lower: null, upper: null, reason: 'the values are too large' };
  const [low, high] = metric.range;
  const [lower, upper] = [Math.max(low, estimate - half), Math.min(high, estimate + half)];
  const notes = [
    lower === low || upper === high ? `Clipped to the range of the metric, ${low} to ${high}.` : undefined,
    folds.some(({ repeat }) => repeat !== folds[0].repeat)
      ? 'Undercovers: over repeats the corrected t interval is too narrow.'
      : undefined,
  ];
  return { ...facts, estimate, lower, upper, ...joinNotes(...notes) };
}

function obstacle(input: IntervalInput, values: readonly number[], nUnits: number): string | undefined {
  const { folds } = input;
  const missing = folds.find(({ score }) => score.value === null)?.score;
  if (missing?.value === null) {
    return `${values.length} of ${counted(folds.length, 'fold')} have a value (${missing.reason})`;
  }
  if (folds.length < 2) return 'one fold alone has no variance';
  // Values that differ by rounding alone count as equal.
  if (values.every((value) => Math.abs(value - values[0]) <= 1e-12 * Math.abs(value))) {
    return 'all folds have the same value and so no variance';
  }
  const { metric, sampling = 'cohort', design } = input;
  if (sampling === 'cohort' && design?.stratified && metric.dependsOnPrevalence) {
    return `${metric.name} changes with the prevalence, which stratified folds hold alike: their spread is far too small. Take ciMethod: 'bootstrap'`;
  }
  return commonObstacle(input, nUnits);
}

/** Why folds are no random parts of the data, which the correction needs; undefined when they are. */
export function unfitDesign(
  design: IntervalInput['design'],
  folds: readonly Pick<IntervalFold, 'units'>[] = [],
): string | undefined {
  const { exhaustive, timeOrdered, keepsTies, purged } = design ?? {};
  if (exhaustive) return 'folds that leave out every row, or set of rows, in turn';
  if (timeOrdered || keepsTies || purged) return 'folds in time';
  return folds.length > 2 && folds.every((fold) => countUnits([fold]) === 1) ? 'folds of one unit each' : undefined;
}

/** The same for methods that train again on other folds or rows; folds apart in space do not fit those either. */
export const unfitForFurtherRuns = (...args: Parameters<typeof unfitDesign>): string | undefined =>
  unfitDesign(...args) ?? (args[0]?.separated ? 'folds apart in space' : undefined);

export const refusedFolds = (of: string, must: string, got: string, instead = 'Use oof_bootstrap instead.') =>
  new InvalidOptionError(sentence(`The folds of \`${of}\``, must, phrase(got), instead), { code: 'interval_method' });

export const RANDOM_FOLDS = 'be random parts of the data';

export function refuseDesign(...[design, folds]: Parameters<typeof unfitDesign>): void {
  const got = unfitDesign(design, folds);
  if (got !== undefined) throw refusedFolds('ciMethod: corrected_t', RANDOM_FOLDS, got);
}
