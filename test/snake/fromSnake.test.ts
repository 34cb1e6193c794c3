/** Arguments of callers: objects in snake_case anywhere in the arguments, callbacks, factories, events. */
import { describe, expect, it } from 'vitest';
import * as cvkit from '../../src/index.js';
import { fromSnake } from '../../src/snake/convert.js';
import * as snake from '../../src/snake/index.js';

const y = Array.from({ length: 40 }, (_, at) => at % 2);
const X = y.map((each, at) => [each + (at % 3), at % 5]);
const groups = y.map((_, at) => Math.floor(at / 4));
const model = () => ({ fit: () => undefined, predict: (rows: number[][]) => rows.map(() => 1) });
const runner = () => snake.UniversalCVRunner({ cv_splitter: snake.KFold(2), verbose: 0 });
const basics = { data: [X, y] as [number[][], number[]], metrics: ['accuracy' as const] };

/** Trains in epochs, and logs a name that is the caller's. */
const adapter: cvkit.FrameworkAdapter = {
  name: 'epochs',
  capabilities: { trains: true, epochs: true, probabilities: false, saves: false },
  matches: () => true,
  build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : source),
  async fit(_model, _train, { epochs }, { onEpochStart, onEpochEnd }) {
    const history = [];
    for (let epoch = 0; epoch < epochs; epoch++) {
      await onEpochStart(epoch);
      const logs = { loss: 1 / (epoch + 1), ownLog: epoch };
      history.push(logs);
      if ((await onEpochEnd(epoch, logs)) === 'stop') break;
    }
    return { epochs: history };
  },
  predict: async (_model, rows) => ({ values: new Array(rows.length).fill(0) }),
  learningRate: { get: () => 0.1, set: () => undefined },
};

const trained = () => snake.UniversalCVRunner(snake.KFold(2), { adapter, verbose: 0 });

describe('an object in snake_case as an argument', () => {
  it('is taken as the one behind it, wherever it stands', async () => {
    const splitter = snake.GroupKFold({ n_splits: 2, random_state: 1 });
    const checker = snake.DataLeakageChecker();
    const report = await checker.check(X, y, { groups, cv: splitter });
    expect(report.folds.splitter).toContain('GroupKFold');
    // Options in the place of y.
    expect((await checker.check(X, { groups, cv: splitter } as never)).folds.splitter).toContain('GroupKFold');
    expect((await snake.BalanceChecker().check_cv_balance(X, y, splitter, groups)).folds).toHaveLength(2);
    const validator = snake.CVKitValidator({ cv: splitter, return_confidence_intervals: false });
    const result = await validator.validate({ model, X, y, groups, leakage_checker: checker, verbose: 0 });
    expect(result.plan.design).toContain('GroupKFold');
    expect(snake.NestedCV(snake.KFold(3), snake.KFold(2)).options.outer_cv).toBeInstanceOf(snake.KFold);
    const folds = [...splitter.split(X, y, groups)];
    expect([...snake.PredefinedSplit({ folds }).split(X)].map(([, test]) => [...test])).toEqual(
      folds.map(([, test]) => [...test]),
    );
    expect(snake.fingerprint(folds)).toBe(
      cvkit.fingerprint(new cvkit.GroupKFold({ nSplits: 2, randomState: 1 }).split(X, y, { groups })),
    );
    const from_json = snake.folds_from_json(snake.folds_to_json(folds));
    expect(from_json).toBeInstanceOf(snake.PredefinedSplit);
  });

  it('is taken in a list of callbacks, and as results of a run', async () => {
    // Nothing is better by so much.
    const stopping = snake.EarlyStopping({ monitor: 'loss', patience: 1, min_delta: 10, restore_best: false });
    const results = await trained().run({
      model: () => ({}),
      ...basics,
      epochs: 9,
      callbacks: [stopping],
      keep_models: 'memory',
      validation: { splitter: snake.KFold(2) },
    });
    expect(results.fold_details.map(({ stopped_early }) => stopped_early)).toEqual([true, true]);
    expect(results.histories[0].epochs[0]).toEqual({ loss: 1, ownLog: 0 });
    const together = await snake.ensemble(results, { combine: 'vote' });
    expect(together.size).toBe(2);
    const { predictions } = await together.predict(X);
    expect(predictions).toHaveLength(40);
  });

  it('is found by the reader in options, lists and pairs, and rows are not copied', () => {
    const splitter = snake.KFold(2);
    const [source] = fromSnake([splitter]);
    const [options] = fromSnake([{ cv: splitter, data: [splitter, [splitter]], list: [splitter] }]);
    expect(options).toEqual({ cv: source, data: [source, [source]], list: [source] });
    const rows = { X, data: [X, y], nested: { frame: X }, text: 'x' };
    expect(fromSnake([rows, X, y])).toEqual([rows, X, y]);
    for (const [at, value] of fromSnake([rows, X, y]).entries()) expect(value).toBe([rows, X, y][at]);
  });

  it('is a mistake in cvkit itself, and says so', () => {
    const splitter = snake.KFold(2) as never;
    expect(() => new cvkit.NestedCV({ outerCv: splitter }).getNSplits(9)).toThrow(
      'Use `get_n_splits`; `cvkit`, cvkit/stats and cvkit/plot take only what `cvkit` made.',
    );
  });
});

