import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { InvalidDataError } from '../../src/core/errors.js';
import type { CVCallback } from '../../src/runner/callback.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import type { Executor, FoldEvent, FoldTask } from '../../src/runner/executor.js';
import type { FoldContext, FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { runFold } from '../../src/runner/runFold.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { Climber, line, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { network, table } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

/** One fold after the other, here, whatever the executor of the suite is. */
const oneAfterTheOther: Executor = {
  name: 'one after the other',
  concurrency: 1,
  close: async () => undefined,
  async *run(tasks, { services, emit }) {
    for (const task of tasks) yield await runFold(task, { ...services, emit });
  },
};
const executorOf = (name: string, run: unknown) => ({ ...oneAfterTheOther, name, run }) as Executor;

/** What a run gave, but for clocks and what was drawn for pseudonyms. */
const numbersOf = (results: CVResults) => {
  const { outOfFold, histories, scores, estimates, foldDetails } = results;
  const { warnings, foldsRun, modelsTrained, labels, fixedModel, trainedBefore, fitNotSeen } = results.metadata;
  const details = foldDetails.map(({ seconds: _, secondsOf: __, ...rest }) => rest);
  return {
    ...{ outOfFold, histories, scores, estimates, details },
    ...{ warnings, foldsRun, modelsTrained, labels, fixedModel, trainedBefore, fitNotSeen },
  };
};

/** A model that draws: a threshold between the class means, moved at random. */
class Wobbly {
  cut = 0;
  fit(X: number[][], y: number[]) {
    const mean = (label: number) => {
      const values = X.filter((_, row) => y[row] === label).map(([value]) => value);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    this.cut = (mean(0) + mean(1)) / 2 + 0.1 * Math.random();
  }
  predictProba(X: number[][]) {
    return X.map(([value]) => 1 / (1 + Math.exp(this.cut - value))).map((p) => [1 - p, p]);
  }
  predict(X: number[][]) {
    return this.predictProba(X).map(([, p]) => Number(p > 0.5));
  }
}

const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row)]);
const y = X.map((_, row) => row % 2);
const binary = { model: () => new Wobbly(), data: [X, y] } as const;
const climbing = { model: () => new Climber(), data: [line.X, line.y], task: 'regression', epochs: 5 } as const;

