import { describe, expect, it, vi } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { partOf } from '../../src/runner/prepare.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';

describe('partOf', () => {
  it('gives some of the folds as a plan of their own', () => {
    const plan = foldsOf(new RepeatedKFold({ nSplits: 3, nRepeats: 2, randomState: 1 }), 6);
    const part = partOf(plan, [1, 4]);
    expect([part.length, part.repeats, part.n, part.ids]).toEqual([2, 2, 6, [plan.ids[1], plan.ids[4]]]);
    expect([...part]).toEqual([plan.at(1), plan.at(4)]);
    expect(part.at(1)).toEqual(plan.at(4));
    expect([...part.sides()]).toEqual([...plan.sides()].filter((_, at) => at === 1 || at === 4));
    expect(part.fingerprint).toBe(fingerprint([plan.at(1), plan.at(4)]));
    expect(partOf(plan, [0, 2]).repeats).toBe(1);
    // Not every row is tested, nor is every choice a fold.
    expect([plan.claims.partition, part.claims.partition]).toEqual([true, undefined]);
    expect(partOf(foldsOf(new LOOCV(), 4), [0]).claims).toEqual({});
  });

  it('makes no fold to count the repeats of a plan that has one', () => {
    const plan = foldsOf(new LOOCV(), 4);
    const at = vi.fn();
    expect(partOf(Object.create(plan, { at: { value: at } }), [0, 2]).repeats).toBe(1);
    expect(at).not.toHaveBeenCalled();
  });
});
