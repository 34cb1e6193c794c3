import { describe, expect, it } from 'vitest';
import { f1Samples } from '../../src/metrics/f1Samples.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('f1_samples', () => {
  it('is the mean over rows of 2 |A and B| / (|A| + |B|), 1 for a row without labels (hand calculation)', () => {
    const yTrue = [
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const yPred = [
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    expect(f1Samples.compute(scoreTable({ yTrue, yPred }))).toBeCloseTo((2 / 3 + 2 / 3 + 1) / 3, 14);
  });
});
