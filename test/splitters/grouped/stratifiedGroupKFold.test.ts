import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import {
  StratifiedGroupKFold,
  type StratifiedGroupKFoldOptions,
} from '../../../src/splitters/grouped/stratifiedGroupKFold.js';
import { groupIds, labels, reference } from '../sklearn.js';

/** Rows of each class in each test fold. */
function counts(y: readonly number[], groups: readonly number[], options: StratifiedGroupKFoldOptions): number[][] {
  const classes = Math.max(...y) + 1;
  return Array.from(new StratifiedGroupKFold(options).split(y.length, y, { groups }), ({ test }) => {
    const perClass: number[] = Array(classes).fill(0);
    for (const row of test) perClass[y[row]]++;
    return perClass;
  });
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** What scikit-learn's StratifiedGroupKFold minimises: the mean over classes of the spread of their shares. */
function imbalance(perFold: readonly number[][]): number {
  const spreads = perFold[0].map((_, label) => {
    const total = sum(perFold.map((fold) => fold[label]));
    const shares = perFold.map((fold) => fold[label] / total);
    return Math.sqrt(sum(shares.map((share) => (share - 1 / shares.length) ** 2)) / shares.length);
  });
  return sum(spreads) / spreads.length;
}

describe('StratifiedGroupKFold', () => {
  it.each(
    reference.stratifiedGroupKFoldCounts.map(
      (each) => [`n=${each.n} k=${each.nSplits} seed=${each.seed}`, each] as const,
    ),
  )('balances classes at least as well as scikit-learn (test/reference/splitters.json): %s', (_, each) => {
    const { n, nSplits, classes, groups, seed } = each;
    const options = seed === null ? { nSplits, shuffle: false } : { nSplits, randomState: seed };
    const ours = counts(labels(n, classes), groupIds(n, groups), options);
    expect(imbalance(ours)).toBeLessThanOrEqual(imbalance(each.counts) + 1e-12);
    expect(Math.min(...ours.flat())).toBeGreaterThan(0);
  });

  it('gives every fold both classes where the groups only just allow it', () => {
    // one group with both classes, two of one class and one of the other: 1 + min(2, 1) = 2 folds
    const y = [0, 1, 0, 0, 0, 1, 1];
    const groups = [0, 0, 1, 2, 2, 3, 3];
    for (const options of [{ shuffle: false }, { randomState: 1 }, { randomState: 2 }]) {
      for (const fold of counts(y, groups, { nSplits: 2, ...options })) expect(Math.min(...fold)).toBeGreaterThan(0);
    }
  });

  it('allows a class of several in fewer groups than folds', () => {
    const groups = Array.from({ length: 30 }, (_, row) => Math.floor(row / 2));
    const y = groups.map((group) => (group === 14 ? 2 : group % 2));
    const perFold = counts(y, groups, { nSplits: 5, randomState: 0 });
    expect(perFold.map((fold) => fold[2]).sort()).toEqual([0, 0, 0, 0, 2]);
    for (const fold of perFold) expect(Math.min(fold[0], fold[1])).toBeGreaterThan(0);
  });

  it('gives other folds for other seeds', () => {
    const [y, groups] = [labels(300, 2), groupIds(300, 60)];
    const partitions = new Set<string>();
    for (let randomState = 0; randomState < 20; randomState++) {
      const folds = new StratifiedGroupKFold({ randomState }).split(300, y, { groups });
      partitions.add(JSON.stringify(Array.from(folds, ({ test }) => [...test]).sort()));
    }
    expect(partitions.size).toBeGreaterThan(10);
  });

  it('splits 100,000 rows in 10,000 groups in well under a second', () => {
    const n = 100_000;
    const y = Array.from({ length: n }, (_, row) => ((row * 7919) % 1000 < 137 ? 1 : 0));
    const groups = Array.from({ length: n }, (_, row) => (row * 104_729) % 10_007);
    const start = performance.now();
    const perFold = counts(y, groups, { randomState: 0 });
    expect(performance.now() - start).toBeLessThan(1000);
    expect(imbalance(perFold)).toBeLessThan(1e-3);
  });
});

describe('StratifiedGroupKFold refuses', () => {
  const split = (options: object, y?: unknown, groups?: unknown[], n = 6) => {
    return () =>
      new StratifiedGroupKFold(options).split(n, y as number[], groups ? { groups: groups as number[] } : {});
  };
  const y = [0, 1, 0, 1, 0, 1];
  const ids = [1, 2, 3, 4, 5, 6];

  it('bad options', () => {
    expect(split({ nSplits: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`nSplits\` option of StratifiedGroupKFold must be an integer >= 2. Got 1.]`,
    );
    expect(split({ shuffle: false, random_state: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`randomState\` option of StratifiedGroupKFold has no effect: \`shuffle\` is false, so nothing is drawn. Leave it out.]`,
    );
    expect(split({ bins: 3 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: StratifiedGroupKFold has no option \`bins\`. Its options are: nSplits, shuffle, randomState.]`,
    );
  });

  it('missing or unfit y and groups, at the call of split', () => {
    expect(split({}, undefined, ids)).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: StratifiedGroupKFold must be given \`y\`. Got nothing.]`,
    );
    expect(split({}, y)).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: StratifiedGroupKFold must be given \`groups\` (the patient of each row). Got nothing.]`,
    );
    expect(split({}, y, [1, 2])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: groups must have as many values as X has rows, 6. Got 2.]`,
    );
    expect(split({}, y, [1, 2, 3, 4, 5, Number.NaN])).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: groups row 5 must be an id (a number or a string). Got NaN.]`,
    );
    expect(split({}, [0.5, 1.25, 2, 3, 4, 5], ids)).toThrowErrorMatchingInlineSnapshot(
      `[InvalidDataError: y of StratifiedGroupKFold must be class labels. Got continuous numbers (not at most 20 distinct integers). Use GroupKFold instead.]`,
    );
    expect(split({}, [1, 1, 1, 1, 1, 1], ids)).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: y of StratifiedGroupKFold must have two classes or more. Got only class 1.]`,
    );
  });

  it('more folds than the groups allow, with the counts that prove it', () => {
    expect(split({ nSplits: 4 }, y, [1, 1, 2, 2, 3, 3])).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The \`nSplits\` option of StratifiedGroupKFold must be at most the number of groups, 3. Got 4.]`,
    );
    expect(split({ nSplits: 4 }, y, ids)).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The \`nSplits\` option of StratifiedGroupKFold must be at most 3, so that every test fold has both classes (groups with both classes: 0, with only class 0: 3, with only class 1: 3; 0 + min(3, 3) = 3). Got 4.]`,
    );
    expect(
      split({ nSplits: 2 }, ['no', 'no', 'no', 'no', 'yes', 'yes'], [1, 2, 3, 4, 5, 5]),
    ).toThrowErrorMatchingInlineSnapshot(
      `[InfeasibleSplitError: The groups of StratifiedGroupKFold must put both classes into at least two test folds. Got at most 1 such fold (groups with both classes: 0, with only class 'no': 4, with only class 'yes': 1; 0 + min(4, 1) = 1).]`,
    );
    expect(split({ nSplits: 4 }, y, ids)).toThrow(InfeasibleSplitError);
  });
});
