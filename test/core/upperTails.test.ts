import { describe, expect, it } from 'vitest';
import { chiSquaredUpperTail, fUpperTail } from '../../src/core/pValues.js';
import reference from '../reference/upperTails.json' with { type: 'json' };

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

describe('at the ends', () => {
  it('is 1 and 0, and NaN for NaN', () => {
    expect([0, Number.MAX_VALUE, Number.NaN].map((f) => fUpperTail(f, 2, 5))).toEqual([1, 0, Number.NaN]);
    expect([0, 1e300, Infinity, Number.NaN].map((x) => chiSquaredUpperTail(x, 3))).toEqual([1, 0, 0, Number.NaN]);
    expect(chiSquaredUpperTail(1e-300, 1000)).toBe(1);
  });
});
