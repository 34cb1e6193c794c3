/** What every callback must do: survive each moment of a run, not disturb it, and let go at the end. */
import type { CVCallback } from '../../src/runner/callback.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { HOOKS } from '../../src/runner/hooks.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { type ConformanceCase, ensure, requireParts, thrownBy } from './suite.js';

/** A callback under test. `make` is called once per case; `validation` when it monitors `val_*`. */
export interface CallbackUnderTest {
  readonly name: string;
  make(): CVCallback;
}

/**
 * Cases for one callback: see architecture "Callback" (golden order, stops, teardown once whatever is thrown).
 *
 * @example
 * const cases = callbackSuite({ name: 'ClassDistributionLogger', make: () => new ClassDistributionLogger() });
 * for (const { name } of cases) console.log(name); // in a test file: test(name, run)
 */
export function callbackSuite(entry: CallbackUnderTest): ConformanceCase[] {
  requireParts('callbackSuite', entry, { name: 'string', make: 'function' });
  const { name, make } = entry;
  return [
    {
      name: `${name}: does not change what a run gives`,
      async run() {
        const without = await run([]);
        const inside = await run([noStop(make())]);
        ensure(
          JSON.stringify(without.outOfFold) === JSON.stringify(inside.outOfFold),
          `${name} must not change the out-of-fold table.`,
        );
      },
    },
    {
      name: `${name}: leaves the order of the other hooks as it is`,
      async run() {
        const log: string[] = [];
        await run([noStop(make()), recorder(log)]);
        // Checks of its own are announced to all.
        const order = log.filter((hook) => hook !== 'onCheckStart').join(' ');
        ensure(order === GOLDEN_ORDER.join(' '), `${name} must leave the golden order. Got ${order}.`);
      },
    },
    {
      name: `${name}: reads its context and does not write to it`,
      async run() {
        const callback = make();
        const contexts: unknown[] = [];
        await run([{ onFoldStart: (ctx) => void contexts.push(JSON.stringify(ctx)) }, callback, after(contexts)]);
        for (let i = 0; i < contexts.length; i += 2) {
          ensure(contexts[i] === contexts[i + 1], `${name} must not change the context of a fold.`);
        }
      },
    },
    {
      name: `${name}: can be used for a second run`,
      async run() {
        const callback = make();
        const first = await run([callback]);
        const second = await run([callback]);
        ensure(
          JSON.stringify(first.foldDetails.map(({ epochs }) => epochs)) ===
            JSON.stringify(second.foldDetails.map(({ epochs }) => epochs)),
          `${name} must forget the first run before the second.`,
        );
      },
    },
    ...(['onFoldStart', 'onEpochEnd', 'onFoldEnd'] as const).map((hook) => ({
      name: `${name}: is torn down once when another callback throws in ${hook}`,
      async run() {
        const callback = make();
        let torn = 0;
        const counted: CVCallback = {
          ...bound(callback),
          teardown: () => {
            torn++;
            return callback.teardown?.();
          },
        };
        const bad: CVCallback = {
          name: 'bad',
          [hook]: () => {
            throw new Error('boom');
          },
        };
        const error = await thrownBy(() => run([counted, bad]));
        ensure(
          error instanceof Error && error.message.includes('boom'),
          `The run must fail with the error of ${hook}.`,
        );
        ensure(torn === 1, `${name} must be torn down once. Got ${torn}.`);
      },
    })),
  ];
}

/** The order of hooks for 2 folds x 2 epochs x 2 batches. */
const GOLDEN_ORDER = [
  'onCvStart',
  ...[0, 1].flatMap(() => [
    'onFoldStart',
    ...[0, 1].flatMap(() => ['onEpochStart', 'onBatchEnd', 'onBatchEnd', 'onEpochEnd']),
    'onFoldEnd',
  ]),
  'onCvEnd',
  'teardown',
];

const recorder = (log: string[]): CVCallback =>
  Object.fromEntries(HOOKS.map((hook) => [hook, () => void log.push(hook)])) as CVCallback;

const after = (contexts: unknown[]): CVCallback => ({ onFoldStart: (ctx) => void contexts.push(JSON.stringify(ctx)) });

/** The hooks of a class instance as own properties, so that it can be spread. */
const bound = (callback: CVCallback): CVCallback => ({
  name: callback.name,
  monitor: callback.monitor,
  ...(Object.fromEntries(
    HOOKS.filter((hook) => callback[hook]).map((hook) => [hook, (callback[hook] as () => unknown).bind(callback)]),
  ) as CVCallback),
});

/** A callback may stop training; here only its side effects are of interest. */
function noStop(callback: CVCallback): CVCallback {
  const hooks = bound(callback);
  return {
    ...hooks,
    onEpochEnd: async (ctx, logs) => void (await hooks.onEpochEnd?.(ctx, logs)),
    onFoldEnd: async (ctx, result) => void (await hooks.onFoldEnd?.(ctx, result)),
  };
}

const X = Array.from({ length: 12 }, (_, i) => [i, i % 3]);
const y = X.map((_, i) => i % 2);

function run(callbacks: readonly CVCallback[]) {
  const options: RunOptions = { model: () => ({}), data: [X, y], epochs: 2, validation: 0.25, callbacks };
  const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter: majority, verbose: 0 });
  return runner.run(options);
}

/** Predicts the share of class 1; epochs are counted and nothing else happens. It can all that callbacks may ask for. */
const majority: FrameworkAdapter = {
  name: 'majority',
  capabilities: { trains: true, epochs: true, probabilities: true, saves: true },
  matches: () => true,
  build: async (source, ctx) => source(ctx),
  async fit(model, { y: labels }, { epochs }, hooks) {
    model.share = labels.codes.reduce((sum, code) => sum + code, 0) / labels.length;
    const logs = [];
    for (let epoch = 0; epoch < epochs; epoch++) {
      await hooks.onEpochStart(epoch);
      for (const batch of [0, 1]) await hooks.onBatchEnd?.(epoch, { loss: 1, batch, size: labels.length / 2 });
      logs.push({ loss: 1 - epoch / epochs, val_loss: 1 });
      if ((await hooks.onEpochEnd(epoch, logs[epoch])) === 'stop') break;
    }
    return { epochs: logs };
  },
  predict: async (model, rows) => ({
    probabilities: {
      data: Float64Array.from({ length: rows.length * 2 }, (_, i) => (i % 2 ? model.share : 1 - model.share)),
      shape: [rows.length, 2],
    },
  }),
  snapshot: () => ({ restore: () => undefined, release: () => undefined }),
  learningRate: {
    get: ({ rate = 1 }) => rate,
    set(model, rate) {
      model.rate = rate;
    },
  },
  save: async () => undefined,
};
