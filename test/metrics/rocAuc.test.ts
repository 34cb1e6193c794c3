import { describe, expect, it } from 'vitest';
import { rocAuc } from '../../src/metrics/rocAuc.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('roc_auc', () => {
  it('counts pairs, ties one half (hand calculation: 3.5 of 4)', () => {
    const table = scoreTable({ yTrue: [1, 1, 0, 0], yProba: [0.9, 0.4, 0.4, 0.1] });
    expect(rocAuc.compute(table)).toBe(0.875);
  });

  it('weighs pairs (hand calculation: (2 * 4 + 1.5 + 1) / (3 * 4))', () => {
    const table = scoreTable({ yTrue: [1, 1, 0, 0], yProba: [0.9, 0.4, 0.4, 0.1], sampleWeight: [2, 1, 3, 1] });
    expect(rocAuc.compute(table)).toBeCloseTo(10.5 / 12, 14);
  });

  it('of a ranking that is wrong throughout is 0, not turned round', () => {
    expect(rocAuc.compute(scoreTable({ yTrue: [1, 0], yProba: [0.1, 0.9] }))).toBe(0);
  });

  it('is undefined with one class alone', () => {
    const yProba = [0.1, 0.9];
    expect(rocAuc.compute(scoreTable({ yTrue: [0, 0], yProba }))).toEqual({ reason: 'no positive rows' });
    expect(rocAuc.compute(scoreTable({ yTrue: [1, 1], yProba }))).toEqual({ reason: 'no negative rows' });
  });

  it('reads the same scores under other weights and other truths', () => {
    const table = scoreTable({ yTrue: [1, 0, 1, 0], yProba: [0.4, 0.3, 0.2, 0.1] });
    expect(rocAuc.compute(table)).toBe(0.75);
    expect(rocAuc.compute({ ...table, weight: Float64Array.of(1, 1, 0, 1) })).toBe(1);
    expect(rocAuc.compute({ ...table, yTrue: [0, 1, 0, 1] })).toBe(0.25);
  });
});
