import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CVCallback, CVResults, RunnerOptions, RunOptions } from '../../src/index.js';
import { concurrently } from '../../src/runner/foldExecutor.js';
import { fixturePath } from '../adapters/onnx/fixtures.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { hasTfjsNode } from '../helpers/tfjsNode.js';
import { DIST, needDist } from '../meta/dist.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');
let two: ReturnType<typeof node.threads>;

beforeAll(async () => {
  needDist();
  cvkit = await built('index.js');
  node = await built('node.js');
  two = node.threads({ workers: 2 });
});
afterAll(() => two?.close());

const { folder, write } = tempFolder();
const model = (name: string) => new URL(`./models/${name}`, import.meta.url);
const own = (name: string, kwArgs?: Readonly<Record<string, unknown>>) => ({
  module: model('functions.mjs'),
  export: name,
  ...(kwArgs ? { kwArgs } : {}),
});
const n = 60;
const X = Array.from({ length: n }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row), (row % 7) / 7]);
const y = X.map((_, row) => Number(row % 2 === 0 ? row % 5 === 0 : row % 3 !== 0));

const run = (options: RunOptions, runner: Partial<RunnerOptions> = {}) =>
  new cvkit.UniversalCVRunner({
    cvSplitter: new cvkit.StratifiedKFold({ nSplits: 4, shuffle: true }),
    verbose: 0,
    executor: two,
    ...runner,
  }).run(options);

const thrownBy = (work: () => Promise<unknown>): Promise<Error & { code?: string }> =>
  work().then(
    () => expect.unreachable(),
    (error) => error,
  );

/** A module of the built package, as users import it. */
const built = <T>(name: string): Promise<T> => import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', name)).href);
type Preprocessing = typeof import('../../src/preprocessing/index.js');
type Stats = typeof import('../../src/stats/index.js');

/** All that a run gave but for the time it took. */
const numbersOf = (results: CVResults) =>
  JSON.parse(
    JSON.stringify(results.toJSON({ ids: 'raw' }), (key, value) =>
      ['seconds', 'secondsOf', 'startedAt', 'finishedAt', 'date'].includes(key) ? undefined : value,
    ),
  );

