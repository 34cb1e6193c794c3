import { type Metric, score } from '../metrics/metric.js';
import type { IntervalFold } from './interval.js';

/**
 * A mean of folds rests on those with a value: units of the others are in no count. All folds where none has a value.
 * Failed folds stay, for their reason.
 */
export function foldsThatCount<F extends Pick<IntervalFold, 'table'>>(
  metric: Metric,
  folds: readonly F[],
): readonly F[] {
  if (metric.combine === 'pooled') return folds;
  const valued = new Set(folds.filter(({ table }) => table && score(metric, table).value !== null));
  return valued.size === 0 ? folds : folds.filter((fold) => !fold.table || valued.has(fold));
}
