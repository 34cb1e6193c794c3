import { rocAuc } from '../metrics/definitions/ranking.js';
import { type Metric, undefinedBecause } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { IntervalInput } from './interval.js';

/**
 * The area under the ROC curve where every two rows are left out in turn: the share of the pairs of a positive and a
 * negative row that the model trained without both ranks rightly, ties counting half. Scores of different models are
 * never compared, and on noise it is one half, where leave-one-out, pooled, is less. A pair weighs the product of its
 * weights; two rows of one class do not count. Undefined for other metrics and other folds.
 *
 * A row's influence is the mean over its pairs less the estimate, over the weight of its class: the variance is that of
 * DeLong with these pairs in the place of compared scores.
 *
 * Source: Airola et al. 2011, Computational Statistics & Data Analysis 55:1828.
 */
export function leavePairOut({
  metric,
  folds,
  design,
}: Pick<IntervalInput, 'metric' | 'folds' | 'design'>):
  | { metric: Metric; folds: IntervalInput['folds']; note: string }
  | undefined {
  const pairs = folds.filter(({ units }) => units.length === 2);
  const inPairs = pairs.length > 0 && folds.every(({ units }) => units.length <= 2);
  if (metric.name !== rocAuc.name || !design?.exhaustive || design.partition || !inPairs) return undefined;
  return {
    folds: pairs, // a fold that lost its row of weight 0 has no pair
    metric: { ...metric, combine: 'pooled', compute: areaOfPairs, influence: influenceOfPairs },
    note: 'Leave-pair-out: the share of pairs of a positive and a negative row that the model trained without both ranks rightly (Airola et al. 2011).',
  };
}

/** Calls `found` for the two rows of each fold that differ in class; the folds follow one another in the table. */
function eachPair(table: ScoreTable, found: (first: number, weight: number, right: number) => void): void {
  const { yTrue, weight, length, positive } = table;
  const yProba = table.yProba as Float64Array;
  for (let first = 0; first < length; first += 2) {
    const second = first + 1;
    const w = weight ? weight[first] * weight[second] : 1;
    if (yTrue[first] === yTrue[second] || w === 0) continue;
    const ahead = Math.sign(yProba[first] - yProba[second]) * (yTrue[first] === positive ? 1 : -1);
    found(first, w, (1 + ahead) / 2);
  }
}

function areaOfPairs(table: ScoreTable): ReturnType<Metric['compute']> {
  let [sum, total] = [0, 0];
  eachPair(table, (_, weight, right) => {
    sum += weight * right;
    total += weight;
  });
  return total > 0 ? sum / total : undefinedBecause('no pair of a positive and a negative row');
}

function influenceOfPairs(table: ScoreTable, estimate: number): Float64Array {
  const out = new Float64Array(table.length);
  let total = 0;
  eachPair(table, (first, weight, right) => {
    out[first] = weight * (right - estimate);
    out[first + 1] = out[first];
    total += weight;
  });
  return out.map((each) => each / total);
}