describe('functions of the caller', () => {
  it('get contexts in snake_case: factories and scores', async () => {
    const calls: unknown[] = [];
    const factory = (ctx: snake.FoldContext) => {
      calls.push([ctx.fold, ctx.n_train, ctx.input_shape]);
      return model();
    };
    const scoring = {
      ownScore: (table: snake.ScoreTable) => table.y_true.length,
      byModel: (fitted: { predict(rows: unknown[]): number[] }, rows: unknown[]) => fitted.predict(rows).length,
    };
    const results = await runner().run({ model: factory, data: [X, y], scoring });
    expect(calls[0]).toEqual(['fold-0', 20, [2]]);
    expect(results.mean_scores).toEqual({ ownScore: 20, byModel: 20 });
  });

  it('keep their name and length, and a class is refused as ever', async () => {
    class Model {}
    await expect(runner().run({ model: Model as never, ...basics })).rejects.toThrow('new Model(');
    function factory(ctx: unknown) {
      return ctx;
    }
    const [{ model: called }] = fromSnake([{ model: factory }]) as [{ model: typeof factory }];
    expect([called.name, called.length]).toEqual(['factory', 1]);
    expect(fromSnake([{ loss_fn: factory }])).toEqual([{ loss_fn: factory }]);
  });

  it('get the trial of a search, and a schedule its context', async () => {
    const tuned = await runner().run_with_hyperparameter_tuning({
      model_fn: (_params, ctx) => ({ ...model(), seed: ctx.n_splits }),
      param_grid: (trial) => ({ depth: trial.suggest_int('depth', 1, 2) }),
      data: [X, y],
      n_trials: 2,
    });
    expect(tuned.best_params).toHaveProperty('depth');
    const rates: unknown[] = [];
    const schedule = (_epoch: number, rate: number, ctx: { n_splits: number; initial: number }) => {
      rates.push([ctx.n_splits, ctx.initial]);
      return rate;
    };
    const callbacks = snake.LearningRateScheduler({ schedule });
    await trained().run({ model: () => ({}), ...basics, epochs: 1, callbacks });
    expect(rates[0]).toEqual([2, 0.1]);
  });
});

