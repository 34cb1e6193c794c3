import { describe, expect, it } from 'vitest';
import { neighbourhood } from '../../../src/checkers/near/neighbours.js';
import { withoutTightClusters } from '../../../src/checkers/near/tightClusters.js';
import { permutation, randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

const draws = randomSource(5);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));
const versions = (rows: number[][], each: number, noise: number) =>
  rows.flatMap((cells) => Array.from({ length: each }, () => cells.map((value) => value + noise * normal(draws))));
const kept = (rows: readonly (readonly number[])[], codes?: Int32Array) => {
  const order = permutation(randomSource(2), rows.length);
  const points = { n: rows.length, data: Float32Array.from(rows.flat()), width: rows[0].length };
  const vectors = { ...points, continuous: points.width, free: new Float32Array(rows.length).fill(1), spread: 1 };
  const seen = Array.from(order.subarray(0, 200), (row) => neighbourhood(row, order, vectors, codes));
  return withoutTightClusters(vectors, order, seen, codes);
};

describe('withoutTightClusters', () => {
  it.each([1, 2, 6, 20])('leaves rows of %i normal features as they are', (p) => {
    for (const n of [60, 300]) expect(kept(cloud(n, p))).toHaveLength(n);
  });

  it.each([2, 5, 12, 30])('keeps one of %i versions of each row', (each) => {
    const found = kept(versions(cloud(60, 6), each, 0.02));
    expect(found).toHaveLength(60);
    expect(new Set(Array.from(found, (row) => Math.floor(row / each))).size).toBe(60);
  });

  it('finds the clusters where a third of the rows are in some', () => {
    const rows = [...versions(cloud(50, 4), 2, 0.001), ...cloud(200, 4)];
    expect(kept(rows)).toHaveLength(250);
  });

  it('takes a few large clusters for kinds of patients', () => {
    expect(kept(versions(cloud(8, 6), 50, 0.02))).toHaveLength(400);
    expect(kept(versions(cloud(8, 6), 20, 0.02))).toHaveLength(160);
  });

  it('does not mind rows of one patient that are alike', () => {
    const rows = versions(cloud(60, 6), 5, 0.02);
    expect(
      kept(
        rows,
        Int32Array.from(rows, (_, row) => Math.floor(row / 5)),
      ),
    ).toHaveLength(300);
  });

  it('keeps all rows of one patient of a cluster', () => {
    // Three patients with two rows each in every cluster of six.
    const rows = versions(cloud(60, 6), 6, 0.02);
    const patients = Int32Array.from(rows, (_, row) => row >> 1);
    expect(kept(rows, patients)).toHaveLength(120);
  });
});