describe('threads', () => {
  it('prepare rows as this thread does, and refuse what cannot be told to them', async () => {
    const { FunctionTransformer, SMOTE, StandardScaler, tabular } = await built<Preprocessing>('preprocessing.js');
    const records = X.map(([a, b], row) => ({ a: row % 7 === 0 ? null : a, b, word: row % 2 ? 'yes' : 'no' }));
    const data: RunOptions['data'] = [records, y];
    const prepared = { model: model('centroid.mjs'), data, preprocessing: [tabular(), new SMOTE()] };
    const apart = await run(prepared);
    expect(numbersOf(apart)).toEqual(numbersOf(await run(prepared, { executor: 'inline' })));
    const inputs = { a: X.map(([a]) => [a]), b: X.map(([, b]) => [100 * b]) };
    const byInput = { ...prepared, data: { X: inputs, y }, preprocessing: { b: [new StandardScaler()] } };
    const scaled = await run(byInput);
    expect(numbersOf(scaled)).toEqual(numbersOf(await run(byInput, { executor: 'inline' })));
    expect(scaled.outOfFold.yProba).not.toEqual((await run({ ...byInput, preprocessing: undefined })).outOfFold.yProba);
    const byModule = new FunctionTransformer({ module: model('steps.mjs'), export: 'withRatio', kwArgs: { plus: 2 } });
    const named = { ...prepared, preprocessing: [tabular(), byModule] };
    const ratios = await run(named);
    expect(numbersOf(ratios)).toEqual(numbersOf(await run(named, { executor: 'inline' })));
    expect(ratios.outOfFold.yProba).not.toEqual(apart.outOfFold.yProba);
    expect(ratios.metadata.preprocessing?.steps).toBe('tabular(), FunctionTransformer(withRatio)');
    const own = { ...prepared, preprocessing: [new FunctionTransformer((rows: unknown[]) => rows)] };
    expect(await thrownBy(() => run(own))).toMatchObject({
      code: 'bound_to_thread',
      message: expect.stringMatching(/`preprocessing`.*'threads'/),
    });
  });

  it('train a Pipeline with a model at its end as this thread does', async () => {
    for (const name of ['pipeline.mjs', 'exported.mjs']) {
      const options: RunOptions = { model: model(name), data: [X, y] };
      const apart = await run(options);
      expect(numbersOf(apart)).toEqual(numbersOf(await run(options, { executor: 'inline' })));
      expect(apart.metadata.preprocessing?.steps).toBe('StandardScaler');
    }
  });

  it('prepare rows by the parameters of a trial as this thread does', async () => {
    const { tabular, PCA } = await built<Preprocessing>('preprocessing.js');
    const params = { tabular__numeric__simpleimputer__strategy: 'mean', tabular__maxLevels: 5, pca__nComponents: 2 };
    /** What a search does: the folds of a trial are tasks with its parameters. */
    const trial: typeof two = {
      ...two,
      run: (tasks, link) =>
        two.run(
          Array.from(tasks, (task) => ({ ...task, ctx: { ...task.ctx, params } })),
          link,
        ),
    };
    const records = X.map(([a, b], row) => ({ a: row % 7 === 0 ? null : a, b, word: row % 2 ? 'yes' : 'no' }));
    const options: RunOptions = { model: model('centroid.mjs'), data: [records, y] };
    const apart = await run({ ...options, preprocessing: [tabular(), new PCA()] }, { executor: trial });
    const changed = tabular({ maxLevels: 5 }).withParams({ numeric__simpleimputer__strategy: 'mean' });
    const here = await run(
      { ...options, preprocessing: [changed, new PCA({ nComponents: 2 })] },
      { executor: 'inline' },
    );
    expect(apart.outOfFold.yProba).toEqual(here.outOfFold.yProba);
    const plain = await run({ ...options, preprocessing: [tabular(), new PCA()] });
    expect(plain.outOfFold.yProba).not.toEqual(apart.outOfFold.yProba);
  });

  it('compute ONNX models and embeddings as this thread does', async () => {
    const onnx = await built<typeof import('../../adapters/onnx/index.js')>('adapters/onnx.js');
    const four = X.map((row) => [...row, 0.5]);
    const frozen: RunOptions = { model: fixturePath('sigmoid'), data: [four, y] };
    const engine = { adapterOptions: { gives: 'probabilities' } };
    const apart = await run(frozen, engine);
    expect(numbersOf(apart)).toEqual(numbersOf(await run(frozen, { ...engine, executor: 'inline' })));
    const embedded = () => ({
      model: model('centroid.mjs'),
      data: [four, y] as RunOptions['data'],
      preprocessing: new onnx.OnnxEmbedding(fixturePath('logits')),
    });
    expect(numbersOf(await run(embedded()))).toEqual(numbersOf(await run(embedded(), { executor: 'inline' })));
  });

  const text = X.map(([first, ...others], row) => ({ first, word: ['a', 'bb', 'ccc'][row % 3], last: others[1] }));
  it.each<[string, () => RunOptions, (() => Partial<RunnerOptions>)?]>([
    ['models that draw, with a cut-off of their own', () => ({ model: model('centroid.mjs'), data: [X, y] })],
    ['records with text', () => ({ model: model('centroid.mjs'), data: [text, y] })],
    [
      'columns, missing cells, text labels and groups',
      () => ({
        model: model('centroid.mjs'),
        positiveLabel: 'yes',
        data: {
          X: { a: X.map(([a], row) => (row % 9 === 0 ? null : a)), b: Float32Array.from(X, ([, b]) => b) },
          y: y.map((value) => (value ? 'yes' : 'no')),
          groups: X.map((_, row) => `p${row % 20}`),
        },
      }),
      () => ({ cvSplitter: new cvkit.GroupKFold({ nSplits: 4 }) }),
    ],
    [
      'a threshold from inner folds, scores of training rows and of all rows',
      () => ({
        model: model('centroid.mjs'),
        data: [X, y],
        threshold: 'youden',
        recalibrate: 'platt',
        returnTrainScores: true,
        apparent: true,
      }),
    ],
    ['three classes', () => ({ model: model('centroid.mjs'), data: [X, X.map((_, row) => 'abc'[row % 3])] })],
    [
      'a regression',
      () => ({ model: model('line.mjs'), data: [X, X.map(([a, b]) => a + b)] }),
      () => ({ cvSplitter: new cvkit.KFold({ nSplits: 4 }) }),
    ],
    [
      'one row per fold',
      () => ({ model: model('centroid.mjs'), data: [X, y] }),
      () => ({ cvSplitter: new cvkit.LOOCV() }),
    ],
    ['a model of a library of its own', () => ({ model: model('ownAdapter.mjs'), data: [X, y] })],
    [
      'networks that stop early',
      () => ({
        model: model('network.mjs'),
        data: [{ data: Float32Array.from(X.flat()), shape: [n, 3] }, y],
        epochs: 6,
        batchSize: 8,
        validation: 0.25,
        callbacks: [
          new cvkit.EarlyStopping({ patience: 1 }),
          new cvkit.ReduceLROnPlateau({ patience: 1, factor: 0.5 }),
        ],
      }),
      () => ({ adapterOptions: { backend: 'cpu' } }),
    ],
    [
      'networks on wasm, with numbers in shared memory',
      () => {
        const data = new Float32Array(new SharedArrayBuffer(n * 3 * 4));
        data.set(X.flat());
        return { model: model('network.mjs'), data: [{ data, shape: [n, 3] }, y], epochs: 3 };
      },
      () => ({ adapterOptions: { backend: 'wasm' } }),
    ],
    [
      'a loss, an optimizer, an augmentation and a score by their module',
      () => ({
        model: model('network.mjs'),
        data: [{ data: Float32Array.from(X.flat()), shape: [n, 3] }, y],
        epochs: 2,
        ...{ lossFn: own('loss'), optimizer: own('optimizer', { rate: 0.1 }), augment: own('augment') },
        scoring: { share: own('share', { over: 0.5 }), accuracy: 'accuracy' },
      }),
      () => ({ adapterOptions: { backend: 'cpu' } }),
    ],
    [
      'a training step by its module',
      () => ({
        model: model('network.mjs'),
        data: [{ data: Float32Array.from(X.flat()), shape: [n, 3] }, y],
        epochs: 2,
      }),
      () => ({ adapterOptions: { backend: 'cpu', trainStep: own('trainStep', { weight: 2 }) } }),
    ],
  ] as [string, () => RunOptions, (() => Partial<RunnerOptions>)?][])(
    'give what one fold after the other gives, bit for bit: %s',
    async (_, options, runner = () => ({})) => {
      const alone = numbersOf(await run(options(), { ...runner(), executor: 'inline' }));
      const apart = numbersOf(await run(options(), runner()));
      expect(apart).toEqual(alone);
      expect(alone.outOfFold.row).toHaveLength(n);
    },
  );

  it('serve many runs, several at once', async () => {
    const seeds = [1, 2, 3];
    const go = (executor: RunnerOptions['executor']) => (randomState: number) =>
      run({ model: model('centroid.mjs'), data: [X, y] }, { executor, randomState });
    const alone = await Promise.all(seeds.map(go('inline')));
    const apart = await Promise.all(seeds.map(go(two)));
    expect(apart.map(numbersOf)).toEqual(alone.map(numbersOf));
    expect(numbersOf(alone[0]).outOfFold).not.toEqual(numbersOf(alone[1]).outOfFold);
  });

  it('begin again after `close`', async () => {
    const executor = node.threads({ workers: 1 });
    const options = { model: model('centroid.mjs'), data: [X, y] } as const;
    const first = numbersOf(await run(options, { executor }));
    await executor.close();
    expect(numbersOf(await run(options, { executor }))).toEqual(first);
    await executor.close();
    await executor.close();
  });

  it('call the hooks of a fold in their order, and end after the same fold', async () => {
    const seen: string[] = [];
    const callback: CVCallback = {
      onFoldStart: ({ fold }) => void seen.push(`${fold} start`),
      onEpochEnd: ({ fold, epoch }) => void seen.push(`${fold} ${epoch}`),
      onFoldEnd: ({ fold, index }) => {
        seen.push(`${fold} end`);
        return index === 1 ? 'stop' : undefined;
      },
    };
    const options = { model: model('network.mjs'), data: [X, y] as const, epochs: 2, callbacks: callback };
    const results = await run(options, { adapterOptions: { backend: 'cpu' } });
    expect(results.foldDetails).toHaveLength(2);
    for (const fold of ['fold-0', 'fold-1']) {
      const own = seen.filter((each) => each.startsWith(fold)).map((each) => each.slice(fold.length + 1));
      expect(own).toEqual(['start', '0', '1', 'end']);
    }
  });

  it('save the models of their folds', async () => {
    const callbacks = new cvkit.ModelCheckpoint({ path: join(folder, 'best', '{fold}'), monitor: 'loss' });
    const kept = { keepModels: 'save', modelPath: join(folder, '{fold}'), callbacks } as const;
    const options = { model: model('network.mjs'), data: [X, y] as const, epochs: 2, ...kept };
    const results = await run(options, { adapterOptions: { backend: 'cpu' } });
    expect(results.models).toHaveLength(4);
    expect(existsSync(join(folder, 'fold-3', 'model.json'))).toBe(true);
    expect(existsSync(join(folder, 'best', 'fold-3', 'model.json'))).toBe(true);
    const { predictions } = await (await cvkit.ensemble(results)).predict(X);
    expect(predictions).toHaveLength(n);
  });

  it('are ended by an abort, also in a loop that never ends, with the reason', async () => {
    const executor = node.threads({ workers: 2 });
    const controller = new AbortController();
    const reason = new Error('enough');
    const endless = model('troubled.mjs?trouble=loop');
    const running = run({ model: endless, data: [X, y], signal: controller.signal }, { executor });
    setTimeout(() => controller.abort(reason), 300);
    await expect(running).rejects.toMatchObject({ name: 'AbortError', cause: reason });
    const after = await run({ model: model('centroid.mjs'), data: [X, y] }, { executor });
    expect(after.foldDetails).toHaveLength(4);
    await executor.close();
  });

  it('are ended by foldTimeout in a loop that never ends; the others go on', async () => {
    const endless = model('troubled.mjs?trouble=loop');
    const options = { model: endless, data: [X, y], foldTimeout: 3, onFoldError: 'record' } as const;
    const { foldDetails } = await run(options);
    const failed = foldDetails.filter(({ status }) => status === 'failed');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(foldDetails.length);
    for (const { error } of failed) expect(error).toContain('foldTimeout');
  });

  it('are ended when a callback ends the run, whatever other folds are doing', async () => {
    const stop: CVCallback = { onFoldEnd: () => 'stop' };
    const results = await run({ model: model('troubled.mjs?trouble=loop'), data: [X, y], callbacks: stop });
    expect(results.foldDetails).toHaveLength(1);
  });

  it.each([
    ['exit', 'The thread of fold-1 must live until its fold has ended. Got worker exited with code: 3.'],
    ['stray', 'The thread of fold-1 must live until its fold has ended. Got nobody catches this.'],
    ['throw', 'no fit today'],
  ])('that die are failed folds, and the others go on: %s', async (trouble, message) => {
    const options = { model: model(`troubled.mjs?trouble=${trouble}`), data: [X, y] } as const;
    const results = await run({ ...options, onFoldError: 'record' });
    expect(results.foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(results.foldDetails[1].error).toContain(message);
    const error = await thrownBy(() => run(options));
    expect(error).toMatchObject({ name: 'FoldError', foldId: 'fold-1' });
    expect(error.message).toContain(message);
  });

  it('see what one fold after the other sees of a model that gives few values', async () => {
    const flags = X.map(([, , third]) => [Number(third > 0.4), Number(third > 0.6)]);
    const validator = () => new cvkit.CVKitValidator({ nSplits: 5, checkLeakage: false });
    const seen = async (nJobs: number) => {
      const result = await validator().validate({ model: model('centroid.mjs'), X: flags, y, verbose: 0, nJobs });
      const { fixedModel, trainedBefore, fitNotSeen } = result.manifest as unknown as Record<string, unknown>;
      return { fixedModel, trainedBefore, fitNotSeen, status: result.overallStatus };
    };
    expect(await seen(3)).toEqual(await seen(1));
  });

  it('train towards outcomes by time with a loss by its module, and say that the loss itself cannot leave', async () => {
    const event = X.map((_, row) => Number(row % 3 > 0));
    const data = { X, y: { time: X.map((_, row) => 0.5 + ((row * 7) % 11) / 2), event } };
    const named = { module: model('survival.mjs'), export: 'loss' };
    const options = { model: named.module, data, epochs: 3, optimizer: 'adam', metrics: ['integrated_brier'] };
    const one = await run({ ...options, lossFn: named }, { adapterOptions: { backend: 'cpu' } });
    const inline = { executor: 'inline' as const, adapterOptions: { backend: 'cpu' } };
    expect(numbersOf(one)).toEqual(numbersOf(await run({ ...options, lossFn: named }, inline)));
    expect(one.meanScores.integrated_brier).toBeGreaterThan(0);
    const { loss } = await import(named.module.href);
    expect(await thrownBy(() => run({ ...options, lossFn: loss }))).toMatchObject({ code: 'bound_to_thread' });
  });

  it('let a hook begin a run on the same executor', async () => {
    const inner = { model: model('centroid.mjs'), data: [X, y] as const };
    let runs = 0;
    const callback: CVCallback = {
      async onFoldStart() {
        const { foldDetails } = await run(inner);
        runs += foldDetails.length;
      },
    };
    const results = await run({ ...inner, callbacks: callback });
    expect([results.foldDetails.length, runs]).toEqual([4, 16]);
  });

  it('that end between two folds are replaced, with a warning', async () => {
    const executor = node.threads({ workers: 1 });
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    await run({ model: model('troubled.mjs?trouble=late'), data: [X, y] }, { executor });
    expect((await warned).message).toContain('A thread of cvkit that had no work has ended: too late');
    expect((await run({ model: model('centroid.mjs'), data: [X, y] }, { executor })).foldDetails).toHaveLength(4);
    await executor.close();
  });

  it('notice a model that two folds share', async () => {
    const executor = node.threads({ workers: 1 });
    const error = await thrownBy(() => run({ model: model('same.mjs'), data: [X, y] }, { executor }));
    expect(error.message).toContain('return a new model for every fold');
    await executor.close();
  });

  it('refuse what cannot leave its thread before anything is trained', async () => {
    // What is said of it, and of other options, stands in messages.test.ts.
    const error = await thrownBy(() => run({ model: () => ({}), data: [X, y] }));
    expect(error).toMatchObject({ name: 'InvalidOptionError', code: 'bound_to_thread' });
  });

  it.skipIf(!hasTfjsNode)('refuse tfjs-node, which may end the process', async () => {
    const options = { model: model('network.mjs'), data: [X, y] as const };
    const error = await thrownBy(() => run(options, { adapterOptions: { backend: 'tensorflow' } }));
    expect(error.message).toContain('Use `processes` of cvkit/node');
    expect(error).toMatchObject({ name: 'AdapterError', code: 'bound_to_thread' });
  });

  it('say what is wrong with cells that cannot be copied', async () => {
    const rows = X.map((row, at) => ({ first: row[0], odd: at === 3 ? () => 0 : 1 }));
    const error = await thrownBy(() => run({ model: model('centroid.mjs'), data: [rows, y] }));
    expect(error.message).toContain('cannot leave its thread');
  });

  it('take a whole number of workers', () => {
    for (const workers of [0, -1, 1.5, '2']) {
      expect(() => node.threads({ workers } as never)).toThrow(/The `workers` option of threads must/);
    }
    expect(node.threads().concurrency).toBeGreaterThanOrEqual(1);
  });
});

describe('`nJobs`', () => {
  const validate = (nJobs: number, more: object = {}) =>
    new cvkit.CVKitValidator({ nSplits: 3 }).validate({
      model: model('centroid.mjs'),
      X,
      y,
      verbose: 0,
      nJobs,
      ...more,
    });

  it('runs the folds of `validate` in threads, with the same result', async () => {
    const [alone, apart, all] = [await validate(1), await validate(2), await validate(-1)];
    expect(apart.estimates).toEqual(alone.estimates);
    expect(all.confidenceIntervals).toEqual(alone.confidenceIntervals);
    // Halves, too, are trained in threads.
    expect(apart.manifest.ciFitsMade).toMatchObject({ fits: 20, failed: 0 });
    expect(apart.confidenceIntervals).toEqual(alone.confidenceIntervals);
    expect(apart.confidenceIntervals.roc_auc.estimand).toBe('procedure');
    expect(apart.checks.map(({ status }) => status)).toEqual(alone.checks.map(({ status }) => status));
  });

  it('says what it must be, and that `executor` takes its place', async () => {
    for (const nJobs of [0, -2, 1.5]) {
      expect((await thrownBy(() => validate(nJobs))).message).toContain('must be -1 or an integer from 1 to 1024');
    }
    expect((await thrownBy(() => validate(2, { executor: two }))).message).toContain('`nJobs`');
    const error = await thrownBy(() => validate(2, { model: () => ({}) }));
    expect(error.message).toContain("new URL('./model.mjs', import.meta.url)");
  });

  it('serves functions that cross-validate many times', async () => {
    const stats = await built<Stats>('stats.js');
    const curve = async (nJobs: number) => {
      const cv = new cvkit.StratifiedKFold({ nSplits: 3 });
      const { points } = await stats.learningCurve({
        model: model('centroid.mjs'),
        X,
        y,
        cv,
        sizes: [0.4, 0.8],
        nJobs,
      });
      return points.map(({ test, train }) => [test.estimate, train.value]);
    };
    expect(await curve(2)).toEqual(await curve(1));
  });

  it('serves tables of several models, and says which of them cannot leave its thread', async () => {
    const stats = await built<Stats>('stats.js');
    const cv = new cvkit.StratifiedKFold({ nSplits: 3 });
    const models = { own: model('centroid.mjs'), bound: () => ({}), again: model('centroid.mjs') };
    const table = (nJobs: number) => stats.compareModels({ models, X, y, cv, nJobs, metric: 'roc_auc' });
    const [alone, apart] = [await table(1), await table(2)];
    expect(apart.comparisons).toEqual(alone.comparisons);
    expect(apart.best).toEqual(alone.best);
    expect(apart.rows[1].reason).toContain("new URL('./model.mjs', import.meta.url)");
  });

  it('lets the process end', () => {
    const [index, other] = ['index.js', 'node.js'].map((file) => pathToFileURL(join(DIST, 'node', file)).href);
    const program = write(
      'program.mjs',
      `import { UniversalCVRunner, KFold } from '${index}';
       import { threads } from '${other}';
       const X = Array.from({ length: 20 }, (_, row) => [row % 2, row]);
       const y = X.map(([first]) => first);
       const model = new URL('${model('centroid.mjs').href}');
       const cvSplitter = new KFold({ nSplits: 4 });
       await new UniversalCVRunner({ cvSplitter, verbose: 0, executor: threads({ workers: 2 }) }).run({ model, data: [X, y] });
       await new UniversalCVRunner({ cvSplitter, verbose: 0, nJobs: 2 }).run({ model, data: [X, y] });
       console.log('done');`,
    );
    expect(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: 30_000 })).toBe('done\n');
  });
});

