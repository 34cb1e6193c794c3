import { describe, expect, it } from 'vitest';
import { concordanceCorrelation } from '../../src/metrics/concordanceCorrelation.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const agreement = (yTrue: number[], yPred: number[]) =>
  concordanceCorrelation.compute(scoreTable({ yTrue, yPred, task: 'regression' }));

describe('concordance_correlation', () => {
  it('is 2 cov / (var + var + difference^2) (hand calculation: (4/3) / (4/3 + 1))', () => {
    expect(agreement([1, 2, 3], [2, 3, 4])).toBeCloseTo(4 / 7, 14);
  });

  it('of the reverse order is -1', () => {
    expect(agreement([1, 2, 3], [3, 2, 1])).toBeCloseTo(-1, 14);
  });

  it('is 0 for one constant, undefined for twice the same', () => {
    expect(agreement([1, 2, 3], [2, 2, 2])).toBe(0);
    expect(agreement([0.1, 0.1, 0.1], [0.1, 0.1, 0.1])).toEqual({
      reason: 'yTrue and yPred are the same constant',
    });
  });
});
