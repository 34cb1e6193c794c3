import { describe, expect, it } from 'vitest';
import { decisionCurve } from '../../../src/clinical/decisions/decisionCurve.js';
import { netBenefit } from '../../../src/clinical/decisions/netBenefit.js';
import type { Interval } from '../../../src/intervals/interval.js';
import { numbersIn } from '../../helpers/numbersIn.js';
import reference from '../../reference/calibrationCurves.json' with { type: 'json' };

const close = ({ estimate, lower, upper, reason }: Interval, expected: readonly number[]) => {
  expect(estimate).toBeCloseTo(expected[0], 12);
  if (expected[1] === expected[2]) return expect(reason).toContain('has no spread');
  expect(lower).toBeCloseTo(expected[1], 9);
  expect(upper).toBeCloseTo(expected[2], 9);
};

describe('decisionCurve', () => {
  it.each(reference.cases)('equals the definition, written again in R', (each) => {
    const { yTrue, yProba, groups, sampleWeight, benefit } = each;
    const thresholds = benefit.map(({ threshold }) => threshold);
    const points = decisionCurve(yTrue, yProba, { thresholds, groups, sampleWeight });
    points.forEach(({ threshold, model, treatAll, gainOverTreatAll, treatNone }, i) => {
      expect([threshold, treatNone]).toEqual([thresholds[i], 0]);
      close(model, benefit[i].model);
      close(treatAll, benefit[i].treatAll);
      close(gainOverTreatAll, benefit[i].gain);
      expect(model.nUnits).toBe(new Set(groups).size);
    });
  });

  const yTrue = Array.from({ length: 200 }, (_, row) => (row < 50 ? 1 : 0));
  const yProba = yTrue.map((_, row) => (row < 30 || row >= 180 ? 0.6 : 0.1));

  it('has .125 and .0625 at .2 (hand calculation in netBenefit.test.ts)', () => {
    const [{ model, treatAll, gainOverTreatAll }] = decisionCurve(yTrue, yProba, { thresholds: [0.2] });
    expect(model).toEqual(netBenefit(yTrue, yProba, { threshold: 0.2 }));
    expect(treatAll.estimate).toBeCloseTo(0.0625, 15);
    expect(gainOverTreatAll.estimate).toBeCloseTo(0.0625, 15);
  });

  it('covers .01 to .99 by default, where treating all falls through 0 at the prevalence', () => {
    const points = decisionCurve(yTrue, yProba);
    expect(points.map(({ threshold }) => threshold)).toEqual(Array.from({ length: 99 }, (_, i) => (i + 1) / 100));
    expect(points[24].treatAll.estimate).toBeCloseTo(0, 15);
    expect(points[0].gainOverTreatAll).toMatchObject({ estimate: 0, lower: null, upper: null });
    expect(numbersIn(points).every(Number.isFinite)).toBe(true);
  });
});
