import { describe, expect, it } from 'vitest';
import { countingFolds } from '../../src/splitters/derivedPlan.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { matrix } from '../helpers/matrix.js';

const plan = foldsOf(new KFold({ nSplits: 3 }), 6);

describe('countingFolds', () => {
  it('is the plan itself without weights of 0', () => {
    expect(countingFolds(plan, undefined)).toBe(plan);
    expect(countingFolds(plan, [1, 2, 1, 1, 1, 3])).toBe(plan);
  });

  it('has rows of weight 0 on neither side, in each way to read a plan', () => {
    const cut = countingFolds(plan, [1, 0, 1, 1, 0, 1]);
    const sides = [
      { test: [0], train: [2, 3, 5] },
      { test: [2, 3], train: [0, 5] },
      { test: [5], train: [0, 2, 3] },
    ];
    const read = (folds: Iterable<{ test: Int32Array; train?: Int32Array }>) =>
      Array.from(folds, ({ test, train }) => ({ test: [...test], train: [...(train as Int32Array)] }));
    expect(read(cut)).toEqual(sides);
    expect(read(cut.sides())).toEqual(sides);
    expect(read([0, 1, 2].map((at) => cut.at(at)))).toEqual(sides);
    expect([cut.length, cut.n, cut.fingerprint]).toEqual([3, 6, plan.fingerprint]);
  });

  it('leaves a side as it is on which no row has weight', () => {
    const [first] = countingFolds(plan, [0, 0, 1, 0, 1, 1]);
    expect([[...first.test], [...first.train]]).toEqual(matrix('0 1 | 2 4 5'));
  });
});
