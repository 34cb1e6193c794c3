import { afterEach, describe, expect, it, vi } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { AdapterError, CVKitError, type FoldError } from '../../src/core/errors.js';
import { randomSource } from '../../src/core/random.js';
import type { CVCallback } from '../../src/runner/callback.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { failure } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { foldsAtOnce, oneByOne } from '../helpers/oneByOne.js';
import { throwing } from '../helpers/thrown.js';

const realRandom = Math.random;
afterEach(() => expect(Math.random).toBe(realRandom));

const { X, y } = blobs();
const make = (replace = {}, splitter = new KFold({ nSplits: 4 })) => {
  const { adapter, spy } = spyAdapter(replace);
  return { runner: new UniversalCVRunner({ cvSplitter: splitter, adapter, verbose: 0 }), spy };
};
const base = { model: () => new NearestMean(), data: [X, y] as [number[][], number[]] };

/** The hooks as they are called, one word each. */
function recorder(log: string[], answers: Partial<CVCallback> = {}): CVCallback {
  return {
    name: 'recorder',
    onCvStart: () => void log.push('cvStart'),
    onFoldStart: ({ index }) => void log.push(`foldStart ${index}`),
    onEpochStart: ({ index, epoch }) => void log.push(`epochStart ${index}.${epoch}`),
    onEpochEnd: ({ index, epoch }) => void log.push(`epochEnd ${index}.${epoch}`),
    onFoldEnd: ({ index }) => void log.push(`foldEnd ${index}`),
    onCvEnd: () => void log.push('cvEnd'),
    teardown: () => void log.push('teardown'),
    ...answers,
  };
}

const GOLDEN_ORDER = [
  'cvStart',
  ...[0, 1].flatMap((fold) => [
    `foldStart ${fold}`,
    ...[0, 1].flatMap((epoch) => [`epochStart ${fold}.${epoch}`, `epochEnd ${fold}.${epoch}`]),
    `foldEnd ${fold}`,
  ]),
  'cvEnd',
  'teardown',
];

/** Where folds go on at once, the moments of each keep their order: one fold after the other. */
const byFold = (log: readonly string[]) => {
  const foldOf = (moment: string) => Number(moment.match(/ (\d)/)?.[1] ?? (moment === 'cvStart' ? -1 : 9));
  return foldsAtOnce ? [...log].sort((a, b) => foldOf(a) - foldOf(b)) : log;
};

