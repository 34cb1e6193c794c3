import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { RandomOverSampler } from '../../src/preprocessing/randomOverSampler.js';
import { SimpleImputer } from '../../src/preprocessing/simpleImputer.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { ensemble } from '../../src/runner/ensemble.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { loadModel } from '../../src/runner/loadModel.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

const blob = blobs();
const { y } = blob;
/** The second feature in other units: what scales and what does not is told apart. */
const X = blob.X.map(([a, b]) => [a, 1000 * b]);
const runner = (options = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0, ...options });
const run = (model: RunOptions['model'], options: Partial<RunOptions> = {}, ofRunner = {}) =>
  runner(ofRunner).run({ model, data: [X, y], metrics: ['accuracy'], ...options });
const pipeline = () => new Pipeline([new StandardScaler(), new LogisticRegression()]);
const network = ({ inputShape }: { readonly inputShape?: readonly number[] | undefined }) =>
  tf.sequential({
    layers: [tf.layers.dense({ inputShape: [...(inputShape ?? [])], units: 1, activation: 'sigmoid' })],
  });
const training = { epochs: 2, optimizer: 'adam', lossFn: 'binaryCrossentropy' } as const;

describe('a Pipeline with a model at its end', () => {
  it('is what its steps are as `preprocessing` of its model: as an instance, from a factory, with a factory at its end', async () => {
    const expected = await run(() => new LogisticRegression(), { preprocessing: new StandardScaler() });
    const atEnd = new Pipeline([new StandardScaler(), () => new LogisticRegression()]);
    for (const model of [pipeline(), pipeline, atEnd, () => new Pipeline(atEnd.getParams().steps)]) {
      const results = await run(model);
      expect(results.outOfFold).toEqual(expected.outOfFold);
      expect(results.metadata.preprocessing).toEqual(expected.metadata.preprocessing);
      expect(results.metadata.adapter).toBe('estimator');
    }
    expect((await run(() => new LogisticRegression())).outOfFold.yProba).not.toEqual(expected.outOfFold.yProba);
  });

  it('keeps its step and its model as they were, and its names', async () => {
    const model = pipeline();
    await run(model);
    expect(model.steps.map(([name]) => name)).toEqual(['standardscaler']);
    expect(model.model).toEqual(['logisticregression', new LogisticRegression()]);
    expect(String(model.describe())).toBe('StandardScaler, LogisticRegression');
  });

  it('resamples training rows, and takes the steps of pipelines within', async () => {
    const within = new Pipeline([
      ['fill', new SimpleImputer()],
      ['draw', new RandomOverSampler()],
    ]);
    const results = await run(
      new Pipeline([
        ['first', within],
        ['last', pipeline()],
      ]),
    );
    expect(results.metadata.preprocessing).toMatchObject({ resamplers: ['RandomOverSampler'] });
    expect(
      new Pipeline([
        ['first', within],
        ['last', pipeline()],
      ]).stepNames(),
    ).toEqual(['first__fill', 'first__draw', 'last__standardscaler', 'last__logisticregression']);
  });

  it('builds a network for the prepared rows, in each fold anew, and leaves no tensor behind', async () => {
    const before = tf.memory().numTensors;
    const wide = {
      transform: (rows: number[][]) => rows.map((row) => [...row, 1]),
      fit: () => undefined,
    };
    const results = await run(new Pipeline([new StandardScaler(), wide, network]), training);
    expect(results.metadata.adapter).toBe('tfjs');
    const made = () => new Pipeline([new StandardScaler(), network({ inputShape: [2] })]);
    await run(made, training);
    const inEachFold = await run(() => new Pipeline([new StandardScaler(), wide, network]), training);
    expect(inEachFold.outOfFold).toEqual(results.outOfFold);
    const broken = () => run(() => new Pipeline([new StandardScaler(), network]), training, { framework: 'onnx' });
    expect(await thrown(broken)).toContain('(unknown_model)');
    const compiled = () => {
      const model = network({ inputShape: [2] });
      model.compile({ optimizer: tf.train.adam(0.05), loss: 'binaryCrossentropy' });
      return new Pipeline([new StandardScaler(), model]);
    };
    await run(compiled, { epochs: 2 });
    const instance = network({ inputShape: [2] });
    await run(new Pipeline([new StandardScaler(), instance]), training);
    instance.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  it('leaves no tensor behind where a step refuses the rows', async () => {
    const before = tf.memory().numTensors;
    const refusing = { fit: () => Promise.reject(new Error('no rows')), transform: (rows: number[][]) => rows };
    const error = await thrown(() => run(() => new Pipeline([refusing, network({ inputShape: [2] })]), training));
    expect(String(error)).toContain('no rows');
    expect(tf.memory().numTensors).toBe(before);
  });

  it('is validated, fitted on one set for another, compared, refitted, saved and put into an ensemble', async () => {
    const validator = new CVKitValidator();
    const all = await validator.validate({ model: pipeline(), X, y, independentRows: true, refit: true, verbose: 0 });
    expect(all.checks.find(({ code }) => code === 'CVL010')?.status).toBe('passed');
    const [XTrain, yTrain, XTest, yTest] = [X.slice(10), y.slice(10), X.slice(0, 10), y.slice(0, 10)];
    const two = await validator.fitValidate({ model: pipeline(), XTrain, yTrain, XTest, yTest, verbose: 0 });
    expect(two.meanScores.accuracy).toBeGreaterThan(0.5);
    const results = { scaled: await run(pipeline()), plain: await run(() => new LogisticRegression()) };
    expect((await compareModels({ results, metric: 'accuracy' })).rows).toHaveLength(2);
    const folder = await mkdtemp(join(tmpdir(), 'cvkit-'));
    try {
      await all.refitted?.save(join(folder, 'model'));
      const loaded = await loadModel(join(folder, 'model'));
      expect(await loaded.predictProba(X)).toEqual(await all.refitted?.predictProba(X));
    } finally {
      await rm(folder, { recursive: true });
    }
    const kept = await run(pipeline(), { keepModels: 'memory' });
    expect((await (await ensemble(kept)).predict(X)).predictions).toHaveLength(X.length);
  });

  it('is tuned by the names of its steps, given or of the classes', async () => {
    const paramGrid = { scale__withMean: [true, false], logisticregression__C: [0.01, 1] };
    const steps = [['scale', new StandardScaler()], new LogisticRegression()] as const;
    const tune = (modelFn: unknown, grid: object = paramGrid) =>
      runner().runWithHyperparameterTuning({ modelFn, paramGrid: grid, data: [X, y], outer: false } as never);
    const byInstance = await tune(new Pipeline(steps));
    expect(Object.keys(byInstance.bestParams).sort()).toEqual(['logisticregression__C', 'scale__withMean']);
    const byFunction = await tune(({ C }: { C: number }) => new Pipeline([steps[0], new LogisticRegression({ C })]), {
      scale__withMean: [true, false],
      C: [0.01, 1],
    });
    const scores = ({ study }: typeof byInstance) => study.trials.map(({ value }) => value).sort();
    expect(scores(byFunction)).toEqual(scores(byInstance));
    expect(await thrown(() => tune(new Pipeline(steps), { C: [1] }))).toContain('(unknown_step)');
    const inSnake = await tune(new Pipeline(steps), { logisticregression__max_iter: [1, 2] });
    expect([1, 2]).toContain(inSnake.bestParams.logisticregression__max_iter);
    expect(await thrown(() => tune(new Pipeline(steps), { other__C: [1] }))).toContain('(unknown_step)');
  });

  it('gives parameters to a model by setParams, and to a factory by its context', async () => {
    class Settable extends NearestMean {
      bias = 0;
      clone() {
        return Object.assign(new Settable(), { bias: this.bias });
      }
      setParams(params: object) {
        return Object.assign(this, params);
      }
    }
    const own = new Settable();
    const changed = new Pipeline([new StandardScaler(), ['own', own]]).withParams({ own__bias: 3 }).model?.[1];
    expect([(changed as Settable).bias, own.bias]).toEqual([3, 0]);
    const factory = new Pipeline([new StandardScaler(), ['made', (ctx: { params: object }) => ctx.params]]);
    const made = factory.withParams({ made__units: 4 }).model?.[1] as (ctx: object) => object;
    expect(made({ params: {} })).toEqual({ units: 4 });
    const lone = new Pipeline([new StandardScaler(), ['plain', { fit: () => undefined, predict: () => [] }]]);
    expect(await thrown(() => lone.withParams({ plain__units: 4 }))).toContain('(no_set_params)');
  });

  it('is refused where it cannot be a model, and where it cannot be a step', async () => {
    const scaler = new StandardScaler();
    const codes: [() => unknown, string][] = [
      [() => new Pipeline([new LogisticRegression()]), 'invalid_option'],
      [() => new Pipeline([new LogisticRegression(), scaler]), 'invalid_option'],
      [() => new Pipeline([pipeline(), scaler]), 'invalid_option'],
      [() => pipeline().fit(X, y), 'model_at_end'],
      [() => pipeline().toJSON(), 'model_at_end'],
      [() => run(() => new LogisticRegression(), { preprocessing: pipeline() }), 'invalid_option'],
      [() => run(pipeline(), { preprocessing: scaler }), 'idle_option'],
      [() => run(new Pipeline([scaler])), 'unknown_model'],
      [() => new Pipeline([scaler, { transform: () => [] }]), 'invalid_option'],
      [() => run(new Pipeline([scaler, { weights: 1 }])), 'unknown_model'],
    ];
    for (const [call, code] of codes) expect(await thrown(call as never)).toContain(`(${code})`);
    let folds = 0;
    const changing = () => (folds++ === 0 ? pipeline() : new LogisticRegression());
    expect(await thrown(() => run(changing))).toContain('return a Pipeline as in the first fold');
  });

  it("works with an adapter of one's own", async () => {
    class Own {
      readonly inner = new NearestMean();
    }
    const inner = ({ inner }: Own) => inner;
    const { adapter: spy } = spyAdapter();
    const adapter: FrameworkAdapter<Own> = {
      ...{ name: 'own', capabilities: spy.capabilities, matches: (model) => model instanceof Own },
      build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : new Own()),
      fit: (model, ...rest) => spy.fit(inner(model), ...rest),
      predict: (model, ...rest) => spy.predict(inner(model), ...rest),
    };
    const instance = () => new Pipeline([new StandardScaler(), new Own()]);
    const factory = () => new Pipeline([new StandardScaler(), () => new Own()]);
    const expected = await run(() => new Own(), { preprocessing: new StandardScaler() }, { adapter });
    for (const model of [instance, instance(), factory, factory()]) {
      expect((await run(model, {}, { adapter })).outOfFold).toEqual(expected.outOfFold);
    }
  });
});
