import { formatNumber } from '../../core/format.js';
import { incompleteBeta, studentTQuantile } from '../../core/incompleteBeta.js';
import { correctedT, unfitDesign } from '../../intervals/correctedT.js';
import { countUnits, type IntervalFold, type IntervalInput, joinNotes } from '../../intervals/interval.js';
import type { Metric } from '../../metrics/metric.js';
import { differenceLimits, type ScoredSide } from '../pairedDifference.js';
import { valuedFolds } from '../results.js';

export interface ComparisonInput
  extends Pick<IntervalInput, 'metric' | 'level' | 'unit' | 'nBootstrap' | 'random' | 'design' | 'sampling'> {
  readonly a: ScoredSide;
  readonly b: ScoredSide;
  readonly nPermutations: number;
}

interface Answer {
  readonly method: string;
  /** `procedure`: what training would give on other samples of patients. `predictions`: these fitted models. */
  readonly estimand: 'procedure' | 'predictions';
  /** What counts as independent: `patient` or `row`. */
  readonly unit: string;
  /** Number of different units that were tested. */
  readonly nUnits: number;
  readonly nFolds: number;
  /** A - B; null when there is none. */
  readonly difference: number | null;
  readonly note?: string;
  /** Why there is no answer. */
  readonly reason?: string;
}

/** A difference with its standard error, interval and two-sided p-value; null with a `reason` when there is none. */
export interface DifferenceTest extends Answer {
  readonly standardError: number | null;
  readonly df: number | null;
  /** Difference over standard error; compared with Student's t. */
  readonly t: number | null;
  readonly pValue: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: number;
  /** Share of the variance that training adds, 0 to 1; left out where it is not estimated. */
  readonly trainingShare?: number;
}

/** Probabilities that the difference A - B is below, within or above the region of practical equivalence. */
export interface RopeProbabilities extends Answer {
  /** The region is from -rope to rope. */
  readonly rope: number;
  readonly left: number | null;
  readonly within: number | null;
  readonly right: number | null;
}

/** p-value of a randomisation test. */
export interface SignFlipTest extends Answer {
  /** What swaps are judged by: the difference, or for metrics of ranks the difference over its standard error. */
  readonly statistic: 'difference' | 'studentised';
  readonly nPermutations: number;
  /** Swaps with a difference at least as large as the observed one, in either direction. */
  readonly nAtLeast: number | null;
  readonly pValue: number | null;
}

export const NO_TEST = { standardError: null, df: null, t: null, pValue: null, lower: null, upper: null } as const;

export const BETTER = {
  maximize: 'larger is better',
  minimize: 'smaller is better',
  target: 'nearer to its target is better; differences are of the distances from it',
};

export const limitsText = ({ lower, upper }: { readonly lower: number | null; readonly upper: number | null }) =>
  lower === null ? '—' : `[${formatNumber(lower)}, ${formatNumber(upper)}]`;

export const pValueText = (value: number | null) => (value !== null && value < 0.001 ? '< .001' : formatNumber(value));

type Facts = Pick<DifferenceTest, 'method' | 'estimand' | 'unit' | 'nUnits' | 'nFolds' | 'level'>;

/** Student's t test of a difference of two estimates; null with a reason where the variance is 0 but for rounding. */
export function tTest(
  facts: Facts,
  metric: Pick<Metric, 'range'>,
  { estimate, variance, df }: { readonly estimate: number; readonly variance: number; readonly df: number },
): DifferenceTest {
  const standardError = Math.sqrt(variance);
  if (!(standardError > 1e-12 * Math.max(1, Math.abs(estimate)))) {
    return { ...facts, ...NO_TEST, difference: estimate, reason: `the ${facts.unit}s have the same difference` };
  }
  const t = estimate / standardError;
  const half = studentTQuantile((1 + facts.level) / 2, df) * standardError;
  const limits = differenceLimits(metric, estimate, half);
  return { ...facts, difference: estimate, standardError, df, t, pValue: twoSidedP(t, df), ...limits };
}

/**
 * The probability that a Student t variable is at most t.
 * Source: Abramowitz & Stegun 1964, 26.7.1, by the regularised incomplete beta function.
 */
export function studentTCdf(t: number, df: number): number {
  const tail = incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2;
  return t > 0 ? 1 - tail : tail;
}

export const twoSidedP = (t: number, df: number): number => incompleteBeta(df / (df + t * t), df / 2, 0.5);

/**
 * Corrected resampled t test on the differences between the two models' fold scores: variance over the J folds times
 * 1/J + n_test/n_train, J - 1 degrees of freedom; see {@link correctedT} for what is counted and when there is none.
 * Source: Nadeau & Bengio 2003, Machine Learning 52:239.
 */
export function correctedDifference(input: ComparisonInput): DifferenceTest {
  const { metric, unit, level, design } = input;
  const folds = foldDifferences(input);
  const counts = { unit, nUnits: countUnits(folds), nFolds: folds.length };
  const facts = { method: 'corrected_t', estimand: 'procedure', ...counts, level } as const;
  const unfit = unfitDesign(design, folds);
  if (unfit !== undefined) {
    const reason = `the corrected t test is for folds that are random parts of the data, not for ${unfit}`;
    return { ...facts, ...NO_TEST, difference: null, reason };
  }
  // The limits give the standard error before they are clipped, and what the prevalence adds to both sides cancels.
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
  const limits = differenceLimits(metric, estimate, upper - estimate);
  return { ...facts, difference: estimate, standardError, df, t, pValue: twoSidedP(t, df), ...limits, ...notes };
}

const CONDITIONAL = 'Conditional on the observed prevalence, since the folds are stratified.';

/**
 * Bayesian correlated t test: with a flat prior the difference follows Student's t around the mean of the fold scores
 * with J - 1 degrees of freedom and the standard error of the corrected t test, that of folds correlated by n_test / n.
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
