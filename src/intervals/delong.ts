import { hasReason } from '../core/hasReason.js';
import { studentTQuantile } from '../core/incompleteBeta.js';
import { normalQuantile } from '../core/normalQuantile.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import type { Undefined } from '../metrics/metric.js';
import { joinNotes } from './interval.js';
import { limitsOf, scaleOf } from './limits.js';
import { influenceOf, obstacleOf, type Sample, type Value, varianceIn, withoutLimits } from './sample.js';

export const WORSE = 'Worse than chance: is the positive class the right one, and do the predictions belong to it?';

export type AucScale = 'plain' | 'logit';

/**
 * Independent rows: as pROC, with the normal quantile and by default on the plain scale. Patients with several rows:
 * Obuchowski's, the placements summed per patient, with Student's t and by default on the logit scale, since the plain one
 * covers too little. Her small-sample factors differ between the terms; here each set of patients (positive rows only,
 * negative only, both) has n / (n - 1), which is the same where no patient or every patient has both classes.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837; Obuchowski 1997, Biometrics 53:567; logit scale,
 * Pepe 2003, section 5.2.4.
 */
export const delong = (sample: Sample, scale?: AucScale): Value => areaInterval(sample, areaOf(sample), scale);

export interface Area {
  readonly estimate: number;
  readonly influence: Float64Array;
}

export function areaOf(sample: Sample): Area | Undefined {
  const estimate = rocAuc.compute(sample.table);
  if (typeof estimate !== 'number') return estimate;
  return { estimate, influence: influenceOf(rocAuc, sample, estimate) };
}

export function areaInterval(
  sample: Sample,
  area: Area | Undefined,
  scale: AucScale = sample.clustered ? 'logit' : 'plain',
): Value {
  const { table, units, level, clustered } = sample;
  const method = clustered ? 'obuchowski' : 'delong';
  if (hasReason(area)) return withoutLimits(method, null, area.reason);
  const { estimate, influence } = area;
  const reason = obstacleOf(sample, rocAuc, 2);
  if (reason !== undefined) return withoutLimits(method, estimate, reason);
  const { variance, df } = varianceIn(sample, rocAuc)(influence);
  const se = Math.sqrt(variance);
  const p = (1 + level) / 2;
  if (estimate === 0 || estimate === 1 || se < 1e-12) {
    const limits = limitsOf({ ...sample, metric: rocAuc }, [{ table, units }], { estimate, se: 0, df });
    const worse = limits.upper !== null && limits.upper < 0.5 ? WORSE : undefined;
    return { method: 'wilson', estimate, ...limits, ...joinNotes(limits.note, worse) };
  }
  const { to, back, slope } = scaleOf(scale === 'logit' ? rocAuc.range : [-Infinity, Infinity]);
  const half = (clustered ? studentTQuantile(p, df) : normalQuantile(p)) * se * slope(estimate);
  const [lower, upper] = [back(to(estimate) - half), back(to(estimate) + half)];
  const clipped = lower < 0 || upper > 1 ? 'Clipped to the range of the area, 0 to 1.' : undefined;
  const notes = joinNotes(clipped, upper < 0.5 ? WORSE : undefined);
  return { method, estimate, lower: Math.max(0, lower), upper: Math.min(1, upper), ...notes };
}
