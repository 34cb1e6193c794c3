import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SMOTE } from '../../src/preprocessing/smote.js';

describe('SMOTE', () => {
  it('makes rows between a row and one of its nearest ones of the same class', async () => {
    const cell = fc.integer({ min: -50, max: 50 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { minLength: 3, maxLength: 8 }),
        fc.array(fc.tuple(cell, cell), { minLength: 9, maxLength: 14 }),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 0, max: 1000 }),
        async (few, many, kNeighbors, randomState) => {
          const X = [...few, ...many];
          const y = X.map((_, row) => (row < few.length ? 1 : 0));
          const made = await new SMOTE({ kNeighbors, randomState }).fitResample(X, y);
          expect(made.X.slice(0, X.length)).toEqual(X);
          expect(made.y.filter((label) => label === 1)).toHaveLength(many.length);
          made.X.slice(X.length).forEach((point: number[], at: number) => {
            const base = few[made.rows[X.length + at]];
            const others = few.filter((_, row) => row !== made.rows[X.length + at]);
            const far = (other: readonly number[]) => Math.hypot(other[0] - base[0], other[1] - base[1]);
            const reach = others.map(far).sort((a, b) => a - b)[kNeighbors - 1];
            const between = others.some((other) => {
              const length = far(other);
              const toBase = Math.hypot(point[0] - base[0], point[1] - base[1]);
              const toOther = Math.hypot(point[0] - other[0], point[1] - other[1]);
              return length <= reach + 1e-9 && Math.abs(toBase + toOther - length) < 1e-9 * (1 + length);
            });
            expect(between).toBe(true);
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  it('takes each of the nearest rows in its turn, not the nearest alone', async () => {
    // Row 0 has row 1 at 1 and row 2 at 10: new rows of it beyond 1 lie between it and row 2.
    const X = [[0], [1], [-10], ...Array.from({ length: 60 }, (_, row) => [100 + row])];
    const made = await new SMOTE({ kNeighbors: 2, randomState: 1 }).fitResample(
      X,
      X.map((_, row) => Number(row < 3)),
    );
    const ofFirst = made.X.filter((_, at) => at >= X.length && made.rows[at] === 0) as number[][];
    expect(new Set(ofFirst.map(([value]) => Math.sign(value)))).toEqual(new Set([-1, 1]));
  });
});
