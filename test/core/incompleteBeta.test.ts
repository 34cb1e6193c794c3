import { describe, expect, it } from 'vitest';
import { incompleteBeta, inverseIncompleteBeta, studentTQuantile } from '../../src/core/incompleteBeta.js';
import reference from '../reference/intervals.json' with { type: 'json' };

const worst = (rows: number[][], found: (row: number[]) => number) =>
  Math.max(...rows.map((row) => Math.abs(found(row) / row[row.length - 1] - 1)));

describe(`against scipy ${reference.versions.scipy}, relative error over the whole grid`, () => {
  it('incompleteBeta', () => {
    expect(reference.incompleteBeta.length).toBeGreaterThan(500);
    expect(worst(reference.incompleteBeta, ([x, a, b]) => incompleteBeta(x, a, b))).toBeLessThan(1e-12);
  });

  it('inverseIncompleteBeta', () => {
    expect(reference.inverseIncompleteBeta.length).toBeGreaterThan(400);
    expect(worst(reference.inverseIncompleteBeta, ([p, a, b]) => inverseIncompleteBeta(p, a, b))).toBeLessThan(1e-12);
  });

  it('studentTQuantile', () => {
    expect(reference.studentTQuantile.length).toBeGreaterThan(100);
    expect(worst(reference.studentTQuantile, ([p, df]) => studentTQuantile(p, df))).toBeLessThan(1e-12);
  });
});

describe('at the ends', () => {
  it('is 0 and 1, and the median of t is 0', () => {
    expect([0, 1].map((x) => incompleteBeta(x, 2, 3))).toEqual([0, 1]);
    expect([0, 1].map((p) => inverseIncompleteBeta(p, 2, 3))).toEqual([0, 1]);
    expect(studentTQuantile(0.5, 7)).toBe(0);
  });
});
