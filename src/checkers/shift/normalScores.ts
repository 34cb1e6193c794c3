import { normalQuantile } from '../../core/normalQuantile.js';
import { columnRanks } from '../features/columnRanks.js';

/**
 * Gives normal quantiles of (mid-rank - 3/8) / (m + 1/4) for the m rows with a value; NaN where it is missing. Ties stay
 * ties, and how far out a value lies does not matter: its rank alone counts.
 *
 * Source: Blom 1958, Statistical Estimates and Transformed Beta-Variables; van der Waerden 1952 for tests on them.
 */
export function normalScores(): (values: Float64Array) => Float64Array {
  // Columns of one table mostly have equally many values.
  let scores = new Float64Array();
  return (values) => {
    const { order, ranks } = columnRanks({ values });
    const m = order.length;
    // At twice the rank, as ranks may be halves.
    if (scores.length !== 2 * m + 1) {
      scores = Float64Array.from({ length: 2 * m + 1 }, (_, twice) => normalQuantile((twice / 2 - 0.375) / (m + 0.25)));
    }
    // Of a missing value the rank, and so the score, is NaN.
    return ranks.map((rank) => scores[2 * rank]);
  };
}
