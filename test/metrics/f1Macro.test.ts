import { describe, expect, it } from 'vitest';
import { f1Macro } from '../../src/metrics/f1Macro.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('f1_macro', () => {
  it('is the mean of the F1 of the classes (hand calculation: 2/4, 4/5, 2/3)', () => {
    const three = scoreTable({ yTrue: ['a', 'a', 'b', 'b', 'c', 'c'], yPred: ['a', 'b', 'b', 'b', 'c', 'a'] });
    expect(f1Macro.compute(three)).toBeCloseTo((2 / 4 + 4 / 5 + 2 / 3) / 3, 14);
  });

  it('counts 0 for a class that is present and not predicted, or the reverse (hand calculation: 2/3, 0, 0)', () => {
    const table = scoreTable({ yTrue: ['a', 'b'], yPred: ['a', 'a'], classes: ['a', 'b'], task: 'multiclass' });
    expect(f1Macro.compute(table)).toBeCloseTo(2 / 3 / 2, 14);
    const reverse = scoreTable({ yTrue: ['a', 'a'], yPred: ['a', 'b'], classes: ['a', 'b'], task: 'multiclass' });
    expect(f1Macro.compute(reverse)).toBeCloseTo(2 / 3 / 2, 14);
  });

  it('is undefined where a class is neither present nor predicted, and names it', () => {
    const table = scoreTable({ yTrue: ['a', 'b'], yPred: ['a', 'a'], classes: ['a', 'b', 'c'] });
    expect(f1Macro.compute(table)).toEqual({ reason: "class 'c' is neither present nor predicted" });
    const labels = scoreTable({ yTrue: [[1, 0]], yPred: [[1, 0]], task: 'multilabel' });
    expect(f1Macro.compute(labels)).toEqual({ reason: 'class 1 is neither present nor predicted' });
  });
});
