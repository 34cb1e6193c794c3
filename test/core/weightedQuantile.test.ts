import { describe, expect, it } from 'vitest';
import { weightedQuantile } from '../../src/core/weightedQuantile.js';
import reference from '../reference/calibrationCurves.json' with { type: 'json' };

describe('weightedQuantile', () => {
  it.each(reference.cases)(
    'equals quantile() of R, type 7, with repeated rows',
    ({ yProba, sampleWeight, quantiles }) => {
      const quantile = weightedQuantile(Float64Array.from(yProba), Float64Array.from(sampleWeight));
      quantiles.forEach((value, i) => {
        expect(quantile(i / 5)).toBeCloseTo(value, 14);
      });
    },
  );

  it('of one value is that value', () => {
    expect(weightedQuantile(Float64Array.of(3), Float64Array.of(2.5))(0.4)).toBe(3);
  });
});
