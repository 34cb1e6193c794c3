import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { RepeatedGroupKFold } from '../../../src/splitters/grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from '../../../src/splitters/grouped/stratifiedGroupKFold.js';
import type { Fold } from '../../../src/splitters/splitter.js';
import { groupIds, labels } from '../sklearn.js';

const tests = (folds: Iterable<Fold>) => Array.from(folds, ({ test }) => [...test]);

/** Each repeat as a set of test sets. */
function partitions(folds: Iterable<Fold>): string[] {
  const perRepeat = new Map<number, string[]>();
  for (const { repeat = -1, test } of folds) perRepeat.set(repeat, [...(perRepeat.get(repeat) ?? []), test.join()]);
  return Array.from(perRepeat.values(), (sets) => sets.sort().join(';'));
}

const N = 120;
const groups = groupIds(N, 40);
const y = labels(N, 2);

describe('RepeatedGroupKFold', () => {
  it.each([false, true])(
    'tests every group once per repeat, whole, in other company each time (stratify %s)',
    (stratify) => {
      for (let randomState = 0; randomState < 8; randomState++) {
        const splitter = new RepeatedGroupKFold({ nSplits: 4, nRepeats: 6, stratify, randomState });
        // foldsOf holds it to its claims: groups whole, every row tested once per repeat
        const plan = foldsOf(splitter, N, y, { groups });
        expect(plan.length).toBe(24);
        expect(plan.repeats).toBe(6);
        expect(plan.ids.slice(3, 5)).toEqual(['repeat-0_fold-3', 'repeat-1_fold-0']);
        expect(new Set(partitions(plan)).size).toBe(6);
      }
    },
  );

  it('starts as GroupKFold and StratifiedGroupKFold with the same seed, and goes on with their stream', () => {
    const source = randomSource(7);
    const options = { nSplits: 3, nRepeats: 2, randomState: 7 };
    const plain = [0, 1].flatMap(() =>
      tests(new GroupKFold({ nSplits: 3, randomState: source }).split(N, y, { groups })),
    );
    expect(tests(new RepeatedGroupKFold(options).split(N, y, { groups }))).toEqual(plain);
    const stratified = new StratifiedGroupKFold({ nSplits: 3, randomState: 7 }).split(N, y, { groups });
    const repeated = new RepeatedGroupKFold({ ...options, stratify: true }).split(N, y, { groups });
    expect(tests(repeated).slice(0, 3)).toEqual(tests(stratified));
  });

  it('finds every balanced partition where there are few', () => {
    // 4 groups of one row in 2 folds of 2: {0 1}{2 3}, {0 2}{1 3}, {0 3}{1 2}
    const expected = ['0,1;2,3', '0,2;1,3', '0,3;1,2'];
    for (let randomState = 0; randomState < 20; randomState++) {
      const options = { nSplits: 2, nRepeats: 3, randomState };
      const folds = new RepeatedGroupKFold(options).split(4, { groups: ['a', 'b', 'c', 'd'] });
      expect(folds.warnings).toEqual([]);
      expect(partitions(folds).sort()).toEqual(expected);
    }
  });

  it('warns when the groups allow fewer partitions than repeats', () => {
    const groups = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4];
    const folds = foldsOf(new RepeatedGroupKFold({ randomState: 0 }), 10, null, { groups });
    expect(folds.warnings.join()).toMatch(/^Of the 10 repeats of RepeatedGroupKFold only 1 differ/);
    expect([...folds]).toHaveLength(50);
    const splitter = new RepeatedGroupKFold({ nSplits: 2, nRepeats: 4, randomState: 0 });
    const four = foldsOf(splitter, 4, null, { groups: [0, 1, 2, 3] });
    expect(four.warnings.join()).toMatch(/^Of the 4 repeats .* only 3 differ/);
  });
});
