import { describe, expect, it } from 'vitest';
import { areUnits, replicateClusters } from '../../../src/checkers/CVL003-near-duplicate/clusters.js';
import { neighbourhoods } from '../../../src/checkers/CVL003-near-duplicate/neighbours.js';
import { permutation, randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';
import { vectorsOf } from './vectorsOf.js';

const draws = randomSource(5);
const cloud = (n: number, p: number) => Array.from({ length: n }, () => Array.from({ length: p }, () => normal(draws)));
const versions = (rows: number[][], each: number, noise: number) =>
  rows.flatMap((cells) => Array.from({ length: each }, () => cells.map((value) => value + noise * normal(draws))));
const found = (rows: readonly (readonly number[])[], codes?: Int32Array) => {
  const order = permutation(randomSource(2), rows.length);
  const vectors = vectorsOf(rows);
  const seen = Array.from(order.subarray(0, 200), neighbourhoods(order, vectors, codes));
  return replicateClusters(vectors, order, seen, codes);
};

describe('replicateClusters', () => {
  it.each([1, 2, 6, 20])('leaves rows of %i normal features as they are', async (p) => {
    for (const n of [60, 300]) expect(await found(cloud(n, p))).toBeUndefined();
  });

  it.each([2, 5, 12, 30])('keeps one of %i versions of each row', async (each) => {
    const { kept, size } = (await found(versions(cloud(60, 6), each, 0.02)))!;
    expect(kept).toHaveLength(60);
    expect(new Set(Array.from(kept, (row) => Math.floor(row / each))).size).toBe(60);
    expect(size).toBe(each);
  });

  it('places all rows when asked, once', async () => {
    const { kept, places } = (await found(versions(cloud(60, 6), 5, 0.02)))!;
    const of = await places();
    of.forEach((place, row) => {
      expect(Math.floor(kept[place] / 5)).toBe(Math.floor(row / 5));
    });
    expect(await places()).toBe(of);
  });

  it('finds the clusters where a third of the rows are in some', async () => {
    const rows = [...versions(cloud(50, 4), 2, 0.001), ...cloud(200, 4)];
    expect((await found(rows))?.kept).toHaveLength(250);
  });

  it('takes a few large clusters for kinds of patients', async () => {
    expect(await found(versions(cloud(8, 6), 50, 0.02))).toBeUndefined();
    expect(await found(versions(cloud(8, 6), 20, 0.02))).toBeUndefined();
  });

  it('does not mind rows of one patient that are alike', async () => {
    const rows = versions(cloud(60, 6), 5, 0.02);
    expect(
      await found(
        rows,
        Int32Array.from(rows, (_, row) => Math.floor(row / 5)),
      ),
    ).toBeUndefined();
  });

  it('keeps all rows of one patient of a cluster', async () => {
    // Three patients with two rows each in every cluster of six.
    const rows = versions(cloud(60, 6), 6, 0.02);
    const patients = Int32Array.from(rows, (_, row) => row >> 1);
    expect((await found(rows, patients))?.kept).toHaveLength(120);
  });
});

describe('areUnits', () => {
  const units = (places: number[], codes: number[]) => areUnits(Int32Array.from(places), 4, Int32Array.from(codes));
  const level = (...codes: number[]) => units([0, 0, 1, 1, 2, 2, 3], codes);

  it('says whether a level tells the clusters apart', () => {
    expect(level(0, 0, 1, 1, 2, 2, 3)).toBe(true);
    // All in one unit, or half of each cluster in another.
    expect(level(0, 0, 0, 0, 0, 0, 0)).toBe(false);
    expect(level(0, 1, 0, 1, 0, 1, 0)).toBe(false);
    // Rows without an id neither agree nor differ, not even where the row is without that stands for its cluster.
    expect(units([0, 0, 0, 1, 1, 1, 2], [-1, 5, 5, 6, -1, 6, -1])).toBe(true);
    expect(level(-1, -1, -1, -1, -1, -1, -1)).toBe(false);
  });
});
