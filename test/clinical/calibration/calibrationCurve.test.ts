import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calibrationCurve } from '../../../src/clinical/calibration/calibrationCurve.js';
import { normalQuantile } from '../../../src/core/normalQuantile.js';
import { randomSource } from '../../../src/core/random.js';
import type { Interval } from '../../../src/intervals/interval.js';
import { numbersIn } from '../../helpers/numbersIn.js';
import reference from '../../reference/calibrationCurves.json' with { type: 'json' };

const close = (found: Interval, expected: readonly number[], digits = 9) => {
  expect(found.estimate).toBeCloseTo(expected[0], digits);
  expect(found.lower).toBeCloseTo(expected[1], digits);
  expect(found.upper).toBeCloseTo(expected[2], digits);
};

/** Outcomes drawn from probabilities whose log-odds are normal. */
function drawn(n: number, seed: number) {
  const random = randomSource(seed);
  const logit = Array.from({ length: n }, () => 1.5 * normalQuantile(random.random() || 0.5));
  const expit = (u: number) => 1 / (1 + Math.exp(-u));
  return {
    yTrue: logit.map((u) => (random.random() < expit(u) ? 1 : 0)),
    at: (stretch: number) => logit.map((u) => expit(stretch * u)),
  };
}

describe('calibrationCurve', () => {
  describe.each(reference.cases.map((each, i) => ({ ...each, i })))('equals R on case $i', (each) => {
    const weighted = each.sampleWeight.some((w) => w !== 1);
    const clustered = new Set(each.groups).size < each.groups.length;
    const found = calibrationCurve(each.yTrue, each.yProba, {
      groups: each.groups,
      nPoints: each.at.length,
      ...(weighted ? { sampleWeight: each.sampleWeight } : {}),
    });

    it('in intercept and slope (glm; clubSandwich)', () => {
      const robust = weighted || clustered;
      const z = normalQuantile(0.975);
      const wald = ([value, se]: number[]) => [value, value - z * se, value + z * se];
      close(found.intercept, robust ? each.interceptClustered : wald(each.intercept), 6);
      close(found.slope, robust ? each.slopeClustered : wald(each.slope), 6);
      expect(found.slope).toMatchObject({
        unit: 'patient',
        nUnits: new Set(each.groups).size,
        estimand: 'predictions',
      });
    });

    it('in the flexible curve, its band and its distances (loess)', () => {
      expect(found.curve.map(({ predicted }) => predicted)).toEqual(each.at.map((at) => expect.closeTo(at, 12)));
      const cut = (value: number) => Math.min(1, Math.max(0, value));
      found.curve.forEach(({ observed, lower, upper }, i) => {
        const [value, low, high] = each.band[i].map(cut);
        expect(observed).toBeCloseTo(value, 6);
        expect(lower).toBeCloseTo(low, 6);
        expect(upper).toBeCloseTo(high, 6);
      });
      expect(found.ici.value).toBeCloseTo(each.ici, 6);
      expect(found.e50.value).toBeCloseTo(each.e50, 6);
      expect(found.e90.value).toBeCloseTo(each.e90, 6);
    });

    it('in Brier and scaled Brier score (riskRegression)', () => {
      close(found.brier, each.brier);
      close(found.scaledBrier, each.scaledBrier);
    });

    it('in bins and expected calibration error', () => {
      expect(found.ece).toBeCloseTo(each.ece, 12);
      found.bins.forEach(({ predicted, observed, positives, negatives }, bin) => {
        expect(predicted).toEqual(each.predicted[bin] === null ? null : expect.closeTo(each.predicted[bin], 12));
        expect(observed).toEqual(each.observed[bin] === null ? null : expect.closeTo(each.observed[bin], 12));
        if (observed !== null) expect(observed).toBeCloseTo(positives / (positives + negatives), 14);
      });
    });
  });
});

