import { normalQuantile } from '../../core/normalQuantile.js';
import { columnRanks } from '../features/columnRanks.js';

/**
 * Normal quantiles of (mid-rank - 3/8) / (m + 1/4) for the m rows with a value; NaN where it is missing. Ties stay ties,
 * and how far out a value lies does not matter: its rank alone counts.
 *
 * Source: Blom 1958, Statistical Estimates and Transformed Beta-Variables; van der Waerden 1952 for tests on them.
 */
export function normalScores(values: Float64Array): Float64Array {
  const { order, ranks } = columnRanks({ values });
  const table = scoresOf(order.length);
  // Of a missing value the rank, and so the score, is NaN.
  return ranks.map((rank) => table[2 * rank]);
}

/** Columns of one table mostly have equally many values. */
let last = new Float64Array(0);

/** Score of every mid-rank of m values, at twice the rank. */
function scoresOf(m: number): Float64Array {
  if (last.length !== 2 * m + 1) {
    last = new Float64Array(2 * m + 1);
    // The score of rank r is minus that of rank m + 1 - r.
    for (let twice = 2; twice <= m + 1; twice++) {
      const score = normalQuantile((twice / 2 - 0.375) / (m + 0.25));
      last[2 * m + 2 - twice] = -score;
      last[twice] = score;
    }
  }
  return last;
}
