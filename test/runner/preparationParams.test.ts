/** Parameters of a trial that reach the preparation of a fold: here the executor gives them to its tasks. */
import { describe, expect, it } from 'vitest';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { OrdinalEncoder } from '../../src/preprocessing/ordinalEncoder.js';
import { PCA } from '../../src/preprocessing/pca.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { type PreprocessingOption, preparationOf } from '../../src/preprocessing/preparation.js';
import { SelectKBest } from '../../src/preprocessing/selectKBest.js';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
import { SMOTE } from '../../src/preprocessing/smote.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { adapterRegistry } from '../../src/runner/adapterRegistry.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import type { Executor } from '../../src/runner/executor.js';
import { inlineExecutor } from '../../src/runner/inlineExecutor.js';
import { runFoldElsewhere, runFrom } from '../../src/runner/runFoldElsewhere.js';
import type { RunnerOptions } from '../../src/runner/runnerOptions.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { PreparedModel, withPreprocessing } from '../../src/runner/withPreprocessing.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';

const blob = blobs();
const y = blob.y;
/** Features in different units, one with gaps. */
const X = blob.X.map(([a, b], row) => [row % 7 === 3 ? null : a, 1000 * b, (row * 7) % 5]);

type Params = Readonly<Record<string, unknown>>;

/** What a search does: the folds of a trial are tasks with its parameters. */
const trialOf = (params: Params, executor: Executor = inlineExecutor): Executor => ({
  ...executor,
  async *run(tasks, link) {
    const own = Array.from(tasks, (task) => ({ ...task, ctx: { ...task.ctx, params } }));
    yield* executor.run(own, link);
  },
});

/** As a thread runs folds: by the record of the run alone. */
const elsewhere: Executor = {
  name: 'elsewhere',
  concurrency: 1,
  elsewhere: true,
  async *run(tasks, link) {
    const run = runFrom(structuredClone(await link.describe()));
    for (const task of tasks) {
      const outcome = await runFoldElsewhere(structuredClone(task), () => run, { emit: link.emit, place: undefined });
      yield structuredClone(outcome);
    }
  },
  close: async () => undefined,
};

const run = (options: Partial<RunOptions>, runner: Partial<RunnerOptions> = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), randomState: 4, verbose: 0, ...runner }).run({
    model: () => new NearestMean(),
    data: [X, y],
    metrics: ['accuracy'],
    ...options,
  });

const stepsOf = (results: CVResults) =>
  results.models.map((model) => (model as PreparedModel).preprocessing as Pipeline);

const filled = () => [
  ['fill', new SimpleImputer()] as const,
  ['scale', new StandardScaler()] as const,
  ['pick', new SelectKBest({ k: 3 })] as const,
];

