import { describe, expect, it } from 'vitest';
import { hammingLoss } from '../../src/metrics/hammingLoss.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('hamming_loss', () => {
  it('is the share of wrong labels, rows weighed (hand calculation: (1 1/2 + 3 2/2) / 4)', () => {
    const yTrue = [
      [1, 0],
      [1, 1],
    ];
    const yPred = [
      [1, 1],
      [0, 0],
    ];
    expect(hammingLoss.compute(scoreTable({ yTrue, yPred, sampleWeight: [1, 3] }))).toBe(3.5 / 4);
  });
});