describe('calibrationCurve', () => {
  const { yTrue, at } = drawn(4000, 1);

  it('of the true probabilities has intercept 0 and slope 1', () => {
    const { intercept, slope, ici } = calibrationCurve(yTrue, at(1));
    expect(intercept.estimate).toBeCloseTo(0, 1);
    expect(slope.estimate).toBeCloseTo(1, 1);
    expect((intercept.lower as number) < 0 && (intercept.upper as number) > 0).toBe(true);
    expect((slope.lower as number) < 1 && (slope.upper as number) > 1).toBe(true);
    expect(ici.value).toBeLessThan(0.02);
  });

  it('of doubled log-odds has half the slope, exactly', () => {
    const slope = calibrationCurve(yTrue, at(1)).slope.estimate as number;
    expect(calibrationCurve(yTrue, at(2)).slope.estimate).toBeCloseTo(slope / 2, 9);
    expect(calibrationCurve(yTrue, at(2)).ici.value).toBeGreaterThan(0.08);
  });

  it('of separable classes says that it did not converge', () => {
    const separable = Array.from({ length: 40 }, (_, i) => i / 40);
    const { slope, brier } = calibrationCurve(
      separable.map((p) => (p < 0.5 ? 0 : 1)),
      separable,
    );
    expect(slope).toMatchObject({ estimate: null, lower: null, upper: null });
    expect(slope.reason).toMatch(/^did not converge/);
    expect(brier.estimate).toBeGreaterThan(0);
  });

  it('of one class alone has reasons, never NaN or Infinity', () => {
    const found = calibrationCurve(new Array(30).fill(0), at(1).slice(0, 30));
    expect(found).toMatchObject({
      intercept: { estimate: null, reason: 'no positive rows' },
      slope: { estimate: null, reason: 'no positive rows' },
      scaledBrier: { estimate: null, reason: 'no positive rows' },
      prevalence: 0,
    });
    const none = { value: null, reason: 'no positive rows' };
    expect(found).toMatchObject({ curve: [], curveReason: 'no positive rows', ici: none, e50: none, e90: none });
    const positives = calibrationCurve(new Array(30).fill(1), at(1).slice(0, 30));
    expect(positives.ici).toEqual({ value: null, reason: 'no negative rows' });
    expect(numbersIn(found).every(Number.isFinite)).toBe(true);
  });

  it('of few different probabilities has no curve, with the reason', () => {
    const two = calibrationCurve(yTrue.slice(0, 100), new Array(50).fill(0.2).concat(new Array(50).fill(0.6)));
    const reason = 'the nearest rows have fewer than three different probabilities';
    expect(two).toMatchObject({ curve: [], curveReason: reason, ici: { value: null, reason } });
    expect(two.slope.estimate).not.toBeNull();
    const one = calibrationCurve(yTrue.slice(0, 100), new Array(100).fill(0.4));
    expect(one).toMatchObject({ curve: [], slope: { estimate: null } });
  });

  it('gives no limits for fewer than ten patients, but the values', () => {
    const groups = Array.from({ length: 100 }, (_, row) => row % 9);
    const { intercept, curve, curveReason } = calibrationCurve(yTrue.slice(0, 100), at(1).slice(0, 100), { groups });
    const reason = 'only 9 patients, fewer than 10';
    expect(intercept).toMatchObject({ lower: null, reason });
    expect(intercept.estimate).not.toBeNull();
    expect(curveReason).toBe(reason);
    expect(curve[50]).toMatchObject({ observed: expect.any(Number), lower: null, upper: null });
  });

  it('does not change when all weights are multiplied', () => {
    const sampleWeight = Array.from({ length: 200 }, (_, row) => 1 + (row % 3));
    const [y, p] = [yTrue.slice(0, 200), at(1.5).slice(0, 200)];
    const found = (factor: number) => {
      const given = { sampleWeight: sampleWeight.map((w) => factor * w), nPoints: 5 };
      const { intercept, slope, curve, ici, e50, brier, scaledBrier } = calibrationCurve(y, p, given);
      return [intercept, slope, brier, scaledBrier]
        .flatMap(({ lower, upper }) => [lower, upper])
        .concat(
          curve.flatMap(({ observed, lower, upper }) => [observed, lower, upper]),
          [ici.value, e50.value],
        );
    };
    const one = found(1);
    found(0.37).forEach((value, i) => {
      expect(value).toBeCloseTo(one[i] as number, 9);
    });
  });

  it('never gives NaN or Infinity', () => {
    const row = fc.record({
      y: fc.integer({ min: 0, max: 1 }),
      p: fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      w: fc.constantFrom(0, 1e-6, 1, 3),
      group: fc.integer({ min: 0, max: 15 }),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        fc.pre(rows.some(({ w }) => w > 0));
        const sampleWeight = rows.map(({ w }) => w);
        const groups = rows.map(({ group }) => group);
        const found = calibrationCurve(
          rows.map(({ y }) => y),
          rows.map(({ p }) => p),
          { sampleWeight, groups, nPoints: 3 },
        );
        expect(numbersIn(found).every(Number.isFinite)).toBe(true);
      }),
    );
  });

  it('leaves rows of weight 0 out', () => {
    const [y, p] = [yTrue.slice(0, 80), at(1).slice(0, 80)];
    const sampleWeight = y.map((_, row) => (row < 60 ? 1 : 0));
    const some = calibrationCurve(y.slice(0, 60), p.slice(0, 60), { sampleWeight: new Array(60).fill(1) });
    expect(calibrationCurve(y, p, { sampleWeight })).toEqual(some);
  });

  it('counts probabilities by outcome', () => {
    const { distribution } = calibrationCurve(yTrue, at(1));
    expect(distribution).toHaveLength(20);
    const count = (side: 'positives' | 'negatives') => distribution.reduce((sum, bin) => sum + bin[side], 0);
    const positives = yTrue.filter((y) => y === 1).length;
    expect([count('positives'), count('negatives')]).toEqual([positives, 4000 - positives]);
  });
});
