/** Functions of others that must answer at once and give a promise: a typed error, and nothing that ends the process. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { CVKitError } from '../../src/core/errors.js';
import { defineMetric, evaluate } from '../../src/index.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { Climber, scriptedAdapter } from '../helpers/scriptedAdapter.js';

const { X, y } = blobs();
const rejected = () => Promise.reject(new Error('too late')) as never;
const run = (runner: object, call: object = {}) =>
  new UniversalCVRunner({
    cvSplitter: new KFold({ nSplits: 2 }),
    adapter: spyAdapter().adapter,
    verbose: 0,
    ...runner,
  } as never).run({ model: () => new NearestMean(), data: [X, y], ...call } as never);
const withAdapter = (replace: object) => run({ adapter: { ...spyAdapter().adapter, ...replace } });
const inEpochs = (replace: object, callbacks: readonly object[], more: object = {}) =>
  run({ adapter: scriptedAdapter({}, replace).adapter }, { model: () => new Climber(), epochs: 2, callbacks, ...more });

const metric = {
  range: [0, 1],
  direction: 'maximize',
  needs: 'labels',
  tasks: ['binary'],
  combine: 'mean',
  description: 'Of this test.',
};
defineMetric({ ...metric, name: 'late', compute: rejected } as never);
defineMetric({
  ...metric,
  name: 'clock_back',
  compute: () => {
    vi.setSystemTime(Date.now() - 3_600_000);
    return 1;
  },
} as never);

const CALLS: Readonly<Record<string, () => Promise<unknown>>> = {
  matches: () => withAdapter({ matches: rejected }),
  borrowed: () => withAdapter({ borrowed: rejected, dispose: () => undefined }),
  memory: () => withAdapter({ memory: rejected }),
  'learningRate.get': () =>
    inEpochs({ learningRate: { get: rejected, set: () => undefined } }, [
      { onEpochEnd: ({ model }: { model: { getLearningRate(): number } }) => void model.getLearningRate() },
    ]),
  'learningRate.set': () =>
    inEpochs({ learningRate: { get: () => 1, set: rejected } }, [
      { onEpochEnd: ({ model }: { model: { setLearningRate(rate: number): void } }) => model.setLearningRate(0.5) },
    ]),
  forFold: () => run({}, { callbacks: [{ onCvStart: () => undefined, forFold: rejected }] }),
  schedule: () => inEpochs({}, [new LearningRateScheduler({ schedule: rejected })]),
  'run of an executor': () => run({ executor: { name: 'late', isolated: false, concurrency: 1, run: rejected } }),
  split: () => run({ cvSplitter: { name: 'Late', split: rejected } }),
  'a metric': () => run({}, { metrics: ['late'] }),
  modelPath: () => {
    const predict = async (_: unknown, { length }: { length: number }) => ({ values: new Float64Array(length) });
    return inEpochs({ predict }, [], { keepModels: 'save', modelPath: rejected });
  },
};

const unhandled = vi.fn();
beforeEach(() => void process.on('unhandledRejection', unhandled));
afterEach(() => void process.off('unhandledRejection', unhandled));

it.each(Object.keys(CALLS))('%s', async (name) => {
  const error = await CALLS[name]().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(CVKitError);
  expect(String(error)).toMatch(/must give its answer at once\. Got a promise|Promise|promise/);
  // Rejections that nobody handles are told after the microtasks.
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(unhandled).not.toHaveBeenCalled();
});

it('counts no negative seconds when the clock is set back', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const results = await run({}, { metrics: ['clock_back'] });
    expect(results.metadata.seconds).toBeGreaterThanOrEqual(0);
    for (const { seconds } of results.folds) expect(Math.min(...Object.values(seconds))).toBeGreaterThanOrEqual(0);
    const evaluated = await evaluate({ yTrue: y, yPred: y, metrics: ['clock_back'] });
    expect(evaluated.manifest.seconds).toBeGreaterThanOrEqual(0);
  } finally {
    vi.useRealTimers();
  }
});
