import { describe, expect, it } from 'vitest';
import { calibrationIntercept } from '../../src/metrics/calibrationIntercept.js';
import { calibrationFit } from '../../src/metrics/calibrationSlope.js';
import type { LogisticFit } from '../../src/metrics/logisticFit.js';
import { type ScoreTableInput, scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/calibrationFits.json' with { type: 'json' };

describe(`calibration_intercept against glm of R ${reference.versions.R}`, () => {
  it.each(reference.calibration.map((each, i) => [i, each] as const))('case %s', (_, each) => {
    const { yTrue, yProba, sampleWeight } = each;
    const table = scoreTable({ yTrue, yProba, ...(sampleWeight ? { sampleWeight } : {}) } as ScoreTableInput);
    expect(Math.abs((calibrationIntercept.compute(table) as number) - each.intercept)).toBeLessThanOrEqual(1e-6);
    const { covariance } = calibrationFit(table, 'intercept') as LogisticFit;
    expect(Math.abs(covariance[0][0] / each.interceptVariance - 1)).toBeLessThanOrEqual(1e-6);
  });
});

describe('calibration_intercept', () => {
  it('of one probability is the log-odds of the share less that of the probability (hand calculation)', () => {
    const table = scoreTable({ yTrue: [1, 0, 0, 0], yProba: [0.5, 0.5, 0.5, 0.5] });
    expect(calibrationIntercept.compute(table)).toBeCloseTo(Math.log(1 / 3), 12);
    const right = scoreTable({ yTrue: [1, 0, 0, 0], yProba: [0.25, 0.25, 0.25, 0.25] });
    expect(calibrationIntercept.compute(right)).toBeCloseTo(0, 12);
  });

  it('has a value where probabilities separate the classes, and none for one class', () => {
    // The sum of 1 / (1 + exp(-a -+ 0)) over two rows at .5 is 1: a = 0.
    const separated = scoreTable({ yTrue: [0, 1], yProba: [0.2, 0.8] });
    expect(calibrationIntercept.compute(separated)).toBeCloseTo(0, 12);
    expect(calibrationIntercept.compute(scoreTable({ yTrue: [0, 0], yProba: [0.2, 0.8] }))).toEqual({
      reason: 'no positive rows',
    });
  });
});
