import { describe, expect, it } from 'vitest';
import { brier } from '../../src/metrics/brier.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('brier', () => {
  it('of two classes is the mean of (p - y)^2 (hand calculation: (.04 + .09) / 2)', () => {
    expect(brier.compute(scoreTable({ yTrue: [1, 0], yProba: [0.8, 0.3] }))).toBeCloseTo(0.065, 14);
  });

  it('of more classes is half the sum over classes (hand calculation: (.25 + .09 + .04) / 2)', () => {
    const table = scoreTable({ yTrue: ['a'], classes: ['a', 'b', 'c'], yProba: [[0.5, 0.3, 0.2]] });
    expect(brier.compute(table)).toBeCloseTo(0.19, 14);
  });

  it('of two classes is the same when they are coded as more', () => {
    const yTrue = [0, 1, 1];
    const binary = scoreTable({ yTrue, yProba: [0.2, 0.6, 0.9] });
    const multiclass = scoreTable({
      yTrue,
      yProba: [
        [0.8, 0.2],
        [0.4, 0.6],
        [0.1, 0.9],
      ],
      task: 'multiclass',
    });
    expect(brier.compute(multiclass)).toBeCloseTo(brier.compute(binary) as number, 14);
  });
});
