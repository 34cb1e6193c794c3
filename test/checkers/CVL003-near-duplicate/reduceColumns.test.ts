import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Points, squaredDistance } from '../../../src/checkers/CVL003-near-duplicate/pairsWithin.js';
import { gramRoot, reduceColumns } from '../../../src/checkers/CVL003-near-duplicate/reduceColumns.js';
import { nearVectors } from '../../../src/checkers/CVL003-near-duplicate/vectors.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { normal } from './normal.js';

const distance = ({ data, width }: Points, i: number, j: number) => Math.sqrt(squaredDistance(data, width, i, j));

describe('reduceColumns', () => {
  it('keeps the distances of all pairs of rows, and equal rows equal', () => {
    fc.assert(
      fc.property(
        fc.record({ n: fc.integer({ min: 1, max: 12 }), more: fc.integer({ min: 1, max: 40 }), seed: fc.nat() }),
        ({ n, more, seed }) => {
          const random = randomSource(seed);
          const width = n + more;
          const data = Float32Array.from({ length: n * width }, () => normal(random));
          // The last row is the first, the one before is nearly the second.
          if (n > 3) {
            data.copyWithin((n - 1) * width, 0, width);
            for (let k = 0; k < width; k++) data[(n - 2) * width + k] = data[width + k] + 0.001 * normal(random);
          }
          const narrow = gramRoot({ data, width });
          expect(narrow.width).toBe(n);
          for (let i = 0; i < n; i++) {
            for (let j = 0; j < i; j++) {
              const apart = distance({ data, width }, i, j);
              if (apart === 0) expect(distance(narrow, i, j)).toBe(0);
              else expect(Math.abs(distance(narrow, i, j) / apart - 1)).toBeLessThan(1e-3);
            }
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('turns continuous columns and others on their own, and leaves tables of more rows alone', async () => {
    const random = randomSource(8);
    const table = async (n: number, width: number) => {
      const X = Array.from({ length: n }, () =>
        Object.fromEntries(
          Array.from({ length: width }, (_, k) => [
            `c${k}`,
            k % 2 ? normal(random) : 'abc'[Math.floor(3 * random.random())],
          ]),
        ),
      );
      return nearVectors(await readFeatures(rowsOf(X)), randomSource(1));
    };
    const wide = await table(12, 60);
    const narrow = reduceColumns(wide);
    expect(wide).toMatchObject({ width: 60, continuous: 30 });
    expect(narrow).toMatchObject({
      n: 12,
      width: 24,
      continuous: 12,
      meanSquaredDistance: wide.meanSquaredDistance,
      ownValueShare: wide.ownValueShare,
    });
    expect(distance(narrow, 3, 7)).toBeCloseTo(distance(wide, 3, 7), 4);
    const long = await table(40, 60);
    expect(reduceColumns(long)).toBe(long);
    const numbers = Array.from({ length: 12 }, () => Array.from({ length: 60 }, () => normal(random)));
    const all = nearVectors(await readFeatures(rowsOf(numbers)), randomSource(1));
    expect(reduceColumns(all)).toMatchObject({ width: 12, continuous: 12 });
  });
});
