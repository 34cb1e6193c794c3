import { describe, expect, it } from 'vitest';
import { scaledBrier } from '../../src/metrics/scaledBrier.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// Values and intervals are compared with riskRegression in calibrationCurve.test.ts.
describe('scaled_brier', () => {
  it('is 0 for the prevalence given to everyone, 1 for the truth, below 0 for worse', () => {
    const yTrue = [1, 1, 0, 0, 0, 0, 0, 0];
    const value = (yProba: number[]) => scaledBrier.compute(scoreTable({ yTrue, yProba }));
    expect(value(yTrue.map(() => 0.25))).toBe(0);
    expect(value(yTrue)).toBe(1);
    expect(value(yTrue.map((y) => 1 - y))).toBeCloseTo(1 - 1 / (0.25 * 0.75), 12);
  });

  it('is undefined with one class alone', () => {
    expect(scaledBrier.compute(scoreTable({ yTrue: [0, 0], yProba: [0.1, 0.9] }))).toEqual({
      reason: 'no positive rows',
    });
    expect(scaledBrier.compute(scoreTable({ yTrue: [1, 1], yProba: [0.1, 0.9] }))).toEqual({
      reason: 'no negative rows',
    });
  });
});
