import { describe, expect, it } from 'vitest';
import { validationSampleSize } from '../../src/stats/validationSampleSize.js';
import { failure } from '../helpers/failure.js';
import reference from '../reference/sampleSize.json' with { type: 'json' };

describe('validationSampleSize', () => {
  it("is near pmvalsampsize's own test: prevalence .018, C .8, normal linear predictor, O/E width 1", () => {
    const { criteria, n, events } = validationSampleSize({
      prevalence: 0.018,
      cStatistic: 0.8,
      linearPredictor: { mean: -5, sd: 2.5 },
      oeWidth: 1,
    });
    // pmvalsampsize 0.1.0 says 905, 4501, 4252: it walks to the standard error of O/E in steps of .0001, and draws
    // 1,000 linear predictors for the slope, where we solve and integrate.
    expect(criteria.map((each) => each.n)).toEqual([906, 4554, 4252]);
    expect([n, events]).toEqual([4554, 82]);
  });

  it.each(reference.validation)(
    'equals the formulas in R: prevalence $prevalence, C $cStatistic',
    ({ n, mean, sd, ...options }) => {
      const linearPredictor = typeof mean === 'number' ? { mean, sd: Number(sd) } : undefined;
      const found = validationSampleSize({ ...options, linearPredictor });
      expect(found.criteria.map((each) => each.n)).toEqual(n);
      expect(found.n).toBe(Math.max(...n));
    },
  );

  it('asks for more patients when less is known of them', () => {
    const at = (prevalence: number) =>
      validationSampleSize({ prevalence, cStatistic: 0.75 }).criteria.map(({ n }) => n);
    at(0.05).forEach((n, criterion) => {
      expect(n).toBeGreaterThan(at(0.3)[criterion]);
    });
  });

  it('refuses what is no distribution', () => {
    expect([
      failure(() => validationSampleSize({ prevalence: 0.1, cStatistic: 0.8, linearPredictor: { mean: 0, sd: 0 } })),
      failure(() => validationSampleSize({ prevalence: 0.1, cStatistic: 0.5 })),
    ]).toMatchInlineSnapshot(`
      [
        "invalid_option: The \`linearPredictor\` option of validationSampleSize must be { mean, sd } with sd > 0. Got an object with the keys mean, sd.",
        "invalid_option: The \`cStatistic\` option of validationSampleSize must be a number > 0.5 and < 1. Got 0.5.",
      ]
    `);
  });
});
