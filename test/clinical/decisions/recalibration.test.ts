import { describe, expect, it } from 'vitest';
import {
  betaCalibration,
  isotonicRegression,
  plattScaling,
  recalibrationFromJSON,
} from '../../../src/clinical/decisions/recalibration.js';

import reference from '../../reference/decisions.json' with { type: 'json' };

const expectClose = (found: Float64Array, expected: ArrayLike<number>, digits: number) =>
  expect(Array.from(found)).toEqual(Array.from(expected, (each) => expect.closeTo(each, digits)));

describe.each([
  ['platt', plattScaling, 6],
  ['isotonic', isotonicRegression, 12],
  ['beta', betaCalibration, 6],
] as const)('%s', (name, calibrate, digits) => {
  const { yTrue, yProba, recalibrated } = reference.binary[1];

  it.each(reference.binary)('equals scikit-learn', (each) => {
    const weights = each.sampleWeight ? { sampleWeight: each.sampleWeight } : {};
    const found = calibrate(each.yTrue, each.yProba, weights).apply(each.recalibrated.grid);
    expectClose(found, each.recalibrated[name], digits);
  });

  it('does not change when all weights are multiplied', () => {
    const found = calibrate(yTrue, yProba, { sampleWeight: yTrue.map(() => 7) }).apply(recalibrated.grid);
    expectClose(found, calibrate(yTrue, yProba).apply(recalibrated.grid), 9);
  });

  it('comes back from JSON as it was', () => {
    const fitted = calibrate(yTrue, yProba);
    const read = recalibrationFromJSON(JSON.parse(JSON.stringify(fitted)));
    expect(read.apply(yProba)).toEqual(fitted.apply(yProba));
    expect(read.toJSON()).toEqual(fitted.toJSON());
  });
});

it('plattScaling halves doubled log-odds, and leaves calibrated probabilities alone', () => {
  // 10 % of those with .1 and 90 % of those with .9 are positive: calibrated.
  const yTrue = Array.from({ length: 20 }, (_, row) => (row === 0 || (row >= 10 && row < 19) ? 1 : 0));
  const calibrated = yTrue.map((_, row) => (row < 10 ? 0.1 : 0.9));
  const doubled = calibrated.map((p) => p ** 2 / (p ** 2 + (1 - p) ** 2));
  const { intercept, slope } = plattScaling(yTrue, calibrated).toJSON();
  expect([intercept, slope]).toEqual([expect.closeTo(0, 9), expect.closeTo(1, 9)]);
  expect(plattScaling(yTrue, doubled).toJSON().slope).toBeCloseTo(0.5, 9);
  expectClose(plattScaling(yTrue, doubled).apply(doubled), calibrated, 9);
});

it('isotonicRegression pools what falls, and clips outside (hand calculation)', () => {
  const fit = isotonicRegression([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8]);
  expect(fit.toJSON()).toEqual({ method: 'isotonic', from: [0.2, 0.4, 0.6, 0.8], to: [0, 0.5, 0.5, 1] });
  expectClose(fit.apply([0, 0.3, 0.5, 0.7, 1]), [0, 0.25, 0.5, 0.75, 1], 12);
});

it('betaCalibration never turns the order round', () => {
  const [{ yTrue, yProba, recalibrated }, other] = reference.binary;
  expect(recalibrated.negative).toBe(true); // the free fit would
  const { a, b } = betaCalibration(yTrue, yProba).toJSON();
  expect(Math.min(a, b)).toBe(0);
  const turned = other.yTrue.map((y) => 1 - y);
  const reversed = betaCalibration(turned, other.yProba);
  expect(reversed.toJSON()).toMatchObject({ a: 0, b: 0 });
  // Nothing is left but the share of positives.
  const share = turned.filter((y) => y === 1).length / turned.length;
  expect(reversed.apply([0.3])[0]).toBeCloseTo(share, 9);
});

it.each([null, {}, { method: 'platt', slope: 1 }, { method: 'isotonic', from: [0.2, 0.1], to: [0, 1] }, 'platt'])(
  'recalibrationFromJSON refuses %j',
  (json) => {
    expect(() => recalibrationFromJSON(json as never)).toThrow('A saved recalibration must be what its toJSON gave.');
  },
);
