import { clopperPearson, studentTQuantile, wilson } from '../core/incompleteBeta.js';
import { normalQuantile } from '../core/normalQuantile.js';
import type { Metric } from '../metrics/metric.js';
import { joinTables } from '../metrics/tableRows.js';
import { effectiveUnits } from './effectiveUnits.js';
import { framedInterval } from './framedInterval.js';
import { allUnits, type Interval, type IntervalInput } from './interval.js';
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

function proportionOfFolds(input: IntervalInput, how: ProportionMethod): Interval {
  const { metric, unit, level } = input;
  const unfit = metric.proportion ? undefined : `${how} is for shares of rows, which ${metric.name} is not`;
  return framedInterval(input, { method: how, estimand: 'predictions', unfit }, ({ nUnits, repeats }) => {
    const blocks = repeats.flat();
    const table = joinTables(blocks.map((block) => block.table));
    const sample = { table, units: allUnits(blocks), nUnits, unit, clustered: nUnits < table.length, level };
    const { estimate: _pooled, ...found } = proportion(sample, metric, how);
    return found;
  });
}

/** Squared ratio of Student's quantile to the normal one. */
const widening = (level: number, df: number) =>
  (studentTQuantile((1 + level) / 2, df) / normalQuantile((1 + level) / 2)) ** 2;

/**
 * Wilson's interval about these predictions, for metrics that are shares of rows (accuracy, sensitivity, ...); others get null
 * limits with the reason. With several rows per patient, or repeats, the ratio estimator in its place, which `method` says.
 */
export const wilsonOfFolds = (input: IntervalInput): Interval => proportionOfFolds(input, 'wilson');

/**
 * Clopper and Pearson's interval about these predictions, for metrics that are shares of rows; others get null limits with
 * the reason. With several rows per patient, or repeats, Korn and Graubard's in its place, which `method` says.
 */
export const clopperPearsonOfFolds = (input: IntervalInput): Interval => proportionOfFolds(input, 'clopper_pearson');
