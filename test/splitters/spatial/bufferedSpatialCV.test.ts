import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { BufferedSpatialCV, type BufferedSpatialCVOptions } from '../../../src/splitters/spatial/bufferedSpatialCV.js';
import { SpatialBlockCV } from '../../../src/splitters/spatial/spatialBlockCV.js';
import { thrownBy } from '../../conformance/suite.js';
import { matrix } from '../../helpers/matrix.js';
import { expectWholePartition, globes, haversine, nearestOf, type Place, planes, spread } from './places.js';

const foldsOf = (places: Place[], options: BufferedSpatialCVOptions = {}) =>
  Array.from(new BufferedSpatialCV(options).split(places.length, null, { coordinates: places }));

/** The definitions, written out. */
const METRICS = {
  euclidean: ([x1, y1]: Place, [x2, y2]: Place) => Math.sqrt((x1 - x2) ** 2 + (y1 - y2) ** 2),
  manhattan: ([x1, y1]: Place, [x2, y2]: Place) => Math.abs(x1 - x2) + Math.abs(y1 - y2),
  haversine: (a: Place, b: Place) => haversine(...a, ...b),
};

/** Checks both sides of the rule on every fold: trained rows keep the distance, rows left out do not. */
function expectBuffers(places: Place[], options: BufferedSpatialCVOptions, slack: number): void {
  const { distanceMetric, bufferSize } = new BufferedSpatialCV(options).options;
  const distance = (a: number, b: number) => METRICS[distanceMetric](places[a], places[b]);
  const folds = foldsOf(places, options);
  expectWholePartition(folds, places.length);
  for (const { train, test, excluded } of folds) {
    for (const nearest of nearestOf(train, test, distance)) expect(nearest).toBeGreaterThanOrEqual(bufferSize - slack);
    for (const nearest of nearestOf(excluded?.buffered ?? [], test, distance)) {
      expect(nearest).toBeLessThan(bufferSize + slack);
    }
  }
}

describe('BufferedSpatialCV keeps its distance, by looking at all pairs', () => {
  /** Any cloud, block shape, seed and size of the buffer; what is infeasible says so. */
  async function keepsDistance(
    clouds: fc.Arbitrary<Place[]>,
    distanceMetric: keyof typeof METRICS,
    sizeOf: (places: Place[], share: number) => number,
    slack: number,
  ): Promise<void> {
    let feasible = 0;
    await fc.assert(
      fc.asyncProperty(
        clouds,
        fc.constantFrom('grid', 'hex', 'kmeans'),
        spread(0, 1),
        fc.nat(),
        async (places, blockShape, share, randomState) => {
          const bufferSize = sizeOf(places, share);
          const options = { nSplits: 3, blockShape, distanceMetric, randomState, bufferSize };
          const error = await thrownBy(() => expectBuffers(places, options, slack));
          if (error === undefined) feasible++;
          else if (!(error instanceof InfeasibleSplitError)) throw error;
        },
      ),
      { numRuns: 300 },
    );
    expect(feasible).toBeGreaterThan(100);
  }

  const shareOfExtent = (places: Place[], share: number) =>
    share ** 2 * (Math.max(...places.map(([x]) => x)) - Math.min(...places.map(([x]) => x)));

  it.each(['euclidean', 'manhattan'] as const)('%s', async (metric) => {
    await keepsDistance(planes, metric, shareOfExtent, 0);
  });

  it('haversine, at the date line and the poles too', async () => {
    // a millimetre of rounding between chords and the formula
    await keepsDistance(globes, 'haversine', (_, share) => 10 ** (4 * share), 1e-6);
  });
});

