import { hasReason } from '../core/hasReason.js';
import { framedInterval } from './framedInterval.js';
import { type Interval, type IntervalInput, joinNotes } from './interval.js';
import { limitsOf } from './limits.js';
import { resampleCells, resampleUnits } from './resampleUnits.js';

/**
 * Interval about these predictions: units (patients, else rows) of the out-of-fold table are drawn with replacement
 * `nBootstrap` times, the metric is recomputed within folds as its `combine` says, and the standard deviation of the
 * results is the standard error. Symmetric on the scale of {@link scaleOf} by the delta method, with Student's t for
 * one unit less than there are. In repeated designs a unit is drawn for all repeats at once.
 *
 * An estimate at the bound of a finite range, or without spread, gets Wilson's interval for the
 * {@link effectiveUnits} instead. Null limits with a reason: a failed fold, fewer than ten units, a metric that most
 * resamples leave undefined. It is not about the training procedure: the models are held fixed.
 *
 * Source: Efron & Tibshirani 1993, chapters 6 and 8; for patients as units, Field & Welsh 2007, JRSS B 69:369.
 */
export function oofBootstrap(input: IntervalInput): Interval {
  return framedInterval(
    input,
    { method: 'oof_bootstrap', estimand: 'predictions' },
    ({ estimate, nUnits, repeats }) => {
      const spread = resampleCells(input, repeats) ?? resampleUnits(input, repeats);
      if (hasReason(spread)) return spread;
      const se = Math.sqrt(spread.variance);
      const { note, ...limits } = limitsOf(input, repeats.flat(), { estimate, se, df: nUnits - 1 });
      return { ...limits, ...joinNotes(...spread.notes, note) };
    },
  );
}