describe('parameters of steps', () => {
  it('prepare the rows of each fold as steps do that were made so', async () => {
    const params = { C: 3, fill__strategy: 'median', scale__withMean: false, pick__k: 1 };
    const given = filled();
    const tuned = await run({ preprocessing: given, keepModels: 'memory' }, { executor: trialOf(params) });
    const made = await run({
      preprocessing: [
        ['fill', new SimpleImputer({ strategy: 'median' })],
        ['scale', new StandardScaler({ withMean: false })],
        ['pick', new SelectKBest({ k: 1 })],
      ],
      keepModels: 'memory',
    });
    expect(JSON.stringify(stepsOf(tuned))).toBe(JSON.stringify(stepsOf(made)));
    expect(tuned.outOfFold.yPred).toEqual(made.outOfFold.yPred);
    expect(stepsOf(tuned)[0].describe()).toContain("strategy: 'median'");
    expect(JSON.stringify(new Pipeline(given))).toBe(JSON.stringify(new Pipeline(filled())));
    expect(tuned.outOfFold.yPred).not.toEqual((await run({ preprocessing: filled() })).outOfFold.yPred);
  });

  it.each<[string, () => PreprocessingOption, Params, string]>([
    [
      'one step',
      () => new StandardScaler(),
      { standardscaler__withMean: false },
      'StandardScaler({ withMean: false })',
    ],
    ['one that resamples', () => new SMOTE(), { smote__kNeighbors: 2 }, 'SMOTE'],
    [
      'columns',
      () => new ColumnTransformer([['a', new StandardScaler(), [1]]]),
      { columntransformer__a__withStd: false, columntransformer__remainder: 'drop' },
      'ColumnTransformer(a: StandardScaler({ withStd: false }))',
    ],
    [
      'a pipeline in a list',
      () => [['outer', new Pipeline([['scale', new StandardScaler()]])]],
      { outer__scale__with_std: false },
      'StandardScaler({ withStd: false })',
    ],
  ])('are named for %s', async (_, preprocessing, params, described) => {
    const rows = X.map((row) => row.map((cell) => cell ?? 0));
    const options = { data: [rows, y] as RunOptions['data'], keepModels: 'memory' as const };
    const results = await run({ ...options, preprocessing: preprocessing() }, { executor: trialOf(params) });
    for (const step of stepsOf(results)) expect(step.describe()).toBe(described);
  });

  it('are the same for executors that copy what they are sent, and where there is only the record of the run', async () => {
    const model = new URL('../node/models/centroid.mjs', import.meta.url);
    const columns = new ColumnTransformer([
      ['num', new Pipeline([new SimpleImputer(), new StandardScaler()]), [0, 1]],
      ['code', new OrdinalEncoder(), [2]],
    ]);
    const params = {
      columntransformer__num__simpleimputer__strategy: 'median',
      columntransformer__num__standardscaler__withMean: false,
      pca__nComponents: 2,
    };
    const options = { model, preprocessing: [columns, new SMOTE(), new PCA()] };
    const here = await run(options, { executor: trialOf(params) });
    for (const executor of [cloningExecutor(), elsewhere]) {
      const there = await run(options, { executor: trialOf(params, executor) });
      expect(there.outOfFold.yProba).toEqual(here.outOfFold.yProba);
    }
    expect((await run(options)).outOfFold.yProba).not.toEqual(here.outOfFold.yProba);
    const wrong = { pcaa__nComponents: 2 };
    const texts = [];
    for (const executor of [inlineExecutor, elsewhere]) {
      texts.push(await thrown(() => run(options, { executor: trialOf(wrong, executor) })));
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/unknown_step.*fold-0.*'pcaa__nComponents'.*'pca'/);
  });

  it('reach a step of the caller on the copy of each fold', async () => {
    const seen: unknown[] = [];
    class Shift {
      by = 1;
      fit() {
        seen.push(this.by);
      }
      transform(rows: number[][]) {
        return rows.map((row) => row.map((cell) => cell + this.by));
      }
      setParams({ by }: { by: number }) {
        this.by = by;
      }
    }
    const shift = new Shift();
    await run({ preprocessing: [shift, new SimpleImputer()] }, { executor: trialOf({ shift__by: 5 }) });
    expect(seen).toEqual([5, 5, 5]);
    expect(shift.by).toBe(1);
  });

  it('that are wrong are the error of the fold, with the step, before the model is built', async () => {
    const { adapter, spy } = spyAdapter();
    for (const params of [{ scale__withMean: 'no' }, { scale__mean: 1 }, { scaler__withMean: true }]) {
      const refused = () => run({ preprocessing: filled() }, { adapter, executor: trialOf(params) });
      expect(await thrown(refused)).toMatch(/fold-0.*'scale/);
    }
    expect(spy.trainedOn).toEqual([]);
    expect(spy.built).toBe(0);
  });
});

describe('a function of the parameters', () => {
  /** `run` refuses it, so that it is given as the preparation of an adapter. */
  const byFunction = async (choose: (params: never) => unknown, params: Params) => {
    const adapter = await adapterRegistry.get('estimator').load();
    const preparation = preparationOf(choose as never, { byParams: true });
    return run(
      { keepModels: 'memory' },
      { adapter: withPreprocessing(adapter, preparation), executor: trialOf(params) },
    );
  };

  it('chooses the steps of each fold, whatever the names', async () => {
    const choose = ({ scaled, pick__k }: { scaled: boolean; pick__k: number }) => [
      new SimpleImputer(),
      ...(scaled ? [new StandardScaler()] : []),
      new SelectKBest({ k: pick__k }),
    ];
    const chosen = await byFunction(choose, { scaled: true, pick__k: 1 });
    expect(stepsOf(chosen).map((step) => step.describe())).toEqual(
      Array(3).fill('SimpleImputer, StandardScaler, SelectKBest({ k: 1 })'),
    );
    const plain = await byFunction(choose, { scaled: false, pick__k: 3 });
    expect(stepsOf(plain)[0].describe()).toBe('SimpleImputer, SelectKBest({ k: 3 })');
    const one = await byFunction(() => new SimpleImputer({ strategy: 'median' }), {});
    expect(one.models[0]).toBeInstanceOf(PreparedModel);
    expect(stepsOf(one)[0]).toBeInstanceOf(SimpleImputer);
  });

  it.each<[choose: () => unknown, got: string]>([
    [() => 'StandardScaler', "'StandardScaler'"],
    [() => StandardScaler, 'the function StandardScaler'],
    [() => () => new StandardScaler(), 'a function.'],
    [async () => new StandardScaler(), 'class Promise'],
  ])('that gives no step is the error of the fold: %s', async (choose, got) => {
    const text = await thrown(() => byFunction(choose, {}));
    expect(text).toMatch(/preprocessing_failed.*fold-0/);
    expect(text).toContain(got);
  });

  it('is refused outside tuning', async () => {
    const choose = () => new StandardScaler();
    const validator = new CVKitValidator();
    const text = /invalid_option.*`preprocessing`.*function choose.*runWithHyperparameterTuning/;
    const call = { model: () => new NearestMean(), X, y, preprocessing: choose as never };
    expect(await thrown(() => validator.validate(call))).toMatch(text);
    expect(await thrown(() => run({ preprocessing: [choose] as never }))).toContain('[the function choose]');
  });
});
