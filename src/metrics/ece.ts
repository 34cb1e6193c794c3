import type { Metric } from './metric.js';

const BINS = 10;

/**
 * Expected calibration error: the rows are put into ten bins of equal width by the probability of the positive class,
 * (0, .1], (.1, .2], ... with 0 in the first, and the distances between the mean probability and the share of positives
 * of the bins are averaged by weight. A secondary number: it depends on the bins, is above 0 for perfectly calibrated
 * predictions, the more so the fewer rows there are, and has no slope where a bin is right, so that its intervals are
 * resampled.
 *
 * Source: Naeini, Cooper & Hauskrecht 2015, AAAI 29:2901; bins as of Guo et al. 2017, ICML 34:1321.
 */
export const ece: Metric = {
  name: 'ece',
  aliases: ['expected_calibration_error'],
  description: 'Mean distance of probability and share of positives over ten bins of equal width (Naeini 2015).',
  direction: 'minimize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'pooled',
  weighted: true,
  dependsOnPrevalence: true,
  compute({ yTrue, yProba, weight, length, positive }) {
    const p = yProba as Float64Array;
    const gaps = new Float64Array(BINS);
    let total = 0;
    for (let row = 0; row < length; row++) {
      const w = weight ? weight[row] : 1;
      total += w;
      gaps[Math.max(0, Math.ceil(BINS * p[row]) - 1)] += w * (p[row] - (yTrue[row] === positive ? 1 : 0));
    }
    return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / total;
  },
};
