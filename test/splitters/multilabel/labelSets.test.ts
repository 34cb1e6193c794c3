import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../../src/data/sideData.js';
import { labelWarnings, multilabelOf } from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import { refusal } from '../../helpers/messages.js';

const bits = (...rows: string[]) => rows.map((row) => Array.from(row, Number));

describe('multilabelOf', () => {
  it('takes one-hot rows, booleans and its own view', () => {
    const labels = multilabelOf(
      [
        [true, false],
        [false, true],
      ],
      2,
    );
    expect([labels.task, ...labels.indicators]).toEqual(['multilabel', 1, 0, 0, 1]);
    expect(multilabelOf(labels, 2)).toBe(labels);
  });

  it.each([
    [[0, 1, 0], 3, refusal('invalid_data', 'single values')],
    [bits('01', '20'), 2, refusal('invalid_data', 'y', 'row 1', 'column 0')],
    [[[0, 1], [1]], 2, refusal('ragged_rows', 'Row 1', 'y', 1)],
    [bits('01', '1x'), 2, refusal('invalid_data', 'y', 'row 1', 'column 1', 'NaN')],
    [bits('01', '11'), 3, refusal('length_mismatch', 'y', 3, 2)],
  ])('refuses what is not rows of 0 and 1: %j', (y, n, error) => {
    expect(() => multilabelOf(y, n)).toThrow(error);
  });
});

describe('labelWarnings', () => {
  const warnings = (y: number[][], foldOf: number[], nSplits: number, groups?: string[]) =>
    labelWarnings(
      multilabelOf(y, y.length),
      Int32Array.from(foldOf),
      nSplits,
      groups && groupsOf(groups, groups.length),
    );

  it('names constant columns, and columns that some test fold lacks, with the counts', () => {
    const y = bits('01101', '01011', '01011', '01010');
    expect(warnings(y, [0, 0, 1, 2], 3)).toEqual([
      'Label column 0 of y is 0 in every row, so there is nothing to balance.',
      'Label column 1 of y is 1 in every row, so there is nothing to balance.',
      'Label column 2 of y is 1 in 1 row, and 2 of the 3 test folds have no such row.',
      'Label column 3 of y is 0 in 1 row, and 2 of the 3 test folds have no such row.',
      'Label column 4 of y is 1 in 3 rows, and 1 of the 3 test folds has no such row.',
      'Label column 4 of y is 0 in 1 row, and 2 of the 3 test folds have no such row.',
    ]);
    expect(warnings(y, [0, 0, 0, 1], 2, ['a', 'b', 'b', 'c'])).toContain(
      'Label column 4 of y is 1 in 3 rows of 2 groups, and 1 of the 2 test folds has no such row.',
    );
  });

  it('says nothing of labels that every test fold has and lacks', () => {
    expect(warnings(bits('01', '10', '10', '01'), [0, 0, 1, 1], 2)).toEqual([]);
  });

  it('spells out ten, and counts the others', () => {
    const found = warnings([Array(25).fill(0), Array(25).fill(0)], [0, 1], 2);
    expect(found).toHaveLength(11);
    expect(found[10]).toBe('15 more such warnings about label columns.');
  });
});
