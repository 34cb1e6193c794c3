import { describe, expect, it } from 'vitest';
import { LeaveOneGroupOut } from '../../../src/splitters/grouped/leaveOneGroupOut.js';
import { LeavePGroupsOut } from '../../../src/splitters/grouped/leavePGroupsOut.js';
import { matrix } from '../../helpers/matrix.js';
import { refusal } from '../../helpers/messages.js';

const tests = (groups: readonly (number | string)[], nGroups: number) =>
  Array.from(new LeavePGroupsOut({ nGroups }).split(groups.length, { groups }), ({ test }) => [...test]);

describe('LeavePGroupsOut', () => {
  it('tests every choice of groups, in lexicographic order of the ascending ids', () => {
    // groups a (rows 1, 3), b (row 0), c (row 2), d (row 4); choices ab, ac, ad, bc, bd, cd
    expect(tests(['b', 'a', 'c', 'a', 'd'], 2)).toEqual(matrix('0 1 3 | 1 2 3 | 1 3 4 | 0 2 | 0 4 | 2 4'));
  });

  it('is LeaveOneGroupOut for one group, and only then a partition', () => {
    const groups = [3, 1, 2, 3, 1, 5];
    const folds = Array.from(new LeaveOneGroupOut().split(6, { groups }), ({ test }) => [...test]);
    expect(tests(groups, 1)).toEqual(folds);
    expect(new LeavePGroupsOut({ nGroups: 1 }).claims).toMatchObject({ partition: true, exhaustive: false });
    expect(new LeavePGroupsOut({ nGroups: 2 }).claims).toMatchObject({ partition: false, exhaustive: true });
  });

  it('makes folds when they are asked for', () => {
    const groups = Array.from({ length: 500 }, (_, row) => row);
    // C(500, 6) = 2.1e13, below 2^53
    const splitter = new LeavePGroupsOut({ nGroups: 6 });
    const [first] = splitter.split(500, { groups });
    expect(first.test).toEqual(Int32Array.of(0, 1, 2, 3, 4, 5));
    expect(splitter.getNSplits(500, { groups })).toBe(21057686727000);
    for (const use of ['split', 'getNSplits'] as const) {
      expect(() => new LeavePGroupsOut({ nGroups: 250 })[use](500, { groups })).toThrow(
        refusal('infeasible_split', 'nGroups', 250),
      );
    }
    // C(40, 3) = 40 * 39 * 38 / 6 = 9880
    expect(new LeavePGroupsOut({ nGroups: 3 }).getNSplits(40, { groups: groups.slice(0, 40) })).toBe(9880);
  });
});
