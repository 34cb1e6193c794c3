/** Against `_parzenEstimator` of Optuna 5.0.0: test/reference/tpe.py. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import type { Distribution } from '../../../src/core/tuningTrial.js';
import { holds, valuesOf } from '../../../src/tuning/distribution.js';
import { drawUniform } from '../../../src/tuning/samplers/randomSampler.js';
import { codeOf, paramOf, parzenEstimator } from '../../../src/tuning/tpe/parzenEstimator.js';
import { SPACE } from '../../helpers/tpe.js';
import reference from '../../reference/tpe.json' with { type: 'json' };

const columnsOf = (distributions: readonly Distribution[], n: number, seed: number) => {
  const random = randomSource(seed);
  return distributions.map((each) => Float64Array.from({ length: n }, () => codeOf(each, drawUniform(random, each))));
};

describe('parzenEstimator', () => {
  it.each(reference.densities.map((each) => [`${each.names} of ${each.observed[0].length}`, each] as const))(
    'has the log densities of Optuna: %s',
    (_, { names, observed, points, logDensities }) => {
      const estimator = parzenEstimator(
        names.map((name) => SPACE[name]),
        observed.map((column) => Float64Array.from(column)),
      );
      const got = logDensities.map((_each, at) => estimator.logDensity(points.map((column) => column[at])));
      for (const [at, each] of logDensities.entries()) {
        expect(Math.abs(got[at] - each)).toBeLessThanOrEqual(1e-8 * Math.max(1, Math.abs(each)));
      }
    },
  );

  it('has a density of sum 1 over steps and choices', () => {
    for (const name of ['steps', 'count', 'evens', 'size', 'kind']) {
      const estimator = parzenEstimator([SPACE[name]], columnsOf([SPACE[name]], 30, 1));
      const values = valuesOf(SPACE[name]) ?? [];
      const total = values.reduce<number>(
        (sum, value) => sum + Math.exp(estimator.logDensity([codeOf(SPACE[name], value)])),
        0,
      );
      expect([name, total]).toEqual([name, expect.closeTo(1, 9)]);
    }
  });

  it('draws values that the parameters can have, as often as their density says', () => {
    for (const name of ['evens', 'kind']) {
      const estimator = parzenEstimator([SPACE[name]], columnsOf([SPACE[name]], 6, 2));
      const random = randomSource(3);
      const counts = new Map<number, number>();
      const n = 20_000;
      for (let drawn = 0; drawn < n; drawn++) {
        const [number] = estimator.draw(random);
        counts.set(number, (counts.get(number) ?? 0) + 1);
      }
      for (const value of valuesOf(SPACE[name]) ?? []) {
        const number = codeOf(SPACE[name], value);
        const share = Math.exp(estimator.logDensity([number]));
        // Five standard errors.
        const error = 5 * Math.sqrt((share * (1 - share)) / n);
        expect(Math.abs((counts.get(number) ?? 0) / n - share)).toBeLessThan(error);
      }
    }
  });

  it('draws within the distributions, whatever was observed', () => {
    const names = Object.keys(SPACE);
    const distributions = Object.values(SPACE);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.nat(1e6), (n, seed) => {
        const estimator = parzenEstimator(distributions, columnsOf(distributions, n, seed));
        const random = randomSource(seed + 1);
        for (let drawn = 0; drawn < 5; drawn++) {
          const point = estimator.draw(random);
          expect(Number.isFinite(estimator.logDensity(point))).toBe(true);
          for (const [at, distribution] of distributions.entries()) {
            const value = paramOf(distribution, point[at]);
            expect([names[at], value, holds(distribution, value)]).toEqual([names[at], value, true]);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('does not depend on the order of up to 24 observations, and does on that of more', () => {
    const distributions = [SPACE.plain, SPACE.rate];
    const density = (columns: readonly Float64Array[]) => parzenEstimator(distributions, columns).logDensity([1, 0.1]);
    const turned = (columns: readonly Float64Array[]) => columns.map((column) => column.slice().reverse());
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 24 }), fc.nat(1e6), (n, seed) => {
        const columns = columnsOf(distributions, n, seed);
        expect(density(turned(columns))).toBeCloseTo(density(columns), 10);
      }),
    );
    const many = columnsOf(distributions, 60, 1);
    expect(density(turned(many))).not.toBeCloseTo(density(many), 5);
  });
});

it('codeOf gives NaN for what the distribution cannot give', () => {
  const { kind, plain, rate, count } = SPACE;
  for (const value of ['z', undefined, 1, null]) expect(codeOf(kind, value)).toBeNaN();
  for (const value of [-5.1, 10.1, '1', undefined, null, Number.NaN]) expect(codeOf(plain, value)).toBeNaN();
  expect(codeOf(rate, 0)).toBeNaN();
  expect(codeOf(count, 51)).toBeNaN();
});