const collected = async <T>(from: AsyncIterable<T>) => {
  const all: T[] = [];
  for await (const each of from) all.push(each);
  return all;
};
const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('concurrently', () => {
  it('does the work of as many items at once as it may, takes no item before, and gives results as they come', async () => {
    let [running, most, taken] = [0, 0, 0];
    let others = 0;
    let letFirstEnd: (() => void) | undefined;
    const first = new Promise<void>((resolve) => {
      letFirstEnd = resolve;
    });
    function* items() {
      for (const item of ['first', 'a', 'b', 'c']) {
        taken++;
        expect(taken - 1).toBeLessThanOrEqual(running + 3);
        yield item;
      }
    }
    const results = concurrently(items(), 2, async (item) => {
      running++;
      most = Math.max(most, running);
      if (item === 'first') await first;
      else if (++others === 3) setTimeout(() => letFirstEnd?.());
      running--;
      return item;
    });
    expect(await collected(results)).toEqual(['a', 'b', 'c', 'first']);
    expect(most).toBe(2);
  });

  it('waits for work that has begun when nobody listens any more, and says so first', async () => {
    const ended: number[] = [];
    let abandoned = 0;
    const results = concurrently(
      [1, 20, 3, 4],
      2,
      async (ms) => {
        await later(ms);
        ended.push(ms);
        return ms;
      },
      () => void abandoned++,
    );
    for await (const first of results) {
      expect(first).toBe(1);
      break;
    }
    expect(abandoned).toBe(1);
    expect(ended).toEqual([1, 20]);
  });

  it('throws what work throws, after the work beside it has ended', async () => {
    let ended = false;
    const results = concurrently([1, 20], 2, async (ms) => {
      await later(ms);
      if (ms === 1) throw new Error('no');
      ended = true;
      return ms;
    });
    await expect(collected(results)).rejects.toThrow('no');
    expect(ended).toBe(true);
  });
});
