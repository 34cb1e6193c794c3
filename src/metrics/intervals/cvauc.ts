import { rocAuc } from '../rocAuc.js';
import { combinedEstimate, type Influential, influenceVariance } from './influenceVariance.js';
import { commonObstacle, type Interval, type IntervalInput, intervalFacts, joinNotes } from './interval.js';
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

function areaInterval(input: IntervalInput, method: string, centre: 'all' | 'own'): Interval {
  const { metric } = input;
  const facts = { ...intervalFacts(input), method, estimand: 'predictions' } as const;
  const repeats = unitBlocks(input);
  const combined = combinedEstimate(metric, repeats);
  const none = { ...facts, estimate: combined.value, lower: null, upper: null };
  if (combined.value === null) return { ...none, reason: combined.reason };
  const reason =
    metric.name === rocAuc.name ? commonObstacle(input, facts.nUnits) : `${method} is for roc_auc, not ${metric.name}`;
  if (reason !== undefined) return { ...none, reason, ...joinNotes(combined.note) };
  const { variance, df } = influenceVariance({ ...input, metric: metric as Influential, centre }, repeats);
  const { note, ...limits } = limitsOf(input, repeats.flat(), {
    estimate: combined.value,
    se: Math.sqrt(variance),
    df,
  });
  return { ...none, ...limits, ...joinNotes(combined.note, note) };
}
