import { describe, expect, it } from 'vitest';
import { plattScaling } from '../../../src/clinical/decisions/plattScaling.js';
import reference from '../../reference/decisions.json' with { type: 'json' };

const weights = ({ sampleWeight }: { sampleWeight: number[] | null }) => (sampleWeight ? { sampleWeight } : {});

describe('plattScaling', () => {
  it.each(reference.binary)('equals scikit-learn', (each) => {
    const found = plattScaling(each.yTrue, each.yProba, weights(each)).apply(each.recalibrated.grid);
    each.recalibrated.platt.forEach((value, i) => {
      expect(found[i]).toBeCloseTo(value, 6);
    });
  });

  it('halves doubled log-odds, and leaves calibrated probabilities alone', () => {
    // 10 % of those with .1 and 90 % of those with .9 are positive: calibrated.
    const yTrue = Array.from({ length: 20 }, (_, row) => (row === 0 || (row >= 10 && row < 19) ? 1 : 0));
    const calibrated = yTrue.map((_, row) => (row < 10 ? 0.1 : 0.9));
    const doubled = calibrated.map((p) => p ** 2 / (p ** 2 + (1 - p) ** 2));
    const { intercept, slope } = plattScaling(yTrue, calibrated).toJSON();
    expect([intercept, slope]).toEqual([expect.closeTo(0, 9), expect.closeTo(1, 9)]);
    expect(plattScaling(yTrue, doubled).toJSON().slope).toBeCloseTo(0.5, 9);
    plattScaling(yTrue, doubled)
      .apply(doubled)
      .forEach((p, row) => {
        expect(p).toBeCloseTo(calibrated[row], 9);
      });
  });

  it('does not change when all weights are multiplied', () => {
    const { yTrue, yProba, recalibrated } = reference.binary[1];
    const found = plattScaling(yTrue, yProba, { sampleWeight: yTrue.map(() => 7) }).apply(recalibrated.grid);
    plattScaling(yTrue, yProba)
      .apply(recalibrated.grid)
      .forEach((value, i) => {
        expect(found[i]).toBeCloseTo(value, 9);
      });
  });
});
