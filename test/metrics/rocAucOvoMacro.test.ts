import { describe, expect, it } from 'vitest';
import { rocAucOvoMacro } from '../../src/metrics/rocAucOvoMacro.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const rows = {
  yTrue: ['a', 'b', 'c'],
  yProba: [
    [0.6, 0.3, 0.1],
    [0.5, 0.3, 0.2],
    [0.2, 0.2, 0.6],
  ],
};

describe('roc_auc_ovo_macro', () => {
  it('is the mean over ordered pairs of classes (hand calculation: b against a ties, the other five are right)', () => {
    expect(rocAucOvoMacro.compute(scoreTable(rows))).toBeCloseTo(5.5 / 6, 14);
  });

  it('does not change with the share of the classes', () => {
    const table = scoreTable({ ...rows, sampleWeight: [1, 5, 0.5] });
    expect(rocAucOvoMacro.compute(table)).toBeCloseTo(5.5 / 6, 14);
  });

  it('is undefined where a class has no rows, and names the pair', () => {
    const absent = scoreTable({ ...rows, yTrue: ['a', 'b', 'b'], classes: ['a', 'b', 'c'] });
    expect(rocAucOvoMacro.compute(absent)).toEqual({ reason: "no negative rows in the pair 'a', 'c'" });
  });
});
