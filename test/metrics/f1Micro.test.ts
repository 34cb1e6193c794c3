import { describe, expect, it } from 'vitest';
import { accuracy } from '../../src/metrics/accuracy.js';
import { f1Micro } from '../../src/metrics/f1Micro.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('f1_micro', () => {
  it('adds the counts of the labels up (hand calculation: 2 2 / (3 + 3))', () => {
    const yTrue = [
      [1, 0],
      [1, 1],
    ];
    const yPred = [
      [1, 1],
      [0, 1],
    ];
    expect(f1Micro.compute(scoreTable({ yTrue, yPred }))).toBeCloseTo(4 / 6, 14);
  });

  it('is the accuracy where every row has one class', () => {
    const table = scoreTable({ yTrue: ['a', 'b', 'c'], yPred: ['a', 'b', 'a'], sampleWeight: [1, 2, 3] });
    expect(f1Micro.compute(table)).toBe(accuracy.compute(table));
    expect(f1Micro.compute(table)).toBe(0.5);
  });

  it('is undefined without any label', () => {
    const table = scoreTable({ yTrue: [[0, 0]], yPred: [[0, 0]], task: 'multilabel' });
    expect(f1Micro.compute(table)).toEqual({ reason: 'no row has a label in truth or prediction' });
  });
});
