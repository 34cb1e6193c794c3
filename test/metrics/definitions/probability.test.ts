import { describe, expect, it } from 'vitest';
import {
  brier,
  calibrationFit,
  calibrationIntercept,
  calibrationSlope,
  ece,
  logLoss,
  scaledBrier,
} from '../../../src/metrics/definitions/probability.js';
import type { LogisticFit } from '../../../src/metrics/logisticFit.js';
import { type ScoreTableInput, scoreTable } from '../../../src/metrics/scoreTable.js';
import reference from '../../reference/calibrationFits.json' with { type: 'json' };

describe('brier', () => {
  it('of two classes is the mean of (p - y)^2 (hand calculation: (.04 + .09) / 2)', () => {
    expect(brier.compute(scoreTable({ yTrue: [1, 0], yProba: [0.8, 0.3] }))).toBeCloseTo(0.065, 14);
  });

  it('of more classes is half the sum over classes (hand calculation: (.25 + .09 + .04) / 2)', () => {
    const table = scoreTable({ yTrue: ['a'], classes: ['a', 'b', 'c'], yProba: [[0.5, 0.3, 0.2]] });
    expect(brier.compute(table)).toBeCloseTo(0.19, 14);
  });

  it('of two classes is the same when they are coded as more', () => {
    const yTrue = [0, 1, 1];
    const binary = scoreTable({ yTrue, yProba: [0.2, 0.6, 0.9] });
    const multiclass = scoreTable({
      yTrue,
      yProba: [
        [0.8, 0.2],
        [0.4, 0.6],
        [0.1, 0.9],
      ],
      task: 'multiclass',
    });
    expect(brier.compute(multiclass)).toBeCloseTo(brier.compute(binary) as number, 14);
  });
});

// Values and intervals are compared with riskRegression in calibrationCurve.test.ts.
describe('scaled_brier', () => {
  it('is 0 for the prevalence given to everyone, 1 for the truth, below 0 for worse', () => {
    const yTrue = [1, 1, 0, 0, 0, 0, 0, 0];
    const value = (yProba: number[]) => scaledBrier.compute(scoreTable({ yTrue, yProba }));
    expect(value(yTrue.map(() => 0.25))).toBe(0);
    expect(value(yTrue)).toBe(1);
    expect(value(yTrue.map((y) => 1 - y))).toBeCloseTo(1 - 1 / (0.25 * 0.75), 12);
  });

  it('is undefined with one class alone', () => {
    expect(scaledBrier.compute(scoreTable({ yTrue: [0, 0], yProba: [0.1, 0.9] }))).toEqual({
      reason: 'no positive rows',
    });
    expect(scaledBrier.compute(scoreTable({ yTrue: [1, 1], yProba: [0.1, 0.9] }))).toEqual({
      reason: 'no negative rows',
    });
  });
});

describe('log_loss', () => {
  it('is the mean of -ln(probability of the true class) (hand calculation)', () => {
    const table = scoreTable({ yTrue: [1, 0], yProba: [0.8, 0.3] });
    expect(logLoss.compute(table)).toBeCloseTo(-(Math.log(0.8) + Math.log(0.7)) / 2, 14);
  });

  it('clips at 2^-52, as scikit-learn does: an impossible row costs 52 ln 2', () => {
    expect(logLoss.compute(scoreTable({ yTrue: [1], yProba: [0] }))).toBeCloseTo(52 * Math.LN2, 12);
  });
});

describe('ece', () => {
  it('averages the distances of the bins by weight (hand calculation: (|.27 - 1| + |.95 - 1|) / 3)', () => {
    const table = scoreTable({ yTrue: [0, 1, 1], yProba: [0.15, 0.12, 0.95] });
    expect(ece.compute(table)).toBeCloseTo(0.78 / 3, 14);
  });

  it('closes every bin on the right, and the first on the left too', () => {
    for (let k = 1; k <= 10; k++) {
      const table = scoreTable({ yTrue: [0, 1], yProba: [k / 10, k / 10 - 0.05] });
      expect(ece.compute(table)).toBeCloseTo(Math.abs(k / 10 + (k / 10 - 0.05 - 1)) / 2, 14);
    }
    expect(ece.compute(scoreTable({ yTrue: [0, 1], yProba: [0, 0.1] }))).toBeCloseTo(0.9 / 2, 14);
  });
});

/** 1 of 4 positive at .25, 3 of 4 at .75; the power makes the odds more extreme. */
const calibrated = (power = 1) => {
  const high = 3 ** power / (1 + 3 ** power);
  return scoreTable({
    yTrue: [1, 0, 0, 0, 1, 1, 1, 0],
    yProba: [0, 1].flatMap((side) => Array(4).fill(side ? high : 1 - high)),
  });
};

describe.each([
  ['calibration_slope', calibrationSlope, 'slope', 'slopeVariance'],
  ['calibration_intercept', calibrationIntercept, 'intercept', 'interceptVariance'],
] as const)(`%s against glm of R ${reference.versions.R}`, (_, metric, model, variance) => {
  it.each(reference.calibration.map((each, i) => [i, each] as const))('case %s', (_case, each) => {
    const { yTrue, yProba, sampleWeight } = each;
    const table = scoreTable({ yTrue, yProba, ...(sampleWeight ? { sampleWeight } : {}) } as ScoreTableInput);
    expect(Math.abs((metric.compute(table) as number) - each[model])).toBeLessThanOrEqual(1e-6);
    const { covariance } = calibrationFit(table, model) as LogisticFit;
    expect(Math.abs((covariance.at(-1)?.at(-1) as number) / each[variance] - 1)).toBeLessThanOrEqual(1e-6);
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
    expect(Array.from(calibrationSlope.influence?.(separated, 1) ?? [])).toEqual([0, 0, 0, 0]);
  });

  it('is undefined for equal probabilities, rows of weight 0 aside, and for one class', () => {
    const equal = scoreTable({ yTrue: [0, 1, 1], yProba: [0.3, 0.3, 0.9], sampleWeight: [1, 1, 0] });
    expect(calibrationSlope.compute(equal)).toEqual({ reason: 'the probabilities are all equal' });
    const one = scoreTable({ yTrue: [1, 1], yProba: [0.3, 0.9] });
    expect(calibrationSlope.compute(one)).toEqual({ reason: 'no negative rows' });
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
