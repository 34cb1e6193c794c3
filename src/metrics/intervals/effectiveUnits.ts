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
export function effectiveUnits(metric: Metric, table: ScoreTable, units: ArrayLike<number>): number {
  const strata = new Map<number, Map<number, number>>();
  for (let row = 0; row < table.length; row++) {
    const weight = table.weight ? table.weight[row] : 1;
    const stratum = metric.stratum ? metric.stratum(table, row) : 0;
    if (stratum < 0 || weight === 0) continue;
    const totals = strata.get(stratum) ?? new Map<number, number>();
    strata.set(stratum, totals.set(units[row], (totals.get(units[row]) ?? 0) + weight));
  }
  return Math.min(...Array.from(strata.values(), (totals) => kish([...totals.values()])));
}

function kish(weights: readonly number[]): number {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return sum ** 2 / weights.reduce((total, weight) => total + weight ** 2, 0);
}
