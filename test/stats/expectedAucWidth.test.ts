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
    expect(expectedAucWidth({ nPositive: 1, nNegative: 9, level: 0.999 }).text).toMatchInlineSnapshot(
      `"With 1 patient with the outcome and 9 without, the 99.9 % interval of an AUC of 0.800 will be about ±0.500 wide."`,
    );
    expect(expectedAucWidth({ nPositive: 23, nNegative: 177 }).text).toMatchInlineSnapshot(
      `"With 23 patients with the outcome and 177 without, the 95 % interval of an AUC of 0.800 will be about ±0.112 wide."`,
    );
    expect(failure(() => expectedAucWidth({ nPositive: 0, nNegative: 5 }))).toMatchInlineSnapshot(
      `"invalid_option: The \`nPositive\` option of expectedAucWidth must be an integer >= 1. Got 0."`,
    );
  });
});
