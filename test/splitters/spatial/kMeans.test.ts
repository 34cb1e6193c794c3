import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { clusterCount, kMeans } from '../../../src/splitters/spatial/kMeans.js';
import { pointsOf, standardized } from '../../../src/splitters/spatial/points.js';

/** Clusters of scikit-learn, written by test/reference/clusters.py. */
const reference: {
  separated: { k: number; points: number[][]; labels: number[] }[];
  uniform: { k: number; points: number[][]; meanInertia: number };
} = JSON.parse(readFileSync(new URL('../../reference/clusters.json', import.meta.url), 'utf8'));

const clustersOf = (rows: readonly (readonly number[])[], k: number, seed: number | string = 1) =>
  kMeans(Float64Array.from(rows.flat()), rows[0].length, k, randomSource(seed));

/** The sets of rows, whatever the numbers of the clusters. */
const sets = (clusters: ArrayLike<number>) => {
  const rows = new Map<number, number[]>();
  Array.from(clusters).forEach((cluster, row) => {
    rows.set(cluster, [...(rows.get(cluster) ?? []), row]);
  });
  return JSON.stringify([...rows.values()].map(String).sort());
};

const meansOf = (rows: readonly (readonly number[])[], clusters: Int32Array) =>
  Array.from({ length: clusterCount(clusters) }, (_, cluster) => {
    const own = rows.filter((_, row) => clusters[row] === cluster);
    return rows[0].map((_, j) => own.reduce((sum, point) => sum + point[j], 0) / own.length);
  });

const squared = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, j) => sum + (v - b[j]) ** 2, 0);

/** Huge, tiny, negative and equal values. */
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.double({ min: -1e150, max: 1e150, noNaN: true }),
  fc.constantFrom(0, -0, 1e-300, 2e-162, 1.6e-162, 1.5e-162, 1e-150, -1e150, 1e150),
);
const points = fc
  .integer({ min: 1, max: 3 })
  .chain((width) => fc.array(fc.array(value, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 }));

describe('kMeans', () => {
  it.each(reference.separated)('finds $k clusters that scikit-learn finds', ({ k, points, labels }) => {
    const { values, width } = standardized(pointsOf(points, 'points'));
    const found = Array.from({ length: 10 }, (_, seed) => sets(kMeans(values, width, k, randomSource(seed))));
    // A single start may end elsewhere; most do not.
    expect(found.filter((each) => each === sets(labels)).length).toBeGreaterThanOrEqual(5);
  });

  it('is as good as single starts of scikit-learn where there are no clusters', () => {
    const { k, points, meanInertia } = reference.uniform;
    const inertias = Array.from({ length: 30 }, (_, seed) => {
      const clusters = clustersOf(points, k, seed);
      const means = meansOf(points, clusters);
      return points.reduce((sum, point, row) => sum + squared(point, means[clusters[row]]), 0);
    });
    expect(inertias.reduce((a, b) => a + b) / 30).toBeLessThan(1.03 * meanInertia);
  });

  it('fills every cluster, keeps equal points together and repeats itself, for any numbers', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 12 }), fc.nat(), (rows, k, seed) => {
        const clusters = clustersOf(rows, k, seed);
        const distinct = new Set(rows.map(String)).size;
        const count = clusterCount(clusters);
        expect(new Set(clusters).size).toBe(count);
        expect(count).toBeLessThanOrEqual(Math.min(k, distinct));
        expect(clustersOf(rows, k, seed)).toEqual(clusters);
        const byValue = new Map<string, number>();
        rows.forEach((point, row) => {
          expect(byValue.get(String(point)) ?? clusters[row]).toBe(clusters[row]);
          byValue.set(String(point), clusters[row]);
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('finds as many clusters as asked for, or one per distinct point', () => {
    const spot = fc.tuple(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -1, max: 1 }));
    const rows = fc.array(spot, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 15 }), fc.nat(), (rows, k, seed) => {
        const distinct = new Set(rows.map(String)).size;
        expect(clusterCount(clustersOf(rows, k, seed))).toBe(Math.min(k, distinct));
      }),
      { numRuns: 1000 },
    );
  });

  it('does not care about the unit', () => {
    const rows = reference.uniform.points;
    const expected = clustersOf(rows, 5);
    for (const unit of [2 ** -400, 2 ** 400]) {
      expect(
        clustersOf(
          rows.map((row) => row.map((v) => v * unit)),
          5,
        ),
      ).toEqual(expected);
    }
  });

  it('starts at points far apart (k-means++)', () => {
    // by hand: of 1,000 points at 0 and one at 1, uniform starts would miss the lone one in 998 of 1,000 seeds
    const rows = [...Array.from({ length: 1000 }, () => [0]), [1]];
    for (let seed = 0; seed < 20; seed++) expect(sets(clustersOf(rows, 2, seed))).toContain('"1000"');
  });

  it('leaves the points as they were', () => {
    const values = Float64Array.of(3, 1, 2, 8);
    kMeans(values, 1, 2, randomSource(1));
    expect([...values]).toEqual([3, 1, 2, 8]);
  });
});
