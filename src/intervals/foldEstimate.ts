import { type CombinedScore, combineFolds } from '../metrics/combineFolds.js';
import type { Metric, Score } from '../metrics/metric.js';
import type { IntervalInput } from './interval.js';
import { leavePairOut } from './leavePairOut.js';

type Input = Pick<IntervalInput, 'metric' | 'folds' | 'design'>;

/** The metric in the form that these folds allow, and the folds that it uses. */
export function metricOverFolds(input: Input): {
  readonly metric: Metric;
  readonly folds: IntervalInput['folds'];
  readonly note?: string;
} {
  const { metric, folds } = input;
  return (
    leavePairOut(input) ?? {
      folds,
      ...pooledFallback(
        metric,
        folds.map(({ score }) => score),
      ),
    }
  );
}

/** The estimate over the folds that did not fail: the number that intervals are about. */
export function foldEstimate(input: Input): CombinedScore {
  const { metric, folds } = metricOverFolds(input);
  const scored = folds.flatMap(({ table, repeat }) => (table ? [{ table, repeat }] : []));
  return combineFolds(
    metric,
    scored.map(({ table }) => table),
    scored.map(({ repeat }) => repeat),
  );
}

/**
 * A metric that averages over folds is pooled over all rows when no fold has a value of its own, as the area under the
 * curve in leave-one-out. The note says what that means.
 *
 * Source of the bias: Parker, Günter & Bedo 2007, BMC Bioinformatics 8:326; Airola et al. 2011, Computational
 * Statistics & Data Analysis 55:1828.
 */
export function pooledFallback(metric: Metric, scores: readonly Score[]): { metric: Metric; note?: string } {
  if (metric.combine === 'pooled' || scores.some(({ value }) => value !== null)) return { metric };
  const [first] = scores;
  const reason = first && first.value === null ? ` (${first.reason})` : '';
  return {
    metric: { ...metric, combine: 'pooled' },
    note: `No fold has a ${metric.name} of its own${reason}: it is pooled over all rows, as if the fold models scored on one scale, and is biased downwards when single rows are left out. LPOCV with p = 2 has no such bias.`,
  };
}
