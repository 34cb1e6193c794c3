import { foldInterval } from './foldInterval.js';
import { influenceVariance, isInfluential } from './influenceVariance.js';
import type { Interval, IntervalInput } from './interval.js';

/**
 * The interval of {@link bootstrap} without resampling: its variance is the sum of the squared influences of the
 * patients (else rows) on the estimate, which many resamples approach. Metrics without influence function get null
 * limits with the reason.
 *
 * Source: Binder 1983, International Statistical Review 51:279; for the area under the curve, LeDell, Petersen & van
 * der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export function analytic(input: IntervalInput): Interval {
  const { metric } = input;
  return foldInterval(input, 'analytic', (repeats) =>
    isInfluential(metric)
      ? { ...influenceVariance({ ...input, metric }, repeats), notes: [] }
      : { reason: `${metric.name} has no influence function; use bootstrap` },
  );
}
