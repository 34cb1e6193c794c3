import { type Metric, undefinedBecause } from './metric.js';
import { ascendingOrder, concordance } from './placements.js';
import type { ScoreTable } from './scoreTable.js';

/**
 * Average precision: mean over the positive rows of the precision at the threshold that just finds them, a step-wise area
 * under the precision-recall curve. Rows of equal score share one threshold. Undefined with one class alone, where
 * scikit-learn gives 0 or 1 whatever the model.
 *
 * Source: Buckley & Voorhees 2000, SIGIR 33; the step-wise form, Boyd, Eng & Page 2013, ECML PKDD 451. The influence is
 * its derivative in the weight of a row.
 */
export const averagePrecision: Metric = {
  name: 'average_precision',
  description: 'Mean over the positive rows of the precision at their score (Buckley & Voorhees 2000).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'mean',
  weighted: true,
  dependsOnPrevalence: true,
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  compute: (table) => precisions(table).value,
  influence(table, estimate) {
    const { yTrue, weight, positive, length } = table;
    const { at, shares, losses, positives } = precisions(table);
    return Float64Array.from({ length }, (_, row) => {
      const w = weight ? weight[row] : 1;
      const own = yTrue[row] === positive ? at[row] - estimate + shares[row] : 0;
      return w === 0 || !(positives > 0) ? 0 : (w * (own - losses[row])) / positives;
    });
  },
};

/**
 * The value, and for each row `at`, the precision at its score. `shares` and `losses` are sums over the positive rows
 * that score no higher: what one more positive row, and one more row of any class, there adds to and takes from their
 * precisions.
 */
function precisions(table: ScoreTable) {
  const ranked = { ...table, scores: table.yProba as Float64Array };
  const { positives, negatives } = concordance(ranked);
  const [at, shares, losses] = [0, 0, 0].map(() => new Float64Array(table.length));
  let [sum, share, loss] = [0, 0, 0];
  const order = ascendingOrder(ranked.scores);
  concordance(ranked, (from, to, belowPositive, belowNegative, tied) => {
    const found = positives - belowPositive;
    const said = found + negatives - belowNegative;
    const precision = said > 0 ? found / said : 0;
    if (tied > 0) {
      sum += tied * precision;
      share += tied / said;
      loss += (tied * precision) / said;
    }
    for (const row of order.subarray(from, to)) {
      at[row] = precision;
      shares[row] = share;
      losses[row] = loss;
    }
  });
  const one = positives > 0 ? negatives : positives;
  const value =
    one > 0 ? Math.min(1, sum / positives) : undefinedBecause(`no ${positives > 0 ? 'negative' : 'positive'} rows`);
  return { value, at, shares, losses, positives };
}
