import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BOX_COX,
  bestPower,
  leastAt,
  quantileTransform,
  YEO_JOHNSON,
} from '../../../src/checkers/CVL010-preprocessing/curves.js';
import type { FitRows } from '../../../src/checkers/CVL010-preprocessing/task.js';
import { rowNumbers } from '../../../src/data/labels.js';

const fitTo = (values: readonly number[]): FitRows => ({
  known: Float64Array.from(values),
  rows: rowNumbers(values.length),
  count: values.length,
  y: undefined,
  found: undefined,
  values: Float64Array.from(values),
  isTrained: () => true,
});
const POWERS = [-0.021292404851111446, -0.2866763047666781, 0.34518044643951257];
const column = fc.array(fc.double({ min: 0.01, max: 1000, noNaN: true }), { minLength: 5, maxLength: 30 });

describe('curves', () => {
  it('finds the powers that scipy finds', () => {
    // scipy 1.17.1: stats.boxcox(x)[1] and stats.yeojohnson(x)[1] of x = [.5, 1, 1.5, 2, 4, 8, 9, 20]; of x - 3 the second.
    const x = [0.5, 1, 1.5, 2, 4, 8, 9, 20];
    const found = [
      bestPower(BOX_COX, Float64Array.from(x)),
      bestPower(YEO_JOHNSON, Float64Array.from(x)),
      bestPower(
        YEO_JOHNSON,
        Float64Array.from(x, (value) => value - 3),
      ),
    ];
    for (const [at, power] of POWERS.entries()) expect(found[at]).toBeCloseTo(power, 6);
  });

  it('keeps the order of values, and has no gap at the powers 0, 1 and 2', () => {
    fc.assert(
      fc.property(column, fc.double({ min: -4, max: 4, noNaN: true }), (values, power) => {
        const sorted = [...values].sort((a, b) => a - b);
        for (const { at } of [BOX_COX, YEO_JOHNSON]) {
          const made = sorted.map((value) => at(value, power));
          for (let i = 1; i < made.length; i++) expect(made[i]).toBeGreaterThanOrEqual(made[i - 1]);
        }
      }),
    );
    for (const value of [-3, -0.2, 0, 0.2, 3]) {
      expect(YEO_JOHNSON.at(value, 1)).toBeCloseTo(value, 12);
      for (const power of [0, 2])
        expect(YEO_JOHNSON.at(value, power)).toBeCloseTo(YEO_JOHNSON.at(value, power + 1e-9), 7);
    }
    expect(BOX_COX.at(3, 0)).toBeCloseTo(BOX_COX.at(3, 1e-9), 7);
    expect(BOX_COX.at(0, 2)).toBeNaN();
  });

  it('finds the lowest place of a valley, also outside of the usual powers', () => {
    fc.assert(
      fc.property(fc.double({ min: -70, max: 70, noNaN: true }), (low) => {
        expect(leastAt((x) => Math.abs(x - low))).toBeCloseTo(low, 6);
      }),
    );
  });

  it('takes no power at which nothing is left of the values', () => {
    const far = Float64Array.from({ length: 20 }, (_, at) => 1e6 * Math.exp(at / 4));
    expect(bestPower(BOX_COX, far)).toBeCloseTo(0, 1);
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
