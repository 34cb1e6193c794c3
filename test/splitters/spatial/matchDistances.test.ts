import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { type MatchRequest, matchDistances, smallerPValue, wasserstein } from '../../../src/splitters/spatial/knndm.js';
import { pointsOf } from '../../../src/splitters/spatial/points.js';
import { refusal } from '../../helpers/messages.js';

interface Case {
  name: string;
  predictionDistances: number[];
  sampleDistances: number[];
  randomFoldDistances: number[];
  wRandom: number;
  pValue: number;
}
/** W of scipy and p-values of R, written by test/reference/knndm.py. */
const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../../reference/knndm.json', import.meta.url), 'utf8'),
);

const place = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }));
const places = (minLength: number) => fc.array(place, { minLength, maxLength: 40 });

const request = (
  sample: [number, number][],
  prediction: [number, number][],
  seed: number,
  change: Partial<MatchRequest> = {},
): MatchRequest => ({
  owner: 'Test',
  noun: 'places',
  sample: pointsOf(sample, 'sample'),
  prediction: pointsOf(prediction, 'prediction'),
  distanceOf: (distance) => distance,
  nSplits: 3,
  maxShare: 0.5,
  nCandidates: 20,
  source: randomSource(seed),
  ...change,
});

/** From each place of `from` to the nearest of those that `counts` lets count, by trying all; ascending. */
const nearest = (from: [number, number][], to: [number, number][], counts = (_a: number, _b: number) => true) =>
  from
    .map(([x, y], a) => Math.min(...to.map(([u, v], b) => (counts(a, b) ? Math.hypot(x - u, y - v) : Infinity))))
    .sort((a, b) => a - b);

const close = (found: Float64Array, expected: number[]) => {
  expect(found.length).toBe(expected.length);
  for (const [i, distance] of expected.entries()) expect(found[i]).toBeCloseTo(distance, 10);
};

describe('matchDistances', () => {
  it('reports the distances that an exhaustive search finds, and never a worse match than random folds', () => {
    fc.assert(
      fc.property(places(9), places(1), fc.nat(), (sample, prediction, seed) => {
        fc.pre(new Set(sample.map(String)).size >= 9);
        const { foldOf, match } = matchDistances(request(sample, prediction, seed));
        close(match.predictionDistances, nearest(prediction, sample));
        close(
          match.sampleDistances,
          nearest(sample, sample, (a, b) => a !== b),
        );
        close(
          match.foldDistances,
          nearest(sample, sample, (a, b) => foldOf[a] !== foldOf[b]),
        );
        expect(match.w).toBeLessThanOrEqual(match.wRandom);
        if (match.pValue >= 0.05) expect(match.nClusters).toBe(null);
        expect([...new Set(foldOf)].sort()).toEqual([0, 1, 2]);
        for (const fold of [0, 1, 2])
          expect(foldOf.filter((each) => each === fold).length).toBeLessThanOrEqual(sample.length / 2);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps to maxShare, or says which share it would take', () => {
    // by hand: 6 of 10 rows are in one place, so a fold of clusters has 60 % of the rows at least
    const sample = Array.from({ length: 10 }, (_, row): [number, number] => (row < 6 ? [0, 0] : [row, 50]));
    const prediction = Array.from({ length: 50 }, (_, i): [number, number] => [i, 25]);
    expect(() => matchDistances(request(sample, prediction, 1))).toThrow(refusal('infeasible_split', 'maxShare', 0.6));
    const { foldOf, match } = matchDistances(request(sample, prediction, 1, { maxShare: 0.6 }));
    expect(new Set(foldOf.subarray(0, 6)).size).toBe(1);
    expect(match.nClusters).not.toBe(null);
    // random folds of 10 rows have 4 rows at most; only fewer than 40 % is refused
    const even = prediction.slice(0, 10);
    expect(matchDistances(request(even, even, 1, { maxShare: 0.4 })).match.nClusters).toBe(null);
    expect(() => matchDistances(request(even, even, 1, { maxShare: 0.35 }))).toThrow(
      refusal('infeasible_split', 'maxShare', 0.4),
    );
  });

  it('refuses clustered rows at fewer places than folds', () => {
    const sample = Array.from({ length: 20 }, (_, row): [number, number] => [row % 2, 0]);
    expect(() =>
      matchDistances(
        request(
          sample,
          [
            [30, 30],
            [40, 40],
            [50, 50],
            [60, 60],
          ],
          1,
        ),
      ),
    ).toThrow(refusal('infeasible_split', 'nSplits', 2, 3));
  });
});

const of = (...values: number[]) => Float64Array.from(values).sort();
const list = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }).map((v) => of(...v));

describe('wasserstein', () => {
  it.each(cases)('equals scipy: $name', ({ predictionDistances, randomFoldDistances, wRandom }) => {
    expect(wasserstein(of(...randomFoldDistances), of(...predictionDistances))).toBeCloseTo(wRandom, 9);
  });

  it('is the area between the distributions, by hand', () => {
    // half of {0, 4} lies 1 from {1}, the other half 3
    expect(wasserstein(of(0, 4), of(1))).toBe(2);
    expect(wasserstein(of(1, 1, 2), of(1, 1, 2))).toBe(0);
    expect(wasserstein(of(1, 2, 3), of(8, 9, 10))).toBe(7);
  });

  it('is a metric, and the shift of a shifted sample', () => {
    fc.assert(
      fc.property(list, list, list, fc.integer({ min: 0, max: 9 }), (a, b, c, shift) => {
        expect(wasserstein(a, b)).toBeCloseTo(wasserstein(b, a), 12);
        expect(wasserstein(a, c)).toBeLessThanOrEqual(wasserstein(a, b) + wasserstein(b, c) + 1e-9);
        expect(
          wasserstein(
            a,
            a.map((v) => v + shift),
          ),
        ).toBeCloseTo(shift, 12);
      }),
    );
  });
});

describe('smallerPValue', () => {
  it.each(cases)(
    'equals ks.test of R with exact = FALSE: $name',
    ({ sampleDistances, predictionDistances, pValue }) => {
      expect(smallerPValue(of(...sampleDistances), of(...predictionDistances))).toBeCloseTo(pValue, 12);
    },
  );

  it('is one-sided, by hand', () => {
    // all of a below all of b: D = 1, so exp(-2 * 1 * 2 * 2 / 4); the other way round D = 0
    expect(smallerPValue(of(1, 2), of(3, 4))).toBeCloseTo(Math.exp(-2), 15);
    expect(smallerPValue(of(3, 4), of(1, 2))).toBe(1);
    // ties: after 1 and 1 of two resp. three values D = 2/2 - 1/3
    expect(smallerPValue(of(1, 1), of(1, 2, 2))).toBeCloseTo(Math.exp((-2 * (2 / 3) ** 2 * 6) / 5), 15);
  });
});
