import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';

describe('LOOCV', () => {
  it('tests one row after the other', () => {
    expect([...new LOOCV().split(3)]).toEqual([
      { id: 'fold-0', train: Int32Array.of(1, 2), test: Int32Array.of(0) },
      { id: 'fold-1', train: Int32Array.of(0, 2), test: Int32Array.of(1) },
      { id: 'fold-2', train: Int32Array.of(0, 1), test: Int32Array.of(2) },
    ]);
    expect(LOOCV.facts.aliases).toEqual(['LeaveOneOut']);
  });

  it('has a fold for every row and counts them, whatever the labels are', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 2 }), (y) => {
        const plan = foldsOf(new LOOCV(), y.length, y);
        expect(Array.from(plan, ({ test }) => [...test])).toEqual(y.map((_, row) => [row]));
        expect(new LOOCV().getNSplits(y.length, y)).toBe(y.length);
      }),
    );
  });

  it('makes folds when they are asked for', () => {
    // all at once would be 2 million folds of 8 MB
    const [first, second] = new LOOCV().split(2_000_000);
    expect([first.test[0], second.test[0], second.train.length]).toEqual([0, 1, 1_999_999]);
  });
});
