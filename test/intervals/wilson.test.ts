import { describe, expect, it } from 'vitest';
import { wilson } from '../../src/intervals/wilson.js';
import reference from '../reference/intervals.json' with { type: 'json' };

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
