import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { randomSource } from '../../../src/core/random.js';
import { foldsOf as planOf } from '../../../src/splitters/foldsOf.js';
import { SpatialBlockCV, type SpatialBlockCVOptions } from '../../../src/splitters/spatial/spatialBlockCV.js';
import { thrownBy } from '../../conformance/suite.js';
import { expectWholePartition, type Place, planes, spread } from './places.js';

const foldsOf = (places: Place[], options: SpatialBlockCVOptions = {}) =>
  Array.from(new SpatialBlockCV(options).split(places.length, null, { coordinates: places }));

/** 10 x 10 places at the middles of unit squares. */
const lattice = Array.from({ length: 100 }, (_, row): Place => [(row % 10) + 0.5, Math.floor(row / 10) + 0.5]);

describe('SpatialBlockCV', () => {
  it('tests every row once, whatever the places, or says why it cannot', async () => {
    let feasible = 0;
    await fc.assert(
      fc.asyncProperty(
        planes,
        fc.constantFrom('grid', 'hex', 'kmeans'),
        fc.integer({ min: 2, max: 5 }),
        fc.nat(),
        async (places, blockShape, nSplits, randomState) => {
          let folds: ReturnType<typeof foldsOf> = [];
          const error = await thrownBy(() => {
            folds = foldsOf(places, { blockShape, nSplits, randomState });
          });
          if (error !== undefined) {
            expect(error).toBeInstanceOf(InfeasibleSplitError);
            return;
          }
          feasible++;
          expect(folds.length).toBe(nSplits);
          expectWholePartition(folds, places.length);
          // places at one point share a fold
          for (const { train, test } of folds) {
            const tested = new Set(Array.from(test, (row) => String(places[row])));
            expect(Array.from(train).some((row) => tested.has(String(places[row])))).toBe(false);
          }
        },
      ),
      { numRuns: 400 },
    );
    expect(feasible).toBeGreaterThan(200);
  });

  it('never fails on spread places: there are 20 blocks for 5 folds', () => {
    for (let randomState = 0; randomState < 20; randomState++) {
      const source = randomSource(randomState);
      const places = Array.from({ length: 200 }, (): Place => [source.random(), 3 * source.random()]);
      for (const blockShape of ['grid', 'hex', 'kmeans'] as const) {
        const folds = foldsOf(places, { blockShape, randomState });
        expectWholePartition(folds, 200);
        // by hand: 40 rows per fold; the balance is off by less than the rows of one block, about 10
        for (const { test } of folds) expect(Math.abs(test.length - 40)).toBeLessThan(15);
      }
    }
  });

  it('keeps square cells whole', () => {
    // by hand: squares of 2.5 around the middles 0.5 ... 9.5 start at 0.5 and hold 3, 2, 3 and 2 places per side
    const folds = foldsOf(lattice, { blockSize: 2.5, randomState: 1, nSplits: 4 });
    const foldOf = new Int32Array(100);
    for (const [fold, { test }] of folds.entries()) for (const row of test) foldOf[row] = fold;
    const cell = (row: number) => lattice[row].map((value) => Math.floor((value - 0.5) / 2.5)).join();
    const perCell = new Map<string, Set<number>>();
    for (let row = 0; row < 100; row++) perCell.set(cell(row), (perCell.get(cell(row)) ?? new Set()).add(foldOf[row]));
    expect(perCell.size).toBe(16);
    for (const folds of perCell.values()) expect(folds.size).toBe(1);
    // 100 rows in 16 blocks of 9, 6 or 4 can be dealt evenly: 25 each
    for (const { test } of folds) expect(test.length).toBe(25);
  });

  it('makes hexagons of equal width: the nearest centre wins, by looking at all centres', () => {
    // with as many folds as blocks each fold is one hexagon
    fc.assert(
      fc.property(
        fc.array(fc.tuple(spread(0, 1), spread(0, 1)), { minLength: 12, maxLength: 40 }),
        fc.nat(),
        (places, randomState) => {
          const [left, bottom] = [0, 1].map((axis) => Math.min(...places.map((place) => place[axis])));
          const width = 0.3;
          // rows of centres, every second one shifted by half a width; the first centre is the lower left corner
          const centres = Array.from({ length: 60 }, (_, at) => {
            const line = Math.floor(at / 6) - 1;
            return [left + width * ((at % 6) - (line % 2 === 0 ? 0 : 0.5)), bottom + (line * width * Math.sqrt(3)) / 2];
          });
          const hexagonOf = places.map(([x, y]) => {
            const distances = centres.map(([cx, cy]) => (x - cx) ** 2 + (y - cy) ** 2);
            const [nearest, second] = [...distances].sort((a, b) => a - b);
            // a place on the edge may belong to either side
            fc.pre(second - nearest > 1e-6);
            return distances.indexOf(nearest);
          });
          const expected = new Map<number, number[]>();
          for (const [row, hexagon] of hexagonOf.entries())
            expected.set(hexagon, [...(expected.get(hexagon) ?? []), row]);
          fc.pre(expected.size > 1);
          const options = { blockShape: 'hex', blockSize: width, randomState } as const;
          const folds = foldsOf(places, { ...options, nSplits: expected.size }).map(({ test }) => [...test].join());
          expect(folds.sort()).toEqual([...expected.values()].map((rows) => rows.join()).sort());
        },
      ),
    );
  });

  it('cuts at least 4 blocks per fold by default', () => {
    // by hand: a filled area of 1 by 1 and 5 folds need 20 cells: 5 x 5 are the fewest; of 1 by 3 they are 7 x 3 of
    // 3/7; of a line 20. Of 0.7 by 0.1, 7 whole squares make one row, so 12 cells take 8 x 2; 14 make two rows, so 32
    // and 36 take 15 x 3 (0.7 / 7 and 0.7 / 14 are a rounding below 0.1 and 0.05)
    const filled = (width: number, height: number) =>
      Array.from(
        { length: 2601 },
        (_, row): Place => [(width * (row % 51)) / 50, (height * Math.floor(row / 51)) / 50],
      );
    for (const [width, height, nSplits, cells, size] of [
      [1, 1, 5, 25, 0.2],
      [1, 3, 5, 21, 3 / 7],
      [1, 0, 5, 20, 0.05],
      [0.7, 0.1, 3, 16, 0.7 / 8],
      [0.7, 0.1, 8, 45, 0.7 / 15],
      [0.7, 0.1, 9, 45, 0.7 / 15],
    ]) {
      const places = filled(width, height);
      expect(cells).toBeGreaterThanOrEqual(4 * nSplits);
      expect(() => foldsOf(places, { blockSize: size, nSplits: cells + 1 })).toThrow(`blocks with rows, ${cells}.`);
      const split = { nSplits, randomState: 0 };
      expect(foldsOf(places, split)).toEqual(foldsOf(places, { ...split, blockSize: size }));
    }
  });

  it('keeps places at the far edge in the last cell', () => {
    // by hand: from 0 to 9 in cells of 3 there are three; place 9 belongs to the third, 6 to 9
    const line = Array.from({ length: 10 }, (_, x): Place => [x, 0]);
    expect(
      foldsOf(line, { blockSize: 3, nSplits: 3 })
        .map(({ test }) => test.length)
        .sort(),
    ).toEqual([3, 3, 4]);
    expect(() => foldsOf(line, { blockSize: 3, nSplits: 4 })).toThrow('the number of blocks with rows, 3');
  });

  it('does not care in what unit or where the places are', () => {
    // factors and shifts are exact in binary
    const moved = lattice.map(([x, y]): Place => [1024 + 4 * x, 4 * y - 2048]);
    for (const blockShape of ['grid', 'hex'] as const) {
      expect(foldsOf(moved, { blockShape, randomState: 3 })).toEqual(foldsOf(lattice, { blockShape, randomState: 3 }));
    }
  });

  it('takes coordinates in the constructor too, with the same folds', () => {
    const inConstructor = new SpatialBlockCV({ coordinates: lattice, randomState: 5 });
    expect([...inConstructor.split(100)]).toEqual(foldsOf(lattice, { randomState: 5 }));
    expect([...inConstructor.split(100, { groups: lattice.map((_, row) => row) })]).toEqual([
      ...inConstructor.split(100),
    ]);
  });

  it('draws once per instance when it has no seed, and once from a source', () => {
    const splitter = new SpatialBlockCV();
    const split = () => [...splitter.split(100, null, { coordinates: lattice })];
    expect(split()).toEqual(split());
    const source = randomSource(1);
    const [a, b] = [new SpatialBlockCV({ randomState: source }), new SpatialBlockCV({ randomState: source })];
    expect([...a.split(100, { coordinates: lattice })]).not.toEqual([...b.split(100, { coordinates: lattice })]);
  });

  /** Three towns, and shares of the places that lie in each. */
  const towns = (shares: readonly number[]) =>
    Array.from({ length: 500 }, (_, row): Place => {
      const town = shares.findIndex((_, at) => row < 500 * shares.slice(0, at + 1).reduce((a, b) => a + b));
      return [1000 * Number(town === 1) + (row % 23) / 10, 1000 * Number(town === 2) + (row % 29) / 10];
    });

  it('cuts smaller blocks by default where places lie in fewer clumps than there are folds', () => {
    const coordinates = towns([0.4, 0.3, 0.3]);
    for (const blockShape of ['grid', 'hex'] as const) {
      const plan = planOf(new SpatialBlockCV({ nSplits: 5, blockShape, randomState: 1 }), 500, null, { coordinates });
      expect(plan.length).toBe(5);
    }
    expect(() => new SpatialBlockCV({ nSplits: 5, blockSize: 500 }).split(500, { coordinates })).toThrow(
      /smaller `blockSize`/,
    );
  });

  it('warns of folds that large blocks leave unequal', () => {
    const coordinates = towns([0.8, 0.1, 0.1]);
    const warnings = (options: object) =>
      planOf(new SpatialBlockCV({ nSplits: 3, randomState: 1, ...options }), 500, null, { coordinates }).warnings;
    expect(warnings({ blockSize: 500 })).toEqual([
      "The folds of SpatialBlockCV test 50 to 400 of 500 rows: the blocks are too large to balance them. Use a smaller `blockSize`, or `blockShape: 'kmeans'`.",
    ]);
    expect(warnings({ blockShape: 'kmeans' })).toEqual([]);
  });
});
