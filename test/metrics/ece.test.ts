import { describe, expect, it } from 'vitest';
import { ece } from '../../src/metrics/ece.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('ece', () => {
  it('averages the distances of the bins by weight (hand calculation: (|.27 - 1| + |.95 - 1|) / 3)', () => {
    const table = scoreTable({ yTrue: [0, 1, 1], yProba: [0.15, 0.12, 0.95] });
    expect(ece.compute(table)).toBeCloseTo(0.78 / 3, 14);
  });

  it('closes every bin on the right, and the first on the left too', () => {
    for (let k = 1; k <= 10; k++) {
      const table = scoreTable({ yTrue: [0, 1], yProba: [k / 10, k / 10 - 0.05] });
      expect(ece.compute(table)).toBeCloseTo(Math.abs(k / 10 + (k / 10 - 0.05 - 1)) / 2, 14);
    }
    expect(ece.compute(scoreTable({ yTrue: [0, 1], yProba: [0, 0.1] }))).toBeCloseTo(0.9 / 2, 14);
  });
});
