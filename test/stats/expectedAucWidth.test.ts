import { describe, expect, it } from 'vitest';
import { expectedAucWidth } from '../../src/stats/expectedAucWidth.js';
import { failure } from '../helpers/failure.js';
import reference from '../reference/sampleSize.json' with { type: 'json' };

describe('expectedAucWidth', () => {
  it('is near the standard error that the source prints: area .893, 51 abnormal and 58 normal images, .032', () => {
    const { standardError } = expectedAucWidth({ nPositive: 51, nNegative: 58, auc: 0.893 });
    // The source takes two of its terms from the images themselves, we from the exponential model alone: .0325.
    expect(Math.abs(standardError - 0.032)).toBeLessThan(0.001);
  });

  it.each(reference.hanley)(
    'equals the formula in R: $nPositive and $nNegative patients, area $auc',
    ({ se, halfWidth, ...options }) => {
      const found = expectedAucWidth(options);
      expect(found.standardError).toBeCloseTo(se, 13);
      expect(found.halfWidth).toBeCloseTo(halfWidth, 12);
      expect(found.width).toBeCloseTo(2 * halfWidth, 12);
    },
  );

  it('is never wider than 0 to 1: limits are cut first', () => {
    const found = expectedAucWidth({ nPositive: 1, nNegative: 1, auc: 0.5, level: 0.999 });
    expect(found).toMatchObject({ width: 1, halfWidth: 0.5 });
    const near = expectedAucWidth({ nPositive: 10, nNegative: 10, auc: 0.95 });
    expect(near.width).toBeCloseTo(1 - (0.95 - 1.959963984540054 * near.standardError), 12);
  });

  it('says it in words', () => {
    expect(expectedAucWidth({ nPositive: 1, nNegative: 9, level: 0.999 }).text).toMatch(/1.*9.*99\.9.*0\.800.*0\.500/);
    expect(expectedAucWidth({ nPositive: 23, nNegative: 177 }).text).toMatch(/23.*177.*95.*0\.800.*0\.112/);
    expect(failure(() => expectedAucWidth({ nPositive: 0, nNegative: 5 }))).toMatch(/invalid_option.*`nPositive`/);
  });
});
