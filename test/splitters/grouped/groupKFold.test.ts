import { describe, expect, it } from 'vitest';
import { GroupKFold, type GroupKFoldOptions } from '../../../src/splitters/grouped/groupKFold.js';
import { matrix } from '../../helpers/matrix.js';
import { groupIds } from '../sklearn.js';

describe('GroupKFold', () => {
  const tests = (groups: ArrayLike<number | string>, options: GroupKFoldOptions) =>
    Array.from(new GroupKFold(options).split(groups.length, { groups }), ({ test }) => [...test]);

  it('shuffles by default: the groups that are tested together change with the seed', () => {
    const groups = groupIds(300, 60);
    const partitions = new Set<string>();
    for (let randomState = 0; randomState < 20; randomState++) {
      partitions.add(JSON.stringify(tests(groups, { randomState }).sort()));
    }
    expect(partitions.size).toBe(20);
  });

  it('balances shuffled rows to two rows of what scikit-learn reaches unshuffled', () => {
    for (const [n, groups] of matrix('100 23 | 300 60 | 2000 300')) {
      const ids = groupIds(n, groups);
      const spread = (options: GroupKFoldOptions) => {
        const sizes = tests(ids, options).map((test) => test.length);
        return Math.max(...sizes) - Math.min(...sizes);
      };
      // equal to scikit-learn's by the cases above
      const unshuffled = spread({ shuffle: false });
      for (let randomState = 0; randomState < 20; randomState++) {
        expect(spread({ randomState })).toBeLessThanOrEqual(unshuffled + 2);
      }
    }
  });

  it('draws each pair of equal groups into one fold as often as chance has it', () => {
    // 10 groups of 2 rows in 5 folds: two per fold, so groups 0 and 1 meet with probability 1/9
    const groups = Array.from({ length: 20 }, (_, row) => row >> 1);
    let together = 0;
    for (let randomState = 0; randomState < 2000; randomState++) {
      const fold = tests(groups, { randomState }).find((test) => test.includes(0)) as number[];
      if (fold.includes(2)) together++;
    }
    // binomial(2000, 1/9): 222.2 +- 4 standard deviations of 14.1
    expect(together).toBeGreaterThan(166);
    expect(together).toBeLessThan(279);
  });
});
