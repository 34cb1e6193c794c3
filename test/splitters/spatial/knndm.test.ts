import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { KNNDM, type KNNDMOptions } from '../../../src/splitters/spatial/knndm.js';
import { pointsOf, standardized } from '../../../src/splitters/spatial/points.js';
import { refusal } from '../../helpers/messages.js';

interface Case {
  name: string;
  distanceMetric: 'euclidean' | 'haversine';
  seed: number;
  coordinates: number[][];
  predictionPoints: number[][];
  predictionDistances: number[];
  sampleDistances: number[];
  wRandom: number;
  pValue: number;
  wPublished?: number;
}
/** scikit-learn, scipy and R, written by test/reference/knndm.py. */
const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../../reference/knndm.json', import.meta.url), 'utf8'),
);

const grid = Array.from({ length: 400 }, (_, i) => [5 * (i % 20) + 2.5, 5 * Math.floor(i / 20) + 2.5]);

/** Places in a square of side 100: anywhere, or around a few centres. */
function places(n: number, seed: number, centres?: number): number[][] {
  const source = randomSource(seed);
  const spot = () => [100 * source.random(), 100 * source.random()];
  if (centres === undefined) return Array.from({ length: n }, spot);
  const around = Array.from({ length: centres }, spot);
  return Array.from({ length: n }, (_, row) => around[row % centres].map((v) => v + 4 * source.random()));
}

const matchOf = (options: KNNDMOptions, coordinates: number[][]) =>
  new KNNDM(options).distanceMatch(coordinates.length, { coordinates });

const worst = (found: ArrayLike<number>, expected: number[]) =>
  Math.max(...expected.map((value, i) => Math.abs(found[i] - value)));

describe('KNNDM equals scikit-learn, scipy and R (ks.test with exact = FALSE; test/reference/knndm.json)', () => {
  it.each(cases)('$name', ({ coordinates, seed, ...each }) => {
    const { predictionPoints, distanceMetric } = each;
    const match = matchOf({ predictionPoints, distanceMetric, randomState: seed }, coordinates);
    expect(worst(match.predictionDistances, each.predictionDistances)).toBeLessThan(1e-9);
    expect(worst(match.sampleDistances, each.sampleDistances)).toBeLessThan(1e-9);
    expect(Math.abs(match.wRandom - each.wRandom)).toBeLessThan(1e-9);
    expect(Math.abs(match.pValue - each.pValue)).toBeLessThan(1e-9);
    if (each.pValue >= 0.05) expect([match.nClusters, match.w]).toEqual([null, match.wRandom]);
    else expect(match.w).toBeLessThan(each.wRandom);
  });

  it('matches 12 clustered samples better than the algorithm of the paper: over 10 seeds W is below 0.95 of its', {
    tags: 'slow',
  }, () => {
    const clustered = cases.filter(({ wPublished, pValue }) => wPublished !== undefined && pValue < 0.05);
    expect(clustered.length).toBe(12);
    const logs = clustered.flatMap(({ coordinates, predictionPoints, wPublished = 0 }) =>
      Array.from({ length: 10 }, (_, randomState) =>
        Math.log(matchOf({ predictionPoints, randomState }, coordinates).w / wPublished),
      ),
    );
    // the geometric mean; on single samples and seeds the paper's may be the better one
    expect(Math.exp(logs.reduce((a, b) => a + b) / logs.length)).toBeLessThan(0.95);
  });
});

