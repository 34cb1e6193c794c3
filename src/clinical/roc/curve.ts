import { lowerBound } from '../../core/lowerBound.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { integer, seed } from '../../core/options.js';
import { weightedQuantile } from '../../core/quantiles.js';
import { type RandomSource, type RandomState, randomInterval, randomSource } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { limitsOf } from '../../intervals/limits.js';
import { obstacleOf, type Value, withoutLimits } from '../../intervals/sample.js';
import { unitStrata } from '../../intervals/unitVariance.js';
import { rocAuc } from '../../metrics/definitions/ranking.js';
import { type Metric, score } from '../../metrics/metric.js';
import { concordance } from '../../metrics/rocPlacements.js';
import { intervalOptions, type ScoredRows, type ScoredTable } from '../binaryRows.js';

export type Rate = 'specificity' | 'sensitivity';

interface RocCurve {
  readonly along: Float64Array;
  readonly other: Float64Array;
}

const ROUNDING = 1e-12;

/** O(n log n); tied scores make one slanting step. Source: Fawcett 2006, Pattern Recognition Letters 27:861. */
export function rocCurve(table: ScoredTable, axis: Rate): RocCurve {
  // Loops over typed arrays: a curve is made for every resample.
  const missed = new Float64Array(table.length + 1); // weight of the positive rows below the threshold
  const ruledOut = new Float64Array(table.length + 1); // of the negative ones
  let points = 1;
  const { positives, negatives } = concordance(
    { ...table, scores: table.yProba },
    (_from, _to, belowPositive, belowNegative, tiedPositive, tiedNegative) => {
      if (tiedPositive === 0 && tiedNegative === 0) return;
      missed[points] = belowPositive + tiedPositive;
      ruledOut[points++] = belowNegative + tiedNegative;
    },
  );
  const sensitivity = missed.subarray(0, points);
  const specificity = ruledOut.subarray(0, points);
  for (let at = 0; at < points; at++) {
    sensitivity[at] = 1 - sensitivity[at] / positives;
    specificity[at] /= negatives;
  }
  return axis === 'specificity'
    ? { along: specificity, other: sensitivity }
    : { along: sensitivity.reverse(), other: specificity.reverse() };
}

/** Straight between points; of several values there, the highest. */
export function rateAt({ along, other }: RocCurve, place: number): number {
  const next = lowerBound(along, place - ROUNDING);
  if (next === 0 || along[next] <= place + ROUNDING) return other[next];
  const share = (along[next] - place) / (along[next] - along[next - 1]);
  return other[next] + share * (other[next - 1] - other[next]);
}

export function areaBetween({ along, other }: RocCurve, from: number, to: number): number {
  let area = 0;
  for (let at = 1; at < along.length; at++) {
    const width = along[at] - along[at - 1];
    const [left, right] = [Math.max(from, along[at - 1]), Math.min(to, along[at])];
    if (right <= left) continue;
    const middle = (along[at] - (left + right) / 2) / width;
    area += (right - left) * (other[at] + middle * (other[at - 1] - other[at]));
  }
  return area;
}

export const resampledCurveOptions = {
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .default(2000)
    .describe('Resamples of the patients (rows) for the limits.'),
  randomState: seed().default(42).describe('Seed of the resamples.'),
  ...intervalOptions,
};

interface OfCurve extends Pick<Metric, 'range'> {
  /** Stratum of the rows that an estimate at a bound rests on. */
  readonly stratum: NonNullable<Metric['stratum']>;
  readonly value: (table: ScoredTable) => number;
}

/**
 * A value of the ROC curve with its percentile interval. Patients (else rows) are drawn with replacement within each
 * class, so that every resample has as many of either; patients with rows of both classes are a stratum of their own.
 * Where so few resamples differ that both percentiles are one, Wilson's interval for the effective units instead: no
 * interval is without width.
 * Source: Efron & Tibshirani 1993, chapter 13; stratified by class as in pROC, Robin et al. 2011, BMC Bioinformatics
 * 12:77; for patients as units, Field & Welsh 2007, JRSS B 69:369.
 */
export function byPercentiles(
  rows: ScoredRows,
  { range, stratum, value }: OfCurve,
  { nBootstrap, randomState }: { readonly nBootstrap: number; readonly randomState: RandomState },
): Value {
  const { table, units, level } = rows;
  const method = 'percentile_bootstrap';
  const area = score(rocAuc, table); // says which class is missing
  if (area.value === null) return withoutLimits(method, null, area.reason);
  const estimate = value(table);
  const reason = obstacleOf(rows, rocAuc, 2);
  if (reason !== undefined) return withoutLimits(method, estimate, reason);
  const values = new Float64Array(nBootstrap);
  const draw = drawing(rows, randomSource(randomState));
  for (let b = 0; b < nBootstrap; b++) values[b] = value(draw());
  const quantile = weightedQuantile(values, new Float64Array(nBootstrap).fill(1));
  const [lower, upper] = [quantile((1 - level) / 2), quantile((1 + level) / 2)];
  if (upper - lower >= 1e-12) return { method, estimate, lower, upper };
  const spread = { estimate, se: 0, df: 1 };
  return { method, estimate, ...limitsOf({ ...rows, metric: { range, stratum } }, [{ table, units }], spread) };
}

/** A table whose rows weigh as often as their units were drawn; the same arrays each time. */
function drawing({ table, units, nUnits }: ScoredRows, random: RandomSource): () => ScoredTable {
  const { weight: own, length } = table;
  const strata = unitStrata(table.yTrue, units);
  const members: number[][] = [];
  const counted = new Uint8Array(nUnits);
  for (let row = 0; row < length; row++) {
    if (counted[units[row]]) continue;
    counted[units[row]] = 1;
    members[strata[row]] ??= [];
    members[strata[row]].push(units[row]);
  }
  const weight = new Float64Array(length);
  return () => {
    const times = new Float64Array(nUnits);
    for (const each of members) {
      for (let i = 0; i < each.length; i++) times[each[randomInterval(random, each.length - 1)]]++;
    }
    weight.set(gather(times, units));
    if (own) for (let row = 0; row < length; row++) weight[row] *= own[row];
    return { ...table, weight };
  };
}
