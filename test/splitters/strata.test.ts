import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { RepeatedGroupKFold } from '../../src/splitters/grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { quantileStrata, strataOf } from '../../src/splitters/strata.js';
import { refusal } from '../helpers/messages.js';
import { nestedFolds } from '../helpers/nestedFolds.js';

const asker = { owner: 'a test', instead: '' };

describe('strataOf', () => {
  it('knows the classes that have rows, in ascending order', () => {
    const expected = { codes: Int32Array.of(1, 0, 1), counts: Int32Array.of(1, 2), names: ['class 0', 'class 2'] };
    const y = labelsOf([2, 0, 2, 1]).take(Int32Array.of(0, 1, 2));
    expect(strataOf(y, 3, asker)).toEqual(expected);
    const oneHot = [2, 0, 2].map((label) => [0, 1, 2, 3].map((column) => Number(column === label)));
    expect(strataOf(oneHot, 3, asker)).toEqual(expected);
    expect(strataOf(['b', 'a', 'b'], 3, asker)).toEqual({ ...expected, names: ["class 'a'", "class 'b'"] });
  });
});

describe('quantileStrata', () => {
  it('knows the bins that have rows', () => {
    // quartiles 0, 5 and 10 of nine rows of 0 and nine of 10: nothing lies above 0 and up to 5
    const y = Array.from({ length: 18 }, (_, row) => (row % 2) * 10);
    const { counts, names } = quantileStrata('a test', y, 18, 4);
    expect([[...counts], names]).toEqual([
      [9, 9],
      ['bin 0 to 0', 'bin 5 to 10'],
    ]);
    expect(foldsOf(new StratifiedKFold({ bins: 4 }), 18, y).length).toBe(5);
  });
});

/** Rows of two classes in 20 groups of 3. */
const y = Array.from({ length: 60 }, (_, row) => Number((row * 7) % 5 < 2));
const groups = Array.from(y, (_, row) => `p${Math.floor(row / 3)}`);
/** The same in three columns, the middle one of which no row has. */
const oneHot = y.map((label) => [1 - label, 0, label]);
const STRATIFIED = [
  new StratifiedGroupKFold({ nSplits: 5, randomState: 1 }),
  new StratifiedGroupKFold({ nSplits: 5, shuffle: false }),
  new RepeatedGroupKFold({ nSplits: 4, nRepeats: 2, stratify: true, randomState: 1 }),
  new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 1 }),
  new RepeatedKFold({ nSplits: 4, nRepeats: 2, stratify: true, randomState: 1 }),
  new HoldOut({ stratify: true, randomState: 1 }),
];
const tests = (folds: Iterable<{ test: Int32Array }>) => Array.from(folds, ({ test }) => [...test]);

describe.each(STRATIFIED.map((splitter) => [splitter.toJSON(), splitter] as const))('%s', (_name, splitter) => {
  it('splits one-hot rows with a column that no row has as it splits the labels', () => {
    const expected = foldsOf(splitter, 60, y, { groups });
    const folds = foldsOf(splitter, 60, oneHot, { groups });
    expect(tests(folds)).toEqual(tests(expected));
    expect(folds.warnings).toEqual(expected.warnings);
  });

  it('splits the training rows of an outer fold that tests all rows of a class as it splits them alone', () => {
    // class 7 is in four groups, all of them tested
    const outer = y.map((label, row) => (row < 12 ? 7 : label));
    const outerCv = new PredefinedSplit({ testFold: y.map((_, row) => (row < 12 ? 0 : -1)) });
    const [fold] = nestedFolds(new NestedCV({ outerCv, innerCv: splitter }), 60, outer, { groups });
    const rows = Array.from(fold.train);
    expect(rows).toEqual(Array.from({ length: 48 }, (_, at) => 12 + at));
    const alone = splitter.split(
      48,
      rows.map((row) => y[row]),
      { groups: rows.map((row) => groups[row]) },
    );
    expect(tests(fold.inner)).toEqual(tests(alone).map((test) => test.map((at) => rows[at])));
  });
});

describe('a class without rows', () => {
  const absent = labelsOf(['a', 'a', 'a', 'b', 'b', 'b', 'c']).take(Int32Array.of(0, 1, 2, 3, 4, 5));

  it('is not named in errors', () => {
    expect(() => new StratifiedKFold({ nSplits: 4 }).split(6, absent)).toThrow(
      refusal('infeasible_split', "3 of class 'a', 3 of class 'b'"),
    );
    const split = (ids: number[]) => () => new HoldOut({ stratify: true }).split(6, absent, { groups: ids });
    expect(split([1, 1, 2, 3, 4, 4])).not.toThrow();
    expect(split([1, 1, 2, 3, 3, 3])).toThrow(refusal('infeasible_split', "1 group with class 'b'"));
    expect(() => new StratifiedGroupKFold({ nSplits: 3 }).split(6, absent, { groups: [1, 2, 3, 4, 4, 4] })).toThrow(
      refusal('infeasible_split', "class 'a': 3", "class 'b': 1"),
    );
  });
});
