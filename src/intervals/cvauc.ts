import { rocAuc } from '../metrics/definitions/ranking.js';
import { framedInterval } from './framedInterval.js';
import { type Centre, type Influential, influenceVariance } from './influenceVariance.js';
import type { Interval, IntervalInput } from './interval.js';
import { limitsOf } from './limits.js';
import { unitBlocks } from './unitBlocks.js';

/**
 * Interval of the cross-validated area under the ROC curve about these predictions, from its influence curve:
 * placements within folds, centred at the mean of the folds, summed per patient. On the logit scale with Student's t,
 * since the plain normal interval covers too little (.86-.93 for .95). Other metrics get null limits with the reason.
 *
 * Source: LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export const cvauc = (input: IntervalInput): Interval => aucOfFolds(input, 'cvauc', 'all');

/** The interval of {@link cvauc}, with the influences of a fold's rows centred as asked. */
export function aucOfFolds(input: IntervalInput, method: string, centre: Centre): Interval {
  const { metric } = input;
  const repeats = unitBlocks(input);
  const unfit = metric.name === rocAuc.name ? undefined : `${method} is for roc_auc, not ${metric.name}`;
  return framedInterval(input, { method, estimand: 'predictions', repeats, unfit }, (estimate) => {
    const { variance, df } = influenceVariance({ ...input, metric: metric as Influential, centre }, repeats);
    return limitsOf(input, repeats.flat(), { estimate, se: Math.sqrt(variance), df });
  });
}
