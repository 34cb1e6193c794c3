import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { derivedPlan } from '../../src/splitters/derivedPlan.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';

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
