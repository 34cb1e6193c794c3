import { describe, expect, it } from 'vitest';
import { averagePrecision } from '../../src/metrics/averagePrecision.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('average_precision', () => {
  it('is the mean of the precisions at the positive rows (hand calculation: (1/1 + 2/3) / 2)', () => {
    const table = scoreTable({ yTrue: [1, 0, 1, 0], yProba: [0.9, 0.8, 0.7, 0.6] });
    expect(averagePrecision.compute(table)).toBeCloseTo(5 / 6, 14);
  });

  it('puts rows of equal score at one threshold (hand calculation: (1/2 + 2/3) / 2)', () => {
    const table = scoreTable({ yTrue: [0, 1, 1], yProba: [0.5, 0.5, 0.4] });
    expect(averagePrecision.compute(table)).toBeCloseTo(7 / 12, 14);
  });

  it('of scores that are all equal is the prevalence', () => {
    expect(averagePrecision.compute(scoreTable({ yTrue: [0, 1, 0, 0], yProba: [0.5, 0.5, 0.5, 0.5] }))).toBe(0.25);
  });

  it('is undefined with one class alone, where there is nothing to rank', () => {
    const yProba = [0.1, 0.9];
    const reasonOf = (yTrue: number[]) => averagePrecision.compute(scoreTable({ yTrue, yProba }));
    expect(reasonOf([0, 0])).toEqual({ reason: 'no positive rows' });
    expect(reasonOf([1, 1])).toEqual({ reason: 'no negative rows' });
  });
});
