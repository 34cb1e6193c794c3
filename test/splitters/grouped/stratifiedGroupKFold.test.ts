import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { permutation, randomSource } from '../../../src/core/random.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import {
  StratifiedGroupKFold,
  type StratifiedGroupKFoldOptions,
} from '../../../src/splitters/grouped/stratifiedGroupKFold.js';
import { matrix } from '../../helpers/matrix.js';
import { groupIds, labels, reference } from '../sklearn.js';
import { reference as groupReference, rowsOf } from '../stratifiedGroups.js';

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

  it('has both classes in every fold of the fixture for 500 seeds; scikit-learn fails for 70 of them', () => {
    const { fixture } = groupReference;
    expect(fixture.groups).toEqual([[1], [0, 0, 1], [0, 0], [0], [0, 1, 0]]);
    expect([fixture.nSplits, fixture.seeds, fixture.degenerate]).toEqual([3, 500, 70]);
    const { y, groups } = rowsOf(fixture.groups);
    for (let randomState = 0; randomState < 500; randomState++) {
      for (const fold of counts(y, groups, { nSplits: 3, randomState })) expect(Math.min(...fold)).toBeGreaterThan(0);
    }
  });

  it('allows a class of several in fewer groups than folds, with a warning', () => {
    const groups = Array.from({ length: 30 }, (_, row) => Math.floor(row / 2));
    const y = groups.map((group) => (group === 14 ? 2 : group % 2));
    const perFold = counts(y, groups, { nSplits: 5, randomState: 0 });
    expect(perFold.map((fold) => fold[2]).sort()).toEqual([0, 0, 0, 0, 2]);
    for (const fold of perFold) expect(Math.min(fold[0], fold[1])).toBeGreaterThan(0);
    const { warnings } = foldsOf(new StratifiedGroupKFold({ randomState: 0 }), 30, y, { groups });
    expect(warnings).toEqual(['Class 2 is in 1 group, fewer than the 5 folds: 4 test folds lack it.']);
  });

  it('says that the search failed, not that it is proved, where a class in enough groups is left out', () => {
    // groups of classes 0 and 1, 0 and 2, 1 and 2: each class is in two groups, and one of two folds is a single group
    const { y, groups } = rowsOf(matrix('0 1 | 0 2 | 1 2'));
    const { warnings } = foldsOf(new StratifiedGroupKFold({ nSplits: 2, shuffle: false }), 6, y, { groups });
    expect(warnings.length).toBe(1);
    expect(warnings[0]).toMatch(
      /^Class \d is in 2 groups, enough for the 2 folds, but the search found no folds that all test it: 1 test fold lacks it\. That does not prove that there are none\.$/,
    );
  });

  it('names five classes that folds lack, and counts the others', () => {
    // nine classes in one group each, and one class in all groups
    const { y, groups } = rowsOf(Array.from({ length: 9 }, (_, label) => [label, 9]));
    const { warnings } = foldsOf(new StratifiedGroupKFold({ nSplits: 2, shuffle: false }), 18, y, { groups });
    expect(warnings).toHaveLength(6);
    expect(warnings[5]).toBe('4 more are missing from some test folds.');
  });

  it('goes on where it must, with a warning to pool, when it is told to', () => {
    const { y, groups } = rowsOf([[0, 1], [0], [0, 0], [1, 0]]);
    const data = { groups };
    expect(() => foldsOf(new StratifiedGroupKFold({ nSplits: 3 }), 7, y, data)).toThrow(InfeasibleSplitError);
    const plan = foldsOf(new StratifiedGroupKFold({ nSplits: 3, shuffle: false, onInfeasible: 'pool' }), 7, y, data);
    const classes = Array.from(plan, ({ test }) => new Set(Array.from(test, (row) => y[row])).size);
    expect(classes.sort()).toEqual([1, 2, 2]);
    expect(plan.warnings.length).toBe(1);
    expect(plan.warnings[0]).toMatch(
      /^Not every test fold can have both classes \(groups with both classes: 2, with only class 0: 2, with only class 1: 0; 2 \+ min\(2, 0\) = 2\): fold-\d tests only class 0\. Metrics must be read pooled over all folds, not fold by fold\.$/,
    );
  });

  it('gives the folds of the default, without a warning, when pooling is allowed and not needed', () => {
    const [y, groups] = [labels(300, 3), groupIds(300, 60)];
    const plans = (['error', 'pool'] as const).map((onInfeasible) =>
      foldsOf(new StratifiedGroupKFold({ randomState: 1, onInfeasible }), 300, y, { groups }),
    );
    expect(plans[1].fingerprint).toBe(plans[0].fingerprint);
    expect(plans[1].warnings).toEqual([]);
  });

  it('does not care about the order of rows, nor about what ids and classes are called', () => {
    const rows = fc.array(fc.tuple(fc.nat(9), fc.nat(2)), { minLength: 10, maxLength: 60 });
    let compared = 0;
    fc.assert(
      fc.property(rows, fc.nat(), (each, seed) => {
        const groups = each.map(([group]) => group);
        const y = each.map(([, label]) => label);
        const order = permutation(randomSource(seed), each.length);
        const tests = (of: readonly number[], ids: readonly number[], rowOf: (row: number) => number) =>
          Array.from(
            new StratifiedGroupKFold({ nSplits: 2, randomState: seed % 5, onInfeasible: 'pool' }).split(of.length, of, {
              groups: ids,
            }),
            ({ test }) => Array.from(test, rowOf).sort((a, b) => a - b),
          );
        fc.pre(new Set(groups).size > 1 && new Set(y).size > 1);
        compared++;
        const expected = tests(y, groups, (row) => row);
        const shuffled = (values: readonly number[]) => Array.from(order, (row) => values[row]);
        expect(tests(shuffled(y), shuffled(groups), (row) => order[row])).toEqual(expected);
        // ascending with the old names, negative and huge
        const ids = groups.map((group) => (group - 5) * 1e15);
        expect(
          tests(
            y.map((label) => 10 * label - 7),
            ids,
            (row) => row,
          ),
        ).toEqual(expected);
      }),
    );
    expect(compared).toBeGreaterThan(80);
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
});
