import { encode } from '../../core/encode.js';
import type { Metric } from '../metric.js';
import type { ScoreTable } from '../scoreTable.js';

/**
 * How many equally weighted units are worth as much as the unequal ones behind a metric: Kish's (sum w)^2 / sum w^2
 * over the units' total weights, in the smallest stratum that the metric rests on. Ten positive patients among a
 * hundred are ten for sensitivity. Multiplying all weights by a constant changes nothing.
 *
 * Source: Kish 1965, Survey Sampling, section 11.7.
 *
 * @param units code of each row's unit
 */
export function effectiveUnits(metric: Pick<Metric, 'stratum'>, table: ScoreTable, units: ArrayLike<number>): number {
  const { codes, classes } = encode(units);
  const strata = new Map<number, Float64Array>();
  for (let row = 0; row < table.length; row++) {
    const weight = table.weight ? table.weight[row] : 1;
    const stratum = metric.stratum ? metric.stratum(table, row) : 0;
    if (stratum < 0 || weight === 0) continue;
    if (!strata.has(stratum)) strata.set(stratum, new Float64Array(classes.length));
    (strata.get(stratum) as Float64Array)[codes[row]] += weight;
  }
  return Math.min(...Array.from(strata.values(), kish));
}

function kish(weights: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (const weight of weights) {
    sum += weight;
    squares += weight * weight;
  }
  return sum ** 2 / squares;
}
