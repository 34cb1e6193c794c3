import { describe, expect, it } from 'vitest';
import { areUnits, clustersWithin, usualSize } from '../../../src/checkers/CVL003-near-duplicate/clusters.js';
import { vectorsOf } from './vectorsOf.js';

const rows = [0, 1, 10, 11, 20, 21, 35].map((value) => [value]);
const every = Int32Array.from(rows.keys());
const within = (codes?: Int32Array) => ({
  ...clustersWithin(vectorsOf(rows), every, 2, codes),
  size: 2,
  apart: 9,
});

describe('clustersWithin', () => {
  it('keeps one row of each, and says which one stands for a row', () => {
    const clusters = within();
    expect([...clusters.kept]).toEqual([0, 2, 4, 6]);
    expect([...clusters.places()]).toEqual([0, 0, 1, 1, 2, 2, 3]);
    const few = clustersWithin(vectorsOf(rows), Int32Array.of(0, 2), 2, undefined);
    expect([...few.places()]).toEqual([0, 0, 1, 1, -1, -1, -1]);
  });

  it('keeps all rows of a patient', () => {
    const clusters = within(Int32Array.of(0, 0, 1, 2, 3, 4, 5));
    expect([...clusters.kept]).toEqual([0, 1, 2, 4, 6]);
    expect([...clusters.places()]).toEqual([0, 0, 2, 2, 3, 3, 4]);
  });
});

describe('usualSize', () => {
  it('counts rows, or patients, around some that are in a cluster', () => {
    const size = (codes?: Int32Array) => usualSize(vectorsOf(rows), Int32Array.of(0, 2, 6), 2, codes);
    expect(size()).toBe(2);
    // The rows 0 and 1 are of one patient, and so are no cluster.
    expect(size(Int32Array.of(0, 0, 1, 2, 3, 4, 5))).toBe(2);
    expect(usualSize(vectorsOf(rows), Int32Array.of(6), 2, undefined)).toBe(1);
  });
});

describe('areUnits', () => {
  const level = (...codes: number[]) => areUnits(within(), Int32Array.from(codes));

  it('says whether a level tells the clusters apart', () => {
    expect(level(0, 0, 1, 1, 2, 2, 3)).toBe(true);
    // All in one unit, or half of each cluster in another.
    expect(level(0, 0, 0, 0, 0, 0, 0)).toBe(false);
    expect(level(0, 1, 0, 1, 0, 1, 0)).toBe(false);
    // Rows without an id neither agree nor differ, not even where the row is without that stands for its cluster.
    expect(
      areUnits(
        { ...within(), places: () => Int32Array.of(0, 0, 0, 1, 1, 1, 2) },
        Int32Array.of(-1, 5, 5, 6, -1, 6, -1),
      ),
    ).toBe(true);
    expect(level(-1, -1, -1, -1, -1, -1, -1)).toBe(false);
  });
});
