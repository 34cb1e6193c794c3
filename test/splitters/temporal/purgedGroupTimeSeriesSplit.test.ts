import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import type { SideData } from '../../../src/data/sideData.js';
import {
  PurgedGroupTimeSeriesSplit,
  type PurgedGroupTimeSeriesSplitOptions,
} from '../../../src/splitters/temporal/purgedGroupTimeSeriesSplit.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { splitterSuite } from '../../conformance/splitterSuite.js';
import { matrix } from '../../helpers/matrix.js';
import {
  byTime,
  feasibleOnly,
  isNear,
  type Labelled,
  labelled,
  meet,
  movedCuts,
  type Protection,
  protection,
  type Sides,
  sidesOf,
} from './purgeOracle.js';

const split = (options: PurgedGroupTimeSeriesSplitOptions, n: number, data: SideData = {}) => [
  ...new PurgedGroupTimeSeriesSplit(options).split(n, null, data),
];

describe('PurgedGroupTimeSeriesSplit', () => {
  it('is TimeSeriesSplit where there is nothing to purge, with its gap as purgeGap', () => {
    // TimeSeriesSplit itself is held to scikit-learn
    for (const [n, nSplits, gap] of matrix('12 5 0 | 6 5 0 | 100 3 7 | 23 2 1 | 59 4 11')) {
      expect(split({ nSplits, purgeGap: gap }, n)).toEqual([...new TimeSeriesSplit({ nSplits, gap }).split(n)]);
      const timestamps = Array.from({ length: n }, (_, row) => Math.floor(((row * 37) % n) / 2));
      const expected = feasibleOnly(() => [...new TimeSeriesSplit({ nSplits }).split(n, null, { timestamps })]);
      const data = { timestamps, labelEndTimes: timestamps };
      expect(feasibleOnly(() => split({ nSplits }, n, data))).toEqual(expected);
    }
  });

  it('leaves rows after earlier test blocks out of later training sets', () => {
    // by hand: 12 rows, 3 folds test 3-5, 6-8, 9-11; an embargo of 0.1 is 2 rows: 6-7 and 9-10
    const folds = split({ nSplits: 3, embargoSize: 0.1 }, 12).map(sidesOf);
    expect(folds).toEqual([
      { train: [0, 1, 2], test: [3, 4, 5], purged: [], embargoed: [] },
      { train: [0, 1, 2, 3, 4, 5], test: [6, 7, 8], purged: [], embargoed: [] },
      { train: [0, 1, 2, 3, 4, 5, 8], test: [9, 10, 11], purged: [], embargoed: [6, 7] },
    ]);
  });

  it('counts the embargo from where the labels of the earlier block have ended, without the gap', () => {
    // by hand: days 0 ... 11, 3 folds test 3-5, 6-8, 9-11; the label of day 4 ends on day 7, so the one row that 0.05 of
    // 12 makes is day 8, and days 6 and 7 wait for it
    const timestamps = Array.from({ length: 12 }, (_, row) => row);
    const data = { timestamps, labelEndTimes: timestamps.with(4, 7) };
    const last = (options: PurgedGroupTimeSeriesSplitOptions) =>
      sidesOf(split({ nSplits: 3, ...options }, 12, data)[2]);
    const train = [0, 1, 2, 3, 4, 5];
    expect(last({ embargoSize: 0.05 })).toEqual({ train, test: [9, 10, 11], purged: [], embargoed: [6, 7, 8] });
    // a gap before day 9 and none after day 5: the embargo is no later for it
    expect(last({ embargoSize: 0.05, purgeGap: 1 })).toMatchObject({ train, purged: [8], embargoed: [6, 7] });
    // no embargo, nothing to wait for
    expect(last({})).toMatchObject({ train: [...train, 6, 7, 8], embargoed: [] });
  });

  it('purges labels that reach the test block, wherever they start', () => {
    // by hand: days 0 ... 11; the labels of days 0 and 7 end on day 9, that of day 4 on day 8
    const timestamps = Array.from({ length: 12 }, (_, row) => row);
    const labelEndTimes = timestamps.with(0, 9).with(7, 9).with(4, 8);
    const folds = split({ nSplits: 3, purgeGap: 1 }, 12, { timestamps, labelEndTimes }).map(sidesOf);
    expect(folds.map(({ train }) => train)).toEqual([[1], [1, 2, 3], [1, 2, 3, 4, 5, 6]]);
    expect(folds.map(({ purged }) => purged)).toEqual(matrix('0 2 | 0 4 5 | 0 7 8'));
  });

  it('takes both as durations: days of dates, else the unit of the timestamps', () => {
    // by hand: visits every 12 hours from 1 January, 3 folds test visits 3-5, 6-8, 9-11, the last one from 5 January 12:00
    const groups = 'aabbcdccdedd'.split('');
    const hours = Array.from({ length: 12 }, (_, row) => 12 * row);
    const dates = hours.map((hour) => new Date(Date.UTC(2024, 0, 1, hour)));
    const last = (unit: number, timestamps: (number | Date)[], options: PurgedGroupTimeSeriesSplitOptions) =>
      sidesOf(
        split({ nSplits: 3, ...options, ...(options.purgeTime ? { purgeTime: options.purgeTime * unit } : {}) }, 12, {
          ...{ timestamps, groups },
        })[2],
      );
    for (const [unit, times] of [
      [1, dates],
      [24, hours],
    ] as const) {
      // a day is two visits: the one that lies a day before the first test visit trains
      expect(last(unit, times, { purgeTime: 1 })).toMatchObject({ train: [0, 1, 2, 3, 4, 5, 6, 7], purged: [8] });
      expect(last(unit, times, { purgeTime: 1.1 })).toMatchObject({ train: [0, 1, 2, 3, 4, 5, 6], purged: [7, 8] });
    }
    // after visit 5: visits 6 and 7 are 12 and 24 hours later
    expect(last(1, dates, { embargoTime: 1 })).toMatchObject({ train: [0, 1, 2, 3, 4, 5, 7, 8], embargoed: [6] });
    expect(last(1, dates, { embargoTime: 2, purgeTime: 0.6 })).toMatchObject({ embargoed: [6, 7], purged: [8] });
    // patients of the test visits (e, d) do not train
    const exclusive = { embargoTime: 1, groupExclusive: true };
    expect(last(1, dates, exclusive)).toMatchObject({ train: [0, 1, 2, 3, 4, 7], purged: [5, 8], embargoed: [6] });
  });

  it('keeps the groups of the test block out of training when it is asked to', () => {
    const groups = ['a', 'b', 'c', 'a', 'b', 'd', 'c', 'd', 'd', 'a', 'e', 'e'];
    const [first, second, third] = split({ nSplits: 3, groupExclusive: true, embargoSize: 0.1 }, 12, { groups });
    // by hand: fold-0 tests a b d, fold-1 tests c d, fold-2 tests a e (and rows 6 and 7 are embargoed)
    expect(sidesOf(first)).toEqual({ train: [2], test: [3, 4, 5], purged: [0, 1], embargoed: [] });
    expect(sidesOf(second)).toEqual({ train: [0, 1, 3, 4], test: [6, 7, 8], purged: [2, 5], embargoed: [] });
    expect(sidesOf(third)).toEqual({ train: [1, 2, 4, 5, 8], test: [9, 10, 11], purged: [0, 3], embargoed: [6, 7] });
    expect(split({ nSplits: 3 }, 12, { groups })).toEqual(split({ nSplits: 3 }, 12));
    expect(new PurgedGroupTimeSeriesSplit({ groupExclusive: true }).claims.disjointGroups).toBe(true);
    expect(new PurgedGroupTimeSeriesSplit().claims.disjointGroups).toBe(false);
  });
});

