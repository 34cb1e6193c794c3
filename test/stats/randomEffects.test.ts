import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomEffects } from '../../src/stats/randomEffects.js';
import reference from '../reference/sites.json' with { type: 'json' };

describe(`randomEffects against metafor ${reference.versions.metafor}`, () => {
  it.each(Object.entries(reference.cases))('%s', (name, expected) => {
    const found = randomEffects(expected.yi, expected.vi, { level: expected.level });
    // REML is found by iteration on either side: 1e-6. What follows from tau2 is as near.
    for (const key of ['estimate', 'lower', 'upper', 'tau2', 'i2'] as const)
      expect(found[key]).toBeCloseTo(expected[key], 6);
    expect(found.standardError).toBeCloseTo(expected.se, 6);
    expect(found.q).toBeCloseTo(expected.q, 9);
    found.weights.forEach((weight, at) => {
      expect(weight).toBeCloseTo(expected.weights[at], 6);
    });
    if (name === 'two') expect(found.prediction).toBeNull();
    else {
      expect(found.prediction?.lower).toBeCloseTo(expected.piLower, 6);
      expect(found.prediction?.upper).toBeCloseTo(expected.piUpper, 6);
    }
  });

  it('gives the published result of the BCG trials: log risk ratio -.7145, tau2 .3132', () => {
    // Viechtbauer 2010, Journal of Statistical Software 36(3), section 3.1: the mean and tau2 by REML.
    const { yi, vi } = reference.cases.bcg;
    const { estimate, tau2, k, df } = randomEffects(yi, vi);
    expect([estimate.toFixed(4), tau2.toFixed(4), k, df]).toEqual(['-0.7145', '0.3132', 13, 12]);
  });

  const sites = fc.array(
    fc.tuple(fc.double({ min: -5, max: 5, noNaN: true }), fc.double({ min: 0.01, max: 4, noNaN: true })),
    { minLength: 3, maxLength: 12 },
  );
  it('is the same in any order, and moves and stretches with the estimates', () => {
    fc.assert(
      fc.property(sites, (pairs) => {
        const y = pairs.map(([each]) => each);
        const v = pairs.map(([, each]) => each);
        const one = randomEffects(y, v);
        const turned = randomEffects([...y].reverse(), [...v].reverse());
        expect(turned.estimate).toBeCloseTo(one.estimate, 6);
        const moved = randomEffects(
          y.map((each) => 2 * each + 1),
          v.map((each) => 4 * each),
        );
        expect(moved.estimate).toBeCloseTo(2 * one.estimate + 1, 6);
        expect(moved.tau2).toBeCloseTo(4 * one.tau2, 6);
        expect(one.tau2).toBeGreaterThanOrEqual(0);
        expect(one.prediction?.lower as number).toBeLessThanOrEqual(one.lower);
      }),
    );
  });
});
