import { describe, expect, it } from 'vitest';
import { clippedLogit } from '../../src/metrics/clippedLogit.js';

describe('clippedLogit', () => {
  it('is ln(p / (1 - p)) (hand calculation)', () => {
    expect(clippedLogit(0.5)).toBe(0);
    expect(clippedLogit(0.8)).toBeCloseTo(Math.log(4), 14);
  });

  it('keeps certain predictions finite, as 1e-8 and 1 - 1e-8', () => {
    expect(clippedLogit(0)).toBeCloseTo(-18.420680734, 8); // R: qlogis(1e-8) = -18.42068073395237
    expect(clippedLogit(1)).toBeCloseTo(18.420680734, 7);
    expect(clippedLogit(1e-7)).toBeGreaterThan(clippedLogit(1e-8));
  });
});
