import { type Metric, undefinedBecause } from './metric.js';
import type { ScoreTable } from './scoreTable.js';
import { weightedMean, weightedVariance } from './weightedMean.js';

/**
 * Lin's concordance correlation coefficient, 2 cov / (var + var + (difference of the means)^2), with variances and
 * covariance divided by n, as Lin has them: agreement of truth and prediction with the line of identity. Undefined where
 * both are one and the same number throughout.
 *
 * Source: Lin 1989, Biometrics 45:255; the influence by the delta method.
 */
export const concordanceCorrelation: Metric = {
  name: 'concordance_correlation',
  aliases: ['ccc'],
  description: 'Agreement with the line of identity, 2 cov / (var + var + squared difference of means) (Lin 1989).',
  direction: 'maximize',
  range: [-1, 1],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
  weighted: true,
  compute(table) {
    const { above, below } = moments(table);
    return below === 0 ? undefinedBecause('yTrue and yPred are the same constant') : above / below;
  },
  influence(table, estimate) {
    const { yTrue, yPred, weight, length } = table;
    const { meanTrue, meanPred, below } = moments(table);
    const total = weight ? weight.reduce((sum, w) => sum + w, 0) : length;
    return Float64Array.from({ length }, (_, row) => {
      const w = weight ? weight[row] : 1;
      if (w === 0 || below === 0) return 0;
      const [u, v, gap] = [yTrue[row] - meanTrue, yPred[row] - meanPred, meanTrue - meanPred];
      return (w * (2 * u * v - estimate * (u * u + v * v + 2 * gap * (u - v) + gap * gap))) / (total * below);
    });
  },
};

function moments(table: ScoreTable) {
  const { yTrue, yPred } = table;
  const meanTrue = weightedMean(table, (row) => yTrue[row]);
  const meanPred = weightedMean(table, (row) => yPred[row]);
  const above = 2 * weightedMean(table, (row) => (yTrue[row] - meanTrue) * (yPred[row] - meanPred));
  const spread = weightedVariance(table, (row) => yTrue[row]) + weightedVariance(table, (row) => yPred[row]);
  return { meanTrue, meanPred, above, below: spread + (meanTrue - meanPred) ** 2 };
}
