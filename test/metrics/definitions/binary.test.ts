import { describe, expect, it } from 'vitest';
import {
  f1,
  netBenefitAtHalf,
  npv,
  ppv,
  precision,
  recall,
  sensitivity,
  specificity,
} from '../../../src/metrics/definitions/binary.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });

describe('sensitivity', () => {
  it('is TP / (TP + FN) = 3/4 (hand calculation)', () => {
    expect(sensitivity.compute(table)).toBeCloseTo(3 / 4, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(sensitivity.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({ reason: 'no positive rows' });
  });
});

describe('recall', () => {
  it('is sensitivity, 3/4 (hand calculation)', () => {
    expect(recall.compute(table)).toBeCloseTo(3 / 4, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(recall.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({ reason: 'no positive rows' });
  });
});

describe('specificity', () => {
  it('is TN / (TN + FP) = 4/6 (hand calculation)', () => {
    expect(specificity.compute(table)).toBeCloseTo(4 / 6, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(specificity.compute(scoreTable({ yTrue: [1, 1], yPred: [0, 1] }))).toEqual({ reason: 'no negative rows' });
  });
});

describe('precision', () => {
  it('is TP / (TP + FP) = 3/5 (hand calculation)', () => {
    expect(precision.compute(table)).toBeCloseTo(3 / 5, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(precision.compute(scoreTable({ yTrue: [0, 1], yPred: [0, 0] }))).toEqual({
      reason: 'no row is predicted positive',
    });
  });
});

describe('ppv', () => {
  it('is precision, 3/5 (hand calculation)', () => {
    expect(ppv.compute(table)).toBeCloseTo(3 / 5, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(ppv.compute(scoreTable({ yTrue: [0, 1], yPred: [0, 0] }))).toEqual({
      reason: 'no row is predicted positive',
    });
  });
});

describe('npv', () => {
  it('is TN / (TN + FN) = 4/5 (hand calculation)', () => {
    expect(npv.compute(table)).toBeCloseTo(4 / 5, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(npv.compute(scoreTable({ yTrue: [0, 1], yPred: [1, 1] }))).toEqual({
      reason: 'no row is predicted negative',
    });
  });
});

describe('f1', () => {
  it('is 2 TP / (2 TP + FP + FN) = 6/9 (hand calculation)', () => {
    expect(f1.compute(table)).toBeCloseTo(6 / 9, 14);
  });

  it('is undefined, never 0, without anything to divide by', () => {
    expect(f1.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 0] }))).toEqual({
      reason: 'no row is positive or predicted positive',
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
