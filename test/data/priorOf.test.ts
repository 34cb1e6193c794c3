import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../src/data/labels.js';
import { priorOf } from '../../src/data/priorOf.js';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';
import { DummyRegressor } from '../../src/estimators/dummyRegressor.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { matrix } from '../helpers/matrix.js';

describe('priorOf', () => {
  it('gives shares of classes, of labels, and means, of all rows or some, by weight', () => {
    const classes = labelsOf(['a', 'b', 'b', 'c']);
    expect(Array.from(priorOf(classes))).toEqual([0.25, 0.5, 0.25]);
    expect(Array.from(priorOf(classes, [1, 1, 0, 2]))).toEqual([0.25, 0.25, 0.5]);
    expect(Array.from(priorOf(classes, undefined, Int32Array.of(1, 2)))).toEqual([0, 1, 0]);
    const numbers = labelsOf([0.5, 2.5, 4.5], { task: 'regression' });
    expect(Array.from(priorOf(numbers, [1, 3, 0]))).toEqual([2]);
    const several = labelsOf(matrix('1 0 | 1 1 | 0 0 | 1 1'));
    expect(Array.from(priorOf(several))).toEqual([0.75, 0.5]);
  });
});

/** Rows whose labels and weights are in no order. */
const X = Array.from({ length: 40 }, (_, row) => [row, (row * 7) % 11]);
const sampleWeight = X.map((_, row) => 1 + (row % 3));

describe('the baseline of the validator', () => {
  it.each([
    ['two classes', () => new DummyClassifier(), X.map(([, b]) => (b > 6 ? 1 : 0)), ['roc_auc', 'log_loss', 'brier']],
    ['several classes', () => new DummyClassifier(), X.map(([a, b]) => 'abc'[(a * b) % 3]), ['log_loss', 'f1_macro']],
    ['numbers', () => new DummyRegressor(), X.map(([a, b]) => a / 3 + b), ['mse', 'mae', 'r2']],
  ])('is what the dummies score in the same folds: %s', async (_, model, y, metrics) => {
    const cv = new KFold({ nSplits: 4, shuffle: true, randomState: 3 });
    const { baseline, estimates } = await new CVKitValidator({
      cv,
      returnConfidenceIntervals: false,
      checkLeakage: false,
      checkBalance: false,
    }).validate({
      model,
      X,
      y,
      sampleWeight,
      metrics: [...metrics, ...(model() instanceof DummyClassifier ? ['accuracy'] : [])],
      verbose: 0,
    });
    for (const [metric, value] of Object.entries(estimates)) {
      expect(baseline?.[metric].value, metric).toBe(value);
    }
    expect(Object.keys(estimates).length).toBeGreaterThan(2);
  });
});
