import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { SpatialBlockCV } from '../../../src/splitters/spatial/spatialBlockCV.js';
import {
  SpatiotemporalBlockCV,
  type SpatiotemporalBlockCVOptions,
} from '../../../src/splitters/spatial/spatiotemporalBlockCV.js';
import { thrownBy } from '../../conformance/suite.js';
import { expectWholePartition, type Place, planes, spread } from './places.js';

const foldsOf = (coordinates: Place[], timestamps: (number | Date)[], options: SpatiotemporalBlockCVOptions = {}) =>
  Array.from(new SpatiotemporalBlockCV(options).split(coordinates.length, null, { coordinates, timestamps }));

/** Four places on a line, each seen at the times 0 ... 5. */
const coordinates = Array.from({ length: 24 }, (_, row): Place => [10 * Math.floor(row / 6), 0]);
const timestamps = coordinates.map((_, row) => row % 6);

describe('SpatiotemporalBlockCV', () => {
  it('crosses places and times, by hand', () => {
    const folds = foldsOf(coordinates, timestamps, { nSpatialBlocks: 4, nTemporalBlocks: 2, randomState: 0 });
    expect(folds.map(({ id }) => id)).toEqual(
      [0, 1, 2, 3].flatMap((space) => [`space-${space}.time-0`, `space-${space}.time-1`]),
    );
    // each test set is one place at the times 0-2 or 3-5; the 21 other rows are trained on
    for (const { id, test, train, excluded } of folds) {
      expect(new Set(Array.from(test, (row) => coordinates[row][0])).size).toBe(1);
      expect(Array.from(test, (row) => timestamps[row])).toEqual(id.endsWith('0') ? [0, 1, 2] : [3, 4, 5]);
      expect(train.length).toBe(21);
      expect(excluded).toBeUndefined();
    }
  });

  it('leaves out what is near in space, or in time, by hand', () => {
    const design = { nSpatialBlocks: 4, nTemporalBlocks: 2, randomState: 0 };
    // 10 is the distance of neighbours: they may stay, the place itself may not, at no time
    for (const { test, train, excluded } of foldsOf(coordinates, timestamps, { ...design, bufferSpace: 10 })) {
      expect(train.length).toBe(18);
      const tested = coordinates[test[0]][0];
      expect(Array.from(excluded?.buffered ?? [], (row) => coordinates[row][0])).toEqual([tested, tested, tested]);
    }
    // the times 0-2 with 2 around them keep 4 and 5, in 4 places
    for (const { test, train } of foldsOf(coordinates, timestamps, { ...design, bufferTime: 2 })) {
      const kept = test.includes(0) || timestamps[test[0]] === 0 ? [4, 5] : [0, 1];
      expect([...new Set(Array.from(train, (row) => timestamps[row]))]).toEqual(kept);
      expect(train.length).toBe(8);
    }
    // both: 3 places at 2 times
    for (const { train } of foldsOf(coordinates, timestamps, { ...design, bufferTime: 2, bufferSpace: 1 })) {
      expect(train.length).toBe(6);
    }
  });

  it('keeps out the times of the test rows, and their span once the buffer exceeds half the gaps', () => {
    // by hand: the times 0 ... 23 in turn at four places, so that a place has every fourth: 0, 4, 8 or 1, 5, 9 or ...
    const interleaved = Array.from({ length: 24 }, (_, row): Place => [10 * (row % 4), 0]);
    const inTurn = interleaved.map((_, row) => row);
    const design = { nSpatialBlocks: 4, nTemporalBlocks: 2, randomState: 0 };
    const trainedIn = (bufferTime: number) =>
      foldsOf(interleaved, inTurn, { ...design, bufferTime }).map(({ train, test }) => {
        const [first, last] = [test[0], test[test.length - 1]];
        expect(last - first).toBe(8);
        return train.filter((row) => row > first && row < last).length;
      });
    // no time is shared, so half a unit keeps nothing out: three others between each two of the three test times
    expect(trainedIn(0.5)).toEqual(new Array(8).fill(6));
    // 2 keeps out the times next to a test time, but not those in the middle of the gaps of 4; 2.5 does
    expect(trainedIn(2)).toEqual(new Array(8).fill(2));
    expect(trainedIn(2.5)).toEqual(new Array(8).fill(0));
  });

  it('measures dates in days', () => {
    const dates = timestamps.map((day) => new Date(Date.UTC(2024, 1, 26 + day)));
    for (const bufferTime of [1, 1.5, 2]) {
      const options = { bufferTime, nTemporalBlocks: 2, randomState: 3 };
      expect(foldsOf(coordinates, dates, options)).toEqual(foldsOf(coordinates, timestamps, options));
    }
  });

  it('deals places as SpatialBlockCV does', () => {
    const spread = Array.from({ length: 90 }, (_, row): Place => [(row * 37) % 90, (row * 53) % 90]);
    const folds = foldsOf(
      spread,
      spread.map((_, row) => row),
      { nTemporalBlocks: 1, randomState: 11 },
    );
    const blocks = [...new SpatialBlockCV({ nSplits: 3, randomState: 11 }).split(90, { coordinates: spread })];
    expect(folds.map(({ test }) => test)).toEqual(blocks.map(({ test }) => test));
  });

  it('moves a cut to the next distinct time, and leaves a time for every span', () => {
    const sizes = (times: number[], nTemporalBlocks: number) => {
      const places = times.map((_, row): Place => [row, 0]);
      const folds = foldsOf(places, times, { nSpatialBlocks: 1, nTemporalBlocks, randomState: 0 });
      expectWholePartition(folds, times.length);
      return folds.map(({ test }) => test.length);
    };
    // by hand: cuts at 4 and 8 of 12
    expect(sizes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 3)).toEqual([4, 4, 4]);
    // 13 rows: the first span is one row larger, as in KFold
    expect(sizes([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], 3)).toEqual([5, 4, 4]);
    // the cut at 4 falls into the six rows at time 1 and moves behind them
    expect(sizes([0, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6], 3)).toEqual([7, 1, 4]);
    // ties at the end: the last span is the last time, however many rows it holds
    expect(sizes([0, 1, 2, 2, 2, 2, 2, 2], 3)).toEqual([1, 1, 6]);
    // ties at the start
    expect(sizes([5, 5, 5, 5, 5, 5, 6, 7], 3)).toEqual([6, 1, 1]);
  });

  it('keeps both buffers on random data, by looking at all pairs, or says why it cannot', async () => {
    let feasible = 0;
    await fc.assert(
      fc.asyncProperty(
        planes,
        fc.array(fc.oneof(fc.integer({ min: -9, max: 9 }), spread(-1e9, 1e9)), {
          minLength: 60,
          maxLength: 60,
        }),
        fc.record({
          nSpatialBlocks: fc.integer({ min: 1, max: 3 }),
          nTemporalBlocks: fc.integer({ min: 1, max: 4 }),
          bufferSpace: fc.constantFrom(0, 0.5, 2, 1e100),
          bufferTime: fc.constantFrom(0, 1, 2.5, 1e6),
          blockShape: fc.constantFrom('grid', 'hex', 'kmeans'),
          randomState: fc.nat(),
        }),
        async (places, allTimes, options) => {
          const times = allTimes.slice(0, places.length);
          const splitter = new SpatiotemporalBlockCV(options);
          const data = { coordinates: places, timestamps: times };
          let folds: ReturnType<typeof foldsOf> = [];
          const error = await thrownBy(() => {
            folds = [...splitter.split(places.length, data)];
          });
          if (error !== undefined) {
            expect(error).toBeInstanceOf(InfeasibleSplitError);
            return;
          }
          feasible++;
          expectWholePartition(folds, places.length);
          expect(splitter.getNSplits(places.length, data)).toBe(folds.length);
          const { bufferSpace, bufferTime } = options;
          const isNear = (a: number, b: number) =>
            Math.sqrt((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) < bufferSpace ||
            Math.abs(times[a] - times[b]) < bufferTime;
          for (const { train, test, excluded } of folds) {
            expect(train.some((a) => test.some((b) => isNear(a, b)))).toBe(false);
            expect((excluded?.buffered ?? new Int32Array()).every((a) => test.some((b) => isNear(a, b)))).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(feasible).toBeGreaterThan(100);
  });

  it('has as many folds as getNSplits says, also without a seed', () => {
    const places = Array.from({ length: 30 }, (_, row): Place => [row % 7, row % 5]);
    const data = { coordinates: places, timestamps: places.map((_, row) => row) };
    for (let trial = 0; trial < 30; trial++) {
      const splitter = new SpatiotemporalBlockCV({ nSpatialBlocks: 4, nTemporalBlocks: 6 });
      expect(splitter.getNSplits(30, null, data)).toBe([...splitter.split(30, null, data)].length);
    }
    // combinations without rows make no fold: two places, each at a time of its own
    const two = {
      coordinates: [
        [0, 0],
        [0, 0],
        [9, 9],
        [9, 9],
      ] as Place[],
      timestamps: [1, 1, 2, 2],
    };
    const splitter = new SpatiotemporalBlockCV({ nSpatialBlocks: 2, nTemporalBlocks: 2, randomState: 0 });
    expect(splitter.getNSplits(4, two)).toBe(2);
    expect([...splitter.split(4, two)].map(({ test }) => [...test].join()).sort()).toEqual(['0,1', '2,3']);
  });
});
