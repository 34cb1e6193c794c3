import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chiSquaredUpperTail, fUpperTail, permutationPValue } from '../../src/core/pValues.js';
import reference from '../reference/upperTails.json' with { type: 'json' };

/** Draws as they are listed: 1 reaches the observed statistic. */
const of = async (draws: number[], alpha: number, permutations: number) => {
  const left = [...draws];
  const found = await permutationPValue(() => left.shift() === 1, { alpha, permutations });
  return { ...found, left: left.length };
};

const orders = (items: number[]): number[][] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, at) => orders(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));

describe('permutationPValue', () => {
  it('is (b + 1) / (B + 1) at the end, and h / l where h draws reached it before', async () => {
    // B = 9 and alpha = .2: h = floor(.2 x 10) = 2.
    expect(await of([0, 0, 0, 0, 0, 0, 0, 0, 0], 0.2, 9)).toEqual({ pValue: 1 / 10, permutations: 9, left: 0 });
    expect(await of([0, 0, 0, 0, 1, 0, 0, 0, 0], 0.2, 9)).toEqual({ pValue: 2 / 10, permutations: 9, left: 0 });
    expect(await of([0, 1, 0, 0, 1, 0, 0, 0, 0], 0.2, 9)).toEqual({ pValue: 2 / 5, permutations: 5, left: 4 });
    expect(await of([1, 1, 0, 0, 0, 0, 0, 0, 0], 0.2, 9)).toEqual({ pValue: 1, permutations: 2, left: 7 });
    // The second one comes last: 2 / 9, not 3 / 10.
    expect(await of([1, 0, 0, 0, 0, 0, 0, 0, 1], 0.2, 9)).toEqual({ pValue: 2 / 9, permutations: 9, left: 0 });
    // .29 x 100 is 28.999999999999996 in floating point, and means 29: with 28 the test goes on.
    expect(await of(new Array(99).fill(1), 0.29, 99)).toMatchObject({ pValue: 1, permutations: 29 });
    // An alpha that no p-value can reach: the first that reaches the statistic ends the test.
    expect(await of([0, 0, 1, 0], 0.01, 4)).toEqual({ pValue: 1 / 3, permutations: 3, left: 1 });
  });

  it('stops when p > alpha is certain, never before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 1 }), { minLength: 19, maxLength: 19 }),
        fc.nat({ max: 19 }),
        async (draws, tenth) => {
          const alpha = (tenth + 1) / 20;
          const reached = draws.reduce((sum, draw) => sum + draw, 0);
          expect((await of(draws, alpha, 19)).pValue <= alpha + 1e-12).toBe((reached + 1) / 20 <= alpha + 1e-12);
        },
      ),
    );
  });

  it('is uniform where the observed statistic is one of the permutations: all orders of their ranks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), async (permutations, h) => {
        const alpha = Math.min(h, permutations) / (permutations + 1);
        const all = orders([...new Array(permutations + 1).keys()]).map(([observed, ...draws]) =>
          of(
            draws.map((draw) => Number(draw >= observed)),
            alpha,
            permutations,
          ),
        );
        const found = (await Promise.all(all)).map(({ pValue }) => pValue);
        for (const t of new Set(found)) {
          expect(found.filter((p) => p <= t).length / found.length).toBeCloseTo(t, 12);
        }
      }),
      { numRuns: 12 },
    );
  });
});

const worst = (rows: number[][], found: (row: number[]) => number) =>
  Math.max(...rows.map((row) => Math.abs(found(row) / row[row.length - 1] - 1)));

describe(`against scipy ${reference.versions.scipy}, relative error over the whole grid`, () => {
  it('fUpperTail', () => {
    expect(reference.f.length).toBeGreaterThan(250);
    expect(Math.min(...reference.f.map((row) => row[3]))).toBeLessThan(1e-200);
    expect(worst(reference.f, ([f, above, below]) => fUpperTail(f, above, below))).toBeLessThan(1e-12);
  });

  it('chiSquaredUpperTail', () => {
    expect(reference.chiSquared.length).toBeGreaterThan(60);
    expect(Math.min(...reference.chiSquared.map((row) => row[2]))).toBeLessThan(1e-100);
    expect(worst(reference.chiSquared, ([x, df]) => chiSquaredUpperTail(x, df))).toBeLessThan(1e-12);
  });
});

it('at the ends is 1 and 0, and NaN for NaN', () => {
  expect([0, Number.MAX_VALUE, Number.NaN].map((f) => fUpperTail(f, 2, 5))).toEqual([1, 0, Number.NaN]);
  expect([0, 1e300, Infinity, Number.NaN].map((x) => chiSquaredUpperTail(x, 3))).toEqual([1, 0, 0, Number.NaN]);
  expect(chiSquaredUpperTail(1e-300, 1000)).toBe(1);
});
