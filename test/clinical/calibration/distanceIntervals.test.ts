import { describe, expect, it } from 'vitest';
import { calibrationCurve } from '../../../src/clinical/calibration/calibrationCurve.js';
import curves from '../../reference/calibrationCurves.json' with { type: 'json' };
import intervals from '../../reference/calibrationIntervals.json' with { type: 'json' };

const NAMES = ['ici', 'e50', 'e90'] as const;

describe('distanceIntervals', () => {
  it.each(intervals.cases)('equal numpy on the draws of RandomState(42), patients whole: case $case', (expected) => {
    const { yTrue, yProba, groups } = curves.cases[expected.case];
    const found = calibrationCurve(yTrue, yProba, { groups, nPoints: 2, nBootstrap: intervals.resamples });
    NAMES.forEach((name, i) => {
      const interval = found.distances?.[name];
      expect(interval?.estimate).toBe(found[name].value);
      expect(interval?.lower).toBeCloseTo(expected.lower[i], 9);
      expect(interval?.upper).toBeCloseTo(expected.upper[i], 9);
      expect(interval).toMatchObject({
        method: 'percentile_bootstrap',
        estimand: 'predictions',
        unit: 'patient',
        nUnits: new Set(groups).size,
        level: 0.95,
        note: 'Resamples add noise to the curve, so the limits of its distances lie high.',
      });
    });
  });

  const { yTrue, yProba, sampleWeight } = curves.cases[4];
  const resampled = { nPoints: 2, nBootstrap: 100 };

  it('change with the seed and the level, not with a factor of all weights', () => {
    const limits = (options: object) => {
      const found = calibrationCurve(yTrue, yProba, { ...resampled, ...options }).distances?.ici;
      return [found?.lower, found?.upper] as [number, number];
    };
    const [lower, upper] = limits({ sampleWeight });
    const [scaledLower, scaledUpper] = limits({ sampleWeight: sampleWeight.map((w) => 7 * w) });
    expect(scaledLower).toBeCloseTo(lower, 9);
    expect(scaledUpper).toBeCloseTo(upper, 9);
    expect(limits({ sampleWeight, randomState: 1 })).not.toEqual([lower, upper]);
    const narrow = limits({ sampleWeight, level: 0.5 });
    expect(narrow[0]).toBeGreaterThan(lower);
    expect(narrow[1]).toBeLessThan(upper);
  });

  it('are left out by default, and null with a reason where they cannot be had', () => {
    expect(calibrationCurve(yTrue, yProba)).not.toHaveProperty('distances');
    const of = (options: object, p = yProba) => calibrationCurve(yTrue, p, { ...resampled, ...options }).distances?.ici;
    expect(of({ groups: yTrue.map((_, row) => row % 9) })).toMatchObject({
      estimate: expect.any(Number),
      lower: null,
      upper: null,
      reason: 'only 9 patients, fewer than 10',
    });
    const few = yProba.map((_, row) => (row % 2 ? 0.2 : 0.6));
    expect(of({}, few)).toMatchObject({
      estimate: null,
      lower: null,
      reason: 'the nearest rows have fewer than three different probabilities',
    });
    // Four probabilities, the farthest of which never counts: without .4 there is no curve. Two patients of twelve have
    // it, so that a resample lacks it with probability (10 / 12)^12 = .11.
    const groups = yTrue.map((_, row) => row % 12);
    const third = groups.map((group, row) => (group < 2 ? 0.4 : [0.2, 0.6, 0.9][Math.floor(row / 12) % 3]));
    expect(of({ groups, span: 1 }, third)?.note).toMatch(
      /^Resamples .* \d+ of 100 resamples had no curve and were dropped\.$/,
    );
  });

  it('take a seed alone, which changes nothing since nothing is drawn', () => {
    for (const randomState of [1, 'one', null]) {
      expect(calibrationCurve(yTrue, yProba, { randomState })).toEqual(calibrationCurve(yTrue, yProba));
    }
  });
});
