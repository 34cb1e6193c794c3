import { describe, expect, it } from 'vitest';
import { NEIGHBOURS, neighbourhoods } from '../../../src/checkers/CVL003-near-duplicate/neighbours.js';
import { randomSource } from '../../../src/core/random.js';

const line = (places: readonly number[]) => ({ data: Float32Array.from(places), width: 1 });
const all = (n: number) => Int32Array.from({ length: n }, (_, row) => row);

describe('neighbourhoods', () => {
  it('gives the ten nearest, ascending, and how many rows are within the farthest', () => {
    const { distances, rows } = neighbourhoods(all(30), line(all(30) as unknown as number[]), undefined)(0);
    expect(distances).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect([rows, NEIGHBOURS]).toEqual([10, 10]);
  });

  it('counts two rows that are as far as each other, one on each side', () => {
    expect(neighbourhoods(all(5), line([0, 1, 2, 3, 4]), undefined)(2).distances).toEqual([1, 1, 2, 2]);
  });

  it('counts copies of the row not at all, and rows that are equal once', () => {
    const { distances } = neighbourhoods(all(6), line([0, 0, 0, 2, 2, 5]), undefined)(0);
    expect(distances).toEqual([2, 5]);
  });

  it('measures far from 0 as exactly as near it', () => {
    const random = randomSource(3);
    const width = 7;
    const data = Float32Array.from({ length: 40 * width }, () => 1e4 + random.random());
    // A copy of row 0 but for the last bits of one cell.
    data.set(data.subarray(0, width), 20 * width);
    data[20 * width] += 2 ** -9;
    const { distances, nearest } = neighbourhoods(all(40), { data, width }, undefined)(0);
    expect(nearest[0]).toBe(20);
    nearest.forEach((other, at) => {
      const gaps = Array.from({ length: width }, (_, k) => data[k] - data[other * width + k]);
      expect(distances[at]).toBeCloseTo(Math.hypot(...gaps), 9);
    });
  });

  it('takes the nearest row of each other patient', () => {
    const codes = Int32Array.of(0, 0, 1, 1, 2);
    const { distances, rows } = neighbourhoods(all(5), line([0, 1, 4, 3, 9]), codes)(0);
    expect(distances).toEqual([3, 9]);
    expect(rows).toBe(3);
  });
});
