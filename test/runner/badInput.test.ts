/** Every bad input of the runner: a typed error with a code and one sentence. The messages are reviewed by reading. */
import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { CVKitError } from '../../src/core/errors.js';
import { randomSource } from '../../src/core/random.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import type { RunnerOptions } from '../../src/runner/runnerOptions.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

const twice = new EarlyStopping();
const { X, y } = blobs();

interface Case {
  run?: Partial<RunOptions> & Record<string, unknown>;
  runner?: Partial<RunnerOptions> & Record<string, unknown>;
  adapter?: Partial<FrameworkAdapter<NearestMean>>;
}

/** `code: message` of the error; fails when nothing is thrown, or when a model is not released. */
async function refusal({ run = {}, runner = {}, adapter = {} }: Case): Promise<string> {
  const { adapter: spied, spy } = spyAdapter(adapter);
  let made = 0;
  const before = JSON.stringify([X, y]);
  const model = () => {
    made++;
    return new NearestMean();
  };
  const options = { cvSplitter: new KFold({ nSplits: 4 }), adapter: spied, verbose: 0, ...runner };
  const error = await (async () =>
    new UniversalCVRunner(options as RunnerOptions).run({ model, data: [X, y], ...run } as RunOptions))().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CVKitError);
  expect(spy.disposed).toBe(made);
  expect(JSON.stringify([X, y])).toBe(before);
  return `${(error as CVKitError).code}: ${(error as CVKitError).message}`;
}

describe('data', () => {
  it.each<[string, Case, string]>([
    [
      'lengths that differ',
      { run: { data: [X, y.slice(1)] } },
      'length_mismatch: y must have as many values as X has rows, 40. Got 39.',
    ],
    [
      'groups of another length',
      { run: { data: [X, y, [1, 2, 3]] } },
      'length_mismatch: groups must have as many values as X has rows, 40. Got 3.',
    ],
    [
      'ragged rows',
      { run: { data: [X.map((row, i) => (i === 7 ? [1] : row)), y] } },
      'ragged_rows: Row 7 of X must have 2 values, as row 0 has. Got 1.',
    ],
    [
      'NaN in y',
      { run: { data: [X, y.map((v, i) => (i === 3 ? Number.NaN : v))] } },
      'not_finite: y row 3 must be a finite number. Got NaN. Leave that row out.',
    ],
    [
      'Infinity in y',
      { run: { data: [X, y.map((v, i) => (i === 3 ? Number.POSITIVE_INFINITY : v))] } },
      'not_finite: y row 3 must be a finite number. Got Infinity. Leave that row out.',
    ],
    [
      'one class only',
      { run: { data: [X, y.map(() => 1)] } },
      'one_class: y must hold at least two classes. Got only 1 in all 40 rows.',
    ],
    [
      'one class only, one-hot',
      { run: { data: [X, y.map(() => [1, 0])] } },
      'one_class: y must hold at least two classes. Got only 0 in all 40 rows.',
    ],
    [
      'ids that are objects',
      { run: { groups: y.map((_, i) => ({ id: i })) as never } },
      'missing_group: groups row 0 must be an id (a number or a string). Got an object with the keys id.',
    ],
    [
      'an empty id',
      { run: { groups: y.map((_, i) => (i === 4 ? '' : 'a')) } },
      'missing_group: groups row 4 must be an id (a number or a string). Got an empty string.',
    ],
    [
      'an empty id of the hierarchy',
      { run: { data: { X, y, hierarchy: { patient: y.map((_, i) => (i === 4 ? '' : 'a')) } } } },
      'missing_group: hierarchy.patient row 4 must be an id (a number or a string). Got an empty string.',
    ],
    [
      'a time that is none',
      { run: { data: { X, y, timestamps: y.map((_, i) => (i === 2 ? 'soon' : i)) } } },
      'invalid_data: timestamps row 2 must be a finite number, as row 0 is. Got a string.',
    ],
    [
      'groups given twice and different',
      { run: { data: [X, y, y], groups: y.map((v, i) => (i === 5 ? 9 : v)) } },
      'invalid_data: groups, when given twice, must be the same both times. Got a difference in row 5.',
    ],
    [
      'a negative weight',
      { run: { sampleWeight: y.map((_, i) => (i === 2 ? -1 : 1)) } },
      'invalid_data: sampleWeight row 2 must be a finite number >= 0. Got a number below 0.',
    ],
    [
      'two strings without a positive label',
      { run: { data: [X, y.map((v) => (v ? 'blue' : 'red'))] } },
      "positive_label: The `positiveLabel` option must say which of the classes 'blue', 'red' is the positive one. Got nothing.",
    ],
  ])('%s', async (_name, given, message) => {
    expect(await refusal(given)).toBe(message);
  });
});