describe('KNNDM', () => {
  it('beats random folds on clustered places, for every seed', { tags: 'slow' }, () => {
    for (let seed = 0; seed < 40; seed++) {
      const { w, wRandom, nClusters } = matchOf({ predictionPoints: grid, randomState: seed }, places(120, seed, 12));
      expect(w).toBeLessThan(0.7 * wRandom);
      expect(nClusters).toBeGreaterThanOrEqual(5);
    }
  });

  it('keeps random folds where places are random', () => {
    let random = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { nClusters, w, wRandom } = matchOf({ predictionPoints: grid, randomState: seed }, places(120, seed));
      if (nClusters === null) random++;
      expect(w).toBeLessThanOrEqual(wRandom);
    }
    // by hand: the test of clustering errs at 5 % of seeds at most, so more than 6 of 40 has a probability of 0.34 %
    expect(random).toBeGreaterThanOrEqual(34);
  });

  it('gives folds that hold every row once, with the distances that it reports, for any places', () => {
    const place = fc.tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.double({ min: -9, max: 9, noNaN: true }));
    const cloud = fc.array(place, { minLength: 9, maxLength: 50 });
    fc.assert(
      fc.property(cloud, cloud, fc.nat(), (coordinates, predictionPoints, randomState) => {
        fc.pre(new Set(coordinates.map(String)).size === coordinates.length);
        const cv = new KNNDM({ nSplits: 3, predictionPoints, randomState, nCandidates: 10 });
        const folds = [...cv.split(coordinates.length, { coordinates })];
        const { foldDistances } = cv.distanceMatch(coordinates.length, { coordinates });
        expect(folds.flatMap(({ test }) => [...test]).sort((a, b) => a - b)).toEqual([...coordinates.keys()]);
        const reach = folds.flatMap(({ train, test }) =>
          Array.from(test, (a) =>
            Math.min(
              ...Array.from(train, (b) =>
                Math.hypot(coordinates[a][0] - coordinates[b][0], coordinates[a][1] - coordinates[b][1]),
              ),
            ),
          ),
        );
        const expected = reach.sort((a, b) => a - b);
        for (const [i, distance] of expected.entries()) {
          expect(Math.abs(foldDistances[i] - distance)).toBeLessThanOrEqual(1e-12 * distance + 1e-9);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('works in any unit', () => {
    const coordinates = places(60, 3, 6);
    const expected = matchOf({ predictionPoints: grid, randomState: 1 }, coordinates);
    for (const unit of [2 ** -400, 2 ** 400]) {
      const scaled = (rows: number[][]) => rows.map((row) => row.map((v) => v * unit));
      const found = matchOf({ predictionPoints: scaled(grid), randomState: 1 }, scaled(coordinates));
      expect(found.w / unit).toBeCloseTo(expected.w, 9);
      expect(found.nClusters).toBe(expected.nClusters);
    }
  });

  it('matches cases by their features, which it standardizes', () => {
    const features = places(60, 3, 6).map(([a, b]) => [a, 1000 * b, a - b]);
    const cases = places(200, 4).map(([a, b]) => [a, 1000 * b, a - b]);
    const match = new KNNDM({ predictionPoints: cases, features, randomState: 1 }).distanceMatch(60);
    const sample = pointsOf(features, 'features');
    const rows = ({ values }: { values: Float64Array }) =>
      Array.from({ length: values.length / 3 }, (_, row) => [...values.subarray(3 * row, 3 * row + 3)]);
    const byHand = new KNNDM({
      predictionPoints: rows(standardized(pointsOf(cases, 'cases'), sample)),
      features: rows(standardized(sample)),
      standardize: false,
      randomState: 1,
    });
    expect(match.w).toBeCloseTo(byHand.distanceMatch(60).w, 12);
    expect(match.w).toBeLessThan(match.wRandom);
    expect([...new KNNDM({ predictionPoints: cases, features, randomState: 1 }).split(60)].length).toBe(5);
  });

  it('can be made from what it writes of itself, with features or with places', () => {
    const made: KNNDMOptions[] = [
      { predictionPoints: [[1, 2]] },
      { predictionPoints: [[1, 2]], distanceMetric: 'haversine', maxShare: 0.6, randomState: 3 },
      { predictionPoints: [[1, 2]], features: [[3, 4]], standardize: false },
    ];
    for (const options of made) {
      const cv = new KNNDM(options);
      // as `toJSON` does: what is null is left out
      const written = Object.entries(cv.options).filter(([, value]) => value !== null);
      expect(new KNNDM(Object.fromEntries(written) as unknown as KNNDMOptions).toJSON()).toBe(cv.toJSON());
    }
  });

  it('lets a run carry coordinates for other reasons when cases are compared by features', () => {
    const features = places(60, 3, 6);
    const cv = new KNNDM({ predictionPoints: grid, features, randomState: 1 });
    expect([...cv.split(60, { coordinates: places(60, 9) })]).toEqual([...cv.split(60)]);
  });

  it('takes two longitudes of one place for one place', () => {
    // twelve places, five rows each, every second one under its other longitude
    const towns = Array.from({ length: 12 }, (_, i) => [
      i < 2 ? 90 - 180 * i : 7 * i - 40,
      i < 6 ? -180 + 0.1 * i : -0.1 * i,
    ]);
    const names = Array.from({ length: 60 }, (_, row) => row % 12);
    const written = (row: number, other: boolean) => {
      const [lat, lon] = towns[names[row]];
      return [lat, other ? (Math.abs(lat) === 90 ? lon + 77 : lon + 360) : lon];
    };
    const predictionPoints = places(200, 4).map(([a, b]) => [1.7 * a - 85, 3.6 * b - 180]);
    const options = { nSplits: 3, predictionPoints, distanceMetric: 'haversine', randomState: 1 } as const;
    const two = names.map((_, row) => written(row, row % 24 < 12));
    const match = matchOf(options, two);
    expect([...match.sampleDistances]).toEqual(new Array(60).fill(0));
    expect(match.nClusters).not.toBe(null);
    for (const { train, test } of new KNNDM(options).split(60, { coordinates: two })) {
      const tested = new Set(Array.from(test, (row) => names[row]));
      expect(train.some((row) => tested.has(names[row]))).toBe(false);
    }
  });

  it('tells one story per instance, seeded or not', () => {
    const coordinates = places(60, 5, 6);
    const cv = new KNNDM({ predictionPoints: grid, coordinates });
    expect([...cv.split(60)]).toEqual([...cv.split(60)]);
    expect(cv.distanceMatch(60)).toEqual(cv.distanceMatch(60));
  });

  it('warns when the folds cannot reach as far as use will', () => {
    // by hand: all rows are within 4 of each other, the places of use 100 to 300 away
    const coordinates = places(60, 5, 1);
    const far = grid.map(([x, y]) => [x + 200, y + 100]);
    expect(new KNNDM({ predictionPoints: far, randomState: 1 }).split(60, { coordinates }).warnings).toEqual([
      expect.stringContaining('(W = 233)'),
    ]);
    expect(
      new KNNDM({ predictionPoints: grid, randomState: 1 }).split(60, { coordinates: places(60, 5) }).warnings,
    ).toEqual([]);
  });

  it('lets a fold hold at most half of the rows, with two folds three quarters', () => {
    for (let randomState = 0; randomState < 20; randomState++) {
      const coordinates = places(60, randomState, 4);
      for (const [nSplits, share] of [
        [2, 0.75],
        [3, 0.5],
      ] as const) {
        for (const { test } of new KNNDM({ nSplits, predictionPoints: grid, randomState }).split(60, { coordinates })) {
          expect(test.length).toBeLessThanOrEqual(60 * share);
        }
      }
    }
  });

  it('keeps to maxShare, or says which share it would take', () => {
    // by hand: 6 of 10 rows are in one place, so a fold of clusters has 60 % of the rows at least
    const coordinates = Array.from({ length: 10 }, (_, row) => (row < 6 ? [0, 0] : [row, 50]));
    const predictionPoints = Array.from({ length: 50 }, (_, i) => [i, 25]);
    const options = { nSplits: 3, predictionPoints, randomState: 1 };
    expect(() => matchOf(options, coordinates)).toThrow(refusal('infeasible_split', 'maxShare', 0.6));
    expect(matchOf({ ...options, maxShare: 0.6 }, coordinates).nClusters).not.toBe(null);
    // random folds of 10 rows have 4 rows at most; only fewer than 40 % is refused
    const even = predictionPoints.slice(0, 10);
    expect(matchOf({ ...options, predictionPoints: even, maxShare: 0.4 }, even).nClusters).toBe(null);
    expect(() => matchOf({ ...options, predictionPoints: even, maxShare: 0.35 }, even)).toThrow(
      refusal('infeasible_split', 'maxShare', 0.4),
    );
  });
});
