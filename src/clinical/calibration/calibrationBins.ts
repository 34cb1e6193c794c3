import { lowerBound } from '../../core/lowerBound.js';
import { weightedQuantile } from '../../core/quantiles.js';
import type { BinaryRows } from '../binaryRows.js';
import { inSmallestUnits } from './localRegression.js';

/** Rows of about the same probability: `from` < p <= `to`, the first bin with its lower end. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  /** Number of rows, whatever their weights. */
  readonly n: number;
  /** Weight of the rows with the outcome, and of those without. */
  readonly positives: number;
  readonly negatives: number;
  /** Mean probability; null in an empty bin. */
  readonly predicted: number | null;
  /** Share with the outcome; null in an empty bin. */
  readonly observed: number | null;
}

/** Bins of equal width over [0, 1], or with about equal numbers of rows. */
export function calibrationBins(
  { table, y }: BinaryRows,
  nBins: number,
  binning: 'uniform' | 'quantile' = 'uniform',
): CalibrationBin[] {
  const { yProba, weight } = table;
  const steps = Array.from({ length: nBins + 1 }, (_, i) => (i === nBins ? 1 : i * (1 / nBins)));
  const quantile = binning === 'quantile' ? weightedQuantile(yProba, inSmallestUnits(weight, y.length)) : undefined;
  const edges = quantile ? steps.map(quantile) : steps;
  const inner = edges.slice(1, -1);
  const bins = Array.from({ length: nBins }, () => ({ n: 0, positives: 0, negatives: 0, sum: 0 }));
  for (let row = 0; row < y.length; row++) {
    const bin = bins[lowerBound(inner, yProba[row])];
    const w = weight ? weight[row] : 1;
    bin.n++;
    bin.sum += w * yProba[row];
    if (y[row] === 1) bin.positives += w;
    else bin.negatives += w;
  }
  return bins.map(({ sum, ...bin }, i) => {
    const total = bin.positives + bin.negatives;
    const mean = (part: number) => (bin.n > 0 ? part / total : null);
    return { from: edges[i], to: edges[i + 1], ...bin, predicted: mean(sum), observed: mean(bin.positives) };
  });
}

/**
 * Expected calibration error: mean distance of predicted from observed over the bins, by weight. It changes with the
 * bins and grows as samples shrink; the integrated calibration index needs no bins.
 *
 * Source: Naeini, Cooper & Hauskrecht 2015, AAAI 29:2901; its bias, Roelofs et al. 2022, AISTATS.
 */
export function expectedCalibrationError(bins: readonly CalibrationBin[]): number {
  let [error, total] = [0, 0];
  for (const { positives, negatives, predicted, observed } of bins) {
    total += positives + negatives;
    if (predicted !== null && observed !== null) error += (positives + negatives) * Math.abs(predicted - observed);
  }
  return error / total;
}
