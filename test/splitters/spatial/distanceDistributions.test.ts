import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallerPValue, wasserstein } from '../../../src/splitters/spatial/distanceDistributions.js';

interface Case {
  name: string;
  predictionDistances: number[];
  sampleDistances: number[];
  randomFoldDistances: number[];
  wRandom: number;
  pValue: number;
}
/** W of scipy and p-values of R, written by test/reference/knndm.py. */
const { cases }: { cases: Case[] } = JSON.parse(
  readFileSync(new URL('../../reference/knndm.json', import.meta.url), 'utf8'),
);

const of = (...values: number[]) => Float64Array.from(values).sort();
const list = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 }).map((v) => of(...v));

describe('wasserstein', () => {
  it.each(cases)('equals scipy: $name', ({ predictionDistances, randomFoldDistances, wRandom }) => {
    expect(wasserstein(of(...randomFoldDistances), of(...predictionDistances))).toBeCloseTo(wRandom, 9);
  });

  it('is the area between the distributions, by hand', () => {
    // half of {0, 4} lies 1 from {1}, the other half 3
    expect(wasserstein(of(0, 4), of(1))).toBe(2);
    expect(wasserstein(of(1, 1, 2), of(1, 1, 2))).toBe(0);
    expect(wasserstein(of(1, 2, 3), of(8, 9, 10))).toBe(7);
  });

  it('is a metric, and the shift of a shifted sample', () => {
    fc.assert(
      fc.property(list, list, list, fc.integer({ min: 0, max: 9 }), (a, b, c, shift) => {
        expect(wasserstein(a, b)).toBeCloseTo(wasserstein(b, a), 12);
        expect(wasserstein(a, c)).toBeLessThanOrEqual(wasserstein(a, b) + wasserstein(b, c) + 1e-9);
        expect(
          wasserstein(
            a,
            a.map((v) => v + shift),
          ),
        ).toBeCloseTo(shift, 12);
      }),
    );
  });
});

describe('smallerPValue', () => {
  it.each(cases)('equals ks.test of R: $name', ({ sampleDistances, predictionDistances, pValue }) => {
    expect(smallerPValue(of(...sampleDistances), of(...predictionDistances))).toBeCloseTo(pValue, 12);
  });

  it('is one-sided, by hand', () => {
    // all of a below all of b: D = 1, so exp(-2 * 1 * 2 * 2 / 4); the other way round D = 0
    expect(smallerPValue(of(1, 2), of(3, 4))).toBeCloseTo(Math.exp(-2), 15);
    expect(smallerPValue(of(3, 4), of(1, 2))).toBe(1);
    // ties: after 1 and 1 of two resp. three values D = 2/2 - 1/3
    expect(smallerPValue(of(1, 1), of(1, 2, 2))).toBeCloseTo(Math.exp((-2 * (2 / 3) ** 2 * 6) / 5), 15);
  });
});
