import { describe, expect, it } from 'vitest';
import { sampleSize } from '../../src/clinical/sampleSize.js';
import reference from '../reference/sampleSize.json' with { type: 'json' };

describe('sampleSize', () => {
  it("is 662 for pmsampsize's example: prevalence .174, 24 parameters, R2 .288", () => {
    const { n, events, criteria } = sampleSize({ prevalence: 0.174, parameters: 24, r2CoxSnell: 0.288 });
    expect([n, events]).toEqual([662, 116]); // 662 x .174 = 115.2
    expect(criteria.map((each) => each.n)).toEqual([623, 662, 221]);
  });

  it.each(reference.development)(
    'equals the formulas in R: $parameters parameters, R2 $r2CoxSnell',
    ({ n, meanAbsoluteError, ...options }) => {
      const found = sampleSize({ ...options, ...(meanAbsoluteError === null ? {} : { meanAbsoluteError }) });
      expect(found.criteria.map((each) => each.n)).toEqual(n);
      expect(found.n).toBe(Math.max(...n));
    },
  );

  it.each(reference.fromC)(
    'derives R2 from C $cStatistic and prevalence $prevalence as the integral, and as glm on half a million patients',
    (each) => {
      const { r2CoxSnell } = sampleSize({ prevalence: each.prevalence, parameters: 5, cStatistic: each.cStatistic });
      expect(r2CoxSnell).toBeCloseTo(each.r2CoxSnell, 13);
      // The likelihood ratio of n patients has a variance of about 4 n R2 (non-central chi-squared); so has R2 one of 4 R2 / n.
      expect(Math.abs(r2CoxSnell - each.simulated)).toBeLessThan(3 * Math.sqrt((4 * each.r2CoxSnell) / 500_000));
    },
  );
});
