import { expect, it } from 'vitest';
import * as stats from '../../src/stats/index.js';

it('keeps the old names of what was renamed', () => {
  // The types have their old names, too: this line compiles.
  const kinds: [stats.LeakagePrice, stats.LeakagePriceOptions, stats.PermutationGap, stats.PermutationGapOptions][] =
    [];
  expect(kinds).toEqual([]);
  expect(stats.leakagePrice).toBe(stats.leakageInflation);
  expect(stats.permutationGap).toBe(stats.labelPermutationGap);
});
