import { type Metric, undefinedBecause } from './metric.js';

/**
 * Area under the ROC curve: the probability that a positive row scores higher than a negative one, ties counting one
 * half. Exact with ties and weights (no trapezoids, no bins), O(n log n). Never turned round: a model that ranks the
 * wrong way scores below .5.
 *
 * Source: Hanley & McNeil 1982, Radiology 143:29; the Mann-Whitney form.
 */
export const rocAuc: Metric = {
  name: 'roc_auc',
  description:
    'Probability that a positive row scores above a negative one, ties counting half (Hanley & McNeil 1982).',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'mean',
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  compute({ yTrue, yProba, weight, length, positive }) {
    const scores = yProba as Float64Array;
    const order = ascendingOrder(scores);
    let below = 0; // weight of the negatives with a lower score
    let positives = 0;
    let concordant = 0;
    for (let at = 0; at < length; ) {
      const tie = scores[order[at]];
      let tiedPositive = 0;
      let tiedNegative = 0;
      for (; at < length && scores[order[at]] === tie; at++) {
        const row = order[at];
        const w = weight ? weight[row] : 1;
        if (yTrue[row] === positive) tiedPositive += w;
        else tiedNegative += w;
      }
      concordant += tiedPositive * (below + tiedNegative / 2);
      below += tiedNegative;
      positives += tiedPositive;
    }
    if (positives === 0) return undefinedBecause('no positive rows');
    if (below === 0) return undefinedBecause('no negative rows');
    return Math.min(1, concordant / (positives * below)); // fractional weights may round to just above 1
  },
};

/** Resampling asks for the same scores under other weights a thousand times: they are sorted once. */
const orders = new WeakMap<Float64Array, Int32Array>();

function ascendingOrder(scores: Float64Array): Int32Array {
  let order = orders.get(scores);
  if (!order) {
    order = Int32Array.from(scores, (_, row) => row).sort((a, b) => scores[a] - scores[b]);
    orders.set(scores, order);
  }
  return order;
}
