import { describe, expect, it } from 'vitest';
import { augmentRandom, rowOrder, stepSeed } from '../../../adapters/tfjs/train.js';

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

describe('rowOrder within a window', () => {
  it('shuffles each block of rows by itself', () => {
    const order = Array.from(rowOrder(1, 0, 25, 10));
    const blocks = [order.slice(0, 10), order.slice(10, 20), order.slice(20)];
    blocks.forEach((block, at) => {
      expect(block.toSorted((a, b) => a - b)).toEqual(block.map((_, place) => 10 * at + place));
    });
    expect(blocks[1].map((row) => row - 10)).not.toEqual(blocks[0]);
    expect(Array.from(rowOrder(1, 0, 25, 100))).toEqual(Array.from(rowOrder(1, 0, 25)));
  });
});

describe('augmentRandom', () => {
  it('is another stream, and another seed, for every batch', () => {
    const all = [0, 1].flatMap((epoch) => [0, 1].map((batch) => augmentRandom(5, epoch, batch)));
    expect(new Set(all.flatMap(({ random, seed }) => [random.uint32(), seed])).size).toBe(8);
    expect(augmentRandom(5, 1, 0).seed).toBe(all[2].seed);
  });
});