describe('UniversalCVRunner.run', () => {
  it('tests every row once and never trains on it', async () => {
    const { runner, spy } = make();
    const results = await runner.run(base);
    expect(Array.from(results.outOfFold.row).sort((a, b) => a - b)).toEqual(X.map((_, i) => i));
    results.indices.forEach(({ test }, fold) => {
      for (const row of test) expect(spy.trainedOn[fold]).not.toContain(row);
    });
    expect(results.outOfFold.yTrue).toEqual(Array.from(results.outOfFold.row, (row) => y[row]));
  });

  oneByOne('builds, disposes and closes once per fold and run', async () => {
    const { runner, spy } = make();
    const model = vi.fn(base.model);
    await runner.run({ ...base, model });
    expect(model).toHaveBeenCalledTimes(4);
    // The second model also predicts test rows of the first fold: would a model that does not learn give the same?
    expect(spy).toMatchObject({ built: 4, disposed: 4, predicted: 5, closed: 2 });
  });

  it('gives a fold alone what it gives inside a run', async () => {
    const whole = await make().runner.run(base);
    const alone = await make().runner.run({ ...base, folds: [2] });
    expect(alone.foldDetails).toHaveLength(1);
    expect(alone.foldDetails[0]).toMatchObject({ fold: 'fold-2', seed: whole.foldDetails[2].seed });
    expect(alone.probabilities[0]).toEqual(whole.probabilities[2]);
    const byId = await make().runner.run({ ...base, folds: ['fold-2'] });
    expect(byId.probabilities).toEqual(alone.probabilities);
  });

  it('seeds Math.random of factories by fold, so unseeded weights are reproducible', async () => {
    const draws = async (folds?: number[]) => {
      const seen: number[] = [];
      const model = async () => {
        await Promise.resolve();
        seen.push(Math.random());
        return new NearestMean();
      };
      await make().runner.run({ ...base, folds, model });
      return seen;
    };
    const whole = await draws();
    expect(new Set(whole).size).toBe(4);
    expect(await draws()).toEqual(whole);
    expect(await draws([3])).toEqual([whole[3]]);
  });

  it('leaves what the caller passed as it was', async () => {
    const before = structuredClone({ X, y });
    Object.freeze(X);
    for (const row of X) Object.freeze(row);
    await make().runner.run({ ...base, data: [X, Object.freeze([...y]) as number[]] });
    expect({ X, y }).toEqual(before);
  });

  it('takes data as an object with groups and weights', async () => {
    const groups = y.map((_, i) => `p${i % 10}`);
    const sampleWeight = y.map(() => 2);
    const results = await make().runner.run({ ...base, data: { X, y, groups, sampleWeight } });
    expect(results.metadata.nGroups).toBe(10);
    expect(results.outOfFold.group?.[0]).toBe('p0');
    expect(results.outOfFold.weight?.[0]).toBe(2);
  });

  it('cuts validation rows from the training rows, whole groups', async () => {
    const groups = y.map((_, i) => Math.floor(i / 2));
    const { runner, spy } = make();
    const results = await runner.run({ ...base, groups, validation: 0.25 });
    spy.trainedOn.forEach((trained, fold) => {
      const validated = spy.validatedOn[fold];
      const tested = Array.from(results.indices[fold].test);
      expect([...trained, ...validated, ...tested].sort((a, b) => a - b)).toEqual(y.map((_, i) => i));
      const inTraining = new Set(trained.map((row) => groups[row]));
      expect(validated.some((row) => inTraining.has(groups[row]))).toBe(false);
    });
  });

  it('recomputes every score from the out-of-fold table', async () => {
    const { outOfFold, scores } = await make().runner.run({ ...base, metrics: ['accuracy'] });
    scores.accuracy.forEach(({ value }, fold) => {
      const rows = outOfFold.yTrue.filter((_, i) => outOfFold.fold[i] === fold);
      const hits = outOfFold.yTrue.filter((truth, i) => outOfFold.fold[i] === fold && truth === outOfFold.yPred[i]);
      expect(value).toBe(hits.length / rows.length);
    });
  });

  it('scores with functions of the table and of the model, and marks the latter', async () => {
    const results = await make().runner.run({
      ...base,
      scoring: {
        acc: 'accuracy',
        rows: (table) => table.length,
        fits: (model, rows, labels) => model.fits + rows.length - labels.length,
      },
    });
    expect(Object.keys(results.scores)).toEqual(['acc', 'rows', 'fits']);
    expect(results.meanScores.rows).toBe(10);
    expect(results.meanScores.fits).toBe(1);
    expect(results.metadata.notRecomputable).toEqual(['fits']);
  });

  it('keeps models only when asked', async () => {
    expect((await make().runner.run(base)).models).toEqual([null, null, null, null]);
    const { runner, spy } = make();
    const kept = await runner.run({ ...base, keepModels: 'memory' });
    expect(kept.models.every((model) => model instanceof NearestMean)).toBe(true);
    expect(spy.disposed).toBe(0);
  });

  it('makes a plain JSON result and a summary that states the task and why', async () => {
    const results = await make().runner.run({ ...base, metrics: ['accuracy'] });
    expect(JSON.parse(JSON.stringify(results)).outOfFold.row).toHaveLength(40);
    expect(results.summary()).toContain('Task    binary: y has 2 distinct integers; positive class 1');
    expect(results.summary()).toContain('4 of 4');
  });
});

