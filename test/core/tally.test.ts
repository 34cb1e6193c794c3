import { describe, expect, it } from 'vitest';
import { tally } from '../../src/core/tally.js';

describe('tally', () => {
  it('counts each value, in the order in which they come', () => {
    expect(tally(['b', 'a', 'b', null])).toEqual({ values: ['b', 'a', null], counts: [2, 1, 1] });
    expect(tally(Float64Array.of(2, Number.NaN, 2, Number.NaN))).toEqual({ values: [2, Number.NaN], counts: [2, 2] });
    expect(tally([])).toEqual({ values: [], counts: [] });
  });
});
