import { describe, expect, it } from 'vitest';
import { accuracy, mcc } from '../../../src/metrics/definitions/multiclass.js';
import { brier } from '../../../src/metrics/definitions/probability.js';
import { rocAuc } from '../../../src/metrics/definitions/ranking.js';
import { mse, rmse } from '../../../src/metrics/definitions/regression.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';
import type { CVResults } from '../../../src/runner/cvResults.js';
import { aboveChance, chanceOf } from '../../../src/stats/permutation/chance.js';
import reference from '../../reference/leakageInflation.json' with { type: 'json' };

const { chance } = reference;
const resultsOf = (tables: object[]) =>
  ({ folds: tables.map((table) => ({ status: 'completed', fold: { repeat: 0 }, table })) }) as unknown as CVResults;
const classes = resultsOf(
  chance.folds.map(({ y, pred, p }) =>
    scoreTable({
      yTrue: y,
      yPred: pred,
      yProba: p,
      task: 'binary',
      classes: [0, 1],
      positiveLabel: 1,
    }),
  ),
);
const numbers = resultsOf(
  chance.numbers.map(({ y, pred }) => scoreTable({ yTrue: y, yPred: pred, task: 'regression' })),
);

describe('chanceOf', () => {
  it('is the mean score over all orders of the labels within the folds, as scikit-learn scores them', () => {
    expect(chanceOf(accuracy, classes)).toBeCloseTo(chance.accuracy, 12);
    expect(chanceOf(brier, classes)).toBeCloseTo(chance.brier, 12);
    expect(chanceOf(rocAuc, classes)).toBeCloseTo(chance.roc_auc, 12);
    expect(chanceOf(mse, numbers)).toBeCloseTo(chance.mse, 12);
    expect(chanceOf(rmse, numbers)).toBeCloseTo(Math.sqrt(chance.mse), 12);
  });

  it('does not change when all weights are multiplied', () => {
    const weighted = (factor: number) =>
      resultsOf(
        classes.folds.map((fold) => ({
          ...('table' in fold ? fold.table : {}),
          weight: new Float64Array('table' in fold ? fold.table.length : 0).fill(factor),
        })),
      );
    expect(chanceOf(brier, weighted(5))).toBeCloseTo(chance.brier, 12);
  });
});

describe('aboveChance', () => {
  it('is 0 at chance, 1 when perfect, and below 0 when worse, whichever way is better', () => {
    // .75 lies half of the way from .5 to 1; a Brier score of .1 lies 60 % of the way from .25 to 0.
    expect(aboveChance(rocAuc, 0.75, 0.5)).toBeCloseTo(0.5, 12);
    expect(aboveChance(brier, 0.1, 0.25)).toBeCloseTo(0.6, 12);
    expect(aboveChance(mcc, -0.2, 0)).toBeCloseTo(-0.2, 12);
    expect(aboveChance(rocAuc, 1, 1)).toBe(0);
  });
});
