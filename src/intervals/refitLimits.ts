import { hasReason } from '../core/hasReason.js';
import { commonObstacle, countUnits, type Interval, type IntervalInput, joinNotes } from './interval.js';
import { limitsOf } from './limits.js';
import { refitSpread } from './refitSpread.js';
import { unitBlocks } from './unitBlocks.js';

/**
 * Limits of an estimate that has no other standard error than that of its `refits`, such as .632+: scale and Student's t
 * as in {@link limitsOf}, with one degree of freedom less than there are units.
 */
export function refitLimits(
  input: IntervalInput,
  estimate: number,
): Pick<Interval, 'lower' | 'upper' | 'note' | 'reason'> {
  const nUnits = countUnits(input.folds);
  const spread = refitSpread(input.refits ?? { values: [], count: 1 });
  const obstacle = commonObstacle(input, nUnits) ?? (hasReason(spread) ? spread.reason : undefined);
  if (hasReason(spread) || obstacle !== undefined) return { lower: null, upper: null, reason: obstacle };
  const blocks = unitBlocks(input).flat();
  const { note, ...limits } = limitsOf(input, blocks, { estimate, se: spread.se, df: nUnits - 1 });
  const made = `Standard error of ${input.refits?.count} refits on resampled ${input.unit}s, times sqrt(.632).`;
  return { ...limits, ...joinNotes(made, spread.note, note) };
}
