import { describe, expect, it } from 'vitest';
import { calibrationFit, calibrationSlope, fitInfluence } from '../../src/metrics/calibrationSlope.js';
import type { LogisticFit } from '../../src/metrics/logisticFit.js';
import { type ScoreTableInput, scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/calibrationFits.json' with { type: 'json' };

/** 1 of 4 positive at .25, 3 of 4 at .75; the power makes the odds more extreme. */
const calibrated = (power = 1) => {
  const high = 3 ** power / (1 + 3 ** power);
  return scoreTable({
    yTrue: [1, 0, 0, 0, 1, 1, 1, 0],
    yProba: [0, 1].flatMap((side) => Array(4).fill(side ? high : 1 - high)),
  });
};

describe(`calibration_slope against glm of R ${reference.versions.R}`, () => {
  it.each(reference.calibration.map((each, i) => [i, each] as const))('case %s', (_, each) => {
    const { yTrue, yProba, sampleWeight } = each;
    const table = scoreTable({ yTrue, yProba, ...(sampleWeight ? { sampleWeight } : {}) } as ScoreTableInput);
    expect(Math.abs((calibrationSlope.compute(table) as number) - each.slope)).toBeLessThanOrEqual(1e-6);
    const { covariance } = calibrationFit(table, 'slope') as LogisticFit;
    expect(Math.abs(covariance[1][1] / each.slopeVariance - 1)).toBeLessThanOrEqual(1e-6);
  });
});

describe('calibration_slope', () => {
  it('is 1 where as many are positive as predicted, 1/2 where the log-odds are doubled', () => {
    expect(calibrationSlope.compute(calibrated())).toBeCloseTo(1, 10);
    expect(calibrationSlope.compute(calibrated(2))).toBeCloseTo(0.5, 10);
  });

  it('of probabilities that separate the classes did not converge', () => {
    const separated = scoreTable({ yTrue: [0, 0, 1, 1], yProba: [0.1, 0.2, 0.3, 0.4] });
    expect(calibrationSlope.compute(separated)).toEqual({
      reason: 'did not converge: the predictions separate the classes',
    });
    expect(Array.from(fitInfluence(separated, calibrationFit(separated, 'slope')))).toEqual([0, 0, 0, 0]);
  });

  it('is undefined for equal probabilities, rows of weight 0 aside, and for one class', () => {
    const equal = scoreTable({ yTrue: [0, 1, 1], yProba: [0.3, 0.3, 0.9], sampleWeight: [1, 1, 0] });
    expect(calibrationSlope.compute(equal)).toEqual({ reason: 'the probabilities are all equal' });
    const one = scoreTable({ yTrue: [1, 1], yProba: [0.3, 0.9] });
    expect(calibrationSlope.compute(one)).toEqual({ reason: 'no negative rows' });
  });
});
