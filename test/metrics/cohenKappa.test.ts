import { describe, expect, it } from 'vitest';
import { cohenKappa } from '../../src/metrics/cohenKappa.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('cohen_kappa', () => {
  it('is (po - pe) / (1 - pe) (hand calculation: po = .7, pe = .4 .5 + .6 .5)', () => {
    expect(cohenKappa.compute(table)).toBeCloseTo(0.2 / 0.5, 14);
  });

  it('of more classes adds their chances up (hand calculation: po = 4/6, pe = 12/36)', () => {
    const three = scoreTable({ yTrue: ['a', 'a', 'b', 'b', 'c', 'c'], yPred: ['a', 'b', 'b', 'b', 'c', 'a'] });
    expect(cohenKappa.compute(three)).toBeCloseTo(0.5, 14);
  });

  it('is undefined only where there is one class altogether; one class on one side is no agreement', () => {
    expect(cohenKappa.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 0] }))).toEqual({
      reason: 'truth and prediction are one class',
    });
    expect(cohenKappa.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toBe(0);
  });
});
