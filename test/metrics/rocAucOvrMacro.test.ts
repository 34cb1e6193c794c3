import { describe, expect, it } from 'vitest';
import { rocAucOvrMacro } from '../../src/metrics/rocAucOvrMacro.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const rows = {
  yTrue: ['a', 'b', 'c'],
  yProba: [
    [0.6, 0.3, 0.1],
    [0.5, 0.3, 0.2],
    [0.2, 0.2, 0.6],
  ],
};

describe('roc_auc_ovr_macro', () => {
  it('is the mean over classes of each against the others (hand calculation: 1, 1.5/2, 1)', () => {
    expect(rocAucOvrMacro.compute(scoreTable(rows))).toBeCloseTo((1 + 0.75 + 1) / 3, 14);
  });

  it('is the mean over labels (hand calculation: 1 and 1/2)', () => {
    const yTrue = [
      [1, 0],
      [0, 1],
    ];
    const yProba = [
      [0.7, 0.4],
      [0.2, 0.4],
    ];
    expect(rocAucOvrMacro.compute(scoreTable({ yTrue, yProba, task: 'multilabel' }))).toBe(0.75);
  });

  it('is undefined where a class or a label lacks a side, and names it', () => {
    const absent = scoreTable({ ...rows, yTrue: ['a', 'b', 'b'], classes: ['a', 'b', 'c'] });
    expect(rocAucOvrMacro.compute(absent)).toEqual({ reason: "no positive rows of class 'c'" });
    const full = scoreTable({
      yTrue: [
        [1, 0],
        [1, 1],
      ],
      yProba: [
        [1, 0],
        [1, 1],
      ],
    });
    expect(rocAucOvrMacro.compute(full)).toEqual({ reason: 'no negative rows of label 0' });
  });
});
