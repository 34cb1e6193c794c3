import { power } from '../../core/numbers.js';
import { normalTail } from '../../intervals/normalTail.js';
import { ascendingOrder } from '../../metrics/rocPlacements.js';

/** Most differences whose distribution is exact, and most of them where some are equal or 0. */
const [MOST, MOST_TIED] = [50, 13];

/**
 * One-sided p-value of the signed-rank test: how often the ranks of the positive differences would add up to at least this
 * much, if each difference were positive or negative by the toss of a coin. Differences of 0 are ranked, and half of their
 * ranks counts on either side.
 *
 * Exact up to 50 differences, up to 13 where some are equal in size or 0; else the normal approximation for ties without
 * correction for continuity. So does scipy 1.17, `wilcoxon(d, zero_method='zsplit', alternative='greater')`, to 1e-10.
 *
 * Source: Wilcoxon 1945, Biometrics Bulletin 1:80; ranks of zeros, Pratt 1959, JASA 54:655; the exact distribution with ties,
 * Streitberg & Röhmel 1986, Statistical Software Newsletter 12:10.
 *
 * @param differences at least one, all finite
 */
export function signedRank(differences: Float64Array): number {
  const n = differences.length;
  const sizes = differences.map(Math.abs);
  const order = ascendingOrder(sizes);
  // Ranks are doubled, so that those of ties are whole.
  const ranks = new Float64Array(n);
  let [positive, zero, ties] = [0, 0, 0];
  for (let from = 0; from < n; ) {
    let to = from + 1;
    while (to < n && sizes[order[to]] === sizes[order[from]]) to++;
    for (let at = from; at < to; at++) {
      const place = order[at];
      if (differences[place] === 0) zero += from + 1 + to;
      else ranks[place] = from + 1 + to;
      if (differences[place] > 0) positive += from + 1 + to;
    }
    ties += power(to - from, 3) - (to - from);
    from = to;
  }
  if (n <= (ties > 0 || zero > 0 ? MOST_TIED : MOST)) return exactTail(ranks.filter(Boolean), positive);
  const sum = (positive + zero / 2) / 2;
  const variance = (n * (n + 1) * (2 * n + 1) - ties / 2) / 24;
  return normalTail((sum - (n * (n + 1)) / 4) / Math.sqrt(variance));
}

/** Share of all choices of these whole numbers that add up to at least `least`. */
function exactTail(numbers: Float64Array, least: number): number {
  // Counts stay below 2^50, where every whole number is exact.
  const ways = new Float64Array(1 + numbers.reduce((total, each) => total + each, 0));
  ways[0] = 1;
  for (const number of numbers) {
    for (let total = ways.length - 1; total >= number; total--) ways[total] += ways[total - number];
  }
  return ways.subarray(least).reduce((total, each) => total + each, 0) / 2 ** numbers.length;
}
