import { describe, expect, it } from 'vitest';
import { clopperPearson } from '../../src/intervals/clopperPearson.js';
import reference from '../reference/clinical.json' with { type: 'json' };

describe('clopperPearson', () => {
  it('equals binom.test of R', () => {
    for (const [found, n, share, lower, upper] of reference.exact) {
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
