import { describe, expect, it } from 'vitest';
import { constantsOf } from '../../../src/metrics/intervals/calibration.js';
import { metricRegistry } from '../../../src/metrics/registry.js';

describe('constantsOf', () => {
  it('are at least 1 for every metric, and the largest where the study has not spoken', () => {
    for (const name of metricRegistry.names()) {
      const { procedure, predictions } = constantsOf(name);
      expect(procedure, name).toBeGreaterThanOrEqual(1);
      expect(predictions, name).toBeGreaterThanOrEqual(1);
      expect(procedure, name).toBeLessThanOrEqual(constantsOf('something_else').procedure);
    }
  });

  it('are alike for two names of one number', () => {
    expect(constantsOf('recall')).toEqual(constantsOf('sensitivity'));
    expect(constantsOf('ppv')).toEqual(constantsOf('precision'));
  });
});
