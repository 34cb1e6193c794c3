import { describe, expect, it } from 'vitest';
import { netBenefitAtHalf } from '../../src/metrics/netBenefitAtHalf.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('net_benefit', () => {
  it('is (TP - FP) / n (hand calculation: 30 and 20 of 200)', () => {
    const yTrue = Array.from({ length: 200 }, (_, row) => (row < 40 ? 1 : 0));
    const yProba = yTrue.map((_, row) => (row < 30 || row >= 180 ? 0.7 : 0.2));
    expect(netBenefitAtHalf.compute(scoreTable({ yTrue, yProba }))).toBeCloseTo(0.05, 14);
  });

  it('treats from .5 on, whatever the labels', () => {
    const table = scoreTable({ yTrue: [1, 1], yProba: [0.5, 0.49], yPred: [0, 0] });
    expect(netBenefitAtHalf.compute(table)).toBe(0.5);
  });
});
