import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quantileTransform, yeoJohnson } from '../../../src/checkers/CVL010-preprocessing/curves.js';
import type { FittedRows } from '../../../src/checkers/CVL010-preprocessing/task.js';
import { rowNumbers } from '../../../src/data/labels.js';

const fitTo = (values: readonly number[]): FittedRows => ({
  known: Float64Array.from(values),
  rows: rowNumbers(values.length),
  count: values.length,
  y: undefined,
  found: undefined,
  values: Float64Array.from(values),
  isTrained: () => true,
});
const column = fc.array(fc.double({ min: 0.01, max: 1000, noNaN: true }), { minLength: 5, maxLength: 30 });

describe('curves', () => {
  it('finds the powers that scipy finds', () => {
    // scipy 1.17.1: stats.yeojohnson(x)[1] of x = [.5, 1, 1.5, 2, 4, 8, 9, 20], and of x - 3.
    const x = [0.5, 1, 1.5, 2, 4, 8, 9, 20];
    for (const [values, power] of [
      [x, -0.2866763047666781],
      [x.map((value) => value - 3), 0.34518044643951257],
    ] as const) {
      const bend = yeoJohnson(fitTo(values));
      expect(bend(1, 0)).toBeCloseTo((2 ** power - 1) / power, 6);
      expect(bend(-1, 0)).toBeCloseTo(-(2 ** (2 - power) - 1) / (2 - power), 6);
    }
  });

  it('keeps the order of values, and leaves a constant column as it is', () => {
    fc.assert(
      fc.property(column, (values) => {
        const bend = yeoJohnson(fitTo(values));
        const bent = [...values].sort((a, b) => a - b).map((value) => bend(value, 0));
        for (let i = 1; i < bent.length; i++) expect(bent[i]).toBeGreaterThanOrEqual(bent[i - 1]);
      }),
    );
    for (const value of [-3, -0.2, 0, 0.2, 3]) expect(yeoJohnson(fitTo([7, 7]))(value, 0)).toBeCloseTo(value, 12);
  });

  it('gives shares from 0 to 1 in order, and scores of the same distance from the middle', () => {
    fc.assert(
      fc.property(column, (values) => {
        const share = quantileTransform(false)(fitTo(values));
        const sorted = [...values].sort((a, b) => a - b);
        const made = sorted.map((value) => share(value, 0));
        expect([share(-1, 0), share(1e9, 0)]).toEqual([0, 1]);
        for (let i = 1; i < made.length; i++) expect(made[i]).toBeGreaterThanOrEqual(made[i - 1]);
        expect(share(Number.NaN, 0)).toBeNaN();
      }),
    );
    const score = quantileTransform(true)(fitTo([1, 2, 3, 4, 5]));
    expect([1, 3, 5].map((value) => score(value, 0))).toEqual([
      expect.closeTo(-5.1993375, 6),
      expect.closeTo(0, 12),
      expect.closeTo(5.1993375, 6),
    ]);
    // Of equal values the middle of their shares.
    expect(quantileTransform(false)(fitTo([1, 2, 2, 2, 3]))(2, 0)).toBe(0.5);
    expect(quantileTransform(false)(fitTo([1, 2, 2, 3, 4]))(2, 0)).toBe(0.375);
  });
});
