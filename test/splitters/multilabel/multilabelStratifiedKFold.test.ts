import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { labelsOf } from '../../../src/data/labels.js';
import { groupsOf } from '../../../src/data/sideData.js';
import { foldsFromAssignment } from '../../../src/splitters/assignment.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import {
  labelWarnings,
  MultilabelStratifiedKFold,
  type MultilabelStratifiedKFoldOptions,
  multilabelOf,
} from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import { balance, type MultilabelCase, multilabelCases, multilabelRows, ones } from '../multilabelData.js';

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

/** Fold that tests each row. */
function stratify(y: number[][], nSplits: number, seed?: number): Int32Array {
  const options = seed === undefined ? { nSplits } : { nSplits, shuffle: true, randomState: seed };
  const foldOf = new Int32Array(y.length);
  for (const [fold, { test }] of [...new MultilabelStratifiedKFold(options).split(y.length, y)].entries()) {
    for (const row of test) foldOf[row] = fold;
  }
  return foldOf;
}

describe('iterativeStratification and iterative-stratification, 200 cases (test/reference/multilabel.json)', () => {
  const rows = multilabelCases.map(multilabelRows);
  const balances = (seed?: number) =>
    multilabelCases.map(({ nSplits }, at) =>
      balance(rows[at], foldsFromAssignment(stratify(rows[at], nSplits, seed), nSplits)),
    );

  it('speak of the same data', () => {
    expect(multilabelCases).toHaveLength(200);
    expect(rows.map((y) => y.flat().reduce((a, b) => a + b, 0))).toEqual(multilabelCases.map((each) => each.positives));
  });

  it.each([undefined, 2, 3])('the labels are never farther from their shares, seed %s', (seed) => {
    const found = balances(seed);
    const measure = (name: 'labelMax' | 'labelMean', worse: (ours: number, theirs: number) => boolean) =>
      multilabelCases.filter((each: MultilabelCase, at) => worse(found[at][name], each[name])).map(({ seed }) => seed);
    for (const name of ['labelMax', 'labelMean'] as const) {
      expect(measure(name, (ours, theirs) => ours > theirs + 1e-8)).toEqual([]);
      expect(measure(name, (ours, theirs) => ours < theirs - 1e-8).length).toBeGreaterThan(80);
    }
  });

  it('the sizes of the folds differ by at most one row, where the reference loses that five times', () => {
    expect(multilabelCases.filter(({ sizeMax }) => sizeMax >= 1)).toHaveLength(5);
    expect(balances().filter(({ sizeMax }) => sizeMax >= 1)).toEqual([]);
  });
});

describe('iterativeStratification', () => {
  it('gives every fold its part of every label set', () => {
    const row = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 4, maxLength: 4 });
    const rows = fc.array(row, { minLength: 7, maxLength: 80 });
    const seeds = fc.option(fc.nat(2 ** 32 - 1), { nil: undefined });
    fc.assert(
      fc.property(rows, fc.integer({ min: 2, max: 7 }), seeds, (y, nSplits, seed) => {
        const foldOf = stratify(y, nSplits, seed);
        for (const set of new Set(y.map(String))) {
          const members = [...y.keys()].filter((row) => String(y[row]) === set);
          for (let fold = 0; fold < nSplits; fold++) {
            const part = members.filter((row) => foldOf[row] === fold).length;
            expect(part).toBeGreaterThanOrEqual(Math.floor(members.length / nSplits));
          }
        }
      }),
    );
  });

  it('deals the rows of a label set in order when nothing is drawn', () => {
    // by hand: six rows of each of two sets in three folds are two and two
    const y = Array.from({ length: 12 }, (_, row) => [row % 2, 0]);
    expect([...stratify(y, 3)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it('ends on more labels than rows, where no placement is even', () => {
    const source = randomSource(1);
    const y = Array.from({ length: 60 }, () => Array.from({ length: 200 }, () => (source.random() < 0.3 ? 1 : 0)));
    const foldOf = stratify(y, 7);
    const sizes = [0, 1, 2, 3, 4, 5, 6].map((fold) => foldOf.filter((each) => each === fold).length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBe(1);
  });
});

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
