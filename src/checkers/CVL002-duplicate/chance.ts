/** How likely chance makes a row as alike another: by the weights of its cells, and by how alike its other rows are. */
import type { CellWeights, Rarity } from './rarity.js';

/** The next rows are those from the fourth to the ninth: the first may be further copies. */
const [FIRST, LAST] = [4, 9];

/**
 * Large deviations of a sum of independent cells, of which each agrees with chance exp(-weight): at most exp(-result) of
 * rows are that alike (Chernoff 1952, Annals of Mathematical Statistics 23:493). Of all cells it is the sum of weights.
 */
export function surprise(weights: Float64Array, score: number): number {
  let total = 0;
  let expected = 0;
  for (const weight of weights) {
    total += weight;
    expected += weight * Math.exp(-weight);
  }
  if (score <= expected) return 0;
  if (score >= total * (1 - 1e-9)) return total;
  let [low, high] = [0, 1];
  const slope = (tilt: number) => {
    let sum = 0;
    for (const weight of weights) {
      const up = Math.exp(weight * (tilt - 1));
      sum += (weight * up) / (1 - Math.exp(-weight) + up);
    }
    return sum;
  };
  while (slope(high) < score && high < 64) high *= 2;
  for (let turn = 0; turn < 30; turn++) {
    const middle = (low + high) / 2;
    if (slope(middle) < score) low = middle;
    else high = middle;
  }
  let bound = low * score;
  for (const weight of weights) bound -= Math.log(1 - Math.exp(-weight) + Math.exp(weight * (low - 1)));
  return bound;
}

/**
 * The share of what weights promise that is there: 1 where the rows that are next most alike are no more alike than cells
 * make by chance, less where they are, since what they have in common (a trait, a floor) makes rows alike.
 *
 * @param others cells of rows of different contents, none of them a copy, as `keysOf` gives them
 * @param places which of these to look at
 */
export function credit(
  rarity: Rarity,
  weights: CellWeights,
  keys: Float64Array,
  others: Float64Array,
  places: Int32Array,
): number {
  const best = new Float64Array(LAST);
  for (const place of places) {
    const score = rarity.score(weights, keys, others, place);
    if (score <= best[LAST - 1]) continue;
    let at = LAST - 1;
    for (; at > 0 && best[at - 1] < score; at--) best[at] = best[at - 1];
    best[at] = score;
  }
  const last = Math.min(LAST, places.length);
  const first = Math.min(FIRST, last);
  if (first === 0) return 1;
  let [depth, score] = [0, 0];
  for (let at = first; at <= last; at++) {
    depth += Math.log(places.length / at);
    score += best[at - 1];
  }
  const count = last - first + 1;
  const promised = surprise(weights.given, score / count);
  return promised <= 0 ? 1 : Math.min(1, Math.max(depth / count, 1e-3) / promised);
}
