import { type Metric, score } from '../metrics/metric.js';
import type { IntervalFold } from './interval.js';

/**
 * The folds that an estimate rests on: a mean of folds has those with a value, for the others (one class alone) say nothing
 * of it, so that their units are in no count. All of them where none has a value. Failed folds stay, for the reason that they are.
 */
export function foldsThatCount<F extends Pick<IntervalFold, 'table'>>(
  metric: Metric,
  folds: readonly F[],
): readonly F[] {
  if (metric.combine === 'pooled') return folds;
  const valued = new Set(folds.filter(({ table }) => table && score(metric, table).value !== null));
  return valued.size === 0 ? folds : folds.filter((fold) => !fold.table || valued.has(fold));
}
