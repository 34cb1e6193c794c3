import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import type { SideData } from '../../../src/data/sideData.js';
import { combinations } from '../../../src/splitters/assignment.js';
import {
  CombinatorialPurgedCV,
  type CombinatorialPurgedCVOptions,
} from '../../../src/splitters/temporal/combinatorialPurgedCV.js';
import { PurgedKFoldCV } from '../../../src/splitters/temporal/purgedKFoldCV.js';
import { matrix } from '../../helpers/matrix.js';
import {
  blockEdges,
  byTime,
  expectedSides,
  feasibleOnly,
  labelled,
  meet,
  movedCuts,
  protection,
  sidesOf,
} from './purgeOracle.js';

const split = (options: CombinatorialPurgedCVOptions, n: number, data: SideData = {}) => [
  ...new CombinatorialPurgedCV(options).split(n, null, data),
];

/** Blocks `chosen` as runs of ranks, adjacent blocks joined. */
function runsOf(cuts: readonly number[], chosen: Iterable<number>): [number, number][] {
  const runs: [number, number][] = [];
  for (const block of chosen) {
    const last = runs.at(-1);
    if (last?.[1] === cuts[block]) last[1] = cuts[block + 1];
    else runs.push([cuts[block], cuts[block + 1]]);
  }
  return runs;
}

