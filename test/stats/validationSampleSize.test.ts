import { describe, expect, it } from 'vitest';
import { validationSampleSize } from '../../src/stats/validationSampleSize.js';
import reference from '../reference/sampleSize.json' with { type: 'json' };
import published from '../reference/validationSampleSize.json' with { type: 'json' };

describe('validationSampleSize', () => {
  it("is near pmvalsampsize's own test: prevalence .018, C .8, normal linear predictor, O/E width 1", () => {
    const { criteria, n, events } = validationSampleSize({
      prevalence: 0.018,
      cStatistic: 0.8,
      linearPredictor: { mean: -5, sd: 2.5 },
      oeWidth: 1,
    });
    // pmvalsampsize 0.1.0 says 905, 4501, 4252. Its 905 follows from the first step of .0001 in the standard error that is
    // wide enough, so that the interval is wider than 1; its 4501 from 1,000 drawn linear predictors.
    expect(criteria.map((each) => each.n)).toEqual([906, 4554, 4252]);
    expect([n, events]).toEqual([4554, 82]);
  });

  it('differs from pmvalsampsize by the rounding and the simulation error of its run (R)', () => {
    const [short, enough] = published.oeWidths;
    expect([short.n, enough.n]).toEqual([905, 906]);
    expect(short.width).toBeGreaterThan(1);
    expect(enough.width).toBeLessThan(1);
    // The seed of that run gives its 4501 in R; a million draws, Simpson's rule and R's integrate agree on 4554.
    const { adaptive, simpson, million, thousand } = published.slope;
    expect(published.slope.published).toBe(4501);
    expect(Math.ceil(adaptive)).toBe(4554);
    expect(simpson).toBeCloseTo(adaptive, 6);
    expect(Math.abs(million.mean - adaptive)).toBeLessThan(3 * million.standardError);
    const [, lowerQuartile, , upperQuartile] = thousand.quantiles;
    expect(4501).toBeGreaterThan(lowerQuartile);
    expect(4501).toBeLessThan(upperQuartile);
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
});
