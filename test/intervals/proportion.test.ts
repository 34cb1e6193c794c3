import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { clopperPearsonOfFolds, wilsonOfFolds } from '../../src/intervals/proportionOfFolds.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

/** Two folds of five rows; `wrong` rows of the first are predicted wrong. */
function inputOf(name: string, wrong: number, units = (row: number) => row) {
  const metric = metricRegistry.get(name);
  const folds = [0, 1].map((fold) => {
    const yTrue = [1, 1, 1, 1, 1];
    const yPred = yTrue.map((_, row) => (fold === 0 && row < wrong ? 0 : 1));
    const table = scoreTable({ yTrue, yPred, yProba: yPred.map((p) => 0.2 + 0.6 * p), classes: [0, 1] });
    return {
      table,
      units: Int32Array.from(yTrue, (_, row) => units(5 * fold + row)),
      nTrain: 5,
      repeat: 0,
      score: score(metric, table),
    };
  });
  return { metric, folds, level: 0.95, unit: 'row', nBootstrap: 100, random: randomSource(1) };
}

const METHODS = { wilson: wilsonOfFolds, clopper_pearson: clopperPearsonOfFolds };

describe('binomial intervals', () => {
  // Wilson and Clopper-Pearson of 9/10 and 10/10: Newcombe 1998, and R's binom.test(9, 10).
  it.each([
    ['wilson', 1, 0.595849973, 0.98212377],
    ['wilson', 0, 0.7224672001, 1],
    ['clopper_pearson', 1, 0.5549839171, 0.9974714],
    ['clopper_pearson', 0, 0.6915028921, 1],
  ] as const)('%s with %i of 10 wrong', (how, wrong, lower, upper) => {
    for (const name of ['accuracy', 'sensitivity']) {
      const found = METHODS[how](inputOf(name, wrong));
      expect(found).toMatchObject({ method: how, estimand: 'predictions', nUnits: 10 });
      expect(found.lower).toBeCloseTo(lower, 6);
      expect(found.upper).toBeCloseTo(upper, 6);
    }
  });

  it('takes the form for clusters when patients have several rows, and names it', () => {
    const input = inputOf('accuracy', 1, (row) => Math.floor(row / 2));
    expect(wilsonOfFolds({ ...input, unit: 'patient' })).toMatchObject({
      nUnits: 5,
      lower: null,
      reason: 'only 5 patients, fewer than 10',
    });
    const folds = [...input.folds, ...inputOf('accuracy', 2, (row) => 10 + Math.floor(row / 2)).folds];
    const many = folds.map((fold, at) => ({
      ...fold,
      units: fold.units.map((unit) => unit + 20 * Math.floor(at / 2)),
    }));
    expect(wilsonOfFolds({ ...input, folds: many, unit: 'patient' }).method).toBe('ratio_estimator');
  });

  it('has null limits and the reason for what is no share of rows', () => {
    expect(wilsonOfFolds(inputOf('brier', 1))).toMatchObject({
      lower: null,
      reason: 'wilson is for shares of rows, which brier is not',
    });
  });
});
