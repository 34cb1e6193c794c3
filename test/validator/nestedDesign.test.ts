import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readData } from '../../src/runner/readData.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { RepeatedGroupKFold } from '../../src/splitters/grouped/repeatedGroupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import type { Fold } from '../../src/splitters/splitter.js';
import { NestedDesign } from '../../src/validator/furtherRuns.js';
import { failure } from '../helpers/failure.js';

/** Data of `n` rows; a patient has the rows of one code. */
const problemOf = (groups: readonly number[] | undefined, n = groups?.length ?? 0) => {
  const rows = Array.from({ length: n }, (_, row) => row);
  return readData({ X: rows.map((row) => [row]), y: rows.map((row) => row % 2), ...(groups ? { groups } : {}) }, {});
};

const pairsOf = (folds: readonly Fold[], K: number) => folds.slice(K);

describe('NestedDesign', () => {
  it('trains K models without one fold and K (K - 1) / 2 without two, each tested on what it left out', () => {
    const problem = problemOf(undefined, 24);
    const design = new NestedDesign(new KFold({ nSplits: 4, shuffle: true }), problem, { repeats: 2, seed: 3 });
    const plan = [...foldsOf(design, 24)];
    expect(plan).toHaveLength((2 * 4 * 5) / 2);
    expect(design.getNSplits()).toBe(plan.length);
    for (const repeat of [0, 1]) {
      const folds = plan.filter((fold) => fold.repeat === repeat);
      const tests = folds.slice(0, 4).map(({ test }) => Array.from(test));
      expect(tests.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, row) => row));
      const unions = tests.flatMap((first, j) =>
        tests.slice(j + 1).map((second) => [...first, ...second].sort(byNumber)),
      );
      expect(pairsOf(folds, 4).map(({ test }) => Array.from(test))).toEqual(unions);
      for (const { train, test } of folds) expect(train.length + test.length).toBe(24);
    }
    const [first, second] = [plan[0], plan[10]].map(({ test }) => Array.from(test));
    expect(first).not.toEqual(second);
  });

  it('gives each test of a pair to both outer folds', () => {
    const problem = problemOf(undefined, 12);
    const design = new NestedDesign(new KFold({ nSplits: 3 }), problem, { repeats: 1, seed: 3 });
    const tests = design.testsOf({ folds: [] });
    // Consecutive folds: rows 0-3, 4-7 and 8-11.
    expect(tests.map(({ outer, inner, units }) => [outer, inner, units[0], units.length])).toEqual([
      [0, null, 0, 4],
      [1, null, 4, 4],
      [2, null, 8, 4],
      [1, 0, 0, 4],
      [0, 1, 4, 4],
      [2, 0, 0, 4],
      [0, 2, 8, 4],
      [2, 1, 4, 4],
      [1, 2, 8, 4],
    ]);
    expect(tests[0].error).toBe('a callback ended the run');
  });

  it('never has a patient on both sides of any fold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 40 }),
        fc.integer({ min: 3, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 1e6 }),
        fc.boolean(),
        (sizes, nSplits, repeats, seed, repeated) => {
          const groups = sizes.flatMap((size, patient) => Array.from({ length: size }, () => patient));
          const problem = problemOf(groups);
          const splitter = repeated
            ? new RepeatedGroupKFold({ nSplits, nRepeats: 2, randomState: 1 })
            : new GroupKFold({ nSplits });
          const design = new NestedDesign(splitter, problem, { repeats, seed });
          const plan = [...foldsOf(design, groups.length, problem.y, problem.data)];
          expect(plan).toHaveLength((repeats * nSplits * (nSplits + 1)) / 2);
          for (const { train, test } of plan) {
            const trained = new Set(Array.from(train, (row) => groups[row]));
            expect(Array.from(test).some((row) => trained.has(groups[row]))).toBe(false);
          }
          for (const { units, outer, inner } of design.testsOf({ folds: [] })) {
            expect(units.length).toBeGreaterThan(0);
            expect(outer).not.toBe(inner);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('draws repeats of its own seed, whatever the seed and the repeats of the splitter', () => {
    const of = (nRepeats: number, seed: number) =>
      [
        ...new NestedDesign(new RepeatedKFold({ nSplits: 3, nRepeats, randomState: 9 }), problemOf(undefined, 15), {
          repeats: 2,
          seed,
        }).split(),
      ].map(({ test }) => Array.from(test));
    expect(of(1, 4)).toEqual(of(5, 4));
    expect(of(1, 4)).not.toEqual(of(1, 5));
  });

  it('refuses folds of one patient each', () => {
    const groups = Array.from({ length: 12 }, (_, row) => Math.floor(row / 4));
    expect(
      failure(() => new NestedDesign(new GroupKFold({ nSplits: 3 }), problemOf(groups), { repeats: 2, seed: 1 })),
    ).toMatch(/interval_method.*`ciMethod: nested_cv`/);
  });
});

const byNumber = (a: number, b: number) => a - b;
