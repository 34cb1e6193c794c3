import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { RepeatedGroupKFold } from '../../src/splitters/grouped/repeatedGroupKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { learningCurve } from '../../src/stats/learningCurve.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { Given, GivenNumbers } from './given.js';

const { X, y } = blobs(60);
const groups = y.map((_, row) => `patient ${row >> 1}`);
const { adapter, spy } = spyAdapter();
const curveOf = (more: object = {}) =>
  learningCurve({
    ...{ model: () => new NearestMean(), X, y, adapter, cv: new StratifiedKFold({ nSplits: 3 }) },
    ...{ sizes: [0.2, 0.5], metric: 'accuracy', ...more },
  });

describe('learningCurve', () => {
  it('trains on nested parts of the training patients, whole and growing, anew in each fold and repeat', async () => {
    spy.trainedOn.length = 0;
    const cv = new RepeatedGroupKFold({ nSplits: 3, nRepeats: 2, randomState: 1 });
    const curve = await curveOf({ groups, cv, sizes: [3, 0.4, 0.8] });
    expect(curve.points.map(({ size }) => size)).toEqual([3, 0.4, 0.8, null]);
    expect(curve.points.map(({ nTrain }) => nTrain)).toEqual([3, 8, 16, 20]);
    const byFold = [0, 1, 2, 3, 4, 5].map((fold) => [0, 1, 2, 3].map((size) => spy.trainedOn[size * 6 + fold]));
    for (const parts of byFold) {
      parts.forEach((rows, size) => {
        const patients = new Set(rows.map((row) => groups[row]));
        expect(rows.length).toBe(2 * patients.size);
        if (size > 0) for (const row of parts[size - 1]) expect(rows).toContain(row);
      });
    }
    expect(new Set(byFold.map(([first]) => first.join())).size).toBe(6);
  });

  it('keeps the classes: at least one row of each from the first, then their shares', async () => {
    spy.trainedOn.length = 0;
    const rare = y.map((_, row) => Number(row % 10 === 0));
    await curveOf({ y: rare, sizes: [2, 10, 20] });
    const positives = spy.trainedOn.map((rows) => rows.filter((row) => rare[row] === 1).length);
    expect(positives.slice(0, 9)).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2]);
  });

  it('ends with the cross-validation itself, and tests the same rows at every size', async () => {
    const curve = await curveOf();
    const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), adapter, verbose: 0 });
    const run = await runner.run({ model: () => new NearestMean(), data: [X, y], metrics: ['accuracy'] });
    const [first, , last] = curve.points;
    expect(last.testScores).toEqual(run.scores.accuracy);
    expect(last.nTrainRows).toBe(40);
    expect(first.test).toMatchObject({ nUnits: 60, nTrain: 8, unit: 'row' });
  });

  it('scores the training rows with the model that was trained on them', async () => {
    // Given probabilities: what a model says of its training rows is what the test here computes from them.
    const p = y.map((label, row) => (label ? 0.9 : 0.1) + ((row * 7) % 10) / 1000);
    const folds = Array.from(new StratifiedKFold({ nSplits: 3 }).split(60, y));
    const brier = folds.map(({ train }) => train.reduce((sum, row) => sum + (p[row] - y[row]) ** 2, 0) / train.length);
    const given = { X: p.map((value) => [value]), adapter: undefined, sizes: [0.5], metric: 'brier' };
    const curve = await curveOf({ ...given, model: () => new Given() });
    expect(curve.points[1].train.value).toBeCloseTo((brier[0] + brier[1] + brier[2]) / 3, 12);
    const labels = await curveOf({ ...given, model: () => new LabelsAlone(), metric: 'accuracy' });
    expect(labels.points[1].train.value).toBe(1);
    const numbers = await curveOf({
      ...given,
      cv: new StratifiedKFold({ nSplits: 3, bins: 2 }),
      y: p.map((value) => value + 0.5),
      task: 'regression',
      model: () => new GivenNumbers('regression'),
      metric: 'rmse',
    });
    expect(numbers.points[1].train.value).toBeCloseTo(0.5, 12);
  });

  it('counts a fold that failed in no score of training, and as one without a value in the interval', async () => {
    const p = y.map((label, row) => (label ? 0.9 : 0.1) + ((row * 7) % 10) / 1000);
    let fits = 0;
    class FailsOnce extends Given {
      override fit(): this {
        fits += 1;
        if (fits % 3 === 2) throw new Error('no descent');
        return this;
      }
    }
    const record = { adapter: undefined, model: () => new FailsOnce(), onFoldError: 'record' };
    const curve = await curveOf({ ...record, X: p.map((value) => [value]), sizes: [0.5], ciMethod: 'corrected_t' });
    for (const { train, test, testScores } of curve.points) {
      expect(testScores.map(({ value }) => value)).toEqual([1, null, 1]);
      expect(train.value).toBe(1);
      expect(test).toMatchObject({ estimate: 1, lower: null, reason: expect.stringContaining('no descent') });
    }
  });

  it('disposes every model', async () => {
    spy.built = 0;
    spy.disposed = 0;
    await curveOf();
    expect(spy.built).toBe(9);
    expect(spy.disposed).toBe(9);
  });
});

class LabelsAlone extends Given {
  override predictProba = undefined;
}
