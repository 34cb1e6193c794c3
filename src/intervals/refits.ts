import { counted } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { mean } from '../core/numbers.js';
import { foldsThatCount } from './foldsThatCount.js';
import { commonObstacle, countUnits, type Interval, type IntervalInput, joinNotes, type Refits } from './interval.js';
import { limitsOf } from './limits.js';
import { unitBlocks } from './unitBlocks.js';

export type RefitSpread =
  | { readonly se: number; readonly note?: string }
  | { readonly se: null; readonly reason: string };

/** Share of the units in a resample, 1 - 1/e. */
const DISTINCT = 0.632;

/**
 * Standard error of an estimate from {@link Refits} of the whole procedure on resampled units: their standard deviation
 * times sqrt(.632), since a model trained on a resample sees .632 of the units and varies more. Null when more than
 * half of the resamples have no value.
 *
 * Source: Efron & Tibshirani 1993, chapter 6, for the resamples, and section 17.7 for the share of distinct units.
 */
export function refitSpread({ values, count }: Refits): RefitSpread {
  const dropped = count - values.length;
  const lost = `${dropped} of ${counted(count, 'refit')} left the metric undefined`;
  if (dropped > count / 2) return { se: null, reason: lost };
  const centre = mean(values);
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const se = Math.sqrt((DISTINCT * squares) / (values.length - 1));
  return dropped > 0 ? { se, note: `${lost} and were dropped.` } : { se };
}

/**
 * Limits of an estimate without another standard error, such as .632+: scale and Student's t as in {@link limitsOf},
 * with one degree of freedom less than there are units.
 */
export function refitLimits(
  given: IntervalInput,
  estimate: number,
): Pick<Interval, 'lower' | 'upper' | 'note' | 'reason'> {
  const input = { ...given, folds: foldsThatCount(given.metric, given.folds) };
  const nUnits = countUnits(input.folds);
  const spread = refitSpread(input.refits ?? { values: [], count: 1 });
  const obstacle = commonObstacle(input, nUnits) ?? (hasReason(spread) ? spread.reason : undefined);
  if (hasReason(spread) || obstacle !== undefined) return { lower: null, upper: null, reason: obstacle };
  const blocks = unitBlocks(input).flat();
  const { note, ...limits } = limitsOf(input, blocks, { estimate, se: spread.se, df: nUnits - 1 });
  const made = `Standard error of ${input.refits?.count} refits on resampled ${input.unit}s, times sqrt(.632).`;
  return { ...limits, ...joinNotes(made, spread.note, note) };
}
