import { describe, expect, it } from 'vitest';
import { byRowBlocks } from '../../src/data/rowBlocks.js';

describe('byRowBlocks', () => {
  it.each([0, 1, 32, 33, 100])('calls for each of %i rows once, in order', (length) => {
    const seen: number[] = [];
    byRowBlocks(length, (from, to) => {
      for (let row = from; row < to; row++) seen.push(row);
    });
    expect(seen).toEqual(Array.from({ length }, (_, row) => row));
  });
});
