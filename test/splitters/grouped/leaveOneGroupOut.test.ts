import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LeaveOneGroupOut } from '../../../src/splitters/grouped/leaveOneGroupOut.js';

const rowsWhere = (groups: readonly unknown[], holds: (id: unknown) => boolean) =>
  Array.from(groups.keys()).filter((row) => holds(groups[row]));

describe('LeaveOneGroupOut', () => {
  it('tests each group once, in ascending order of the ids', () => {
    const id = fc.oneof(fc.integer(), fc.constantFrom(-0.5, 1e300, -1e300, Number.MAX_SAFE_INTEGER), fc.nat(3));
    fc.assert(
      fc.property(fc.array(id, { minLength: 2, maxLength: 40 }), (groups) => {
        const ids = [...new Set(groups)].sort((a, b) => a - b);
        fc.pre(ids.length > 1);
        const folds = [...new LeaveOneGroupOut().split(groups.length, { groups })];
        expect(folds.map((fold) => fold.id)).toEqual(ids.map((_, fold) => `fold-${fold}`));
        for (const [fold, { train, test }] of folds.entries()) {
          expect([...test]).toEqual(rowsWhere(groups, (each) => each === ids[fold]));
          expect([...train]).toEqual(rowsWhere(groups, (each) => each !== ids[fold]));
        }
      }),
    );
  });

  it('counts its folds from the groups', () => {
    const groups = ['Lyon', 'Graz', 'Lyon', 'Oslo'];
    expect(new LeaveOneGroupOut().getNSplits(4, { groups })).toBe(3);
    const tests = Array.from(new LeaveOneGroupOut().split(4, null, { groups }), ({ test }) => [...test]);
    expect(tests).toEqual([[1], [0, 2], [3]]);
  });
});
