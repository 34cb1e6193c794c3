import { describe, expect, it } from 'vitest';
import { brier } from '../../../src/metrics/definitions/probability.js';
import { ModelComparison } from '../../../src/stats/compareModels.js';
import { type DifferenceTest, NO_TEST } from '../../../src/stats/comparison/answers.js';

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
  halfContrasts: { ...none, method: 'half_contrasts', reason: 'it needs models of halves' },
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
    expect(comparison.summary()).toMatch(/ row-level sign flip .* -0\.020 +< \.001\n/);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(comparison))).toMatchObject({
      metric: 'brier',
      direction: 'minimize',
      rope: 0.01,
    });
  });
});
