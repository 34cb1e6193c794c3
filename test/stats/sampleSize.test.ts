import { describe, expect, it } from 'vitest';
import { sampleSize } from '../../src/stats/sampleSize.js';
import { failure } from '../helpers/failure.js';
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
      expect(r2CoxSnell).toBeCloseTo(each.r2CoxSnell, 10);
      // The likelihood ratio of n patients has a variance of about 4 n R2 (non-central chi-squared); so has R2 one of 4 R2 / n.
      expect(Math.abs(r2CoxSnell - each.simulated)).toBeLessThan(3 * Math.sqrt((4 * each.r2CoxSnell) / 500_000));
    },
  );

  it('refuses what cannot be', () => {
    const base = { prevalence: 0.1, parameters: 10 };
    expect([
      failure(() => sampleSize(base)),
      failure(() => sampleSize({ ...base, r2CoxSnell: 0.1, cStatistic: 0.7 })),
      failure(() => sampleSize({ ...base, r2CoxSnell: 0.6 })),
      failure(() => sampleSize({ prevalence: 0.5, parameters: 3, r2CoxSnell: 0.7, shrinkage: 0.65 })),
      failure(() => sampleSize({ ...base, parameters: 40, r2CoxSnell: 0.1, meanAbsoluteError: 0.05 })),
      failure(() => sampleSize({ ...base, prevalence: 1, r2CoxSnell: 0.1 })),
    ]).toEqual(
      [
        /invalid_option.*`r2CoxSnell`.*neither/,
        /invalid_option.*`r2CoxSnell`.*both/,
        /invalid_option.*0\.4780.*0\.6/,
        /invalid_option.*0\.6500.*0\.7/,
        /invalid_option.*`meanAbsoluteError`/,
        /invalid_option.*`prevalence`/,
      ].map((part) => expect.stringMatching(part)),
    );
  });
});
