/** Every bad input of the runner: a typed error with a code and one sentence. The messages are reviewed by reading. */
import { describe, expect, it, vi } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { randomSource } from '../../src/core/random.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
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
import { rejection } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { throwing } from '../helpers/thrown.js';

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
  const before = JSON.stringify([X, y]);
  const model = vi.fn(() => new NearestMean());
  const options = { cvSplitter: new KFold({ nSplits: 4 }), adapter: spied, verbose: 0, ...runner };
  const call = async () =>
    new UniversalCVRunner(options as RunnerOptions).run({ model, data: [X, y], ...run } as RunOptions);
  const text = await rejection(call());
  expect(spy.disposed).toBe(model.mock.calls.length);
  expect(JSON.stringify([X, y])).toBe(before);
  return text;
}

/** The sentences stand in the snapshot. */
const page = (name: string, cases: Readonly<Record<string, Case>>) =>
  it(name, async () => {
    const found: Record<string, string> = {};
    for (const [what, given] of Object.entries(cases)) found[what] = await refusal(given);
    expect(found).toMatchSnapshot();
  });

describe('data', () => {
  page('are refused', {
    'lengths that differ': { run: { data: [X, y.slice(1)] } },
    'groups of another length': { run: { data: [X, y, [1, 2, 3]] } },
    'ragged rows': { run: { data: [X.map((row, i) => (i === 7 ? [1] : row)), y] } },
    'NaN in y': { run: { data: [X, y.map((v, i) => (i === 3 ? Number.NaN : v))] } },
    'Infinity in y': { run: { data: [X, y.map((v, i) => (i === 3 ? Number.POSITIVE_INFINITY : v))] } },
    'one class only': { run: { data: [X, y.map(() => 1)] } },
    'one class only, one-hot': { run: { data: [X, y.map(() => [1, 0])] } },
    'ids that are objects': { run: { groups: y.map((_, i) => ({ id: i })) as never } },
    'an empty id': { run: { groups: y.map((_, i) => (i === 4 ? '' : 'a')) } },
    'an empty id of the hierarchy': {
      run: { data: { X, y, hierarchy: { patient: y.map((_, i) => (i === 4 ? '' : 'a')) } } },
    },
    'a time that is none': { run: { data: { X, y, timestamps: y.map((_, i) => (i === 2 ? 'soon' : i)) } } },
    'groups given twice and different': { run: { data: [X, y, y], groups: y.map((v, i) => (i === 5 ? 9 : v)) } },
    'a negative weight': { run: { sampleWeight: y.map((_, i) => (i === 2 ? -1 : 1)) } },
    'two strings without a positive label': { run: { data: [X, y.map((v) => (v ? 'blue' : 'red'))] } },
  });
});

describe('folds', () => {
  page('are refused', {
    'nSplits larger than the smallest class': {
      run: { data: [X, y.map((_, i) => (i < 3 ? 1 : 0))] },
      runner: { cvSplitter: new StratifiedKFold({ nSplits: 5 }) },
    },
    'nSplits larger than the smallest class of integers that nobody called classes': {
      run: { data: [X, y.map((_, i) => i % 15)] },
      runner: { cvSplitter: new StratifiedKFold({ nSplits: 5 }) },
    },
    'nSplits larger than the number of groups': {
      run: { groups: y.map((_, i) => i % 3) },
      runner: { cvSplitter: new GroupKFold({ nSplits: 5 }) },
    },
    'a fold that does not exist': { run: { folds: [7] } },
    'a splitter with rows on both sides': {
      runner: {
        cvSplitter: {
          split: () => [{ id: 'a', train: Int32Array.of(0, 1, 2), test: Int32Array.of(2, 3) }],
          getNSplits: () => 1,
        },
      },
    },
  });
});