describe('folds', () => {
  it.each<[string, Case, string]>([
    [
      'nSplits larger than the smallest class',
      {
        run: { data: [X, y.map((_, i) => (i < 3 ? 1 : 0))] },
        runner: { cvSplitter: new StratifiedKFold({ nSplits: 5 }) },
      },
      'infeasible_split: The `nSplits` option of StratifiedKFold must be at most the number of rows of class 1, 3 (rows: 3 of class 1, 37 of class 0). Got 5.',
    ],
    [
      'nSplits larger than the smallest class of integers that nobody called classes',
      {
        run: { data: [X, y.map((_, i) => i % 15)] },
        runner: { cvSplitter: new StratifiedKFold({ nSplits: 5 }) },
      },
      "infeasible_split: The `nSplits` option of StratifiedKFold must be at most the number of rows of class number 10, 2 (rows: 2 of class number 10, 2 of class number 11, 2 of class number 12, 2 of class number 13, 2 of class number 14, ...). Got 5. y is read as classes (y has 15 distinct integers): pass task: 'regression' if it holds numbers.",
    ],
    [
      'nSplits larger than the number of groups',
      { run: { groups: y.map((_, i) => i % 3) }, runner: { cvSplitter: new GroupKFold({ nSplits: 5 }) } },
      'infeasible_split: The `nSplits` option of GroupKFold must be at most the number of groups, 3. Got 5.',
    ],
    [
      'a fold that does not exist',
      { run: { folds: [7] } },
      'invalid_option: The `folds` option of run must name folds of the plan, 0 to 3. Got 7.',
    ],
    [
      'a splitter with rows on both sides',
      {
        runner: {
          cvSplitter: {
            split: () => [{ id: 'a', train: Int32Array.of(0, 1, 2), test: Int32Array.of(2, 3) }],
            getNSplits: () => 1,
          },
        },
      },
      'invalid_folds: Fold a of the splitter must keep train and test apart. Got row 2 on both sides.',
    ],
  ])('%s', async (_name, given, message) => {
    expect(await refusal(given)).toBe(message);
  });
});