describe('callbacks and events', () => {
  it('are known by name, and listened to by functions', () => {
    const runner = new UniversalCVRunner({ cvSplitter: new KFold() }) as unknown as Record<
      'on' | 'once' | 'addListener',
      (event: unknown, listener: unknown) => unknown
    >;
    for (const method of ['on', 'once', 'addListener'] as const) {
      expect(failure(() => runner[method]('fold_end', () => undefined))).toMatch(
        /unknown_event.*'fold_end'.*'fold:end'/,
      );
      expect(failure(() => runner[method]('progress', null))).toMatch(/invalid_option.*'progress'/);
      expect(() => runner[method](Symbol('x'), () => undefined)).toThrow('has no event Symbol(x). Known: check:start,');
      expect(runner[method]('progress', () => undefined)).toBe(runner);
    }
  });

  it('come in the golden order for 2 folds x 2 epochs, events as well', async () => {
    const log: string[] = [];
    const events: string[] = [];
    const { runner } = make({}, new KFold({ nSplits: 2 }));
    runner.on('cv:start', () => events.push('cvStart'));
    runner.on('fold:start', ({ index }) => events.push(`foldStart ${index}`));
    runner.on('epoch:start', ({ index, epoch }) => events.push(`epochStart ${index}.${epoch}`));
    runner.on('epoch:end', ({ index, epoch }) => events.push(`epochEnd ${index}.${epoch}`));
    runner.on('fold:end', ({ index }) => events.push(`foldEnd ${index}`));
    runner.on('cv:end', () => events.push('cvEnd'));
    await runner.run({ ...base, epochs: 2, callbacks: [recorder(log)] });
    expect(byFold(log)).toEqual(GOLDEN_ORDER);
    expect(byFold(events)).toEqual(GOLDEN_ORDER.slice(0, -1));
  });

  it('that watch a log serve runs that go on at once, each fold with a count of its own', async () => {
    const early = new EarlyStopping({ monitor: 'loss', patience: 2, minDelta: 100 });
    const run = () => make().runner.run({ ...base, epochs: 6, callbacks: [early] });
    const alone = await run();
    for (const { histories, foldDetails } of await Promise.all([run(), run()])) {
      expect(histories).toEqual(alone.histories);
      expect(foldDetails.map(({ stoppedEarly }) => stoppedEarly)).toEqual([true, true, true, true]);
    }
  });

  it('may come alone, and with hooks in snake_case', async () => {
    const log: string[] = [];
    const snake = {
      on_cv_start: () => void log.push('cvStart'),
      on_fold_start: ({ index }: { index: number }) => void log.push(`foldStart ${index}`),
      on_epoch_end: ({ epoch }: { epoch: number }) => {
        log.push(`epochEnd ${epoch}`);
        return 'stop' as const;
      },
      teardown: () => void log.push('teardown'),
    };
    await make().runner.run({ ...base, folds: [0], epochs: 3, callbacks: snake as CVCallback });
    expect(log).toEqual(['cvStart', 'foldStart 0', 'epochEnd 0', 'teardown']);
  });

  it('report progress that only grows and ends at 1', async () => {
    const { runner } = make();
    const shares: number[] = [];
    runner.on('progress', ({ share }) => shares.push(share));
    await runner.run({ ...base, epochs: 3 });
    expect([...shares].sort((a, b) => a - b)).toEqual(shares);
    expect(shares.at(-1)).toBe(1);
  });

  it('stop an epoch and a run when they say so', async () => {
    const { runner } = make();
    const stopping = recorder([], {
      onEpochEnd: ({ epoch }) => (epoch === 1 ? 'stop' : undefined),
      onFoldEnd: ({ index }) => (index === 1 ? 'stop' : undefined),
    });
    const results = await runner.run({ ...base, epochs: 5, callbacks: [stopping] });
    const stopped = { epochs: 2, stoppedEarly: true };
    expect(results.foldDetails).toMatchObject([stopped, stopped]);
    expect(results.metadata).toMatchObject({ stopped: true, foldsRun: 2, nSplits: 4 });
    expect(results.summary()).toContain('2 of 4 folds, ended by a callback');
  });

  it.each(['onCvStart', 'onFoldStart', 'onEpochStart', 'onEpochEnd', 'onFoldEnd', 'onCvEnd', 'teardown'] as const)(
    'a throw in %s fails the run, names callback and hook, and reaches every teardown once',
    async (hook) => {
      const log: string[] = [];
      const { runner, spy } = make();
      const bad: CVCallback = { name: 'bad one', [hook]: throwing('boom') };
      const model = vi.fn(base.model);
      const run = runner.run({ ...base, model, onFoldError: 'record', callbacks: [bad, recorder(log)] });
      await expect(run).rejects.toThrow(`The ${hook} hook of the callback bad one must not throw. Got: boom`);
      await expect(run).rejects.toMatchObject({ code: 'callback' });
      expect(log.filter((each) => each === 'teardown')).toHaveLength(1);
      expect(spy.disposed).toBe(model.mock.calls.length);
    },
  );
});

