import type { Metric, Score } from '../metrics/metric.js';

/**
 * The metric as it can be had from these folds: one that averages over folds is pooled over all rows when no fold has a
 * value of its own, as the area under the curve in leave-one-out. The note says what that does.
 *
 * Source of the bias: Parker, Günter & Bedo 2007, BMC Bioinformatics 8:326; Airola et al. 2011, Computational Statistics &
 * Data Analysis 55:1828.
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
