import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { clustersOf, clusterTree } from '../../../src/splitters/spatial/knndm.js';
import { pointsOf } from '../../../src/splitters/spatial/points.js';

const place = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -1e9, max: 1e9 }));

describe('clusterTree', () => {
  it('gives every number of clusters up to that of distinct points, each within one of the last', () => {
    const cloud = fc.array(place, { minLength: 1, maxLength: 30 }).map((rows) => [...rows, ...rows.slice(0, 5)]);
    fc.assert(
      fc.property(cloud, fc.nat(), (rows, seed) => {
        const tree = clusterTree(pointsOf(rows, 'x'), randomSource(seed));
        const distinct = new Set(rows.map(String)).size;
        expect(tree.cuts.length).toBe(distinct - 1);
        expect([...tree.order].sort((a, b) => a - b)).toEqual([...rows.keys()]);
        let coarser = clustersOf(tree, 1);
        for (let count = 1; count <= distinct; count++) {
          const clusters = clustersOf(tree, count);
          expect([...new Set(clusters)].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
          const parents = new Set(Array.from(clusters, (cluster, row) => `${cluster} in ${coarser[row]}`));
          expect(parents.size).toBe(count);
          coarser = clusters;
        }
        const byValue = new Map(rows.map((row, at) => [String(row), coarser[at]]));
        rows.forEach((row, at) => {
          expect(coarser[at]).toBe(byValue.get(String(row)));
        });
      }),
      { numRuns: 300 },
    );
  });

  it('cuts the widest cluster first', () => {
    // by hand: 0 and 100 part first, then 0, 1 from 10 (spread 60.7), then 100 from 103 (4.5), then 0 from 1 (0.5)
    const tree = clusterTree(pointsOf([[0], [100], [1], [103], [10]], 'x'), randomSource(3));
    const parts = (count: number) => {
      const clusters = clustersOf(tree, count);
      const rows = Array.from({ length: count }, (_, c) => [...clusters.keys()].filter((row) => clusters[row] === c));
      return rows.map(String).sort();
    };
    expect(parts(2)).toEqual(['0,2,4', '1,3']);
    expect(parts(3)).toEqual(['0,2', '1,3', '4']);
    expect(parts(4)).toEqual(['0,2', '1', '3', '4']);
    expect(parts(5)).toEqual(['0', '1', '2', '3', '4']);
  });
});
