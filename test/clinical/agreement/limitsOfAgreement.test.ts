import { describe, expect, it } from 'vitest';
import { chiSquaredQuantile, noncentralTQuantile } from '../../../src/clinical/agreement/blandAltman.js';
import ofR from '../../reference/blandAltman.json' with { type: 'json' };
import reference from '../../reference/noncentralT.json' with { type: 'json' };

describe('noncentralTQuantile', () => {
  it('equals scipy, up to 20,000 rows', () => {
    for (const [p, df, shift, expected] of reference.noncentralT) {
      const scale = Math.max(1, Math.abs(expected));
      expect(noncentralTQuantile(p, df, shift) / scale).toBeCloseTo(expected / scale, 10);
    }
  });

  it('equals qt of R', () => {
    for (const [p, df, shift, expected] of ofR.noncentralT) {
      expect(noncentralTQuantile(p, df, shift)).toBeCloseTo(expected, 9);
    }
  });
});

describe('chiSquaredQuantile', () => {
  it('equals scipy and R', () => {
    for (const [p, df, expected] of [...reference.chiSquared, ...ofR.chiSquared]) {
      expect(chiSquaredQuantile(p, df) / expected).toBeCloseTo(1, 11);
    }
  });
});