describe('PurgedGroupTimeSeriesSplit({ groupExclusive: true }) passes the common suite', () => {
  const { facts } = PurgedGroupTimeSeriesSplit;
  const exclusive = {
    ...facts,
    needs: ['groups'] as const,
    uses: ['timestamps', 'labelEndTimes'] as const,
    claims: { ...facts.claims, disjointGroups: true },
    create: (options: object) => new PurgedGroupTimeSeriesSplit({ ...options, groupExclusive: true }),
    examples: [{ nSplits: 2 }, { nSplits: 2, purgeGap: 1, embargoSize: 0.05 }],
  };
  for (const each of splitterSuite(exclusive)) it(each.name, each.run);
});

/** The fold that tests the ranks `from` ... `to - 1`, straight from the definition. */
function expectedFold(
  data: Labelled & { groups: number[] },
  cuts: readonly number[],
  fold: number,
  { purgeGap, embargoSize, purgeTime, embargoTime, groupExclusive }: Required<Protection> & { groupExclusive: boolean },
): Sides {
  const rows = byTime(data);
  const times = rows.map((row) => data.timestamps[row]);
  const embargo = Math.ceil(Math.round(embargoSize * rows.length * 1e9) / 1e9);
  const [from, to] = [cuts[fold], cuts[fold + 1]];
  const tested = rows.slice(from, to);
  // the earliest time in the gap, and per earlier block the latest time in its embargo, which waits for its labels
  const gapTime = purgeGap > 0 ? (times[Math.max(from - purgeGap, 0)] ?? Infinity) : Infinity;
  const embargoes = cuts.slice(1, fold + 1).map((end, block) => {
    const known = Math.max(...rows.slice(cuts[block], end).map((row) => data.labelEndTimes[row]));
    const reached = times.filter((time, rank) => rank >= end && time <= known).length;
    return { end, until: times[Math.min(end + reached + embargo, rows.length) - 1], free: known + (embargoTime ?? 0) };
  });
  const sides: Sides = { train: [], test: tested.toSorted((a, b) => a - b), purged: [], embargoed: [] };
  for (const [rank, row] of rows.slice(0, from).entries()) {
    const sameGroup = groupExclusive && tested.some((other) => data.groups[other] === data.groups[row]);
    const close = (other: number) =>
      meet(data, row, other) || (purgeTime !== null && isNear(data, row, other, purgeTime));
    const waits = ({ end, until, free }: (typeof embargoes)[number]) =>
      rank >= end && (times[rank] <= until || times[rank] < free);
    if (sameGroup || times[rank] >= gapTime || tested.some(close)) sides.purged.push(row);
    else if ((embargo > 0 || embargoTime !== null) && embargoes.some(waits)) sides.embargoed.push(row);
    else sides.train.push(row);
  }
  for (const side of Object.values(sides)) side.sort((a, b) => a - b);
  return sides;
}

describe('PurgedGroupTimeSeriesSplit on random rows', () => {
  const design = fc.record({
    data: labelled.chain((data) =>
      fc
        .array(fc.integer({ min: 0, max: 12 }), {
          minLength: data.timestamps.length,
          maxLength: data.timestamps.length,
        })
        .map((groups) => ({ ...data, groups })),
    ),
    protection,
    nSplits: fc.integer({ min: 2, max: 5 }),
    groupExclusive: fc.boolean(),
  });

  it('equals the definition, pair by pair', () => {
    let feasible = 0;
    const check = fc.property(design, ({ data, protection, nSplits, groupExclusive }) => {
      const n = data.timestamps.length;
      const size = Math.floor(n / (nSplits + 1));
      const cuts = movedCuts(
        data,
        Array.from({ length: nSplits + 1 }, (_, fold) => n - (nSplits - fold) * size),
      );
      const options = { ...protection, groupExclusive };
      const expected = Array.from({ length: nSplits }, (_, fold) => expectedFold(data, cuts, fold, options));
      const make = () => split({ nSplits, ...options }, n, data).map(sidesOf);
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
