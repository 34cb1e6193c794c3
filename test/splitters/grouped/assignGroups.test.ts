import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { groupsOf } from '../../../src/data/sideData.js';
import { assignGroups } from '../../../src/splitters/grouped/groupPlacement.js';

/** Rows per fold. */
function loads(ids: readonly number[], nSplits: number, seed?: number): number[] {
  const groups = groupsOf(ids, ids.length);
  const foldOf = assignGroups(groups, nSplits, seed === undefined ? undefined : randomSource(seed));
  const sizes: number[] = Array(nSplits).fill(0);
  for (const code of groups.codes) sizes[foldOf[code]]++;
  return sizes;
}

describe('assignGroups', () => {
  it('places the largest group first, each into the fold with the fewest rows', () => {
    // groups 1, 2, 3, 4 of 1, 2, 3, 4 rows: fold 0 takes 4; fold 1 takes 3, then 2 (3 < 4); fold 0 takes 1 (4 < 5)
    const ids = [1, 2, 2, 3, 3, 3, 4, 4, 4, 4];
    expect([...assignGroups(groupsOf(ids, 10), 2, undefined)]).toEqual([0, 1, 1, 0]);
    expect(loads(ids, 2)).toEqual([5, 5]);
  });

  it('makes drawn folds as equal as moves and swaps can', () => {
    // groups of 3, 3, 2, 2, 2 rows: 3 3 | 2 2 2 is equal, while placing alone can end at 3 2 2 | 3 2
    const ids = [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5];
    for (let seed = 0; seed < 20; seed++) expect(loads(ids, 2, seed)).toEqual([6, 6]);
  });

  it('gives every fold a group, with and without a source', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 5, maxLength: 80 }),
        fc.integer({ min: 2, max: 5 }),
        fc.option(fc.nat(), { nil: undefined }),
        (ids, nSplits, seed) => {
          fc.pre(new Set(ids).size >= nSplits);
          expect(Math.min(...loads(ids, nSplits, seed))).toBeGreaterThan(0);
        },
      ),
    );
  });
});
