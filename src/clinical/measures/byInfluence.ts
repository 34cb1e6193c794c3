import { hasReason } from '../../core/hasReason.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import type { RandomSource } from '../../core/random.js';
import { joinNotes } from '../../intervals/interval.js';
import { limitsOf } from '../../intervals/limits.js';
import { resampleUnits } from '../../intervals/resampleUnits.js';
import { influenceOf, obstacleOf, type Sample, type Value, varianceIn, withoutLimits } from '../../intervals/sample.js';
import { calibrationFit, calibrationIntercept, calibrationSlope } from '../../metrics/definitions/probability.js';
import { type Metric, score } from '../../metrics/metric.js';

export interface Resampling {
  readonly nBootstrap: number;
  readonly random: RandomSource;
}

/**
 * By the delta method, influences summed per patient; with `resampling`, patients (rows) are drawn with replacement
 * instead. Symmetric on the logit scale for a range of [0, 1] and Fisher's z for [-1, 1], plain where the range has no
 * ends; Student's t. At a bound as {@link limitsOf} says, with `wilson` as the method.
 * Source: Binder 1983, International Statistical Review 51:279; Efron & Tibshirani 1993, chapter 6.
 */
export function byInfluence(
  sample: Sample,
  metric: Metric,
  resampling?: Resampling,
  { obstacle, variance } = groundsOf(sample, metric),
): Value {
  const { table, units, nUnits } = sample;
  const method = resampling ? 'bootstrap' : 'delta';
  const found = score(metric, table);
  if (found.value === null) return withoutLimits(method, null, found.reason);
  const estimate = found.value;
  if (obstacle !== undefined) return withoutLimits(method, estimate, obstacle);
  const blocks = [{ table, units }];
  const spread = resampling
    ? resampleUnits({ metric, ...resampling }, [blocks])
    : variance(influenceOf(metric, sample, estimate));
  if (hasReason(spread)) return withoutLimits(method, estimate, spread.reason);
  const df = 'df' in spread ? spread.df : nUnits - 1;
  const { note, ...limits } = limitsOf({ ...sample, metric }, blocks, { estimate, se: Math.sqrt(spread.variance), df });
  // Limits come with a note where they are Wilson's.
  return {
    method: note === undefined ? method : 'wilson',
    estimate,
    ...limits,
    ...joinNotes(...('notes' in spread ? spread.notes : []), note),
  };
}

/** What limits rest on besides the value: the same for all metrics with these strata, and found once for them. */
export const groundsOf = (sample: Sample, metric: Metric) => ({
  obstacle: obstacleOf(sample, metric, 2),
  variance: varianceIn(sample, metric),
});

/**
 * Calibration intercept (slope fixed at 1) or slope with its interval. Independent rows of equal weight: Wald's, from
 * the information matrix, as `confint.default` of R's `glm`. Unequal weights, or patients with several rows: the
 * sandwich, by influence functions.
 * Source: Van Calster et al. 2019, BMC Medicine 17:230; sandwich, Liang & Zeger 1986, Biometrika 73:13.
 */
export function calibrationCoefficient(sample: Sample, model: 'intercept' | 'slope'): Value {
  const { clustered, level } = sample;
  const { weight, ...table } = sample.table;
  const metric = model === 'slope' ? calibrationSlope : calibrationIntercept;
  if (clustered || weight?.some((each) => each !== weight[0])) {
    return { ...byInfluence(sample, metric), method: 'sandwich' };
  }
  const method = 'wald';
  const fit = calibrationFit(table, model);
  if (hasReason(fit)) return withoutLimits(method, null, fit.reason);
  const estimate = fit.coefficients[fit.coefficients.length - 1];
  const reason = obstacleOf(sample, metric, 2);
  if (reason !== undefined) return withoutLimits(method, estimate, reason);
  const last = fit.covariance.length - 1;
  const half = normalQuantile((1 + level) / 2) * Math.sqrt(fit.covariance[last][last]);
  return { method, estimate, lower: estimate - half, upper: estimate + half };
}