describe('options', () => {
  page('are refused', {
    'an unknown option': { run: { epoch: 3 } },
    'an unknown metric': { run: { metrics: ['acuracy'] } },
    'a metric of another task': { run: { metrics: ['roc_auc'], data: [X, y.map((_, i) => i % 3)] } },
    'an unknown framework': { runner: { adapter: undefined, framework: 'tfj' } },
    'the same option under two names': { run: { batchSize: 8, batch_size: 8 } },
    'no model': { run: { model: undefined } },
    'epochs for a model without epochs': {
      run: { epochs: 5 },
      adapter: { capabilities: { trains: true, epochs: false, probabilities: true, saves: false } },
    },
    'engine options for an adapter without any': {
      runner: { adapterOptions: { backend: 'wasm' } },
      adapter: { open: undefined },
    },
    'augmentation with an adapter that does not augment': { run: { augment: () => ({}) } },
    'a callback that acts between epochs where there are none': {
      run: { callbacks: [new LearningRateScheduler({ schedule: 'cosine' })] },
      adapter: { capabilities: { trains: true, epochs: false, probabilities: true, saves: false } },
    },
    'a callback twice': { run: { validation: 0.2, callbacks: [twice, twice] } },
    'a metric of another task to watch': {
      run: { validation: 0.2, callbacks: [new EarlyStopping({ monitor: 'val_mse' })] },
    },
    'auxiliary targets with an adapter that has one output': { run: { data: { X, y, auxiliary: { age: y } } } },
    'training options for a model that cannot train, with the reason that its adapter gives': {
      run: { epochs: 3 },
      adapter: {
        capabilities: { trains: false, epochs: false, probabilities: true, saves: false, why: 'it only predicts' },
      },
    },
    'a hook that is misspelt': { run: { callbacks: [{ name: 'mine', onFoldEnds: () => undefined } as never] } },
    'no metric at all': { run: { metrics: [] } },
    'a splitter by name': { runner: { cvSplitter: 'kfold' as never } },
    'folds in the place of a splitter': { runner: { cvSplitter: [[[0, 1], [2]]] as never } },
    'a plan of folds in the place of a splitter': { runner: { cvSplitter: foldsOf(new KFold(), 10) as never } },
    'the name of a metric in the place of a list': { run: { metrics: 'roc_auc' as never } },
    'a metric in the place of a scoring': { run: { scoring: 'roc_auc' as never } },
    'metrics in the place of a scoring': { run: { scoring: ['roc_auc', 'f1'] as never } },
    'validation rows that a fold alone would not draw again': {
      run: { validation: { splitter: new HoldOut({ randomState: randomSource(1) }) } },
    },
    'validation rows that tear groups apart': {
      run: { groups: y.map((_, i) => i % 10), validation: { splitter: new KFold() } },
    },
    'early stopping that would watch the test fold': { run: { callbacks: [new EarlyStopping()] } },
    'early stopping on inner folds that an adapter without epochs does not watch': {
      run: { callbacks: [new EarlyStopping()] },
      runner: { cvSplitter: new NestedCV() },
      adapter: { capabilities: { trains: true, epochs: false, probabilities: true, saves: false } },
    },
  });
});

describe('models', () => {
  page('are refused', {
    'a model that no adapter knows': { run: { model: () => ({ weights: [] }) }, runner: { adapter: undefined } },
    'a model that cannot predict': { run: { model: () => ({ fit: () => undefined }) }, runner: { adapter: undefined } },
    'a model that cannot be trained': { run: { model: () => ({ predict: () => [] }) }, runner: { adapter: undefined } },
    'a class in the place of a factory': { run: { model: NearestMean } },
    'a factory that throws': { run: { model: throwing('no GPU') } },
    'a factory that returns nothing': { run: { model: () => undefined } },
    'a path that is no URL': { run: { model: './model.js' } },
    'the wrong number of predictions': { adapter: { predict: async () => ({ values: [1, 0] }) } },
    'probabilities of the wrong shape': {
      adapter: { predict: async () => ({ probabilities: { data: new Float64Array(30), shape: [10, 3] as const } }) },
    },
    'NaN in the probabilities': {
      adapter: {
        predict: async () => ({
          probabilities: { data: new Float64Array(20).fill(Number.NaN), shape: [10, 2] as const },
        }),
      },
    },
    'a label that is no class': { adapter: { predict: async () => ({ values: new Array(10).fill(7) }) } },
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

  it("an adapter whose `build` gives the same model twice, or the caller's own, where it trains", async () => {
    const one = new NearestMean();
    const run = (capabilities: object, options: object = {}) => {
      const { adapter } = spyAdapter({ build: async () => one });
      const own = { ...adapter, capabilities: { ...adapter.capabilities, ...capabilities } };
      const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), adapter: own, verbose: 0 });
      return runner.run({ model: () => new NearestMean(), data: [X, y], ...options });
    };
    const refused = {
      code: 'same_model_twice',
      message: expect.stringContaining("`build` of the adapter 'spy' must return a new model for every fold."),
    };
    await expect(run({})).rejects.toMatchObject(refused);
    await expect(run({}, { preprocessing: new StandardScaler() })).rejects.toMatchObject(refused);
    await expect(run({}, { model: one, folds: [0] })).rejects.toMatchObject(refused);
    await run({ trains: false, epochs: false });
  });
});
