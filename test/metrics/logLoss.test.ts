import { describe, expect, it } from 'vitest';
import { logLoss } from '../../src/metrics/logLoss.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('log_loss', () => {
  it('is the mean of -ln(probability of the true class) (hand calculation)', () => {
    const table = scoreTable({ yTrue: [1, 0], yProba: [0.8, 0.3] });
    expect(logLoss.compute(table)).toBeCloseTo(-(Math.log(0.8) + Math.log(0.7)) / 2, 14);
  });

  it('clips at 2^-52, as scikit-learn does: an impossible row costs 52 ln 2', () => {
    expect(logLoss.compute(scoreTable({ yTrue: [1], yProba: [0] }))).toBeCloseTo(52 * Math.LN2, 12);
  });
});
