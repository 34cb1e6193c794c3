import { hasReason } from '../core/hasReason.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import { type Counted, framedInterval } from './framedInterval.js';
import { type Influential, influenceVariance } from './influenceVariance.js';
import type { Interval, IntervalInput } from './interval.js';
import { limitsOf } from './limits.js';
import type { UnitVariance } from './unitVariance.js';

/**
 * Interval of the cross-validated area under the ROC curve about these predictions, from its influence curve:
 * placements within folds, centred at the mean of the folds, summed per patient. On the logit scale with Student's t,
 * since the plain normal interval covers too little (.86-.93 for .95). Other metrics get null limits with the reason.
 *
 * Source: LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export const cvauc = (input: IntervalInput): Interval =>
  aucOfFolds(input, 'cvauc', (metric, repeats) => influenceVariance({ ...input, metric }, repeats));

type AreaVariance = (
  metric: Influential,
  repeats: Counted['repeats'],
) => Omit<UnitVariance, 'nUnits'> | { readonly reason: string };

export function aucOfFolds(input: IntervalInput, method: string, varianceOf: AreaVariance): Interval {
  const { metric } = input;
  const unfit = metric.name === rocAuc.name ? undefined : `${method} is for roc_auc, not ${metric.name}`;
  return framedInterval(input, { method, estimand: 'predictions', unfit }, ({ estimate, repeats }) => {
    const found = varianceOf(metric as Influential, repeats);
    if (hasReason(found)) return found;
    return limitsOf(input, repeats.flat(), { estimate, se: Math.sqrt(found.variance), df: found.df });
  });
}