describe('what a caller does', () => {
  it('to anything that scorers, hooks and listeners are given reaches no score and no result', async () => {
    /** Writes to everything that can be reached; what is frozen throws. */
    const spoil = (value: unknown, seen = new Set<unknown>()): void => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return;
      seen.add(value);
      if (ArrayBuffer.isView(value)) {
        (value as Float64Array).fill(0);
        return;
      }
      for (const key of Reflect.ownKeys(value)) {
        const part = Object.getOwnPropertyDescriptor(value, key)?.get ? undefined : Reflect.get(value, key);
        if (typeof part === 'function') continue;
        spoil(part, seen);
        if (key !== 'length' && ['number', 'string'].includes(typeof part)) Reflect.set(value, key, 'spoilt');
      }
      if (Array.isArray(value)) Reflect.set(value, 'length', 0);
    };
    const groups = X.map((_, row) => `p${row >> 1}`);
    const own = { ...base, data: { X, y, groups: [...groups] }, epochs: 2, validation: 0.25, returnTrainScores: true };
    const plain = await make().runner.run({ ...own, scoring: { own: () => 1, accuracy: 'accuracy' } });
    const { runner } = make();
    const moments = ['cv:start', 'fold:start', 'epoch:start', 'epoch:end', 'fold:end', 'cv:end', 'progress'] as const;
    for (const moment of moments) runner.on(moment, (...given: unknown[]) => spoil(given));
    const hooks = ['onFoldStart', 'onEpochStart', 'onEpochEnd', 'onFoldEnd', 'onCvEnd'];
    const spoiler = Object.fromEntries(hooks.map((hook) => [hook, (...given: unknown[]) => spoil(given)]));
    const onCvStart: CVCallback['onCvStart'] = (run) => {
      for (const fold of run.folds) fold.test.fill(0);
      run.y.codes.fill(0);
      spoil(run);
    };
    const scoring = { own: (table: unknown) => Number(spoil(table) === undefined), accuracy: 'accuracy' };
    const spoilt = await runner.run({ ...own, scoring, callbacks: [{ ...spoiler, onCvStart }] });
    const partsOf = (results: typeof plain) => {
      const { scores, meanScores, trainScores, outOfFold, probabilities, histories, indices, foldDetails } = results;
      // The callbacks are among the options.
      const metadata = { ...results.metadata, startedAt: '', seconds: 0, options: {} };
      const details = foldDetails.map(({ seconds, secondsOf, ...rest }) => rest);
      return { scores, meanScores, trainScores, outOfFold, probabilities, histories, indices, metadata, details };
    };
    expect(partsOf(spoilt)).toEqual(partsOf(plain));
    expect(own.data.groups).toEqual(groups);
  });

  it('to a result in one callback is not seen by the next', async () => {
    const seen: number[] = [];
    const reading = (read: (p: Float64Array) => unknown): CVCallback => ({
      onFoldEnd: (_ctx, result) => void (result.status === 'completed' && read(result.table.yProba as Float64Array)),
    });
    const callbacks = [reading((p) => p.fill(0)), reading(([first]) => seen.push(first))];
    await make().runner.run({ ...base, folds: [0], callbacks });
    expect(seen[0]).toBeGreaterThan(0);
  });

  it('with an instance is asked for predictions first, and every fold starts from its state at the call', async () => {
    const { runner, spy } = make();
    const results = await runner.run({ ...base, model: new NearestMean() });
    expect(results.metadata.warnings).toEqual([]);
    // One copy for the run, one that is asked before any fit, and one for each fold.
    expect([spy.built, spy.disposed]).toEqual([6, 6]);
  });
});