describe('BufferedSpatialCV', () => {
  const line = Array.from({ length: 12 }, (_, x): Place => [x, 0]);

  it('leaves out the neighbours of a block, by hand', () => {
    // 12 places in three blocks of four, 0-3, 4-7, 8-11; within 2 (excluded) of a block there is one place on each side
    const folds = foldsOf(line, { nSplits: 3, blockSize: 4, bufferSize: 2, randomState: 0 });
    const byFirst = new Map(
      folds.map(({ test, train, excluded }) => [test[0], { train, buffered: excluded?.buffered }]),
    );
    const rows = (...each: number[]) => Int32Array.from(each);
    expect(byFirst.get(0)).toEqual({ train: rows(5, 6, 7, 8, 9, 10, 11), buffered: rows(4) });
    expect(byFirst.get(4)).toEqual({ train: rows(0, 1, 2, 9, 10, 11), buffered: rows(3, 8) });
    expect(byFirst.get(8)).toEqual({ train: rows(0, 1, 2, 3, 4, 5, 6), buffered: rows(7) });
  });

  it('has the test sets of SpatialBlockCV, and without a buffer its folds', () => {
    const split = { nSplits: 3, randomState: 7 };
    const blocks = [...new SpatialBlockCV(split).split(12, { coordinates: line })];
    expect(foldsOf(line, { ...split, bufferSize: 0 })).toEqual(blocks);
    expect(foldsOf(line, { ...split, bufferSize: 2 }).map(({ test }) => test)).toEqual(blocks.map(({ test }) => test));
  });

  it('scales a fraction by the diagonal of the area', () => {
    // by hand: a box of 3 by 4 has a diagonal of 5, or of 7 along the axes; on the equator one degree is 111.195 km
    const box = matrix('0 0 | 3 4 | 0 4 | 3 0 | 1 1 | 2 3 | 1 3 | 2 1') as Place[];
    const split = { nSplits: 2, blockSize: 0.5, randomState: 1 };
    for (const [distanceMetric, diagonal] of [
      ['euclidean', 5],
      ['manhattan', 7],
    ] as const) {
      expect(foldsOf(box, { ...split, distanceMetric, bufferSize: 0.25, bufferUnit: 'fraction' })).toEqual(
        foldsOf(box, { ...split, distanceMetric, bufferSize: 0.25 * diagonal }),
      );
    }
    const equator = line.map(([x]): Place => [0, 174 + x]);
    const kilometres = 0.1 * 11 * (Math.PI / 180) * 6371.0088;
    const earth = { nSplits: 3, distanceMetric: 'haversine', randomState: 2 } as const;
    expect(foldsOf(equator, { ...earth, bufferSize: 0.1, bufferUnit: 'fraction' })).toEqual(
      foldsOf(equator, { ...earth, bufferSize: kilometres * (1 + 1e-12) }),
    );
  });

  it('measures along great circles, not through the Earth', () => {
    // by hand: 46 degrees of the equator are 5115 km; the straight line is 4979 km
    const equator = [0, 46, 92, 138].map((lon): Place => [0, lon]);
    const options = { nSplits: 4, blockSize: 1000, distanceMetric: 'haversine' } as const;
    const trained = (bufferSize: number) =>
      foldsOf(equator, { ...options, bufferSize }).map(({ train }) => train.length);
    expect(trained(5114)).toEqual([3, 3, 3, 3]);
    expect(trained(5116).sort()).toEqual([1, 1, 2, 2]);
  });

  it('cuts no blocks at the date line', () => {
    // the same places, 30 degrees away from it and across it
    const away = Array.from({ length: 60 }, (_, row): Place => [row % 6, 140 + Math.floor(row / 6)]);
    const across = away.map(([lat, lon]): Place => [lat, lon + 35 > 180 ? lon + 35 - 360 : lon + 35]);
    for (const blockShape of ['grid', 'hex'] as const) {
      const options = { nSplits: 3, distanceMetric: 'haversine', blockShape, blockSize: 200, bufferSize: 150 } as const;
      expect(foldsOf(across, { ...options, randomState: 4 })).toEqual(foldsOf(away, { ...options, randomState: 4 }));
    }
  });

  it('takes two longitudes of one place for one place, and a pole for a place', () => {
    // [0, 180] = [0, -180], 359.9 = -0.1, and a pole is one place: five places, as far apart as can be
    const poles = '90 0 | 90 77 | 90 -120 | 90 360 | -90 20 | -90 -20';
    const places = matrix(`0 180 | 0 -180 | 10 359.9 | 10 -0.1 | 0 0 | 0 360 | ${poles}`) as Place[];
    const names = places.map(([lat, lon]) =>
      Math.abs(lat) === 90 ? `${lat}` : `${lat},${((lon + 360) % 360).toFixed(6)}`,
    );
    const options = { nSplits: 5, distanceMetric: 'haversine', bufferSize: 1 } as const;
    for (const shape of [
      { blockShape: 'kmeans' },
      { blockSize: 500 },
      { blockShape: 'hex', blockSize: 500 },
    ] as const) {
      for (let randomState = 0; randomState < 10; randomState++) {
        const folds = foldsOf(places, { ...options, ...shape, randomState });
        expectWholePartition(folds, places.length);
        for (const { test, excluded } of folds) {
          expect(new Set(Array.from(test, (row) => names[row])).size).toBe(1);
          expect(excluded).toBeUndefined();
        }
      }
    }
    expect(() => foldsOf(places, { ...options, nSplits: 6, blockShape: 'kmeans' })).toThrow(
      'at most the number of distinct places, 5.',
    );
  });

  it('lists what is left out only where something is', () => {
    // by hand: three blocks of four places, only the first two of which are within 2 of each other
    const places = line.map(([x]): Place => [x < 8 ? x : x + 20, 0]);
    const folds = foldsOf(places, { nSplits: 3, blockSize: 4, bufferSize: 2, randomState: 0 });
    expect(folds.map(({ excluded }) => Object.keys(excluded ?? {}).join()).sort()).toEqual([
      '',
      'buffered',
      'buffered',
    ]);
    const alone = folds.find(({ test }) => test.includes(11));
    expect(alone && 'excluded' in alone).toBe(false);
  });
});