describe('an executor that copies every task, event and outcome and runs four folds at once', () => {
  const both = async (
    run: RunOptions,
    adapter: () => object = () => ({}),
    cvSplitter: Splitter = new KFold({ nSplits: 6 }),
  ) => {
    const [alone, apart] = [oneAfterTheOther, cloningExecutor(4)].map((executor) =>
      new UniversalCVRunner({ cvSplitter, executor, verbose: 0, ...adapter() }).run(run),
    );
    return { alone: numbersOf(await alone), apart: numbersOf(await apart) };
  };

  it.each<[string, RunOptions, (() => object)?]>([
    ['models that draw', binary],
    ['a threshold from inner folds', { ...binary, threshold: 'youden', recalibrate: 'platt' }],
    [
      'scores that need the model',
      { ...binary, scoring: { own: (model: Wobbly, rows: unknown[]) => model.cut + rows.length } },
    ],
    ['scores of training rows, and of all rows', { ...binary, returnTrainScores: true, apparent: true }],
    ['failed folds', { ...binary, onFoldError: 'record', model: ({ index }) => (index === 1 ? 7 : new Wobbly()) }],
    [
      'early stopping and a schedule',
      {
        ...climbing,
        validation: 0.25,
        callbacks: [new EarlyStopping({ patience: 2 }), new LearningRateScheduler({ schedule: 'cosine' })],
      },
      () => ({ adapter: scriptedAdapter({ valLoss: [3, 2, 4, 4, 1] }).adapter }),
    ],
  ])('gives what one fold after the other gives: %s', async (_, run, adapter) => {
    const { alone, apart } = await both(run, adapter);
    expect(apart).toEqual(alone);
    expect(alone.outOfFold.row.length).toBeGreaterThan(0);
  });

  it('gives what one fold after the other gives: networks, with rows that they watch', async () => {
    const { X: rows, y: labels } = table(36);
    const training = { epochs: 3, batchSize: 8, optimizer: 'adam', lossFn: 'binaryCrossentropy' } as const;
    const run: RunOptions = { model: () => network(), data: [rows, labels], ...training };
    const nested = new NestedCV({ outerCv: new KFold({ nSplits: 4 }), innerCv: new KFold({ nSplits: 2 }) });
    const { alone, apart } = await both(run, undefined, nested);
    expect(apart).toEqual(alone);
    expect(alone.histories[0].epochs[0]).toHaveProperty('val_loss');
  });

  it('ends after the same fold when a callback says so, whatever else has begun', async () => {
    const stop: CVCallback = { onFoldEnd: ({ index }) => (index === 2 ? 'stop' : undefined) };
    const { alone, apart } = await both({ ...binary, callbacks: [stop] });
    expect(apart.foldsRun).toBe(3);
    expect(apart).toMatchObject({ outOfFold: alone.outOfFold, scores: alone.scores });
  });

  it('releases models of folds that do not count', async () => {
    const { adapter, deeds } = scriptedAdapter();
    const stop: CVCallback = { onFoldEnd: () => 'stop' };
    const executor = cloningExecutor(4);
    const runner = new UniversalCVRunner({ cvSplitter: new KFold(), adapter, executor, verbose: 0 });
    const { models } = await runner.run({ ...climbing, keepModels: 'memory', callbacks: [stop] });
    expect(models).toHaveLength(1);
    expect(models[0]).toBeInstanceOf(Climber);
    expect(deeds.disposed).toBe(3);
  });

  it('ends as soon as a fold fails: no further one begins, and no model stays', async () => {
    const { adapter, deeds } = scriptedAdapter();
    const begun: number[] = [];
    let fail: () => void;
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const model = async ({ index }: { index: number }) => {
      begun.push(index);
      if (index === 1) await failed;
      if (index === 2) throw new Error('no memory');
      return new Climber();
    };
    // Fold 1 goes on until its run ends: nobody waits for it before the failure is told.
    const waiting = cloningExecutor(3);
    const executor: Executor = {
      ...waiting,
      async *run(tasks, link) {
        for await (const outcome of waiting.run(tasks, link)) {
          if (outcome.status === 'completed') yield outcome;
          else {
            try {
              yield outcome;
            } finally {
              fail();
            }
          }
        }
      },
    };
    const runner = new UniversalCVRunner({ cvSplitter: new KFold(), adapter, executor, verbose: 0 });
    const options = { ...climbing, model, keepModels: 'memory' } as const;
    expect(await thrown(() => runner.run(options))).toContain('Fold fold-2 failed');
    expect(begun.sort()).toEqual([0, 1, 2]);
    expect(deeds.disposed).toBe(2);
  });
});

describe('the `executor` option', () => {
  const runnerWith = (executor: Executor) => new UniversalCVRunner({ cvSplitter: new KFold(), executor, verbose: 0 });

  it('takes an executor of the user, which is given values', async () => {
    const seen: FoldTask[] = [];
    const events: FoldEvent['type'][] = [];
    const own: Executor['run'] = async function* (tasks, { services, emit }) {
      for (const task of tasks) {
        seen.push(task);
        const noting: typeof emit = (event, control) => {
          events.push(event.type);
          return emit(event, control);
        };
        yield runFold(task, { ...services, emit: noting });
      }
    };
    const results = await runnerWith(executorOf('own', own)).run({ ...binary, threshold: 'youden' });
    expect(seen.map(({ ctx }) => ctx.fold)).toEqual(results.plan.ids);
    for (const task of seen) expect(structuredClone(task)).toEqual(task);
    expect(new Set(seen[0].inner.map(({ outer }) => outer))).toEqual(new Set(['fold-0']));
    expect(new Set(events)).toEqual(new Set(['foldStart', 'innerEnd']));
  });

  it('refuses outcomes that are none, come twice, or are missing', async () => {
    const wrong = (run: unknown) => thrown(() => runnerWith(executorOf('lazy', run)).run(binary));
    const giving = (...outcomes: unknown[]) =>
      async function* () {
        yield* outcomes;
      };
    const twice: Executor['run'] = async function* (tasks, { services, emit }) {
      for (const task of tasks) {
        const outcome = await runFold(task, { ...services, emit });
        yield* [outcome, outcome];
      }
    };
    for (const [run, got] of [
      [giving(), 'none for tasks that it did not take'],
      [giving(7), '7'],
      [() => undefined, 'undefined'],
      [twice, 'fold-0 twice'],
    ] as const) {
      const text = await wrong(run);
      expect(text).toContain("AdapterError (invalid_executor): The executor 'lazy' must");
      expect(text).toContain(`Got ${got}`);
    }
    expect(await wrong(() => Promise.resolve([]))).toContain('AdapterError (asynchronous)');
  });
});

