import { describe, expect, it } from 'vitest';
import { aucOf, interceptFor, type Mixture, newPatientRisk, shareBelow } from '../../src/datasets/population.js';
import { portableLogistic } from '../../src/datasets/portableMath.js';
import { normalTail } from '../../src/intervals/normalTail.js';
import reference from '../reference/generators.json' with { type: 'json' };

const normalDensity = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
const normal: Mixture = { means: Float64Array.of(0.4), shares: Float64Array.of(1), sd: 1.3 };

describe('newPatientRisk', () => {
  // Expected numbers: adaptive quadrature by scipy, test/reference/generators.py.
  it('averages the logistic function over patients', () => {
    const { logOdds, risk } = reference.newPatientRisk;
    logOdds.forEach((each, at) => {
      expect(Math.abs(newPatientRisk(each) / risk[at] - 1)).toBeLessThan(1e-8);
    });
  });

  it('is symmetric', () => {
    for (const x of [0, 0.7, 3, 12]) expect(newPatientRisk(x) + newPatientRisk(-x)).toBeCloseTo(1, 9);
  });
});

describe('aucOf', () => {
  it('is one half where the risk does not depend on the score', () => {
    expect(aucOf(normal, 0, () => 0.5)).toBeCloseTo(0.5, 12);
  });

  it('is the area between two normal distributions where the log-odds are their likelihood ratio', () => {
    // Scores N(-d / 2, 1) of the healthy and N(d / 2, 1) of the sick, in equal parts: the area is Phi(d / sqrt 2) (Hanley
    // and McNeil 1982), and the log-odds of a score s are d s.
    const d = 1.1;
    const both: Mixture = { means: Float64Array.of(-d / 2, d / 2), shares: Float64Array.of(0.5, 0.5), sd: 1 };
    expect(aucOf(both, 0, (x) => portableLogistic(d * x))).toBeCloseTo(1 - normalTail(d / Math.SQRT2), 8);
  });
});

it.each([1e-9, 0.001, 0.3, 0.5, 0.999])('interceptFor reaches a prevalence of %s', (prevalence) => {
  const intercept = interceptFor(normal, prevalence);
  let mean = 0;
  for (let z = -8.5; z <= 8.5; z += 0.01) {
    mean += 0.01 * normalDensity(z) * portableLogistic(intercept + 0.4 + 1.3 * z);
  }
  expect(Math.abs(mean / prevalence - 1)).toBeLessThan(1e-9);
});

it('shareBelow is the distribution function', () => {
  const below = shareBelow(normal);
  for (const x of [-3, -1, 0.4, 0.5, 2, 5]) expect(below(x)).toBeCloseTo(1 - normalTail((x - 0.4) / 1.3), 3);
  expect(below(-1e6)).toBe(0);
  expect(below(1e6)).toBeCloseTo(1, 12);
});
