import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { foldsFromAssignment } from '../../../src/splitters/assignment.js';
import { MultilabelStratifiedKFold } from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import { balance, type MultilabelCase, multilabelCases, multilabelRows } from '../multilabelData.js';

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
    const matrix = fc.array(row, { minLength: 7, maxLength: 80 });
    const seeds = fc.option(fc.nat(2 ** 32 - 1), { nil: undefined });
    fc.assert(
      fc.property(matrix, fc.integer({ min: 2, max: 7 }), seeds, (y, nSplits, seed) => {
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
