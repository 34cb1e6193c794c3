import { describe, expect, it } from 'vitest';
import { adjustPValues } from '../../src/stats/adjustPValues.js';
import reference from '../reference/comparison.json' with { type: 'json' };

const { p, ...expected } = reference.adjusted;

describe('adjustPValues', () => {
  it.each(['holm', 'bonferroni', 'benjamini_hochberg'] as const)("by %s equals R's p.adjust", (method) => {
    adjustPValues(p, { method }).forEach((value, at) => {
      expect(value).toBeCloseTo(expected[method][at], 14);
    });
  });

  it('leaves out what is null, and takes Holm by default', () => {
    expect(adjustPValues([0.01, null, 0.04, 0.03])).toEqual([0.03, null, 0.06, 0.06]);
    expect(adjustPValues([])).toEqual([]);
  });
});
