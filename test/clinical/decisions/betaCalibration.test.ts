import { describe, expect, it } from 'vitest';
import { betaCalibration } from '../../../src/clinical/decisions/betaCalibration.js';
import reference from '../../reference/decisions.json' with { type: 'json' };

const weights = ({ sampleWeight }: { sampleWeight: number[] | null }) => (sampleWeight ? { sampleWeight } : {});

describe('betaCalibration', () => {
  it.each(reference.binary)('equals scikit-learn', (each) => {
    const found = betaCalibration(each.yTrue, each.yProba, weights(each)).apply(each.recalibrated.grid);
    each.recalibrated.beta.forEach((value, i) => {
      expect(found[i]).toBeCloseTo(value, 6);
    });
  });

  it('never turns the order round', () => {
    const { yTrue, yProba, recalibrated } = reference.binary[0];
    expect(recalibrated.negative).toBe(true); // the free fit would
    const { a, b } = betaCalibration(yTrue, yProba).toJSON();
    expect(Math.min(a, b)).toBe(0);
    const other = reference.binary[1];
    const reversed = betaCalibration(
      other.yTrue.map((y) => 1 - y),
      other.yProba,
    );
    expect(reversed.toJSON()).toMatchObject({ a: 0, b: 0 });
    // Nothing is left but the share of positives.
    const share = other.yTrue.filter((y) => y === 0).length / other.yTrue.length;
    expect(reversed.apply([0.3])[0]).toBeCloseTo(share, 9);
  });

  it('does not change when all weights are multiplied', () => {
    const { yTrue, yProba, recalibrated } = reference.binary[1];
    const found = betaCalibration(yTrue, yProba, { sampleWeight: yTrue.map(() => 7) }).apply(recalibrated.grid);
    betaCalibration(yTrue, yProba)
      .apply(recalibrated.grid)
      .forEach((value, i) => {
        expect(found[i]).toBeCloseTo(value, 9);
      });
  });
});