describe('CombinatorialPurgedCV', () => {
  it('has 15 splits and 5 paths for 6 blocks and 2 of them tested (López de Prado 2018, figure 12.1)', () => {
    const cv = new CombinatorialPurgedCV({ nSplits: 6, nTestSplits: 2 });
    expect(cv.getNSplits()).toBe(15);
    expect([...cv.split(60)].length).toBe(15);
    const paths = cv.paths(60);
    expect(paths.length).toBe(5);
    for (const path of paths) {
      expect(path.map(({ block }) => block)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(path.flatMap(({ rows }) => [...rows])).toEqual(Array.from({ length: 60 }, (_, row) => row));
    }
  });

  it('assigns splits to paths as the book does', () => {
    // López de Prado 2018, section 12.4.1 and figure 12.2: path 1 joins (G1,S1), (G2,S1), (G3,S2), (G4,S3), (G5,S4),
    // (G6,S5); path 2 joins (G1,S2), (G2,S6), (G3,S6), (G4,S7), (G5,S8), (G6,S9). Groups and splits count from 1.
    const [first, second] = new CombinatorialPurgedCV({ nSplits: 6, nTestSplits: 2 }).paths(60);
    expect(first.map(({ index }) => index + 1)).toEqual([1, 1, 2, 3, 4, 5]);
    expect(second.map(({ index }) => index + 1)).toEqual([2, 6, 6, 7, 8, 9]);
    expect(second.map(({ fold }) => fold)).toEqual(second.map(({ index }) => `fold-${index}`));
  });

  it('recombines paths as skfolio does', () => {
    // `recombined_paths` of CombinatorialPurgedCV(n_folds=5, n_test_folds=2) in the tests of skfolio, commit 0124d50:
    // for each block the splits that test it, path by path
    const recombined = matrix('0 1 2 3 | 0 4 5 6 | 1 4 7 8 | 2 5 7 9 | 3 6 8 9');
    const paths = new CombinatorialPurgedCV().paths(12);
    expect(recombined.map((_, block) => paths.map((path) => path[block].index))).toEqual(recombined);
  });

  it('purges and embargoes as skfolio does where labels have no length', () => {
    // the documented examples of skfolio's CombinatorialPurgedCV(n_folds=3, n_test_folds=2) on 12 rows, commit 0124d50
    const trains = (options: CombinatorialPurgedCVOptions) =>
      split({ nSplits: 3, nTestSplits: 2, ...options }, 12).map(({ train }) => [...train]);
    expect(trains({})).toEqual(matrix('8 9 10 11 | 4 5 6 7 | 0 1 2 3'));
    expect(trains({ purgeGap: 1 })).toEqual(matrix('9 10 11 | 5 6 | 0 1 2'));
    expect(trains({ embargoSize: 1 / 12 })).toEqual(matrix('9 10 11 | 5 6 7 | 0 1 2 3'));
  });

  it('is PurgedKFoldCV when one block is tested', () => {
    const timestamps = Array.from({ length: 40 }, (_, row) => (row * 7) % 31);
    const data = { timestamps, labelEndTimes: timestamps.map((time, row) => time + (row % 3)) };
    const options = { nSplits: 4, purgeGap: 1, embargoSize: 0.05 };
    expect(split({ ...options, nTestSplits: 1 }, 40, data)).toEqual([
      ...new PurgedKFoldCV(options).split(40, null, data),
    ]);
  });

  it('purges between two test blocks from both sides, and behind both when a label reaches so far', () => {
    // by hand: days 0 ... 9, blocks of two; the split of blocks 1 and 3 tests days 2, 3, 6, 7; the label of day 3 ends
    // on day 8, that of day 1 on day 2
    const timestamps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const labelEndTimes = [0, 2, 2, 8, 4, 5, 6, 7, 8, 9];
    const folds = split({}, 10, { timestamps, labelEndTimes });
    expect(sidesOf(folds[5])).toEqual({ train: [0, 9], test: [2, 3, 6, 7], purged: [1, 4, 5, 8], embargoed: [] });
  });

  it('cuts ties by row number without strictOrder, and purges what is torn', () => {
    const timestamps = [1, 2, 2, 2, 2, 3];
    const options = { nSplits: 3, nTestSplits: 1 };
    // by hand: cuts wanted at 2 and 4 of six rows both move to 5
    expect(() => split(options, 6, { timestamps })).toThrow('Block 1 of CombinatorialPurgedCV must have rows to test.');
    const folds = split({ ...options, strictOrder: false }, 6, { timestamps });
    // by hand: blocks 0 1 | 2 3 | 4 5; all rows at time 2 meet
    expect(folds.map(sidesOf)).toEqual([
      { train: [5], test: [0, 1], purged: [2, 3, 4], embargoed: [] },
      { train: [0, 5], test: [2, 3], purged: [1, 4], embargoed: [] },
      { train: [0], test: [4, 5], purged: [1, 2, 3], embargoed: [] },
    ]);
    expect(new CombinatorialPurgedCV().claims).toMatchObject({ keepsTies: true, purged: true });
    expect(new CombinatorialPurgedCV({ strictOrder: false }).claims).toMatchObject({ keepsTies: false });
  });

  it('is lazy: the first of 155,117,520 folds comes at once', () => {
    const cv = new CombinatorialPurgedCV({ nSplits: 30, nTestSplits: 15 });
    expect(cv.getNSplits()).toBe(155_117_520); // C(30, 15)
    const [first] = cv.split(300);
    expect([...first.test]).toEqual(Array.from({ length: 150 }, (_, row) => row));
  });

  it('is lazy where a gap or a label keeps a block from training in some folds', () => {
    const [first] = new CombinatorialPurgedCV({ nSplits: 40, nTestSplits: 20, purgeGap: 1 }).split(80);
    expect([...first.train]).toEqual(Array.from({ length: 39 }, (_, row) => row + 41));
    // by hand: 6 of 12 blocks of two rows with a row on either side are 24 rows, but only block 0 reaches row 0, and it
    // has no row before it: at least one row of 24 is left
    const folds = split({ nSplits: 12, nTestSplits: 6, purgeGap: 1 }, 24);
    expect(folds.length).toBe(924); // C(12, 6)
    expect(folds.every(({ train }) => train.length > 0)).toBe(true);
  });

  it('gives paths arrays of their own', () => {
    const [a, b] = new CombinatorialPurgedCV().paths(20);
    a[0].rows.fill(-1);
    expect([...b[0].rows]).toEqual([0, 1, 2, 3]);
  });
});

describe('CombinatorialPurgedCV on random rows', () => {
  const design = fc
    .record({ data: labelled, protection, nSplits: fc.integer({ min: 2, max: 6 }), strictOrder: fc.boolean() })
    .chain((rest) => fc.record({ ...constants(rest), nTestSplits: fc.integer({ min: 1, max: rest.nSplits - 1 }) }));

  it('equals the definition, pair by pair', () => {
    let feasible = 0;
    let refused = 0;
    const check = fc.property(design, ({ data, protection, nSplits, nTestSplits, strictOrder }) => {
      const n = data.timestamps.length;
      const edges = blockEdges(n, nSplits);
      const cuts = strictOrder ? movedCuts(data, edges) : edges;
      const expected = [...combinations(nSplits, nTestSplits)].map((chosen) =>
        expectedSides(data, runsOf(cuts, chosen), protection),
      );
      const make = () => split({ nSplits, nTestSplits, strictOrder, ...protection }, n, data).map(sidesOf);
      if (new Set(cuts).size < cuts.length) {
        expect(make).toThrow(InfeasibleSplitError);
      } else if (expected.some(({ train }) => train.length === 0)) {
        const [, fold] = /^Fold fold-(\d+) of/.exec(thrownBy(make).message) ?? [];
        expect(expected[Number(fold)].train).toEqual([]);
        refused++;
      } else {
        expect(make()).toEqual(expected);
        feasible++;
      }
    });
    fc.assert(check, { numRuns: 600 });
    expect(feasible).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(50);
  });

  it('keeps its promises, and its paths cover every row once with predictions of models that never saw it', () => {
    const check = fc.property(design, ({ data, protection, ...options }) => {
      const n = data.timestamps.length;
      const cv = new CombinatorialPurgedCV({ ...options, ...protection });
      const folds = feasibleOnly(() => [...cv.split(n, null, data)]);
      if (folds.length === 0) {
        expect(() => cv.paths(n, null, data)).toThrow(InfeasibleSplitError);
        return;
      }
      expect(folds.length).toBe(cv.getNSplits());
      for (const fold of folds) {
        const { train, test, purged, embargoed } = sidesOf(fold);
        expect([...train, ...test, ...purged, ...embargoed].sort((a, b) => a - b)).toEqual([...data.timestamps.keys()]);
        expect(train.some((a) => test.some((b) => meet(data, a, b)))).toBe(false);
      }
      const paths = cv.paths(n, null, data);
      expect(paths.length).toBe((cv.getNSplits() * options.nTestSplits) / options.nSplits);
      const used = new Set<string>();
      for (const path of paths) {
        expect(path.flatMap(({ rows }) => [...rows]).sort((a, b) => a - b)).toEqual([...data.timestamps.keys()]);
        for (const { fold, index, block, rows } of path) {
          expect(folds[index].id).toBe(fold);
          expect(Array.from(rows).every((row) => folds[index].test.includes(row))).toBe(true);
          used.add(`${index} ${block}`);
        }
      }
      // no prediction stands in two paths, and none is left over
      expect(used.size).toBe(cv.getNSplits() * options.nTestSplits);
    });
    fc.assert(check, { numRuns: 200 });
  });

  it('orders the rows of each block by time', () => {
    fc.assert(
      fc.property(labelled, (data) => {
        const n = data.timestamps.length;
        const cv = new CombinatorialPurgedCV({ nSplits: 3, nTestSplits: 1, strictOrder: false });
        for (const path of feasibleOnly(() => cv.paths(n, null, data))) {
          const ranks = path.map(({ rows }) =>
            Array.from(rows, (row) => byTime(data).indexOf(row)).sort((a, b) => a - b),
          );
          expect(ranks.flat()).toEqual([...data.timestamps.keys()]);
        }
      }),
    );
  });
});

function thrownBy(make: () => unknown): InfeasibleSplitError {
  try {
    make();
  } catch (error) {
    if (error instanceof InfeasibleSplitError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function constants<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fc.constant(value)])) as never;
}
