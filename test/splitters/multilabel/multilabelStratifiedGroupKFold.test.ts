import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../../src/data/labels.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import {
  MultilabelStratifiedGroupKFold,
  type MultilabelStratifiedGroupKFoldOptions,
} from '../../../src/splitters/multilabel/multilabelStratifiedGroupKFold.js';
import { matrix } from '../../helpers/matrix.js';
import { balance, multilabelCases, multilabelRows, ones } from '../multilabelData.js';
import { groupIds } from '../sklearn.js';

type Options = MultilabelStratifiedGroupKFoldOptions;

const folds = (y: number[][], groups: ArrayLike<number>, options: Options = {}) => [
  ...new MultilabelStratifiedGroupKFold(options).split(y.length, y, { groups }),
];

/** What the class says it makes small, from its docstring. */
function objective(
  y: number[][],
  tests: readonly ArrayLike<number>[],
  { alpha = 1, beta = 1, eps = 1e-9 }: Partial<MultilabelStratifiedGroupKFold['options']> = {},
): number {
  const all = ones(y, [...y.keys()]);
  const spread = (count: (test: ArrayLike<number>) => number, total: number) =>
    tests.reduce((sum, test) => sum + (count(test) / total - 1 / tests.length) ** 2, 0);
  const labels = all.map((total, label) => (total === 0 ? 0 : spread((test) => ones(y, test)[label], total + eps)));
  return (alpha * labels.reduce((a, b) => a + b, 0)) / labels.length + beta * spread((test) => test.length, y.length);
}

const problem = fc
  .tuple(fc.integer({ min: 4, max: 12 }), fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 4 }))
  .chain(([groups, width, nSplits]) =>
    fc.record({
      nSplits: fc.constant(nSplits),
      randomState: fc.nat(),
      // every group once, then any
      groups: fc
        .array(fc.integer({ min: 0, max: groups - 1 }), { minLength: 20, maxLength: 20 })
        .map((more) => [...Array(groups).keys(), ...more]),
      y: fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: width, maxLength: width }), {
        minLength: groups + 20,
        maxLength: groups + 20,
      }),
    }),
  );