describe('outcomes that an executor sends to and fro', () => {
  type Sent = { [part: string]: Sent };
  const sending = (change: (outcome: Sent) => unknown) =>
    executorOf('sending', async function* (...[tasks, { services, emit }]: Parameters<Executor['run']>) {
      for (const task of tasks) {
        const changed = change(structuredClone(await runFold(task, { ...services, emit })) as unknown as Sent);
        for (const each of Array.isArray(changed) ? changed : [changed]) yield each;
      }
    });
  const asLists = (value: unknown): unknown =>
    ArrayBuffer.isView(value)
      ? Array.from(value as Int32Array)
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asLists(each)]))
        : value;
  const through = (change: (outcome: Sent) => unknown, run: RunOptions = adjusted) =>
    new UniversalCVRunner({ cvSplitter: new KFold(), executor: sending(change), verbose: 0 }).run(run);
  const ownScore = (model: Wobbly, rows: unknown[]) => model.cut + rows.length;
  const plain: RunOptions = { ...binary, scoring: { own: ownScore, accuracy: 'accuracy' }, returnTrainScores: true };
  const adjusted: RunOptions = { ...binary, threshold: 'youden' };

  const half = { fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 0.5) };
  const numeric: RunOptions = { model: () => ({ ...half }), data: [X, y], task: 'regression' };

  it('takes lists for typed arrays, fields of others, and nothing that it knows already', async () => {
    for (const run of [
      plain,
      adjusted,
      { ...binary, onFoldError: 'record', model: ({ index }) => (index === 1 ? {} : new Wobbly()) } as RunOptions,
    ]) {
      const alone = numbersOf(await new UniversalCVRunner({ cvSplitter: new KFold(), verbose: 0 }).run(run));
      const other = (outcome: Sent) => {
        const { task: _, classes: __, weight: ___, ...table } = (outcome.table ?? {}) as Sent;
        const ctx = { fold: outcome.ctx.fold };
        return { ...outcome, ctx, host: 'node-3', ...(outcome.table ? { table: { ...table, length: 3 } } : {}) };
      };
      const { folds } = await through(other, run);
      for (const fold of folds) expect(fold).not.toHaveProperty('host');
      for (const change of [asLists, (given: Sent) => JSON.parse(JSON.stringify(asLists(given))), other]) {
        expect(numbersOf(await through(change as typeof other, run))).toEqual(alone);
      }
    }
  });

  const without = (o: Sent, part: string) => Object.fromEntries(Object.entries(o).filter(([name]) => name !== part));
  const inTable = (table: string, part: string, change: (values: number[]) => unknown) => (outcome: Sent) => ({
    ...outcome,
    [table]: { ...outcome[table], [part]: change(Array.from(outcome[table][part] as unknown as number[])) },
  });
  const shorter = (values: number[]) => values.slice(1);
  const PARTS = 'table raw adjustment history decisions labels secondsOf seconds fits left ctx'.split(' ');
  it.each<[string, (outcome: Sent) => unknown, RunOptions?]>([
    ['JSON', (outcome) => JSON.parse(JSON.stringify(outcome))],
    ['JSON of a regression', (outcome) => JSON.parse(JSON.stringify(outcome)), numeric],
    ['yPred that is short', inTable('table', 'yPred', shorter)],
    ['yProba that is short', inTable('table', 'yProba', shorter)],
    ['yProba of null', inTable('table', 'yProba', (values) => values.map(() => null))],
    ['yPred of texts', inTable('table', 'yPred', (values) => values.map(String))],
    ['a code of no class', inTable('table', 'yPred', (values) => values.map(() => 2))],
    ['rows in another order', inTable('table', 'yTrue', (values) => values.toReversed())],
    ['raw predictions that are short', inTable('raw', 'yPred', shorter)],
    ['training rows that are short', inTable('trainTable', 'yProba', shorter), plain],
    ['no adjustment', (outcome) => ({ ...outcome, adjustment: null })],
    ['another fold', (outcome) => ({ ...outcome, ctx: { ...outcome.ctx, fold: 'x' } })],
    ['a fold twice', (outcome) => [outcome, outcome]],
    ['another status', (outcome) => ({ ...outcome, status: 'done' })],
    ['a history of its own', (outcome) => ({ ...outcome, history: { epochs: [{ loss: null }] } })],
    ['an error without its record', ({ ctx }) => ({ ctx, status: 'failed', error: new Error('lost') })],
    ...PARTS.map((part): [string, (outcome: Sent) => unknown] => [`no ${part}`, (outcome) => without(outcome, part)]),
    ...['trainTable', 'modelScores', 'trainModelScores'].map(
      (part): [string, (outcome: Sent) => unknown, RunOptions] => [`no ${part}`, (o) => without(o, part), plain],
    ),
  ])('refuses %s', async (_, change, run) => {
    const refused = await through(change, run).catch((error) => error);
    expect([refused.name, refused.code]).toEqual(['AdapterError', 'invalid_executor']);
    expect(refused.message).toContain("'sending'");
  });
});

