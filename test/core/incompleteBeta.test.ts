import { describe, expect, it } from 'vitest';
import {
  clopperPearson,
  incompleteBeta,
  inverseIncompleteBeta,
  studentTQuantile,
  wilson,
} from '../../src/core/incompleteBeta.js';
import clinical from '../reference/clinical.json' with { type: 'json' };
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

it('at the ends is 0 and 1, and the median of t is 0', () => {
  expect([0, 1].map((x) => incompleteBeta(x, 2, 3))).toEqual([0, 1]);
  expect([0, 1].map((p) => inverseIncompleteBeta(p, 2, 3))).toEqual([0, 1]);
  expect(studentTQuantile(0.5, 7)).toBe(0);
});

describe('wilson', () => {
  it('equals scipy', () => {
    for (const [share, n, level, lower, upper] of reference.wilson) {
      const found = wilson(share, n, level);
      expect(found[0]).toBeCloseTo(lower, 13);
      expect(found[1]).toBeCloseTo(upper, 13);
    }
  });

  it('of 9/10 is .5958-.9821 and of 10/10 .7225-1 (published tables)', () => {
    expect(wilson(0.9, 10, 0.95).map((limit) => Number(limit.toFixed(4)))).toEqual([0.5958, 0.9821]);
    expect(wilson(1, 10, 0.95).map((limit) => Number(limit.toFixed(4)))).toEqual([0.7225, 1]);
  });
});

describe('clopperPearson', () => {
  it('equals binom.test of R', () => {
    for (const [found, n, share, lower, upper] of clinical.exact) {
      const limits = clopperPearson(share, n, 0.95);
      expect(limits[0], `${found}/${n}`).toBeCloseTo(lower, 12);
      expect(limits[1], `${found}/${n}`).toBeCloseTo(upper, 12);
    }
  });

  it("agrees with Newcombe's table (1998, Statistics in Medicine 17:857, method 5)", () => {
    const rounded = (found: number, n: number) => clopperPearson(found / n, n, 0.95).map((x) => Number(x.toFixed(4)));
    expect(rounded(81, 263)).toEqual([0.2527, 0.3676]);
    expect(rounded(15, 148)).toEqual([0.0578, 0.1617]);
    expect(rounded(0, 20)).toEqual([0, 0.1684]);
    expect(rounded(1, 29)).toEqual([0.0009, 0.1776]);
  });

  it('takes an effective number that is no integer, between its neighbours', () => {
    const [lower] = clopperPearson(0.5, 10.5, 0.95);
    expect(lower).toBeGreaterThan(clopperPearson(0.5, 10, 0.95)[0]);
    expect(lower).toBeLessThan(clopperPearson(0.5, 11, 0.95)[0]);
  });
});
