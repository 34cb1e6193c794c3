import { describe, expect, it } from 'vitest';
import { selectBest } from '../../../src/checkers/CVL010-preprocessing/selection.js';
import { labelsOf } from '../../../src/data/labels.js';

const columnsOf = (...columns: number[][]) =>
  columns.map((values, at) => ({ name: `${at}`, kind: 'number' as const, values: Float64Array.from(values) }));
const rows = Int32Array.of(0, 1, 2, 3);
const classes = labelsOf(['a', 'a', 'b', 'b']);
const numbers = labelsOf([0.5, 1.5, 2.5, 4.5], { task: 'regression' });

describe('selectBest', () => {
  it('takes the columns of the largest scores, in their order', () => {
    // Means of the classes 1.5 and 3.5, 2 and 3, 1 and 9; within them squares of 1, 4 and 4.
    // F = between / (within / 2): 4 / .5 = 8; 1 / 2 = .5; 64 / 2 = 32.
    const columns = columnsOf([1, 2, 3, 4], [1, 3, 2, 4], [0, 2, 8, 10]);
    expect(selectBest('select:anova', columns, rows, classes, 2)).toEqual([0, 2]);
    // Chi-squared: sums of 3 and 7 where 5 and 5 are expected, 8 / 5; 4 and 6, 2 / 5; 2 and 18, 128 / 10.
    expect(selectBest('select:chi2', columns, rows, classes, 1)).toEqual([2]);
    // The second goes with the numbers the least: its order is another.
    expect(selectBest('select:correlation', columns, rows, numbers, 2)).toEqual([0, 2]);
  });

  it.each([
    ['select:anova', classes],
    ['select:chi2', classes],
    ['select:correlation', numbers],
  ])('%s puts constant columns last, and has no scores of missing or infinite values', (name, y) => {
    const [zeros, rising] = [
      [0, 0, 0, 0],
      [1, 2, 3, 4],
    ];
    expect(selectBest(name, columnsOf(zeros, rising, zeros), rows, y, 1)).toEqual([1]);
    for (const odd of [Number.NaN, Infinity]) {
      expect(selectBest(name, columnsOf(rising, [1, 2, odd, 3]), rows, y, 1)).toBeUndefined();
      // A row that is not looked at may hold anything.
      expect(selectBest(name, columnsOf(rising, [1, 2, 1, odd]), rows.subarray(0, 3), y, 1)).toEqual([0]);
    }
  });

  it('has no chi-squared of values below 0', () => {
    const columns = columnsOf([1, 2, 3, 4], [1, 2, 3, -4], [1, 5, 2, 3]);
    expect(selectBest('select:chi2', columns, rows, classes, 1)).toBeUndefined();
    expect(selectBest('select:anova', columns, rows, classes, 1)).toEqual([0]);
  });

  it('has no scores for labels of one value', () => {
    const columns = columnsOf([1, 2, 3.3], [5, 2, 0.7]);
    const same = labelsOf(['a', 'a', 'a', 'b']);
    const first = rows.subarray(0, 3);
    expect(selectBest('select:anova', columns, first, same, 1)).toBeUndefined();
    expect(selectBest('select:chi2', columns, first, same, 1)).toBeUndefined();
    const equal = labelsOf([0.1, 0.1, 0.1, 2.5], { task: 'regression' });
    expect(selectBest('select:correlation', columns, first, equal, 1)).toBeUndefined();
  });
});
