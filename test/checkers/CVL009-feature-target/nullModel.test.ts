import { describe, expect, it } from 'vitest';
import {
  beyondNoise,
  beyondPredictor,
  leastError,
  unitsNeeded,
} from '../../../src/checkers/CVL009-feature-target/nullModel.js';
import reference from '../../reference/featureTarget.json' with { type: 'json' };

describe('leastError', () => {
  it.each(reference.leastError)('is that of two normal classes with AUC .98 at a share of $share', (row) => {
    expect(leastError(row.share)).toBeCloseTo(row.error, 10);
  });
});

describe('beyondPredictor', () => {
  it.each(reference.guard)('asks for a binomial tail below .001: $units units, $errors errors', (row) => {
    expect(beyondPredictor(row.units, row.share, row.errors, row.thresholds)).toBe(row.p < 0.001);
    expect(reference.guard.some(({ p }) => p < 0.001)).toBe(true);
  });

  it.each(reference.unitsNeeded)('holds from as many units on as scipy says at $share', ({ share, units }) => {
    expect(unitsNeeded(share)).toBe(units);
  });
});

describe('beyondNoise', () => {
  // Two ways (either direction) of C(n, n / 2): 2 / 924 at n = 12, 2 / 3432 at 14; Stirling is 2 % too many at 14.
  it('asks for more ways to deal the labels than looks allow', () => {
    expect(beyondNoise(12, 0.5, 0, 1)).toBe(false);
    expect(beyondNoise(14, 0.5, 0, 1)).toBe(true);
    expect(beyondNoise(14, 0.5, 0, 10)).toBe(false);
    // C(20, 10) = 184,756: 40 / 184,756 = 2e-4 for 20 looks; one error gives each of 20 rows a turn.
    expect(beyondNoise(20, 0.5, 0, 20)).toBe(true);
    expect(beyondNoise(20, 0.5, 1, 20)).toBe(false);
  });
});
