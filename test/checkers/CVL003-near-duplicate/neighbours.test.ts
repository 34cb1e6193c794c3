import { describe, expect, it } from 'vitest';
import { NEIGHBOURS, neighbourhood } from '../../../src/checkers/CVL003-near-duplicate/neighbours.js';

const line = (places: readonly number[]) => ({ data: Float32Array.from(places), width: 1 });
const all = (n: number) => Int32Array.from({ length: n }, (_, row) => row);

describe('neighbourhood', () => {
  it('gives the ten nearest, ascending, and how many rows are within the farthest', () => {
    const { distances, rows } = neighbourhood(0, all(30), line(all(30) as unknown as number[]), undefined);
    expect(distances).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect([rows, NEIGHBOURS]).toEqual([10, 10]);
  });

  it('counts two rows that are as far as each other, one on each side', () => {
    expect(neighbourhood(2, all(5), line([0, 1, 2, 3, 4]), undefined).distances).toEqual([1, 1, 2, 2]);
  });

  it('counts copies of the row not at all, and rows that are equal once', () => {
    const { distances } = neighbourhood(0, all(6), line([0, 0, 0, 2, 2, 5]), undefined);
    expect(distances).toEqual([2, 5]);
  });

  it('takes the nearest row of each other patient', () => {
    const codes = Int32Array.of(0, 0, 1, 1, 2);
    const { distances, rows } = neighbourhood(0, all(5), line([0, 1, 4, 3, 9]), codes);
    expect(distances).toEqual([3, 9]);
    expect(rows).toBe(3);
  });
});
