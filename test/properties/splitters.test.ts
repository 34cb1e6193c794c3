import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../src/core/errors.js';
import { GroupKFold, HoldOut, KFold, RepeatedKFold, StratifiedGroupKFold, StratifiedKFold } from '../../src/index.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { failure } from '../helpers/failure.js';

const seed = fc.integer({ min: 0, max: 0xffffffff });
const nSplits = fc.integer({ min: 2, max: 6 });
/** Runs the checks of `foldsOf` (ranges, disjoint, partition, groups whole) and gives the test rows. */
const testsOf = (...args: Parameters<typeof foldsOf>) => Array.from(foldsOf(...args), ({ test }) => test);
const spread = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts);

describe('KFold and RepeatedKFold', () => {
  it('give folds whose sizes differ by one row at most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 200 }), nSplits, seed, fc.boolean(), (n, k, randomState, shuffle) => {
        const plain = new KFold(shuffle ? { nSplits: k, shuffle, randomState } : { nSplits: k });
        expect(spread(testsOf(plain, n).map((test) => test.length))).toBeLessThanOrEqual(1);
        const repeated = new RepeatedKFold({ nSplits: k, nRepeats: 2, randomState });
        expect(spread(testsOf(repeated, n).map((test) => test.length))).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('StratifiedKFold', () => {
  it('gives every class and every fold the same number of rows, plus or minus one', () => {
    const labels = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 2, maxLength: 120 });
    fc.assert(
      fc.property(labels, nSplits, seed, fc.boolean(), (y, k, randomState, shuffle) => {
        const splitter = new StratifiedKFold(shuffle ? { nSplits: k, shuffle, randomState } : { nSplits: k });
        const sizes = [0, 1, 2, 3].map((label) => y.filter((each) => each === label).length).filter(Boolean);
        // No test fold may hold one class alone; of several, one may have fewer rows than there are folds.
        const largest = Math.max(...sizes);
        const most = sizes.length > 1 ? Math.min(largest, y.length - largest) : y.length;
        if (k > most) {
          expect(() => foldsOf(splitter, y.length, y)).toThrow(InfeasibleSplitError);
          return;
        }
        const tests = testsOf(splitter, y.length, y);
        expect(spread(tests.map((test) => test.length))).toBeLessThanOrEqual(1);
        for (const label of new Set(y)) {
          expect(spread(tests.map((test) => test.filter((row) => y[row] === label).length))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('HoldOut', () => {
  it('tests the rows asked for, each class in its share plus or minus one', () => {
    const labels = fc.array(fc.boolean(), { minLength: 8, maxLength: 100 });
    fc.assert(
      fc.property(labels, fc.double({ min: 0.3, max: 0.7, noNaN: true }), seed, (y, testSize, randomState) => {
        const [plain] = testsOf(new HoldOut({ testSize, randomState }), y.length);
        expect(plain.length).toBe(Math.ceil(testSize * y.length));
        const positives = y.filter(Boolean).length;
        if (Math.min(positives, y.length - positives) < 2) return;
        const [test] = testsOf(new HoldOut({ testSize, randomState, stratify: true }), y.length, y);
        expect(test.length).toBe(plain.length);
        const share = (positives * test.length) / y.length;
        expect(Math.abs(test.filter((row) => y[row]).length - share)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('GroupKFold', () => {
  it('balances rows to within the largest group', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 6, maxLength: 60 });
    fc.assert(
      fc.property(sizes, nSplits, seed, fc.boolean(), (perGroup, k, randomState, shuffle) => {
        const groups = perGroup.flatMap((size, group) => Array(size).fill(group));
        const splitter = new GroupKFold(shuffle ? { nSplits: k, randomState } : { nSplits: k, shuffle });
        const tests = testsOf(splitter, groups.length, null, { groups });
        // Graham 1969: list scheduling leaves no two machines further apart than the longest job
        expect(spread(tests.map((test) => test.length))).toBeLessThanOrEqual(Math.max(...perGroup));
      }),
    );
  });
});

describe('StratifiedGroupKFold with two classes', () => {
  /** Rows of each class per group; both classes have rows. */
  const table = fc
    .array(
      fc
        .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 3 }))
        .filter(([negative, positive]) => negative + positive > 0),
      { minLength: 2, maxLength: 14 },
    )
    .filter((perGroup) => [0, 1].every((label) => perGroup.some((rows) => rows[label] > 0)));

  /** A random table: the labels that each fold tests, and the rule. k folds with both classes exist exactly if `largest >= k`. */
  function designOf(perGroup: readonly (readonly [number, number])[], randomState: number) {
    const rows = perGroup.flatMap((counts, group) =>
      counts.flatMap((count, label) => Array.from({ length: count }, () => ({ group, label }))),
    );
    const y = rows.map(({ label }) => label);
    const groups = rows.map(({ group }) => group);
    const [shuffled, still] = [{ randomState }, { shuffle: false }].map((options) => (count: number) => {
      const splitter = new StratifiedGroupKFold({ nSplits: count, ...options });
      return testsOf(splitter, rows.length, y, { groups }).map((test) => new Set(Array.from(test, (row) => y[row])));
    });
    const both = perGroup.filter(([negative, positive]) => negative > 0 && positive > 0).length;
    const onlyNegative = perGroup.filter(([, positive]) => positive === 0).length;
    const onlyPositive = perGroup.filter(([negative]) => negative === 0).length;
    const largest = both + Math.min(onlyNegative, onlyPositive);
    const proof =
      `(groups with both classes: ${both}, with only class 0: ${onlyNegative}, with only class 1: ${onlyPositive}; ` +
      `${both} + min(${onlyNegative}, ${onlyPositive}) = ${largest})`;
    return { splits: [shuffled, still], largest, proof };
  }

  it('has both classes in every test fold of 2,000 random designs that allow it', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(table, nSplits, seed, (perGroup, k, randomState) => {
        const { splits, largest } = designOf(perGroup, randomState);
        fc.pre(largest >= k);
        for (const split of splits) expect(split(k).map(({ size }) => size)).toEqual(Array(k).fill(2));
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses 2,000 random designs that do not, with the counts that prove it and the largest feasible number', {
    tags: 'slow',
  }, () => {
    fc.assert(
      fc.property(table, nSplits, seed, (perGroup, k, randomState) => {
        const { splits, largest, proof } = designOf(perGroup, randomState);
        fc.pre(largest < k && perGroup.length >= k);
        for (const split of splits) {
          const message = failure(() => split(k));
          expect(message).toMatch(/^infeasible_split: /);
          expect(message).toContain(proof);
          expect(message).toContain(largest < 2 ? `at most ${largest} such fold` : `must be at most ${largest},`);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