describe('MultilabelStratifiedGroupKFold', () => {
  it('keeps groups whole, tests every row once and leaves no fold empty, whatever the weights', () => {
    fc.assert(
      fc.property(problem, fc.constantFrom(1e-6, 1, 1e6), ({ y, groups, nSplits, randomState }, beta) => {
        const found = folds(y, groups, { nSplits, randomState, beta });
        expect(found).toHaveLength(nSplits);
        expect(found.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual([...y.keys()]);
        for (const { train, test } of found) {
          const tested = new Set(Array.from(test, (row) => groups[row]));
          expect(test.length).toBeGreaterThan(0);
          expect(Array.from(train).filter((row) => tested.has(groups[row]))).toEqual([]);
        }
      }),
    );
  });

  it('ends where no move of a group and no exchange of two lowers what it makes small', () => {
    fc.assert(
      fc.property(problem, fc.constantFrom(0.2, 1, 5), ({ y, groups, nSplits, randomState }, alpha) => {
        const options = { nSplits, randomState, alpha, eps: 2 };
        const foldOf = new Map<number, number>();
        for (const [fold, { test }] of folds(y, groups, options).entries()) {
          for (const row of test) foldOf.set(groups[row], fold);
        }
        const score = (changed: Map<number, number>) => {
          const tests = Array.from({ length: nSplits }, (_, fold) =>
            [...y.keys()].filter((row) => changed.get(groups[row]) === fold),
          );
          return tests.some((test) => test.length === 0) ? Number.POSITIVE_INFINITY : objective(y, tests, options);
        };
        const least = score(foldOf) - 1e-9;
        for (const [a, foldA] of foldOf) {
          for (let fold = 0; fold < nSplits; fold++) expect(score(new Map(foldOf).set(a, fold))).toBeGreaterThan(least);
          for (const [b, foldB] of foldOf)
            expect(score(new Map(foldOf).set(a, foldB).set(b, foldA))).toBeGreaterThan(least);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('balances labels better than GroupKFold in every case, three times as well on average', { tags: 'slow' }, () => {
    const ratios = multilabelCases
      .filter(({ n }) => n >= 100)
      .map((each) => {
        const y = multilabelRows(each);
        const groups = groupIds(y.length, Math.ceil(y.length / 4));
        const options = { nSplits: each.nSplits, randomState: 1 };
        const ours = balance(y, folds(y, groups, options)).labelMean;
        return ours / balance(y, new GroupKFold(options).split(y.length, undefined, { groups })).labelMean;
      });
    expect(ratios.filter((ratio) => ratio >= 1)).toEqual([]);
    expect(ratios.reduce((a, b) => a + b, 0) / ratios.length).toBeLessThan(0.4);
  });

  it('weighs labels against rows by alpha and beta, and rare labels less with a larger eps', () => {
    // Groups of 4, 4, 2 and 2 rows; the label is in all rows of the first, third and fourth. By hand, in two folds:
    // even labels are 4 | 2 + 2, and then 8 | 4 rows; even rows are 4 + 2 | 4 + 2, and then 6 | 2 rows of the label.
    // The former costs beta * 2 * (8/12 - 1/2)^2 = 0.056 beta, the latter alpha / 2 * 2 * (6/8 - 1/2)^2 = 0.063 alpha
    // (the second column is empty, yet counts in the mean), or alpha * (2/108)^2 = 0.0003 alpha with eps = 100.
    const groups = [4, 4, 2, 2].flatMap((size, group) => Array<number>(size).fill(group));
    const y = groups.map((group) => [group === 1 ? 0 : 1, 0]);
    const found = (options: Options) =>
      folds(y, groups, { nSplits: 2, shuffle: false, ...options })
        .map(({ test }) => [test.length, ones(y, test)[0]])
        .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const [evenLabels, evenRows] = [matrix('4 4 | 8 4'), matrix('6 2 | 6 6')];
    expect(found({ alpha: 10 })).toEqual(evenLabels);
    expect(found({ beta: 0.1 })).toEqual(evenLabels);
    expect(found({ beta: 10 })).toEqual(evenRows);
    expect(found({ alpha: 10, eps: 100 })).toEqual(evenRows);
  });

  it('takes the view of y that the runner hands on', () => {
    const y = multilabelRows(multilabelCases[2]);
    const groups = groupIds(y.length, 40);
    const splitter = new MultilabelStratifiedGroupKFold({ randomState: 1 });
    const plan = foldsOf(splitter, y.length, labelsOf(y, { task: 'multilabel' }), { groups });
    expect(plan.fingerprint).toBe(foldsOf(splitter, y.length, y, { groups }).fingerprint);
    expect(splitter.getNSplits()).toBe(plan.length);
  });

  it('gives other folds for other seeds', () => {
    const y = multilabelRows(multilabelCases[0]);
    const groups = groupIds(y.length, 80);
    const drawn = Array.from({ length: 20 }, (_, randomState) =>
      JSON.stringify(
        folds(y, groups, { randomState })
          .map(({ test }) => [...test])
          .sort(),
      ),
    );
    expect(new Set(drawn).size).toBeGreaterThan(10);
  });

  it('warns of labels in too few groups, with the counts', () => {
    const groups = Array.from({ length: 40 }, (_, row) => Math.floor(row / 4));
    const y = groups.map((group, row) => [row % 2, group < 2 ? 1 : 0, 0]);
    const splitter = new MultilabelStratifiedGroupKFold({ randomState: 0 });
    expect(foldsOf(splitter, 40, y, { groups }).warnings).toEqual([
      'Label column 1 of y is 1 in 8 rows of 2 groups, and 3 of the 5 test folds have no such row.',
      'Label column 2 of y is 0 in every row, so there is nothing to balance.',
    ]);
  });
});