describe('an executor that throws', () => {
  const failing = async (run: unknown, options: object = {}) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), executor: executorOf('own', run), verbose: 0 })
      .run({ ...binary, ...options })
      .catch((error: unknown) => error as Error & { code: string });

  it.each([new Error('x'), new TypeError('y'), { name: 'AbortError' }, 'a text', 7, null, undefined])(
    'is told as its fault, with the cause: %s',
    async (cause) => {
      const atFirst = () => {
        throw cause;
      };
      const later = async function* (...[tasks, { services, emit }]: Parameters<Executor['run']>) {
        for (const task of tasks) {
          yield runFold(task, { ...services, emit });
          throw cause;
        }
      };
      const broken = { [Symbol.asyncIterator]: atFirst };
      const inNext = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }) };
      const atTheEnd = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return: atFirst }) };
      for (const run of [atFirst, later, () => broken, () => inNext]) {
        const error = await failing(run);
        expect(error).toMatchObject({ name: 'AdapterError', code: 'invalid_executor' });
        expect((error as Error).cause ?? null).toBe(cause ?? null);
      }
      expect(await failing(() => atTheEnd)).toMatchObject({ name: 'AdapterError', code: 'invalid_executor' });
    },
  );

  it('lets errors of cvkit and the reason of the signal pass', async () => {
    const known = new InvalidDataError('A sentence.');
    const rejects = (error: unknown) => () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
    });
    expect(await failing(rejects(known))).toBe(known);
    const aborted = new AbortController();
    const whileAborted = async function* () {
      aborted.abort(new Error('enough'));
      yield* [];
      throw new Error('the queue is closed');
    };
    expect(await failing(whileAborted, { signal: aborted.signal })).toMatchObject({ code: 'aborted' });
  });
});

describe('Math.random inside an adapter of the caller', () => {
  /** Draws in every method, before and after it waits. */
  const drawing = (drawn: Map<string, number[]>): FrameworkAdapter<{ fold: string }> => {
    const draw = async (fold: string) => {
      const all = drawn.get(fold) ?? [];
      drawn.set(fold, all);
      all.push(Math.random());
      await new Promise((resolve) => setTimeout(resolve, 1));
      all.push(Math.random());
    };
    return {
      name: 'drawing',
      capabilities: { trains: true, epochs: true, probabilities: false, saves: false },
      matches: () => true,
      async build(source, ctx) {
        const model = await (source as (ctx: FoldContext) => { fold: string })(ctx);
        await draw(model.fold);
        return model;
      },
      async fit({ fold }, _train, _options, hooks) {
        await draw(fold);
        await hooks.onEpochStart(0);
        await hooks.onEpochEnd(0, { loss: 1 });
        await draw(fold);
        return { epochs: [{ loss: 1 }] };
      },
      async predict({ fold }, rows) {
        await draw(fold);
        return { values: Array.from({ length: rows.length }, () => 1) };
      },
    };
  };
  const drawnIn = async (executor: Executor, hooks: number[] = []) => {
    const drawn = new Map<string, number[]>();
    const onEpochStart = () => void hooks.push(Math.random());
    const parts = { cvSplitter: new KFold({ nSplits: 4 }), adapter: drawing(drawn), executor, verbose: 0 };
    const model = ({ fold }: FoldContext) => ({ fold });
    const run = { model, data: [X, y] as RunOptions['data'], metrics: ['accuracy'], callbacks: { onEpochStart } };
    await new UniversalCVRunner(parts).run(run);
    return Object.fromEntries([...drawn].sort());
  };

  it('is that of the fold in build, fit and predict, also where folds run at once; hooks have their own', async () => {
    const hooks: number[] = [];
    const first = await drawnIn(oneAfterTheOther, hooks);
    expect(new Set(Object.values(first).flat()).size).toBeGreaterThanOrEqual(4 * 8);
    expect(await drawnIn(oneAfterTheOther, hooks)).toEqual(first);
    expect(await drawnIn(cloningExecutor(4))).toEqual(first);
    expect(new Set(hooks).size).toBe(8);
  });
});
