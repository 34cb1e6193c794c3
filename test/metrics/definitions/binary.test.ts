import { describe, expect, it } from 'vitest';
import { netBenefitAtHalf } from '../../../src/metrics/definitions/binary.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });
const [noPositive, noNegative, noCall] = [
  { yTrue: [0, 0], yPred: [0, 1] },
  { yTrue: [1, 1], yPred: [0, 1] },
  { yTrue: [0, 1], yPred: [0, 0] },
];

describe.each([
  ['sensitivity', 'TP / (TP + FN) = 3/4', 3 / 4, noPositive, 'no positive rows'],
  ['recall', 'sensitivity, 3/4', 3 / 4, noPositive, 'no positive rows'],
  ['specificity', 'TN / (TN + FP) = 4/6', 4 / 6, noNegative, 'no negative rows'],
  ['precision', 'TP / (TP + FP) = 3/5', 3 / 5, noCall, 'no row is predicted positive'],
  ['ppv', 'precision, 3/5', 3 / 5, noCall, 'no row is predicted positive'],
  ['npv', 'TN / (TN + FN) = 4/5', 4 / 5, { yTrue: [0, 1], yPred: [1, 1] }, 'no row is predicted negative'],
  [
    'f1',
    '2 TP / (2 TP + FP + FN) = 6/9',
    6 / 9,
    { yTrue: [0], yPred: [0] },
    'no row is positive or predicted positive',
  ],
] as const)('%s', (name, formula, value, without, reason) => {
  it(`is ${formula} (hand calculation)`, () => {
    expect(metricRegistry.get(name).compute(table)).toBeCloseTo(value, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(metricRegistry.get(name).compute(scoreTable({ ...without, task: 'binary', classes: [0, 1] }))).toEqual({
      reason,
    });
  });
});

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
