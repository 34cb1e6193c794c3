import { type Metric, undefinedBecause } from '../metric.js';
import { ratioOfSums, weightedMean, weightedVariance } from '../ratioOfSums.js';
import type { ScoreTable } from '../scoreTable.js';

const ERROR = {
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
} as const;

const EXPLAINED = { ...ERROR, direction: 'maximize', range: [Number.NEGATIVE_INFINITY, 1], weighted: true } as const;

/** Mean squared error, in the squared unit of `y`. */
export const mse: Metric = {
  ...ERROR,
  name: 'mse',
  description: 'Mean squared error.',
  decomposable: true,
  ...ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => (yTrue[row] - yPred[row]) ** 2 })),
};

/** Square root of the mean squared error, in the unit of `y`. */
export const rmse: Metric = {
  ...ERROR,
  name: 'rmse',
  description: 'Square root of the mean squared error.',
  weighted: true,
  compute(table) {
    const value = mse.compute(table);
    return typeof value === 'number' ? Math.sqrt(value) : value;
  },
  // By the delta method. The square root has no slope at 0, where every error is 0.
  influence: (table, estimate) =>
    (mse.influence as NonNullable<Metric['influence']>)(table, estimate ** 2).map((each) =>
      estimate === 0 ? 0 : each / (2 * estimate),
    ),
};

/** Mean absolute error, in the unit of `y`. */
export const mae: Metric = {
  ...ERROR,
  name: 'mae',
  description: 'Mean absolute error.',
  decomposable: true,
  ...ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => Math.abs(yTrue[row] - yPred[row]) })),
};

/**
 * Share of the variance of `y` that is explained: 1 - MSE / variance. Below 0 when the mean of `y` would do better;
 * undefined when `y` is constant, where scikit-learn gives 0 or 1.
 */
export const r2: Metric = {
  ...EXPLAINED,
  name: 'r2',
  chance: () => 0,
  description: 'Coefficient of determination, 1 - MSE / variance of y.',
  compute(table) {
    const { yTrue, yPred } = table;
    const variance = weightedVariance(table, (row) => yTrue[row]);
    if (variance === 0) return undefinedBecause('yTrue is constant');
    return 1 - weightedMean(table, (row) => (yTrue[row] - yPred[row]) ** 2) / variance;
  },
  influence: (table, estimate) => explainedInfluence(table, estimate, 0),
};

/**
 * As {@link r2}, but a constant offset costs nothing: 1 - variance of the residuals / variance of `y`. Undefined when
 * `y` is constant, where scikit-learn gives 0 or 1.
 */
export const explainedVariance: Metric = {
  ...EXPLAINED,
  name: 'explained_variance',
  chance: () => 0,
  description: '1 - variance of the residuals / variance of y.',
  compute(table) {
    const { yTrue, yPred } = table;
    const variance = weightedVariance(table, (row) => yTrue[row]);
    if (variance === 0) return undefinedBecause('yTrue is constant');
    return 1 - weightedVariance(table, (row) => yTrue[row] - yPred[row]) / variance;
  },
  influence: (table, estimate) =>
    explainedInfluence(
      table,
      estimate,
      weightedMean(table, (row) => table.yTrue[row] - table.yPred[row]),
    ),
};

/**
 * Influence on 1 - sum w (error - offset)^2 / sum w (y - mean)^2. The means need no term of their own: each minimizes
 * its sum.
 */
function explainedInfluence(table: ScoreTable, estimate: number, offset: number): Float64Array {
  const { yTrue, yPred } = table;
  const mean = weightedMean(table, (row) => yTrue[row]);
  return ratioOfSums(() => ({
    part: (row) => -((yTrue[row] - yPred[row] - offset) ** 2),
    whole: (row) => (yTrue[row] - mean) ** 2,
  })).influence(table, estimate - 1);
}

/**
 * Lin's concordance correlation coefficient, 2 cov / (var + var + (difference of the means)^2), with variances and
 * covariance divided by n, as Lin defines them: agreement of truth and prediction with the line of identity. Undefined
 * where truth and prediction are the same constant.
 *
 * Source: Lin 1989, Biometrics 45:255; the influence by the delta method.
 */
export const concordanceCorrelation: Metric = {
  ...EXPLAINED,
  name: 'concordance_correlation',
  chance: () => 0,
  aliases: ['ccc'],
  description: 'Agreement with the line of identity, 2 cov / (var + var + squared difference of means) (Lin 1989).',
  range: [-1, 1],
  compute(table) {
    const { above, below } = concordanceTerms(table);
    return below === 0 ? undefinedBecause('yTrue and yPred are the same constant') : above / below;
  },
  influence(table, estimate) {
    const { yTrue, yPred, weight, length } = table;
    const { meanTrue, meanPred, below } = concordanceTerms(table);
    const total = weight ? weight.reduce((sum, w) => sum + w, 0) : length;
    return Float64Array.from({ length }, (_, row) => {
      const w = weight ? weight[row] : 1;
      if (w === 0 || below === 0) return 0;
      const [u, v, gap] = [yTrue[row] - meanTrue, yPred[row] - meanPred, meanTrue - meanPred];
      return (w * (2 * u * v - estimate * (u * u + v * v + 2 * gap * (u - v) + gap * gap))) / (total * below);
    });
  },
};

/** Numerator and denominator of the coefficient, with the means that they contain. */
function concordanceTerms(table: ScoreTable) {
  const { yTrue, yPred } = table;
  const meanTrue = weightedMean(table, (row) => yTrue[row]);
  const meanPred = weightedMean(table, (row) => yPred[row]);
  const above = 2 * weightedMean(table, (row) => (yTrue[row] - meanTrue) * (yPred[row] - meanPred));
  const spread = weightedVariance(table, (row) => yTrue[row]) + weightedVariance(table, (row) => yPred[row]);
  return { meanTrue, meanPred, above, below: spread + (meanTrue - meanPred) ** 2 };
}