describe('options', () => {
  it.each<[string, Case, string]>([
    ['an unknown option', { run: { epoch: 3 } }, 'unknown_option: run has no option `epoch`. Did you mean `epochs`?'],
    [
      'an unknown metric',
      { run: { metrics: ['acuracy'] } },
      "unknown_metric: There is no metric 'acuracy'. Did you mean 'accuracy'?",
    ],
    [
      'a metric of another task',
      { run: { metrics: ['roc_auc'], data: [X, y.map((_, i) => i % 3)] } },
      "invalid_option: The metric 'roc_auc' must be used for binary tasks. Got a multiclass task. Use one of accuracy, balanced_accuracy, f1_macro, f1_micro, f1_weighted, mcc, cohen_kappa, brier, log_loss, roc_auc_ovr_macro, roc_auc_ovo_macro instead.",
    ],
    [
      'an unknown framework',
      { runner: { adapter: undefined, framework: 'tfj' } },
      "unknown_framework: There is no framework 'tfj'. Did you mean 'tfjs'?",
    ],
    [
      'the same option under two names',
      { run: { batchSize: 8, batch_size: 8 } },
      'duplicate_option: run was given one option under two names, `batchSize` and `batch_size`. Use `batchSize` alone.',
    ],
    [
      'no model',
      { run: { model: undefined } },
      'missing_option: The `model` option of run must be a factory, a model or the absolute path or file: URL of a module. Got nothing.',
    ],
    [
      'epochs for a model without epochs',
      {
        run: { epochs: 5 },
        adapter: { capabilities: { trains: true, epochs: false, probabilities: true, saves: false } },
      },
      "idle_option: The `epochs` option of run has no effect: the adapter 'spy' does not train in epochs. Leave it out.",
    ],
    [
      'engine options for an adapter without any',
      { runner: { adapterOptions: { backend: 'wasm' } }, adapter: { open: undefined } },
      "idle_option: The `adapterOptions` option has no effect: the adapter 'spy' takes none. Leave it out.",
    ],
    [
      'augmentation with an adapter that does not augment',
      { run: { augment: () => ({}) } },
      "idle_option: The `augment` option of run has no effect: the adapter 'spy' does not augment. Leave it out.",
    ],
    [
      'a callback that acts between epochs where there are none',
      {
        run: { callbacks: [new LearningRateScheduler({ schedule: 'cosine' })] },
        adapter: { capabilities: { trains: true, epochs: false, probabilities: true, saves: false } },
      },
      "idle_option: The `callbacks` option of run has no effect: LearningRateScheduler acts between epochs, and the adapter 'spy' has none. Leave it out.",
    ],
    [
      'a callback twice',
      { run: { validation: 0.2, callbacks: [twice, twice] } },
      'callback_in_use: The `callbacks` option of run must hold each callback once. Got EarlyStopping twice.',
    ],
    [
      'a metric of another task to watch',
      { run: { validation: 0.2, callbacks: [new EarlyStopping({ monitor: 'val_mse' })] } },
      "invalid_option: The metric 'mse' must be used for regression tasks. Got a binary task. Use one of sensitivity, recall, specificity, precision, ppv, npv, f1, net_benefit, accuracy, balanced_accuracy, f1_macro, f1_micro, f1_weighted, mcc, cohen_kappa, brier, scaled_brier, log_loss, ece, calibration_slope, calibration_intercept, roc_auc, average_precision instead.",
    ],
    [
      'auxiliary targets with an adapter that has one output',
      { run: { data: { X, y, auxiliary: { age: y } } } },
      "idle_option: The `auxiliary` option of data has no effect: the adapter 'spy' trains towards y alone. Leave it out.",
    ],
    [
      'training options for a model that cannot train, with the reason that its adapter gives',
      {
        run: { epochs: 3 },
        adapter: {
          capabilities: { trains: false, epochs: false, probabilities: true, saves: false, why: 'it only predicts' },
        },
      },
      'idle_option: The `epochs` option of run has no effect: it only predicts. Leave it out.',
    ],
    [
      'a hook that is misspelt',
      { run: { callbacks: [{ name: 'mine', onFoldEnds: () => undefined } as never] } },
      "unknown_hook: The callback mine has the method `onFoldEnds`, which is no hook. Did you mean 'onFoldEnd'?",
    ],
    [
      'no metric at all',
      { run: { metrics: [] } },
      'invalid_option: The `metrics` option must name at least one metric. Got none.',
    ],
    [
      'a splitter by name',
      { runner: { cvSplitter: 'kfold' as never } },
      "invalid_option: The `cvSplitter` option of UniversalCVRunner must be a splitter, for example new KFold(). Got 'kfold'.",
    ],
    [
      'folds in the place of a splitter',
      { runner: { cvSplitter: [[[0, 1], [2]]] as never } },
      'invalid_option: The `cvSplitter` option of UniversalCVRunner must be a splitter, for example new KFold(). Got an array of length 1. Use new PredefinedSplit({ folds }) for folds that are given.',
    ],
    [
      'a plan of folds in the place of a splitter',
      { runner: { cvSplitter: foldsOf(new KFold(), 10) as never } },
      'invalid_option: The `cvSplitter` option of UniversalCVRunner must be a splitter, for example new KFold(). Got an object with the keys n, splitterName, design, claims, repeats, ids, .... Use new PredefinedSplit({ folds: [...plan] }) for the folds of a plan.',
    ],
    [
      'the name of a metric in the place of a list',
      { run: { metrics: 'roc_auc' as never } },
      "invalid_option: The `metrics` option of run must be a list of metric names, or null. Got 'roc_auc'. Use metrics: ['roc_auc'] instead.",
    ],
    [
      'a metric in the place of a scoring',
      { run: { scoring: 'roc_auc' as never } },
      "invalid_option: The `scoring` option of run must be a record of name to metric name or function. Got 'roc_auc'. Use metrics: ['roc_auc'] instead.",
    ],
    [
      'metrics in the place of a scoring',
      { run: { scoring: ['roc_auc', 'f1'] as never } },
      "invalid_option: The `scoring` option of run must be a record of name to metric name or function. Got ['roc_auc', 'f1']. Use metrics: ['roc_auc', 'f1'] instead.",
    ],
    [
      'validation rows that a fold alone would not draw again',
      { run: { validation: { splitter: new HoldOut({ randomState: randomSource(1) }) } } },
      'invalid_option: Fold fold-0 failed: The splitter of the `validation` option must draw the same rows at each call. Got one that draws others. Give it an integer seed.',
    ],
    [
      'validation rows that tear groups apart',
      { run: { groups: y.map((_, i) => i % 10), validation: { splitter: new KFold() } } },
      'invalid_option: Fold fold-0 failed: The splitter of the `validation` option must keep groups whole. Got a group on both sides. Use a share such as 0.2, or GroupKFold.',
    ],
    [
      'early stopping that would watch the test fold',
      { run: { callbacks: [new EarlyStopping()] } },
      'monitors_test_fold: The callback EarlyStopping, which monitors val_loss, must watch validation rows cut from the training rows, never the test fold. Got no `validation` option. Use validation: 0.2.',
    ],
    [
      'early stopping on inner folds that an adapter without epochs does not watch',
      {
        run: { callbacks: [new EarlyStopping()] },
        runner: { cvSplitter: new NestedCV() },
        adapter: { capabilities: { trains: true, epochs: false, probabilities: true, saves: false } },
      },
      "monitors_test_fold: The callback EarlyStopping, which monitors val_loss, must watch validation rows cut from the training rows, never the test fold. Got the adapter 'spy', which does not train in epochs.",
    ],
  ])('%s', async (_name, given, message) => {
    expect(await refusal(given)).toBe(message);
  });
});

