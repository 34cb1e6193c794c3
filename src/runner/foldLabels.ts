import { concat, gather, type Labels, labelsFrom } from '../data/labels.js';
import { withPositive } from '../data/positiveCode.js';
import { kaplanMeier } from '../survival/kaplanMeier.js';
import { takeOutcomes } from '../survival/outcomes.js';
import type { FoldServices, FoldTask } from './executor.js';
import { knowMetrics } from './taskMetrics.js';

/**
 * The labels as a fold knows them: those of outcomes by time with the curve of being censored in its training rows, by which
 * its test rows are weighted; others as they are.
 */
export function foldLabels(
  { fit, watch }: Pick<FoldTask, 'fit' | 'watch'>,
  { y, positive, weight }: Pick<FoldServices, 'y' | 'positive' | 'weight'>,
): Labels {
  knowMetrics(y);
  if (y.task !== 'survival') return y;
  const rows = watch ? concat([fit, watch]) : fit;
  const train = takeOutcomes({ time: y.numbers, event: y.codes }, rows);
  const { times, survival } = kaplanMeier(train, weight ? gather(weight, rows) : null, 'censoring');
  const timed = { horizons: y.timed?.horizons ?? [], censoring: { times, survival } };
  return withPositive(labelsFrom({ ...y, timed }), positive);
}
