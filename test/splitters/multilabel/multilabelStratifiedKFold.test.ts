import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../../src/data/labels.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import {
  MultilabelStratifiedKFold,
  type MultilabelStratifiedKFoldOptions,
} from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import { balance, multilabelCases, multilabelRows, ones } from '../multilabelData.js';

const tests = (y: unknown, options: MultilabelStratifiedKFoldOptions = {}, n = (y as unknown[]).length) =>
  Array.from(new MultilabelStratifiedKFold(options).split(n, y as number[][]), ({ test }) => [...test]);

const [CASE] = multilabelCases;
const Y = multilabelRows(CASE);

describe('MultilabelStratifiedKFold', () => {
  it('tests every row once, and rows without labels in every fold alike', () => {
    const matrix = fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 3, maxLength: 3 }), {
      minLength: 5,
      maxLength: 60,
    });
    fc.assert(
      fc.property(matrix, fc.integer({ min: 2, max: 5 }), fc.option(fc.nat()), (y, nSplits, randomState) => {
        const folds = tests(y, randomState === null ? { nSplits } : { nSplits, shuffle: true, randomState });
        expect(folds.flat().sort((a, b) => a - b)).toEqual([...y.keys()]);
        for (const passes of [() => true, (row: number) => y[row].every((value) => value === 0)]) {
          const counts = folds.map((test) => test.filter(passes).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('has every label in its share, plus or minus one row, where labels are few', () => {
    const folds = new MultilabelStratifiedKFold({ nSplits: 7 }).split(Y.length, Y);
    expect(balance(Y, folds).labelMax).toBeLessThan(1);
  });

  it('takes one-hot rows, and then balances classes as StratifiedKFold does', () => {
    const classes = Array.from({ length: 100 }, (_, row) => (row * row) % 3);
    const oneHot = classes.map((each) => [0, 1, 2].map((label) => (label === each ? 1 : 0)));
    const counts = (folds: ArrayLike<number>[]) =>
      [0, 1, 2].map((label) => folds.map((test) => ones(oneHot, test)[label]).sort());
    const stratified = Array.from(new StratifiedKFold().split(100, classes), ({ test }) => test);
    expect(counts(tests(oneHot))).toEqual(counts(stratified));
  });

  it('balances as well when the label columns change places', () => {
    const mirrored = Y.map((row) => row.toReversed());
    const folds = new MultilabelStratifiedKFold({ nSplits: 7 }).split(Y.length, mirrored);
    expect(balance(mirrored, folds).labelMax).toBeLessThan(1);
    // with no leftover rows nothing depends on the order: 6 rows of each of 4 sets in 3 folds
    const even = Array.from({ length: 24 }, (_, row) => [row % 2, (row >> 1) % 2]);
    expect(
      tests(
        even.map((row) => row.toReversed()),
        { nSplits: 3 },
      ),
    ).toEqual(tests(even, { nSplits: 3 }));
  });

  it('gives the same folds for the view of y that the runner hands on', () => {
    const view = labelsOf(Y, { task: 'multilabel' });
    expect(tests(view, {}, Y.length)).toEqual(tests(Y));
    const splitter = new MultilabelStratifiedKFold({ shuffle: true, randomState: 3 });
    const plan = foldsOf(splitter, Y.length, view);
    expect(plan.fingerprint).toBe(foldsOf(splitter, Y.length, Y).fingerprint);
    expect(splitter.getNSplits()).toBe(plan.length);
  });

  it('gives other folds for other seeds, equally balanced', () => {
    const drawn = new Set<string>();
    for (let randomState = 0; randomState < 20; randomState++) {
      const folds = [...new MultilabelStratifiedKFold({ shuffle: true, randomState }).split(Y.length, Y)];
      drawn.add(JSON.stringify(folds.map(({ test }) => [...test]).sort()));
      expect(balance(Y, folds).labelMax).toBeLessThan(1);
    }
    expect(drawn.size).toBe(20);
  });

  it('warns of labels that cannot be balanced, with the counts', () => {
    const y = Array.from({ length: 20 }, (_, row) => [row % 2, row < 3 ? 1 : 0, 0]);
    expect(foldsOf(new MultilabelStratifiedKFold(), 20, y).warnings).toEqual([
      'Label column 1 of y is 1 in 3 rows, and 2 of the 5 test folds have no such row.',
      'Label column 2 of y is 0 in every row, so there is nothing to balance.',
    ]);
    expect(foldsOf(new MultilabelStratifiedKFold({ nSplits: 3 }), 20, y).warnings).toHaveLength(1);
  });
});
