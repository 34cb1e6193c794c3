import { describe, expect, it } from 'vitest';
import { isotonicRegression } from '../../../src/clinical/decisions/isotonicRegression.js';
import reference from '../../reference/decisions.json' with { type: 'json' };

const weights = ({ sampleWeight }: { sampleWeight: number[] | null }) => (sampleWeight ? { sampleWeight } : {});

describe('isotonicRegression', () => {
  it.each(reference.binary)('equals scikit-learn', (each) => {
    const found = isotonicRegression(each.yTrue, each.yProba, weights(each)).apply(each.recalibrated.grid);
    each.recalibrated.isotonic.forEach((value, i) => {
      expect(found[i]).toBeCloseTo(value, 12);
    });
  });

  it('pools what falls, and clips outside (hand calculation)', () => {
    const fit = isotonicRegression([0, 1, 0, 1], [0.2, 0.4, 0.6, 0.8]);
    expect(fit.toJSON()).toEqual({ method: 'isotonic', from: [0.2, 0.4, 0.6, 0.8], to: [0, 0.5, 0.5, 1] });
    expect(Array.from(fit.apply([0, 0.3, 0.5, 0.7, 1]))).toEqual([
      0,
      expect.closeTo(0.25, 12),
      0.5,
      expect.closeTo(0.75, 12),
      1,
    ]);
  });

  it('does not change when all weights are multiplied', () => {
    const { yTrue, yProba, recalibrated } = reference.binary[1];
    const found = isotonicRegression(yTrue, yProba, { sampleWeight: yTrue.map(() => 7) }).apply(recalibrated.grid);
    isotonicRegression(yTrue, yProba)
      .apply(recalibrated.grid)
      .forEach((value, i) => {
        expect(found[i]).toBeCloseTo(value, 9);
      });
  });
});
