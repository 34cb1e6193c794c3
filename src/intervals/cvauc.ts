import { rocAuc } from '../metrics/definitions/ranking.js';
import { framedInterval } from './framedInterval.js';
import { type Centre, type Influential, influenceVariance } from './influenceVariance.js';
import type { Interval, IntervalInput } from './interval.js';
import { limitsOf } from './limits.js';
import { unitBlocks } from './unitBlocks.js';

/**
 * Interval of the cross-validated area under the ROC curve about these predictions, from its influence curve: placements
 * within folds, centred at the mean of the folds, summed per patient. On the logit scale with Student's t, since the
 * plain normal interval covers too little (.86-.93 for .95). Other metrics get null limits with the reason.
 *
 * Source: LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583.
 */
export const cvauc = (input: IntervalInput): Interval => areaInterval(input, 'cvauc', 'all');

/**
 * DeLong's interval of the area under the ROC curve about these predictions: within each fold his variance, over
 * independent folds that of their mean. Rows of a patient are summed first, as Obuchowski does. On the logit scale with
 * Student's t. A fold with one row of a class adds nothing to the variance of that class; `cvauc` has no such gap.
 * Other metrics get null limits with the reason.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567.
 */
export const delongOfFolds = (input: IntervalInput): Interval => areaInterval(input, 'delong', 'own');

function areaInterval(input: IntervalInput, method: string, centre: Centre): Interval {
  const { metric } = input;
  const repeats = unitBlocks(input);
  const unfit = metric.name === rocAuc.name ? undefined : `${method} is for roc_auc, not ${metric.name}`;
  return framedInterval(input, { method, estimand: 'predictions', repeats, unfit }, (estimate) => {
    const { variance, df } = influenceVariance({ ...input, metric: metric as Influential, centre }, repeats);
    return limitsOf(input, repeats.flat(), { estimate, se: Math.sqrt(variance), df });
  });
}
