/** Regression with several targets through a whole run. */
import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';

const random = randomSource(3);
const N = 40;
const X = Array.from({ length: N }, () => [random.random(), random.random(), random.random()]);
const y = X.map(([a, b]) => [2 * a + 0.1 * random.random(), 10 * b + random.random()]);

/** Knows the truth but for a shift, which is the mean of what it was fitted on. */
const model = () => {
  let mean = 0;
  return {
    fit: (_: unknown, targets: number[][]) => {
      mean = targets.reduce((sum, [first]) => sum + first, 0) / targets.length;
    },
    predict: (rows: number[][]) => rows.map(([a, b]) => [2 * a + 0.01 * mean, 10 * b]),
  };
};
const run = (more: object = {}, executor: 'inline' | ReturnType<typeof cloningExecutor> = 'inline') =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0, executor }).run({
    ...{ model, data: { X, y } },
    ...more,
  });

describe('several targets', () => {
  it('are read as numbers unless most are 0 and 1, which task overrides', () => {
    expect(labelsOf(y)).toMatchObject({
      task: 'regression',
      length: N,
      classes: [0, 1],
      why: 'y has 2 columns of numbers',
    });
    expect(labelsOf(y).take(Int32Array.of(3, 1)).toArray()).toEqual([y[3], y[1]]);
    expect(
      labelsOf(
        [
          [0, 1],
          [1, 0],
        ],
        { task: 'regression' },
      ),
    ).toMatchObject({ task: 'regression', length: 2 });
    expect(
      labelsOf([
        [0, 1],
        [1, 1],
      ]).task,
    ).toBe('multilabel');
    expect(() =>
      labelsOf(
        [
          [0.5, 2],
          [3, Number.NaN],
        ],
        { task: 'regression' },
      ),
    ).toThrow('y row 1 column 1 must be a finite number. Got NaN.');
    expect(() =>
      labelsOf([
        [0, 1],
        [1, 2],
        [1, 1],
      ]),
    ).toThrow('y row 1 column 1 must be 0 or 1');
  });

  it('are scored each and together, in the out-of-fold table as lists, the same in another thread', async () => {
    const results = await run();
    expect(Object.keys(results.estimates).slice(0, 4)).toEqual(['mse', 'mse_0', 'mse_1', 'rmse']);
    const { yTrue, yPred, row } = results.outOfFold;
    expect(yTrue[1]).toEqual(y[row[1]]);
    const of = (target: number) =>
      yTrue.reduce((sum: number, each, at) => {
        const [truth, prediction] = [each, yPred[at]] as number[][];
        return sum + (truth[target] - prediction[target]) ** 2 / N;
      }, 0);
    expect(results.estimates.mse_0).toBeCloseTo(of(0), 12);
    expect(results.estimates.mse_1).toBeCloseTo(of(1), 12);
    expect(results.estimates.mse).toBeCloseTo((of(0) + of(1)) / 2, 12);
    const apart = await run({}, cloningExecutor());
    expect(apart.scores).toEqual(results.scores);
    expect(results.metadata).toMatchObject({ task: 'regression', classes: [] });
  });

  it('have intervals, a baseline and checks in a validation', async () => {
    const result = await new CVKitValidator({ nBootstrap: 100, nSplits: 4 }).validate({ model, X, y, verbose: 0 });
    const { lower, estimate, upper } = result.confidenceIntervals.rmse_1;
    expect([(lower as number) < (estimate as number), (estimate as number) < (upper as number)]).toEqual([true, true]);
    // Of the mean of each target: far from the truth of each.
    expect(result.baseline?.r2_0.value).toBeLessThanOrEqual(0);
    expect(result.baseline?.r2.value).toBeLessThanOrEqual(0);
    expect(result.checks.filter(({ status }) => status === 'error')).toEqual([]);
  });

  it('are refused where one number is needed', async () => {
    const narrow = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => [1, 2, 3]) });
    await expect(run({ model: narrow })).rejects.toThrow('predict 2 numbers per row, one for each target. Got 3.');
    expect(() => [...new StratifiedKFold({ nSplits: 2, bins: 3 }).split(X, y)]).toThrow(
      'y of StratifiedKFold with `bins` must be one number per row. Got 2 targets.',
    );
  });

  it('are trained and predicted by a network with as many units', async () => {
    const network = (units: number) => () => tf.sequential({ layers: [tf.layers.dense({ inputShape: [3], units })] });
    const common = { epochs: 40, optimizer: 'adam', batchSize: 8, lossFn: 'meanSquaredError' } as const;
    const results = await run({ ...common, model: network(2), optimizer: () => tf.train.adam(0.1) });
    expect(results.predictions[0][0]).toHaveLength(2);
    expect(results.estimates.r2_1).toBeGreaterThan(0.5);
    await expect(run({ ...common, model: network(3) })).rejects.toThrow('have 2 units, one for each target of y,');
  });
});
