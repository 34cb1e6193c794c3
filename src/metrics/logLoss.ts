import type { Metric } from './metric.js';
import { ratioOfSums } from './ratioOfSums.js';

/**
 * Mean of -ln(probability given to the true class); multilabel: of each label, mean over labels, too. Probabilities are clipped to [eps, 1 - eps] with eps = 2^-52, as
 * scikit-learn's `log_loss` does for doubles, so that one impossible row costs 36.04 and not infinity.
 *
 * Source: Good 1952, Journal of the Royal Statistical Society B 14:107.
 */
export const logLoss: Metric = {
  name: 'log_loss',
  description: 'Mean negative log-probability of the true class, clipped at 2^-52 as in scikit-learn (Good 1952).',
  direction: 'minimize',
  range: [0, Number.POSITIVE_INFINITY],
  tasks: ['binary', 'multiclass', 'multilabel'],
  needs: 'probabilities',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
  ...ratioOfSums(({ task, yTrue, positive, classes, yProba: given }) => {
    const yProba = given as Float64Array;
    const width = classes.length;
    return {
      part: (row) => {
        const lossAt = (at: number, isTrue: boolean) => loss(isTrue ? yProba[at] : 1 - yProba[at]);
        if (task === 'binary') return lossAt(row, yTrue[row] === positive);
        if (task === 'multiclass') return lossAt(row * width + yTrue[row], true);
        let sum = 0;
        for (let at = row * width; at < (row + 1) * width; at++) sum += lossAt(at, yTrue[at] === 1);
        return sum / width;
      },
    };
  }),
};

const loss = (p: number) => -Math.log(Math.min(1 - Number.EPSILON, Math.max(Number.EPSILON, p)));