describe('callbacks', () => {
  it('with snake_case hooks get contexts, results and models in snake_case; logs keep their keys', async () => {
    const calls: Record<string, unknown> = {};
    class Noted {
      readonly #secret = 'kept';
      on_cv_start(run: snake.RunContext) {
        calls.on_cv_start = [run.n_splits, run.folds.splitter_name, typeof run.warn];
      }
      on_epoch_end(ctx: snake.EpochContext, logs: object) {
        calls.on_epoch_end = [this.#secret, ctx.n_test, ctx.model.get_learning_rate(), logs];
        return 'stop' as const;
      }
      on_fold_end(ctx: snake.FoldContext, result: snake.FoldResult) {
        calls.on_fold_end = [ctx.n_train, result.status === 'completed' && result.stopped_early];
      }
      on_cv_end(results: snake.CVResults) {
        calls.on_cv_end = [Object.keys(results.mean_scores), results.fold_details.length];
      }
      teardown() {
        calls.teardown = this.#secret;
      }
    }
    await trained().run({ model: () => ({}), ...basics, epochs: 3, callbacks: [new Noted()] });
    expect(calls).toEqual({
      on_cv_start: [2, 'KFold', 'function'],
      on_epoch_end: ['kept', 20, 0.1, { loss: 1, ownLog: 0 }],
      on_fold_end: [20, true],
      on_cv_end: [['accuracy'], 2],
      teardown: 'kept',
    });
  });

  it('with camelCase hooks get what cvkit gives', async () => {
    const calls: unknown[] = [];
    await runner().run({ model, ...basics, callbacks: { onFoldEnd: (ctx) => void calls.push(ctx.nTrain) } });
    expect(calls).toEqual([20, 20]);
  });

  it('frozen, and with handlers for each fold', async () => {
    const calls: unknown[] = [];
    const callback = Object.freeze({
      for_fold: (ctx: snake.FoldContext) => ({
        on_fold_end: (_: unknown, result: snake.FoldResult) => void calls.push([ctx.n_test, result.inner_fits]),
      }),
    });
    await runner().run({ model, ...basics, callbacks: callback as never });
    expect(calls).toEqual(Array(2).fill([20, 0]));
  });

  it('of wrong names are refused as in cvkit', async () => {
    const noted = (ctx: unknown) => void ctx;
    await expect(runner().run({ model, ...basics, callbacks: { on_fold_ended: noted } as never })).rejects.toThrow(
      "Did you mean 'on_fold_end'?",
    );
    const both = { on_fold_end: noted, onFoldEnd: noted } as never;
    await expect(runner().run({ model, ...basics, callbacks: both })).rejects.toThrow('`onFoldEnd` and `on_fold_end`');
  });
});

it('events come in snake_case, and a listener can be taken away', async () => {
  const calls: unknown[] = [];
  const listener = (ctx: snake.FoldContext) => void calls.push(ctx.n_test);
  const logs: unknown[] = [];
  const run = trained();
  expect(run.on('fold:end', listener)).toBe(run);
  run.on('epoch:end', (ctx, each) => void logs.push([ctx.n_splits, each]));
  run.once('cv:end', (results) => void calls.push(Object.keys(results.mean_scores)));
  await run.run({ model: () => ({}), ...basics });
  expect(calls).toEqual([20, 20, ['accuracy']]);
  expect(logs[0]).toEqual([2, { loss: 1, ownLog: 0 }]);
  run.off('fold:end', listener);
  await run.run({ model: () => ({}), ...basics });
  expect(calls).toHaveLength(3);
});

it('checks announce themselves in snake_case, to hooks and to listeners', async () => {
  const checks: snake.CheckStart[] = [];
  const events: number[] = [];
  const run = trained();
  run.on('check:start', ({ n_checks }) => void events.push(n_checks));
  const hooks = { on_check_start: (check: snake.CheckStart) => void checks.push(check) };
  await run.run({ model: () => ({}), ...basics, callbacks: [snake.LeakageDetectionCallback(), hooks] });
  expect(checks.length).toBeGreaterThan(5);
  expect(events).toEqual(checks.map(() => checks.length));
  expect(checks.map(({ code, done, n_checks }) => [code, done, n_checks]).at(1)).toEqual(['CVL002', 1, checks.length]);
});
