import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairsWithin } from '../../../src/checkers/CVL003-near-duplicate/pairsWithin.js';
import { squaredDistance } from '../../../src/checkers/features/squaredDistance.js';
import { randomSource } from '../../../src/core/random.js';
import { normal } from './normal.js';

/** Every pair, one by one. */
function brute(data: Float32Array, width: number, limit: number): string[] {
  const n = data.length / width;
  const pairs: string[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += (data[i * width + k] - data[j * width + k]) ** 2;
      if (sum <= limit * limit) pairs.push(`${i}-${j}`);
    }
  }
  return pairs.sort();
}

const found = async (data: Float32Array, width: number, limit: number) => {
  const { pairs } = await pairsWithin({ data, width }, limit, randomSource(1));
  return pairs.map(({ first, second }) => `${first}-${second}`).sort();
};

describe('pairsWithin', () => {
  it('finds what brute force finds, whatever the size, width and limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 70 }),
        fc.constantFrom(1, 2, 3, 7, 8, 9, 16, 17, 40),
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        fc.boolean(),
        async (n, width, seed, part, lattice) => {
          const random = randomSource(seed);
          const data = Float32Array.from({ length: n * width }, () => {
            const value = normal(random);
            return lattice ? Math.round(value) : value;
          });
          const limit = part * Math.sqrt(2 * width);
          expect(await found(data, width, limit)).toEqual(brute(data, width, limit));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('does so across blocks, with rows that are equal, along the main direction and beyond it', async () => {
    const random = randomSource(9);
    const [n, width] = [1100, 20];
    const data = Float32Array.from({ length: n * width }, (_, at) => (at % width === 0 ? 5 : 1) * normal(random));
    for (let row = 0; row < 300; row++) {
      const [from, to] = [row * width, (n - 1 - row) * width];
      for (let k = 0; k < width; k++) data[to + k] = data[from + k] + (row % 3) * 0.1 * normal(random);
    }
    for (const limit of [0, 0.5, 2]) expect(await found(data, width, limit)).toEqual(brute(data, width, limit));
    expect((await found(data, width, 0.9)).length).toBeGreaterThan(250);
  });

  it('gives the distances, and only pairs that are wanted', async () => {
    // Places 0, 3, 4: the pairs are 3, 4 and 1 apart.
    const points = { data: Float32Array.of(0, 3, 4), width: 1 };
    const wide = await pairsWithin(points, 3.5, randomSource(1));
    expect(wide.pairs.map(({ distance }) => distance).sort()).toEqual([1, 3]);
    expect(wide.truncated).toBe(false);
    const some = await pairsWithin(points, 3.5, randomSource(1), (i) => i === 0);
    expect(some.pairs).toEqual([{ first: 0, second: 1, distance: 3 }]);
  });

  it('ends when there are more than 200,000', async () => {
    const { pairs, truncated } = await pairsWithin({ data: new Float32Array(800), width: 1 }, 1, randomSource(1));
    expect([pairs.length, truncated]).toEqual([200_000, true]);
  });
});

describe('squaredDistance', () => {
  it('is the sum over columns, and may stop once it is above enough', () => {
    const data = Float32Array.from({ length: 160 }, (_, at) => (at < 80 ? 0 : 1));
    expect(squaredDistance(data, 80, 0, 1)).toBe(80);
    expect(squaredDistance(data, 80, 0, 1, 5)).toBe(64);
  });
});
