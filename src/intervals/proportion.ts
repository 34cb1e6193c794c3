import { clopperPearson, studentTQuantile, wilson } from '../core/incompleteBeta.js';
import { normalQuantile } from '../core/normalQuantile.js';
import type { Metric } from '../metrics/metric.js';
import { effectiveUnits } from './effectiveUnits.js';
import { limitsOf } from './limits.js';
import { influenceOf, obstacleOf, type Sample, type Value, varianceIn, withoutLimits } from './sample.js';

export type ProportionMethod = 'wilson' | 'clopper_pearson';

/**
 * Independent rows: Wilson's or Clopper and Pearson's; unequal weights count as Kish's effective number of rows. Patients
 * with several rows: the ratio estimator on the logit scale with Student's t; for `clopper_pearson` the form of Korn and
 * Graubard, with the number of rows that would have that variance.
 *
 * Source: Wilson 1927; Clopper & Pearson 1934; ratio estimator, Genders et al. 2012, Radiology 265:910, and Cochran
 * 1977, section 3.12; Korn & Graubard 1998, Survey Methodology 24:193.
 */
export function proportion(sample: Sample, metric: Metric, how: ProportionMethod): Value {
  const { table, units, level, clustered } = sample;
  const exact = how === 'clopper_pearson';
  const method = !clustered ? how : exact ? 'korn_graubard' : 'ratio_estimator';
  const share = metric.compute(table);
  if (typeof share !== 'number') return withoutLimits(method, null, share.reason);
  const reason = obstacleOf(sample, metric);
  if (reason !== undefined) return withoutLimits(method, share, reason);
  const facts = { method, estimate: share };
  const { variance, df } = clustered
    ? varianceIn(sample, metric)(influenceOf(metric, sample, share))
    : { variance: 0, df: Infinity };
  if (!exact && clustered) {
    const spread = { estimate: share, se: Math.sqrt(variance), df };
    const limits = limitsOf({ ...sample, metric }, [{ table, units }], spread);
    return { ...facts, ...limits, ...(limits.note === undefined ? {} : { method: 'wilson' }) };
  }
  const varies = share > 0 && share < 1 && variance > 1e-24;
  // Few patients that differ much can be worth less than one row, but no share rests on fewer.
  const n = varies
    ? Math.max(1, (share * (1 - share)) / (variance * widening(level, df)))
    : effectiveUnits(metric, table, units);
  const [lower, upper] = (exact ? clopperPearson : wilson)(share, n, level);
  return { ...facts, lower, upper };
}

/** Squared ratio of Student's quantile to the normal one. */
const widening = (level: number, df: number) =>
  (studentTQuantile((1 + level) / 2, df) / normalQuantile((1 + level) / 2)) ** 2;
