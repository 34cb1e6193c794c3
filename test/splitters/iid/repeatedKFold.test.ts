import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { RepeatedKFold } from '../../../src/splitters/iid/repeatedKFold.js';
import type { Splitter } from '../../../src/splitters/splitter.js';

describe('RepeatedKFold', () => {
  it('names folds by repeat and counts them all', () => {
    const splitter = new RepeatedKFold({ nSplits: 2, nRepeats: 3, randomState: 0 });
    expect(Array.from(splitter.split(5), ({ id, repeat }) => [id, repeat])).toEqual([
      ['repeat-0_fold-0', 0],
      ['repeat-0_fold-1', 0],
      ['repeat-1_fold-0', 1],
      ['repeat-1_fold-1', 1],
      ['repeat-2_fold-0', 2],
      ['repeat-2_fold-1', 2],
    ]);
    expect(splitter.getNSplits()).toBe(6);
    expect(new RepeatedKFold().getNSplits()).toBe(50);
  });
});

describe('equal repeats', () => {
  it('are said by foldsOf, of any splitter', () => {
    const said = (splitter: Splitter, n: number) => foldsOf(splitter, n).warnings.join();
    // As many folds as rows: each row is tested alone, in every repeat.
    expect(said(new RepeatedKFold({ nSplits: 6, nRepeats: 10, randomState: 1 }), 6)).toMatch(
      /10 repeats .* only 1 differ/,
    );
    // Four rows in two folds have three partitions.
    expect(said(new RepeatedKFold({ nSplits: 2, nRepeats: 40, randomState: 1 }), 4)).toMatch(/only 3 differ/);
    expect(said(new RepeatedKFold({ nSplits: 3, nRepeats: 10, randomState: 1 }), 60)).toBe('');
    const own: Splitter = {
      *split(n) {
        for (const repeat of [0, 1]) {
          for (const { train, test } of new KFold({ nSplits: 2 }).split(n)) {
            yield { id: `r${repeat}_${test[0]}`, repeat, train, test };
          }
        }
      },
      getNSplits: () => 4,
    };
    expect(said(own, 8)).toMatch(/Of the 2 repeats .* only 1 differ/);
  });
});
