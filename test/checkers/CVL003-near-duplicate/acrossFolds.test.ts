import { describe, expect, it } from 'vitest';
import { acrossFolds, crossPairs } from '../../../src/checkers/CVL003-near-duplicate/acrossFolds.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';

const folds = (test: number[], train: number[], n = 6) =>
  foldsOf(
    { split: () => [{ id: 'only', train: Int32Array.from(train), test: Int32Array.from(test) }], getNSplits: () => 1 },
    n,
  );

describe('crossPairs', () => {
  it('counts pairs on two sides: every pair once, at most', () => {
    // Two halves of three rows: 9 pairs, looked at from both sides; all pairs of six rows: 15.
    expect(crossPairs(foldsOf(new KFold({ nSplits: 2 }), 6))).toBe(15);
    expect(crossPairs(folds([0, 1], [3, 4, 5]))).toBe(6);
    expect(crossPairs(foldsOf(new LOOCV(), 6))).toBe(15);
  });
});

describe('acrossFolds', () => {
  it('gives the first fold that tears a pair, and which row is on which side', () => {
    // Unshuffled thirds {0, 1}, {2, 3}, {4, 5}: 0 and 1 are never apart.
    const plan = foldsOf(new KFold({ nSplits: 3 }), 6);
    const pairs = [
      { first: 2, second: 5 },
      { first: 0, second: 1 },
      { first: 1, second: 4 },
    ];
    expect(acrossFolds(plan, pairs)).toEqual([
      { pair: 0, fold: 'fold-1', train: 5, test: 2 },
      { pair: 2, fold: 'fold-0', train: 4, test: 1 },
    ]);
  });

  it('rows on no side do not count', () => {
    expect(
      acrossFolds(folds([0], [1]), [
        { first: 0, second: 5 },
        { first: 4, second: 5 },
      ]),
    ).toEqual([]);
  });
});
