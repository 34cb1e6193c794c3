import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError, InvalidDataError } from '../../../src/core/errors.js';
import { GroupKFold, type GroupKFoldOptions } from '../../../src/splitters/grouped/groupKFold.js';
import { casesOf, groupIds, ourFolds } from '../sklearn.js';

describe('GroupKFold without shuffle equals scikit-learn (test/reference/splitters.json)', () => {
  it.each(casesOf('GroupKFold'))('%s', (_, each) => {
    expect(ourFolds(each)).toEqual(each.folds);
  });
});

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
    for (const [n, groups] of [
      [100, 23],
      [300, 60],
      [2000, 300],
    ]) {
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

  it('takes the aliases patientIds and snake_case', () => {
    const groups = groupIds(60, 30);
    const options = { n_splits: 2, random_state: 1 } as GroupKFoldOptions;
    const data = { patient_ids: groups } as object;
    expect(Array.from(new GroupKFold(options).split(60, null, data), ({ test }) => [...test])).toEqual(
      tests(groups, { nSplits: 2, randomState: 1 }),
    );
  });
});

describe('GroupKFold refuses', () => {
  const split = (options: object, groups?: unknown, n = 6) => {
    return () => new GroupKFold(options).split(n, null, groups === undefined ? {} : { groups: groups as number[] });
  };

  it('bad options', () => {
    expect(split({ nSplits: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`nSplits\` option of GroupKFold must be an integer >= 2. Got 1.]`,
    );
    expect(split({ shuffle: false, randomState: 3 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`randomState\` option of GroupKFold has no effect: \`shuffle\` is false, so nothing is drawn. Leave it out.]`,
    );
    expect(split({ groups: [1] })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: GroupKFold has no option \`groups\`. Its options are: nSplits, shuffle, randomState.]`,
    );
  });

  it('missing, short, empty or too few groups, at the call of split', () => {
    expect(split({})).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: GroupKFold must be given \`groups\` (the patient of each row). Got nothing.]`,
    );
    expect(split({})).toThrow(InvalidDataError);
    expect(split({}, [1, 2, 3])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: groups must have as many values as X has rows, 6. Got 3.]`,
    );
    expect(split({}, [1, 2, 3, Number.NaN, 5, 6])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: groups row 3 must be an id (a number or a string). Got NaN.]`,
    );
    expect(split({}, ['a', 'b', 'c', 'd', undefined, 'f'])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: groups row 4 must be an id (a number or a string). Got undefined.]`,
    );
    expect(split({}, 'patients')).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`groups\` option of split must be an array or typed array. Got a string.]`,
    );
    expect(split({}, [1, 1, 2, 2, 3, 3])).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The \`nSplits\` option of GroupKFold must be at most the number of groups, 3. Got 5.]`,
    );
    expect(split({}, [1, 1, 2, 2, 3, 3])).toThrow(InfeasibleSplitError);
  });
});
