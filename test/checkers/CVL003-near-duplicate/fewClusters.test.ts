import { describe, expect, it } from 'vitest';
import { fewClusters } from '../../../src/checkers/CVL003-near-duplicate/fewClusters.js';
import { permutation, randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';
import { vectorsOf } from './vectorsOf.js';

const draws = randomSource(8);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));
const around = (means: number[][], each: number, noise: number) =>
  means.flatMap((cells) => Array.from({ length: each }, () => cells.map((value) => value + noise * normal(draws))));
const found = (rows: number[][], codes?: Int32Array) =>
  fewClusters(vectorsOf(rows), permutation(randomSource(3), rows.length), codes);

describe('fewClusters', () => {
  it.each([2, 5, 14])('finds %i clusters, and which rows are in each', (count) => {
    const rows = around(cloud(count, 10), 60, 0.02);
    const clusters = found(rows)!;
    expect(clusters.few).toBe(count);
    expect(clusters.size).toBeGreaterThan(55);
    expect(clusters.size).toBeLessThan(65);
    const places = clusters.places();
    for (const [row, place] of places.entries()) expect(place).toBe(places[row - (row % 60)]);
    expect(new Set(places).size).toBe(count);
  });

  it('measures how far apart they are: two lines of points, .1 from each other and 2 between them', () => {
    const line = (from: number) => Array.from({ length: 30 }, (_, at) => [from + at / 10]);
    // 0 to 2.9 and 4.9 to 7.8.
    const clusters = found([...line(0), ...line(4.9)])!;
    expect(clusters).toMatchObject({ few: 2, size: 30 });
    expect(clusters.apart).toBeCloseTo(20, 3);
  });

  it('finds none in one cloud, however its tails are, nor in fewer than 40 rows', () => {
    for (const p of [1, 2, 8]) {
      const rows = cloud(300, p);
      for (const shape of [
        (x: number) => x,
        Math.exp,
        (x: number) => x ** 3,
        (x: number) => x / Math.abs(normal(draws)),
      ]) {
        expect(found(rows.map((cells) => cells.map(shape)))).toBeUndefined();
      }
    }
    expect(found(around(cloud(3, 5), 10, 0.01))).toBeUndefined();
  });

  it('does not mind outliers, equal rows, nor the rows of one patient', () => {
    const rows = around(cloud(3, 4), 40, 0.01);
    const outliers = cloud(4, 4).map((cells) => cells.map((value) => 1000 * value));
    const clusters = found([...rows, ...outliers, ...rows])!;
    expect(clusters.few).toBe(3);
    expect([...clusters.places().slice(120, 124)]).toEqual([-1, -1, -1, -1]);
    // Three patients are no cluster of rows, and too few to say anything.
    expect(
      found(
        rows,
        Int32Array.from(rows, (_, row) => Math.floor(row / 40)),
      ),
    ).toBeUndefined();
  });
});
