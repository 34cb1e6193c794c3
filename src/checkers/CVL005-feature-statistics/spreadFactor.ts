import { normalQuantile } from '../../core/normalQuantile.js';

/** Quantiles of a normal feature that stand for each side. */
const POINTS = 200;
const quantiles = Float64Array.from({ length: POINTS }, (_, at) => normalQuantile((at + 0.5) / POINTS));
/** Wider than this is as good as any width: ranks tell no more. */
const WIDEST = 100;

/**
 * How many times as wide a normal feature of the tested share of units is as that of the others, where the mean size of
 * its normal scores is larger by `difference`; below 1 for a negative one. Infinity where no width gives so much.
 *
 * Scores are those of the ranks over both sides together, so the calculation is that of a mixture of two normal
 * distributions of mean 0, by their quantiles.
 */
export function spreadFactor(difference: number, tested: number): number {
  const [lowest, highest] = [1 / WIDEST, WIDEST].map((factor) => meanSizeGap(factor, tested));
  if (difference >= highest) return Infinity;
  if (difference <= lowest) return 0;
  let [low, high] = [1 / WIDEST, WIDEST];
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (meanSizeGap(middle, tested) < difference) low = middle;
    else high = middle;
  }
  return Math.sqrt(low * high);
}

/** Mean |score| of the tested side less that of the other. Both sides ascend: the lower value comes next. */
function meanSizeGap(factor: number, tested: number): number {
  const weights = [(1 - tested) / POINTS, tested / POINTS];
  const [places, sums] = [
    [0, 0],
    [0, 0],
  ];
  let below = 0;
  for (let at = 0; at < 2 * POINTS; at++) {
    const [other, own] = places;
    const side = other === POINTS || (own < POINTS && quantiles[own] * factor <= quantiles[other]) ? 1 : 0;
    places[side]++;
    sums[side] += Math.abs(normalQuantile(below + weights[side] / 2)) / POINTS;
    below += weights[side];
  }
  return sums[1] - sums[0];
}