describe('failure policy', () => {
  it('keeps the first error when cleaning up fails, too', async () => {
    const { runner } = make({ fit: throwing('the real failure'), dispose: throwing('dispose broke') });
    const callbacks = [{ name: 'bad', teardown: throwing('teardown broke') }];
    const error = await runner.run({ ...base, callbacks }).catch((thrown) => thrown);
    expect(error.message).toBe('Fold fold-0 failed: the real failure');
    expect(error.suppressed).toHaveLength(1);
    expect(error.cause.suppressed[0].message).toBe(
      "`dispose` of the adapter 'spy' must free the model. It threw: dispose broke",
    );
  });

  it('releases kept models when a callback fails after the last fold', async () => {
    for (const hook of ['onCvEnd', 'teardown']) {
      const { runner, spy } = make();
      const callbacks = [{ [hook]: () => Promise.reject(new Error('boom')) }];
      await expect(runner.run({ ...base, keepModels: 'memory', callbacks })).rejects.toThrow('boom');
      expect(spy.disposed).toBe(4);
    }
  });

  it('a training fold of one class fails, since a score of it would look like a result', async () => {
    const sorted = [...y].sort();
    const { runner } = make({}, new KFold({ nSplits: 2 }));
    await expect(runner.run({ ...base, data: [X, sorted] })).rejects.toMatchObject({
      code: 'one_class',
      message: 'Fold fold-0 failed: The training rows must hold at least two classes. Got only 1 in all 20.',
    });
  });

  const broken = "Fold fold-1 failed: `predict` of the adapter 'spy' must give predictions. It threw: out of memory";
  const failing = () => {
    let calls = 0;
    return {
      predict: async (_model: unknown, { length }: { length: number }) => {
        if (calls++ === 1) throw new Error('out of memory');
        return { values: new Array(length).fill(1) };
      },
    };
  };

  it("'throw' names the fold and keeps the cause", async () => {
    const { runner, spy } = make(failing());
    const error = await runner.run(base).catch((thrown: FoldError) => thrown);
    expect(error).toMatchObject({ name: 'FoldError', foldId: 'fold-1', message: broken });
    expect((error as FoldError).cause).toBeInstanceOf(Error);
    expect(spy.disposed).toBe(spy.built);
  });

  oneByOne("'record' shows the failed fold and never averages it away", async () => {
    const { runner } = make(failing());
    const results = await runner.run({ ...base, metrics: ['accuracy'], onFoldError: 'record' });
    expect(results.scores.accuracy[1]).toEqual({
      value: null,
      reason: `fold failed: ${broken}`,
    });
    expect(results.foldDetails[1]).toMatchObject({ status: 'failed', error: broken });
    expect(results.metadata.foldsFailed).toBe(1);
    expect(results.outOfFold.row).toHaveLength(30);
    expect(results.summary()).toContain('FAILED  1 of 4 folds, in no score');
    expect(results.summary()).toContain('3 of 4');
  });

  oneByOne('an abort rejects with the reason of the signal, whatever the policy, and releases the model', async () => {
    const controller = new AbortController();
    const { runner, spy } = make();
    const run = runner.run({
      ...base,
      epochs: 5,
      signal: controller.signal,
      onFoldError: 'record',
      callbacks: [{ onEpochEnd: ({ index, epoch }) => void (index === 1 && epoch === 2 && controller.abort()) }],
    });
    await expect(run).rejects.toMatchObject({ name: 'AbortError' });
    expect(spy.disposed).toBe(spy.built);
    expect(spy.built).toBe(2);
  });

  it('a wrong option ends the run, whatever the policy', async () => {
    const { runner } = make();
    const validation = { splitter: new KFold({ shuffle: true, randomState: randomSource(1) }) };
    const run = runner.run({ ...base, validation, onFoldError: 'record' });
    await expect(run).rejects.toMatchObject({ code: 'invalid_option' });
  });

  it('an engine that broke down ends the run, whatever the policy', async () => {
    const broken = new AdapterError('The backend must be intact. Got one that broke down.', { code: 'backend_lost' });
    const { runner, spy } = make({ fit: () => Promise.reject(broken) });
    await expect(runner.run({ ...base, onFoldError: 'record' })).rejects.toStrictEqual(broken);
    expect(spy.disposed).toBe(spy.built);
    if (!foldsAtOnce) expect(spy.built).toBe(1);
  });

  oneByOne('releases kept models when a later fold fails', async () => {
    const { runner, spy } = make(failing());
    await expect(runner.run({ ...base, keepModels: 'memory' })).rejects.toBeInstanceOf(CVKitError);
    expect(spy.disposed).toBe(2);
  });
});
