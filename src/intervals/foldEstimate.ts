import { type CombinedScore, combineFolds } from '../metrics/combineFolds.js';
import type { Metric } from '../metrics/metric.js';
import type { IntervalInput } from './interval.js';
import { leavePairOut } from './leavePairOut.js';
import { pooledFallback } from './pooledFallback.js';

type Input = Pick<IntervalInput, 'metric' | 'folds' | 'design'>;

/** The metric as it can be had from these folds, and the folds that it rests on. */
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
