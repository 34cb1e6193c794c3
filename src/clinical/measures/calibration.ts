import { hasReason } from '../../core/hasReason.js';
import { normalQuantile } from '../../intervals/normalQuantile.js';
import { obstacleOf, type Sample, type Value, withoutLimits } from '../../intervals/sample.js';
import { calibrationFit, calibrationIntercept, calibrationSlope } from '../../metrics/definitions/probability.js';

import { byInfluence } from './byInfluence.js';

/**
 * Calibration intercept (slope fixed at 1) or slope with its interval. Independent rows of equal weight: Wald's, from the
 * information matrix, as `confint.default` of R's `glm`. Unequal weights, or patients with several rows: the sandwich,
 * by influence functions.
 *
 * Source: Van Calster et al. 2019, BMC Medicine 17:230; sandwich, Liang & Zeger 1986, Biometrika 73:13.
 */
export function calibration(sample: Sample, model: 'intercept' | 'slope'): Value {
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
