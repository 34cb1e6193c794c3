import { studentTQuantile } from '../../core/incompleteBeta.js';
import { correctedT, unfitDesign } from '../../intervals/correctedT.js';
import { countUnits, type IntervalFold, joinNotes } from '../../intervals/interval.js';
import type { Metric } from '../../metrics/metric.js';
import { valuedFolds } from '../results.js';
import { type ComparisonInput, type DifferenceTest, NO_TEST, type RopeProbabilities } from './answers.js';
import { studentTCdf, twoSidedP } from './tTest.js';

/**
 * Corrected resampled t test on the differences between the two models' fold scores: variance over the J folds times
 * 1/J + n_test/n_train, J - 1 degrees of freedom; see {@link correctedT} for what is counted and when there is none.
 *
 * Source: Nadeau & Bengio 2003, Machine Learning 52:239.
 */
export function correctedDifference(input: ComparisonInput): DifferenceTest {
  const { metric, unit, level, design } = input;
  const folds = foldDifferences(input);
  const facts = {
    method: 'corrected_t',
    estimand: 'procedure',
    unit,
    nUnits: countUnits(folds),
    nFolds: folds.length,
    level,
  } as const;
  const unfit = unfitDesign(design, folds);
  if (unfit !== undefined) {
    const reason = `the corrected t test is for folds that are random parts of the data, not for ${unfit}`;
    return { ...facts, ...NO_TEST, difference: null, reason };
  }
  // Differences have no bounds to be clipped to, and what the prevalence adds to both sides cancels.
  const unbounded: Metric = { ...metric, range: [-Infinity, Infinity], dependsOnPrevalence: false };
  const interval = correctedT({ ...input, metric: unbounded, folds });
  const { estimate, lower, upper, reason } = interval;
  const conditional = design?.stratified && metric.dependsOnPrevalence;
  const notes = joinNotes(interval.note, conditional && upper !== null ? CONDITIONAL : undefined);
  if (estimate === null || lower === null || upper === null) {
    return { ...facts, ...NO_TEST, difference: estimate, reason: reason ?? 'there is no interval', ...notes };
  }
  const df = folds.length - 1;
  const standardError = (upper - estimate) / studentTQuantile((1 + level) / 2, df);
  const t = estimate / standardError;
  return { ...facts, difference: estimate, standardError, df, t, pValue: twoSidedP(t, df), lower, upper, ...notes };
}

const CONDITIONAL = 'Conditional on the observed prevalence, since the folds are stratified.';

/**
 * Bayesian correlated t test: with a flat prior the difference follows Student's t around the mean of the fold scores
 * with J - 1 degrees of freedom and the standard error of the corrected t test, that of folds correlated by n_test / n.
 *
 * Source: Corani & Benavoli 2015, Machine Learning 100:285; the region of practical equivalence, Benavoli, Corani,
 * Demšar & Zaffalon 2017, JMLR 18:77.
 */
export function bayesianT(test: DifferenceTest, rope: number): RopeProbabilities {
  const { difference, standardError, df, unit, nUnits, nFolds, reason, note } = test;
  const facts = { method: 'bayesian_correlated_t', estimand: test.estimand, unit, nUnits, nFolds, difference, rope };
  if (difference === null || standardError === null || df === null) {
    return { ...facts, left: null, within: null, right: null, ...(reason ? { reason } : {}) };
  }
  const left = studentTCdf((-rope - difference) / standardError, df);
  const right = studentTCdf((difference - rope) / standardError, df);
  return { ...facts, left, within: Math.max(0, 1 - left - right), right, ...(note ? { note } : {}) };
}

function foldDifferences({ metric, a, b }: ComparisonInput): IntervalFold[] {
  const others = valuedFolds(metric, b);
  return valuedFolds(metric, a).map((fold, at) => {
    const [mine, other] = [fold.score, others[at].score];
    if (mine.value === null) return fold;
    return { ...fold, score: other.value === null ? other : { value: mine.value - other.value } };
  });
}