describe('models', () => {
  it.each<[string, Case, string]>([
    [
      'a model that no adapter knows',
      { run: { model: () => ({ weights: [] }) }, runner: { adapter: undefined } },
      'unknown_model: No adapter knows the model, an object with the keys weights. Asked: onnx, estimator, tfjs. Use a model with fit and predict, or registerAdapter.',
    ],
    [
      'a model that cannot predict',
      { run: { model: () => ({ fit: () => undefined }) }, runner: { adapter: undefined } },
      'unknown_model: No adapter knows the model, an object with the keys fit without `predict` or `predictProba`. Asked: onnx, estimator, tfjs. Use a model with fit and predict, or registerAdapter.',
    ],
    [
      'a model that cannot be trained',
      { run: { model: () => ({ predict: () => [] }) }, runner: { adapter: undefined } },
      'unknown_model: No adapter knows the model, an object with the keys predict without `fit` or `train`. Asked: onnx, estimator, tfjs. Use a model with fit and predict, or registerAdapter.',
    ],
    [
      'a class in the place of a factory',
      { run: { model: NearestMean } },
      'invalid_model: The `model` option must be a factory. Got the class NearestMean. Use () => new NearestMean(...) instead.',
    ],
    [
      'a factory that throws',
      {
        run: {
          model: () => {
            throw new Error('no GPU');
          },
        },
      },
      'factory_failed: The model factory must return a model. It threw: no GPU',
    ],
    [
      'a factory that returns nothing',
      { run: { model: () => undefined } },
      'invalid_model: The model factory must return a model. Got undefined.',
    ],
    [
      'a path that is no URL',
      { run: { model: './model.js' } },
      "invalid_model: The `model` option must be a factory, a model, or the absolute path or file: URL of a module. Got './model.js'. Use new URL('./model.js', import.meta.url).",
    ],
    [
      'the wrong number of predictions',
      { adapter: { predict: async () => ({ values: [1, 0] }) } },
      'invalid_predictions: Fold fold-0 failed: A model must predict one value for each of the 10 rows to predict. Got 2.',
    ],
    [
      'probabilities of the wrong shape',
      {
        adapter: { predict: async () => ({ probabilities: { data: new Float64Array(30), shape: [10, 3] as const } }) },
      },
      'invalid_predictions: Fold fold-0 failed: A model must predict probabilities of shape [10, 2]. Got shape [10, 3] with 30 numbers.',
    ],
    [
      'NaN in the probabilities',
      {
        adapter: {
          predict: async () => ({
            probabilities: { data: new Float64Array(20).fill(Number.NaN), shape: [10, 2] as const },
          }),
        },
      },
      'invalid_probabilities: Fold fold-0 failed: The prediction of row 0 must be a probability from 0 to 1. Got NaN.',
    ],
    [
      'a label that is no class',
      { adapter: { predict: async () => ({ values: new Array(10).fill(7) }) } },
      'invalid_predictions: Fold fold-0 failed: The prediction of row 0 must be one of the classes 0, 1. Got a number above 0.',
    ],
  ])('%s', async (_name, given, message) => {
    expect(await refusal(given)).toBe(message);
  });

  it('a factory that returns the same instance twice', async () => {
    const one = new NearestMean();
    const { adapter } = spyAdapter();
    const run = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), adapter, verbose: 0 }).run({
      model: () => one,
      data: [X, y],
    });
    await expect(run).rejects.toMatchObject({
      code: 'same_model_twice',
      message:
        'Fold fold-1 failed: The model factory must return a new model for every fold. Got the same object twice.',
    });
  });
});
