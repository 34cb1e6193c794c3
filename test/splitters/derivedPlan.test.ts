import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { countingFolds, derivedPlan } from '../../src/splitters/derivedPlan.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { matrix } from '../helpers/matrix.js';

const plan = foldsOf(new KFold({ nSplits: 3 }), 9);

describe('derivedPlan', () => {
  it('is the plan where nothing is said, without its folds being made again', () => {
    const same = derivedPlan(plan, { at: plan.at });
    const { at: _at, sides: _sides, [Symbol.iterator]: _folds, ...facts } = plan;
    expect(same).toMatchObject(facts);
    expect([...same]).toEqual([...plan]);
    expect(Array.from(same.sides(), ({ id, test }) => [id, test])).toEqual(
      Array.from(plan.sides(), ({ id, test }) => [id, test]),
    );
    expect(same.fingerprint).toBe(plan.fingerprint);
    expect(Object.isFrozen(same)).toBe(true);
  });

  it('has the folds that are left, in their order', () => {
    const places = [0, 2];
    const left = derivedPlan(plan, { ids: ['fold-0', 'fold-2'], at: (index) => plan.at(places[index]), hashed: true });
    expect(left.length).toBe(2);
    expect(Array.from(left, ({ id }) => id)).toEqual(['fold-0', 'fold-2']);
    expect(left.fingerprint).toBe(fingerprint(left));
    expect(left.fingerprint).not.toBe(plan.fingerprint);
  });
});

const six = foldsOf(new KFold({ nSplits: 3 }), 6);

describe('countingFolds', () => {
  it('is the plan itself without weights of 0', () => {
    expect(countingFolds(six, undefined)).toBe(six);
    expect(countingFolds(six, [1, 2, 1, 1, 1, 3])).toBe(six);
  });

  it('has rows of weight 0 on neither side, in each way to read a plan', () => {
    const cut = countingFolds(six, [1, 0, 1, 1, 0, 1]);
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
    expect([cut.length, cut.n, cut.fingerprint]).toEqual([3, 6, six.fingerprint]);
  });

  it('leaves a side as it is on which no row has weight', () => {
    const [first] = countingFolds(six, [0, 0, 1, 0, 1, 1]);
    expect([[...first.test], [...first.train]]).toEqual(matrix('0 1 | 2 4 5'));
  });
});
