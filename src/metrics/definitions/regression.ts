import { type Metric, undefinedBecause } from '../metric.js';
import { overTargets } from '../overTargets.js';
import { ratioOfSums, weightedMean, weightedVariance } from '../ratioOfSums.js';
import type { ScoreTable } from '../scoreTable.js';

const ERROR = {
  direction: 'minimize',
  range: [0, Infinity],
  tasks: ['regression'],
  needs: 'labels',
  combine: 'pooled',
} as const;

const EXPLAINED = { ...ERROR, direction: 'maximize', range: [-Infinity, 1] } as const;

const squares = ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => (yTrue[row] - yPred[row]) ** 2 }));

export const mse: Metric = {
  ...ERROR,
  name: 'mse',
  description: 'Mean squared error.',
  decomposable: true,
  ...overTargets(squares),
};

export const rmse: Metric = {
  ...ERROR,
  name: 'rmse',
  description: 'Square root of the mean squared error.',
  ...overTargets({
    compute(table) {
      const value = squares.compute(table);
      return typeof value === 'number' ? Math.sqrt(value) : value;
    },
    // By the delta method. The square root has no slope at 0, where every error is 0.
    influence: (table, estimate) =>
      squares.influence(table, estimate ** 2).map((each) => (estimate === 0 ? 0 : each / (2 * estimate))),
  }),
};

export const mae: Metric = {
  ...ERROR,
  name: 'mae',
  description: 'Mean absolute error.',
  decomposable: true,
  ...overTargets(ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => Math.abs(yTrue[row] - yPred[row]) }))),
};

/** 1 - the mean square of the errors less `offsetOf` them, over the variance of `y`. Undefined when `y` is constant. */
const explained = (offsetOf: (table: ScoreTable) => number) =>
  overTargets({
    compute(table) {
      const { yTrue, yPred } = table;
      const variance = weightedVariance(table, (row) => yTrue[row]);
      if (variance === 0) return undefinedBecause('yTrue is constant');
      const offset = offsetOf(table);
      return 1 - weightedMean(table, (row) => (yTrue[row] - yPred[row] - offset) ** 2) / variance;
    },
    // The means need no term of their own: each minimizes its sum.
    influence(table, estimate) {
      const { yTrue, yPred } = table;
      const mean = weightedMean(table, (row) => yTrue[row]);
      const offset = offsetOf(table);
      return ratioOfSums(() => ({
        part: (row) => -((yTrue[row] - yPred[row] - offset) ** 2),
        whole: (row) => (yTrue[row] - mean) ** 2,
      })).influence(table, estimate - 1);
    },
  });

/** Where `y` is constant scikit-learn gives 0 or 1. */
export const r2: Metric = {
  ...EXPLAINED,
  ...explained(() => 0),
  name: 'r2',
  chance: () => 0,
  description: 'Coefficient of determination, 1 - MSE / variance of y.',
};

export const explainedVariance: Metric = {
  ...EXPLAINED,
  ...explained((table) => weightedMean(table, (row) => table.yTrue[row] - table.yPred[row])),
  name: 'explained_variance',
  chance: () => 0,
  description: '1 - variance of the residuals / variance of y.',
};

/**
 * Variances and covariance divided by n, as Lin defines them.
 * Source: Lin 1989, Biometrics 45:255; the influence by the delta method.
 */
export const concordanceCorrelation: Metric = {
  ...EXPLAINED,
  name: 'concordance_correlation',
  chance: () => 0,
  aliases: ['ccc'],
  description: 'Agreement with the line of identity, 2 cov / (var + var + squared difference of means) (Lin 1989).',
  range: [-1, 1],
  ...overTargets({
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
  }),
};

function concordanceTerms(table: ScoreTable) {
  const { yTrue, yPred } = table;
  const meanTrue = weightedMean(table, (row) => yTrue[row]);
  const meanPred = weightedMean(table, (row) => yPred[row]);
  const above = 2 * weightedMean(table, (row) => (yTrue[row] - meanTrue) * (yPred[row] - meanPred));
  const spread = weightedVariance(table, (row) => yTrue[row]) + weightedVariance(table, (row) => yPred[row]);
  return { meanTrue, meanPred, above, below: spread + (meanTrue - meanPred) ** 2 };
}
