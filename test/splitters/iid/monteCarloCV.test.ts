import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { HoldOut } from '../../../src/splitters/iid/holdOut.js';
import { MonteCarloCV, type MonteCarloCVOptions } from '../../../src/splitters/iid/monteCarloCV.js';
import { groupIds, labels } from '../sklearn.js';

const seed = fc.integer({ min: 0, max: 0xffffffff });
const cuts = (options: MonteCarloCVOptions, n: number, y?: unknown[], groups?: ArrayLike<number>) => [
  ...new MonteCarloCV(options).split(n, y, groups ? { groups } : {}),
];

describe('MonteCarloCV', () => {
  it('begins with the cut of HoldOut and goes on from one stream', () => {
    const y = labels(100, 3);
    const groups = groupIds(100, 30);
    for (const options of [{}, { stratify: true }, { testSize: 7 }]) {
      for (const side of [undefined, groups]) {
        const [cut] = new HoldOut({ ...options, randomState: 5 }).split(100, y, side ? { groups: side } : {});
        const five = cuts({ ...options, randomState: 5, nIterations: 5 }, 100, y, side);
        expect(five[0]).toEqual(cut);
        expect(cuts({ ...options, randomState: 5, nIterations: 2 }, 100, y, side)).toEqual(five.slice(0, 2));
        expect(new Set(five.map(({ test }) => String(test))).size).toBe(5);
        expect(five.map(({ id }) => id)).toEqual(['fold-0', 'fold-1', 'fold-2', 'fold-3', 'fold-4']);
      }
    }
    expect(new MonteCarloCV().getNSplits()).toBe(100);
    expect(cuts({ n_iterations: 2, test_size: 3, random_state: 1 } as object, 9)).toEqual(
      cuts({ nIterations: 2, testSize: 3, randomState: 1 }, 9),
    );
  });

  it('tests every row equally often', () => {
    const [n, nIterations, testSize] = [25, 2000, 5];
    const tested = new Float64Array(n);
    for (const { test } of cuts({ nIterations, testSize, randomState: 3 }, n)) for (const row of test) tested[row]++;
    const error = Math.sqrt((0.2 * 0.8) / nIterations);
    for (const count of tested) expect(Math.abs(count / nIterations - 0.2)).toBeLessThan(4 * error);
  });

  it('keeps groups whole and comes as near to testSize as they allow', () => {
    const ids = fc.oneof(fc.constantFrom(-1e300, 0, 1e300), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(fc.array(ids, { minLength: 8, maxLength: 80 }), seed, (groups, randomState) => {
        fc.pre(new Set(groups).size >= 2);
        const n = groups.length;
        const largest = Math.max(...groups.map((id) => groups.filter((each) => each === id).length));
        const splitter = new MonteCarloCV({ nIterations: 4, testSize: 0.5, randomState });
        for (const { train, test } of foldsOf(splitter, n, { groups })) {
          expect(train.length + test.length).toBe(n);
          const nearest = Math.abs(test.length - Math.ceil(n / 2));
          // by hand: sums grow group by group, so the nearest is off by half a group; one group always stays to train
          expect(nearest).toBeLessThanOrEqual(largest / 2 + (largest > n / 2 ? largest : 0));
        }
      }),
    );
  });

  it('has patients of the rare class on both sides of every cut when it stratifies groups', () => {
    // 3 of 20 patients are positive, and each only in one of five images
    const groups = Array.from({ length: 100 }, (_, row) => Math.floor(row / 5));
    const y = groups.map((patient, row) => (patient % 7 === 0 && row % 5 === 2 ? 'case' : 'control'));
    for (const { train, test } of cuts({ stratify: true, nIterations: 50, randomState: 0 }, 100, y, groups)) {
      for (const side of [train, test]) expect(new Set(Array.from(side, (row) => y[row])).size).toBe(2);
      expect(test.length).toBe(20);
    }
  });

  it('draws cuts when they are asked for', () => {
    const [first] = new MonteCarloCV({ nIterations: 1_000_000 }).split(10);
    expect(first.test.length).toBe(2);
  });

  it('says what it is and claims classes only where it stratifies', () => {
    expect(new MonteCarloCV({ nIterations: 5 }).describe()).toMatch(
      /nIterations: 5.*promises that no group is on both sides\.$/,
    );
    expect(new MonteCarloCV().claims).toEqual({ disjointGroups: true, stratified: false });
    expect(new MonteCarloCV({ stratify: [0, 1] }).claims).toEqual({ disjointGroups: true, stratified: true });
  });
});
