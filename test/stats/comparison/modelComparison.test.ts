import { describe, expect, it } from 'vitest';
import { brier } from '../../../src/metrics/definitions/probability.js';
import { type DifferenceTest, NO_TEST } from '../../../src/stats/comparison/answers.js';
import { ModelComparison } from '../../../src/stats/comparison/modelComparison.js';

const none: DifferenceTest = {
  ...NO_TEST,
  method: 'corrected_t',
  estimand: 'procedure',
  unit: 'row',
  nUnits: 9,
  nFolds: 3,
  difference: null,
  level: 0.9,
  reason: 'only 9 rows, fewer than 10',
};
const comparison = new ModelComparison({
  metric: brier,
  foldFingerprint: 'abc',
  level: 0.9,
  rope: 0.01,
  correctedT: none,
  bayesianT: { ...none, rope: 0.01, left: null, within: null, right: null },
  signFlip: {
    ...none,
    estimand: 'predictions',
    statistic: 'difference',
    nPermutations: 99,
    nAtLeast: 0,
    pValue: 0.0001,
    difference: -0.02,
  },
  paired: { ...none, estimand: 'predictions', note: 'A note.' },
});

describe('ModelComparison', () => {
  it('prints what it has, and the reason once for what it has not', () => {
    expect(comparison.summary()).toMatchInlineSnapshot(`
      "Difference A - B in brier (smaller is better), 9 rows in 3 folds

        test                   about              difference [90 % interval]  p
        corrected resampled t  the procedures     —                           —
        row-level sign flip    these predictions  -0.020                      < .001
        paired                 these predictions  —                           —

        No probabilities of practical equivalence.
        No value (corrected resampled t, Bayesian correlated t, row-level sign flip,
          paired): only 9 rows, fewer than 10.
        A note.
        Tests about predictions hold these fitted models fixed; they say nothing
          about what training on other patients would give. After several comparisons,
          correct the p-values (adjustPValues)."
    `);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(comparison))).toMatchObject({
      metric: 'brier',
      direction: 'minimize',
      rope: 0.01,
    });
  });
});
