import { describe, expect, it } from 'vitest';
import { rowOrder, stepSeed } from '../../../adapters/tfjs/seeds.js';

describe('rowOrder', () => {
  it('is a permutation that depends on the seed and the epoch alone', () => {
    const order = rowOrder(1, 0, 100);
    expect(Array.from(order).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, row) => row));
    expect(rowOrder(1, 0, 100)).toEqual(order);
    expect(rowOrder(1, 1, 100)).not.toEqual(order);
    expect(rowOrder(2, 0, 100)).not.toEqual(order);
  });
});

describe('stepSeed', () => {
  it('differs for every epoch and batch', () => {
    const seeds = [0, 1, 2].flatMap((epoch) => [0, 1, 2].map((batch) => stepSeed(5, epoch, batch)));
    expect(new Set(seeds).size).toBe(9);
    expect(stepSeed(5, 1, 2)).toBe(stepSeed(5, 1, 2));
  });
});
