import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupsOf } from '../../../src/data/sideData.js';
import {
  labelSetsOf,
  labelWarnings,
  multilabelOf,
} from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import { refusal } from '../../helpers/messages.js';

const matrix = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 2, max: 6 })).chain(([n, width]) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: width, maxLength: width }), {
    minLength: n,
    maxLength: n,
  }),
);

describe('labelSetsOf', () => {
  it('numbers the sets by first appearance', () => {
    const y = [
      [0, 1, 1],
      [0, 0, 0],
      [0, 1, 1],
      [1, 0, 0],
    ];
    expect(labelSetsOf(multilabelOf(y, 4))).toEqual({
      codes: Int32Array.of(0, 1, 0, 2),
      counts: Int32Array.of(2, 1, 1),
      labels: [[1, 2], [], [0]],
      width: 3,
    });
  });

  it('gives rows one set exactly when their labels are equal', () => {
    fc.assert(
      fc.property(matrix, (y) => {
        const { codes, counts, labels } = labelSetsOf(multilabelOf(y, y.length));
        expect(counts.length).toBe(new Set(y.map(String)).size);
        for (const [row, values] of y.entries()) {
          expect(labels[codes[row]]).toEqual(values.flatMap((value, label) => (value ? [label] : [])));
        }
      }),
    );
  });
});

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

  it('refuses what is not rows of 0 and 1', () => {
    expect(() => multilabelOf([0, 1, 0], 3)).toThrow(refusal('invalid_data', 'single values'));
    expect(() =>
      multilabelOf(
        [
          [0, 1],
          [2, 0],
        ],
        2,
      ),
    ).toThrow(refusal('invalid_data', 'y', 'row 1', 'column 0'));
    expect(() => multilabelOf([[0, 1], [1]], 2)).toThrow(refusal('ragged_rows', 'Row 1', 'y', 1));
    expect(() =>
      multilabelOf(
        [
          [0, 1],
          [1, Number.NaN],
        ],
        2,
      ),
    ).toThrow(refusal('invalid_data', 'y', 'row 1', 'column 1', 'NaN'));
    expect(() =>
      multilabelOf(
        [
          [0, 1],
          [1, 1],
        ],
        3,
      ),
    ).toThrow(refusal('length_mismatch', 'y', 3, 2));
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
    const y = [
      [0, 1, 1, 0, 1],
      [0, 1, 0, 1, 1],
      [0, 1, 0, 1, 1],
      [0, 1, 0, 1, 0],
    ];
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
    expect(
      warnings(
        [
          [0, 1],
          [1, 0],
          [1, 0],
          [0, 1],
        ],
        [0, 0, 1, 1],
        2,
      ),
    ).toEqual([]);
  });

  it('spells out ten, and counts the others', () => {
    const found = warnings([Array(25).fill(0), Array(25).fill(0)], [0, 1], 2);
    expect(found).toHaveLength(11);
    expect(found[10]).toBe('15 more such warnings about label columns.');
  });
});
