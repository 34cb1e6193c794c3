import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import type { SideData } from '../../../src/data/sideData.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { PurgedKFoldCV, type PurgedKFoldCVOptions } from '../../../src/splitters/temporal/purgedKFoldCV.js';
import { matrix } from '../../helpers/matrix.js';
import { blockEdges, expectedSides, type Labelled, labelled, movedCuts, protection, sidesOf } from './purgeOracle.js';

const split = (options: PurgedKFoldCVOptions, n: number, data: SideData = {}) => [
  ...new PurgedKFoldCV(options).split(n, null, data),
];
const train = (options: PurgedKFoldCVOptions, data: Labelled, fold: number) => [
  ...split(options, data.timestamps.length, data)[fold].train,
];

/** Rows at times 0 ... 9 whose labels end at once, but for those that `longer` names. */
const tenDays = (longer: Record<number, number> = {}): Labelled => {
  const timestamps = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  return { timestamps, labelEndTimes: timestamps.map((time) => longer[time] ?? time) };
};

describe('PurgedKFoldCV', () => {
  it('is unshuffled KFold where there is nothing to purge', () => {
    for (const [n, nSplits] of matrix('10 5 | 11 2 | 23 7 | 100 3 | 7 7')) {
      const timestamps = Array.from({ length: n }, (_, row) => 3 * row - 50);
      const expected = [...new KFold({ nSplits }).split(n)];
      expect(split({ nSplits }, n)).toEqual(expected);
      expect(split({ nSplits }, n, { timestamps })).toEqual(expected);
      expect(split({ nSplits }, n, { timestamps, labelEndTimes: timestamps })).toEqual(expected);
    }
  });

  it('is KFold in time order when rows are not in order', () => {
    const timestamps = [40, 10, 30, 0, 20, 50];
    // by hand: in the order of time the rows are 3 1 | 4 2 | 0 5
    expect(split({ nSplits: 3 }, 6, { timestamps }).map(({ test }) => [...test])).toEqual(matrix('1 3 | 2 4 | 0 5'));
  });

  it('leaves purgeGap rows out on both sides, and an embargo after the block only', () => {
    // by hand: fold-2 of 5 tests rows 4 and 5 of ten
    const [, , gap] = split({ purgeGap: 1 }, 10);
    expect(sidesOf(gap)).toEqual({ train: [0, 1, 2, 7, 8, 9], test: [4, 5], purged: [3, 6], embargoed: [] });
    const [, , embargo] = split({ embargoSize: 0.15 }, 10);
    expect(sidesOf(embargo)).toEqual({ train: [0, 1, 2, 3, 8, 9], test: [4, 5], purged: [], embargoed: [6, 7] });
    const [, , both] = split({ purgeGap: 1, embargoSize: 0.1 }, 10);
    expect(sidesOf(both)).toEqual({ train: [0, 1, 2, 8, 9], test: [4, 5], purged: [3, 6], embargoed: [7] });
    const last = split({ embargoSize: 0.7 }, 10)[4];
    expect(sidesOf(last).train).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('rounds the share of an embargo up, and does not trust the last binary digit', () => {
    expect(0.07 * 100).toBeGreaterThan(7);
    for (const [embargoSize, rows] of matrix('0.07 7 | 0.071 8 | 0 0 | 1e-6 1')) {
      expect(sidesOf(split({ embargoSize }, 100)[0]).embargoed).toHaveLength(rows);
    }
  });

  it('lets gap and embargo grow to whole times, outwards', () => {
    // by hand: places 0-1 | 2-3 | 4-5 with times 0 0 | 1 2 | 3 3; fold-1 tests 1 and 2
    const timestamps = [0, 0, 1, 2, 3, 3];
    expect(() => split({ nSplits: 3, purgeGap: 1 }, 6, { timestamps })).toThrow('Fold fold-1 of PurgedKFoldCV');
    const [, fold] = split({ nSplits: 3, embargoSize: 0.1 }, 6, { timestamps });
    expect(sidesOf(fold)).toEqual({ train: [0, 1], test: [2, 3], purged: [], embargoed: [4, 5] });
  });

  it('keeps rows of one time together', () => {
    // by hand: cuts wanted at 2 and 4 of six rows; the tie at time 5 moves the first to 3
    const folds = split({ nSplits: 3 }, 6, { timestamps: [1, 5, 5, 6, 7, 8] });
    expect(folds.map(({ test }) => [...test])).toEqual([[0, 1, 2], [3], [4, 5]]);
  });

  it('reads Dates and ISO strings as their times', () => {
    const numbers = tenDays({ 1: 4, 6: 8 });
    const day = 86_400_000;
    const dates = {
      timestamps: numbers.timestamps.map((t) => new Date(t * day)),
      labelEndTimes: numbers.labelEndTimes.map((t) => new Date(t * day)),
    };
    const texts = {
      timestamps: dates.timestamps.map((t) => t.toISOString()),
      labelEndTimes: dates.labelEndTimes.map((t) => t.toISOString().slice(0, 10)),
    };
    const expected = split({ embargoSize: 0.1 }, 10, numbers);
    expect(split({ embargoSize: 0.1 }, 10, dates)).toEqual(expected);
    expect(split({ embargoSize: 0.1 }, 10, texts)).toEqual(expected);
  });
});

describe('PurgedKFoldCV does not have the bugs of others', () => {
  it('purges a label that starts far before the block and ends beyond it', () => {
    // row 0 is about days 0 to 7, so it meets the tests of days 2-3 and 4-5, whose last day is before its end
    const data = tenDays({ 0: 7 });
    expect(train({}, data, 1)).toEqual([1, 4, 5, 6, 7, 8, 9]);
    expect(train({}, data, 2)).toEqual([1, 2, 3, 6, 7, 8, 9]);
  });

  it('purges a label that starts before the block and ends within it', () => {
    expect(train({}, tenDays({ 4: 7 }), 3)).toEqual([0, 1, 2, 3, 5, 8, 9]);
  });

  it('purges rows that start before a test label has ended, however long after the block', () => {
    // fold-1 tests rows 2 and 3, and the label of row 2 (not the last of the block) is known on day 7
    expect(train({}, tenDays({ 2: 7 }), 1)).toEqual([0, 1, 8, 9]);
  });

  it('takes intervals as closed', () => {
    // day 7 is the end of a test label and the start of row 7; day 2 is the end of row 1 and the start of a test label
    expect(train({}, tenDays({ 2: 7 }), 1)).not.toContain(7);
    expect(train({}, tenDays({ 1: 2 }), 1)).toEqual([0, 4, 5, 6, 7, 8, 9]);
  });

  it('counts the embargo from the end of the last test label, not from the end of the block', () => {
    expect(sidesOf(split({ embargoSize: 0.1 }, 10, tenDays({ 2: 7 }))[1])).toEqual({
      train: [0, 1, 9],
      test: [2, 3],
      purged: [4, 5, 6, 7],
      embargoed: [8],
    });
  });

  it('measures labels in time, not in rows', () => {
    // labels of ten days and visits in bursts: fold-1 tests days 2 and 100; days 0, 1 and 101 meet them, day 200 does not
    const timestamps = [0, 1, 2, 100, 101, 200, 201, 202, 300, 301];
    const data = { timestamps, labelEndTimes: timestamps.map((time) => time + 10) };
    expect(train({}, data, 1)).toEqual([5, 6, 7, 8, 9]);
  });
});

describe('PurgedKFoldCV on random rows', () => {
  const design = fc.record({ data: labelled, protection, nSplits: fc.integer({ min: 2, max: 6 }) });

  it('equals the definition, pair by pair', () => {
    let feasible = 0;
    const check = fc.property(design, ({ data, protection, nSplits }) => {
      const n = data.timestamps.length;
      const cuts = movedCuts(data, blockEdges(n, nSplits));
      const expected = cuts.slice(1).map((to, fold) => expectedSides(data, [[cuts[fold], to]], protection));
      const make = () => split({ nSplits, ...protection }, n, data).map(sidesOf);
      if (expected.some(({ train, test }) => train.length === 0 || test.length === 0)) {
        expect(make).toThrow(InfeasibleSplitError);
      } else {
        expect(make()).toEqual(expected);
        feasible++;
      }
    });
    fc.assert(check, { numRuns: 600 });
    expect(feasible).toBeGreaterThan(100);
  });
});
