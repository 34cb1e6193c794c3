import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { recordedOptions } from '../../src/core/recorded.js';
import { LogisticRegression } from '../../src/estimators/index.js';
import {
  CVKitValidator,
  type CVResults,
  EarlyStopping,
  KFold,
  reproduce,
  StratifiedKFold,
  UniversalCVRunner,
} from '../../src/index.js';
import type { ScoreTable } from '../../src/metrics/scoreTable.js';
import { OrdinalEncoder, StandardScaler } from '../../src/preprocessing/index.js';
import { validateOptions } from '../../src/validator/validateOptions.js';

const random = randomSource(5);
const X = Array.from({ length: 60 }, (_, row) => [random.random() + (row % 2) * 0.4, random.random(), random.random()]);
const y = X.map((_, row) => row % 2);
const model = () => new LogisticRegression();
const validated = (options: object = {}, settings: object = {}) =>
  new CVKitValidator({ nSplits: 3, independentRows: true, ciFits: 0, ...settings }).validate({
    model,
    X,
    y,
    verbose: 0,
    ...options,
  });
const asJSON = <T extends object>(value: T): T => JSON.parse(JSON.stringify(value));
const untimed = ({ startedAt: _at, seconds: _seconds, ...manifest }: Record<string, unknown>) => manifest;

/** The numbers and the manifest of networks, whose training has options of every kind. */
const network =
  (units = 1, activation: 'sigmoid' = 'sigmoid') =>
  () =>
    tf.sequential({
      layers: [
        ...(units > 1 ? [tf.layers.dense({ inputShape: [3], units, activation: 'tanh' })] : []),
        tf.layers.dense({ units: 1, activation, ...(units > 1 ? {} : { inputShape: [3] }) }),
      ],
    });
const runner = new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ nSplits: 3 }),
  verbose: 0,
});
const trained = async ({ adapterOptions, randomState, ...options }: Record<string, never> = {}) => {
  const own = { ...(adapterOptions ? { adapterOptions } : {}), ...(randomState ? { randomState } : {}) };
  const on =
    Object.keys(own).length === 0
      ? runner
      : new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0, ...own } as never);
  return on.run({
    data: [X, y],
    model: network(),
    preprocessing: new StandardScaler(),
    epochs: 2,
    optimizer: 'adam',
    lossFn: 'binaryCrossentropy',
    metrics: ['brier', 'accuracy'],
    ...options,
  } as never);
};
const numbersOf = ({ outOfFold }: Awaited<ReturnType<typeof trained>>) => JSON.stringify(outOfFold);

class Halving {
  readonly name = 'Halving';
  constructor(readonly rate: number) {}
  onEpochStart({ model: { learningRate } }: { model: { learningRate: number } }) {
    void learningRate;
    return undefined;
  }
}

describe('the manifest of a run', () => {
  const mse = ({ tf: lib, model: net, optimizer, x, y: truth }: Record<string, never>) =>
    (optimizer as tf.Optimizer).minimize(
      () =>
        (lib as typeof tf).losses.meanSquaredError(
          truth,
          (net as tf.LayersModel).apply(x, { training: true }) as tf.Tensor,
        ) as tf.Scalar,
      true,
    );
  const changes: Record<string, object> = {
    classWeight: { classWeight: { 0: 1, 1: 20 } },
    validation: { validation: 0.4 },
    augment: { augment: ({ X: rows }: { X: tf.Tensor }) => ({ X: rows.mul(-1) }) },
    trainStep: { adapterOptions: { trainStep: mse } },
    threshold: { threshold: 'youden', validation: 0.3 },
    layers: { model: network(5) },
    lossFn: { lossFn: 'meanSquaredError' },
    'lossFn as a function': { lossFn: (a: tf.Tensor, b: tf.Tensor) => tf.losses.absoluteDifference(a, b) },
    optimizer: { optimizer: tf.train.adam(0.5) },
    batchSize: { batchSize: 5 },
    preprocessing: { preprocessing: new StandardScaler({ withMean: false }) },
    callbacks: { validation: 0.4, epochs: 9, callbacks: new EarlyStopping({ monitor: 'val_loss', patience: 0 }) },
    recalibrate: { recalibrate: 'platt', validation: 0.3 },
    sampleWeight: { sampleWeight: y.map((each, row) => 1 + each * 5 + (row % 3)) },
    randomState: { randomState: 8 },
  };

  it('differs for every option that moves a number, and in nothing but times for the same run', async () => {
    const plain = await trained();
    const again = await trained();
    expect(untimed(asJSON(again.metadata) as never)).toEqual(untimed(asJSON(plain.metadata) as never));
    const parts = ['options', 'sha256', 'network'] as const;
    const recorded = ({ metadata }: typeof plain) => JSON.stringify(parts.map((part) => metadata[part]));
    for (const [name, change] of Object.entries(changes)) {
      const other = await trained(change as never);
      expect.soft(numbersOf(other), `${name} changes no number`).not.toBe(numbersOf(plain));
      expect.soft(recorded(other), `${name} leaves no trace`).not.toBe(recorded(plain));
    }
  });

  it('tells callbacks, networks and instances apart by what they hold', async () => {
    const of = async (options: object) => JSON.stringify((await trained(options as never)).metadata.options);
    const stops = (patience: number) => ({
      validation: 0.4,
      callbacks: new EarlyStopping({ monitor: 'val_loss', patience }),
    });
    expect(await of(stops(1))).not.toBe(await of(stops(2)));
    expect(await of({ callbacks: new Halving(1) })).not.toBe(await of({ callbacks: new Halving(2) }));
    const start = network()();
    const networkOf = async (given: object) =>
      (await trained({ model: given, preprocessing: undefined } as never)).metadata.network;
    const before = await networkOf(start);
    expect(before).toMatchObject({ class: 'Sequential', layers: ['Dense [3,1] [1]'], weights: 4 });
    expect(before).toEqual(await networkOf(start));
    // The same layers with other weights to begin with.
    start.setWeights(start.getWeights().map((weight) => weight.add(1)));
    const after = await networkOf(start);
    expect({ ...(after as object), startingWeights: 0 }).toEqual({ ...(before as object), startingWeights: 0 });
    expect(after).not.toEqual(before);
    start.dispose();
    const estimator = async (C: number) =>
      (await runner.run({ model: () => new LogisticRegression({ C }), data: [X, y] })).metadata.network;
    expect(await estimator(1)).toMatchObject({ class: 'LogisticRegression', options: { C: 1, maxIter: 100 } });
    expect(await estimator(1)).not.toEqual(await estimator(2));
  });

  it('names the loss that was trained and the optimizer as it was built', async () => {
    const { metadata: manifest } = await trained({
      adapterOptions: { trainStep: mse },
      optimizer: tf.train.sgd(0.25),
    } as never);
    expect(manifest.training?.lossFn).toBe('the loss of `trainStep`');
    expect(manifest.network).toMatchObject({ optimizer: { class: 'SGD', config: { learningRate: 0.25 } } });
    expect(manifest.runtime).toBe(`node ${process.versions.node}`);
  });

  it('holds no rows, no ids, no categories, and is plain JSON', async () => {
    const patientIds = X.map((_, row) => `P-${7_340_000 + row}`);
    const rows = X.map((row, at) => ({ grade: at % 3 ? 'gleason-three' : 'gleason-four', size: row[0] }));
    const text = JSON.stringify(
      await recordedOptions([
        validateOptions.parse({
          X: rows,
          y,
          patientIds,
          model: '/no/such/folder/of-Jane-Doe.js',
          preprocessing: [new OrdinalEncoder({ categories: [['gleason-four', 'gleason-three']] } as never)],
          embeddings: X,
          callbacks: { name: 'log', seen: patientIds, last: new Map([[patientIds[0], 1]]), onFoldEnd: () => undefined },
          cv: new KFold({ nSplits: 4 }),
        }),
      ]),
    );
    for (const secret of ['gleason', '7340000', 'Jane', String(X[0][0])]) expect(text).not.toContain(secret);
    expect(text).toContain('"nSplits":4');
  });
});

describe('reproduce', () => {
  it('repeats a validation from its manifest as JSON', async () => {
    const result = await validated({ threshold: 'youden', metrics: ['roc_auc', 'accuracy'] });
    const again = await reproduce(asJSON(result.manifest), { model, X, y, verbose: 0 });
    expect(again).toMatchObject({ reproduced: true, differences: [], first: null });
    expect((again.result as CVResults).scores).toEqual(result.scores);
  });

  it('repeats a run, a search and a given test set, also one whose seed was drawn', async () => {
    const cvSplitter = new StratifiedKFold({ nSplits: 3, shuffle: true });
    const drawn = new UniversalCVRunner({ cvSplitter, randomState: null, verbose: 0 });
    const { metadata } = await drawn.run({ model, data: [X, y] });
    expect(await reproduce(asJSON(metadata), { model, X, y, cvSplitter, verbose: 0 })).toMatchObject({
      reproduced: true,
    });
    const modelFn = ({ C }: { C: number }) => new LogisticRegression({ C });
    const search = { modelFn, paramGrid: { C: [0.01, 1] }, scoring: 'brier' } as const;
    const { results } = await drawn.runWithHyperparameterTuning({ ...search, data: [X, y] });
    const tuned = await reproduce(asJSON(results.metadata), { modelFn, X, y, cvSplitter, verbose: 0 } as never);
    expect(tuned).toMatchObject({ reproduced: true, first: null });
    const sets = { XTrain: X.slice(0, 40), yTrain: y.slice(0, 40), XTest: X.slice(40), yTest: y.slice(40) };
    const { manifest } = await new CVKitValidator({ randomState: null }).fitValidate({ model, ...sets, verbose: 0 });
    expect(await reproduce(asJSON(manifest), { model, ...sets, verbose: 0 })).toMatchObject({ reproduced: true });
  });

  it('names other data and trains nothing', async () => {
    const { manifest } = await validated();
    let calls = 0;
    const counted = () => {
      calls++;
      return model();
    };
    const other = X.map((row, at) => (at === 59 ? [row[0] + 1e-9, ...row.slice(1)] : row));
    const again = await reproduce(manifest, { model: counted, X: other, y, verbose: 0 });
    expect(again).toMatchObject({ reproduced: false, result: null });
    expect(again.differences.map(({ where, kind }) => [where, kind])).toEqual([['sha256.data.X', 'data']]);
    expect(calls).toBe(0);
  });

  it('names another function, the first fold and score that differ, and versions', async () => {
    const { manifest } = await validated({ metrics: ['roc_auc'] });
    const weak = () => new LogisticRegression({ C: 0.001 });
    const again = await reproduce(manifest, { model: weak, X, y, verbose: 0 });
    expect(again.reproduced).toBe(false);
    const places = again.differences.map(({ where }) => where);
    expect(places[0]).toBe('options.validate.model.sha256');
    expect(places).toContain('network.options.C');
    expect(places.find((where) => where.startsWith('outcome'))).toBe('outcome.fold-0.predictions');
    const changed = asJSON(manifest);
    Object.assign(changed, { runtime: 'node 1.0.0' });
    Object.assign(changed.outcome[1].scores, { roc_auc: 0.5 });
    const score = await reproduce(changed, { model, X, y, verbose: 0 });
    expect(score.differences.map(({ where, kind }) => [where, kind])).toEqual([
      ['outcome.fold-1.scores.roc_auc', 'result'],
      ['runtime', 'version'],
    ]);
    const older = await reproduce({ ...manifest, runtime: 'node 1.0.0' }, { model, X, y, verbose: 0 });
    expect(older).toMatchObject({ reproduced: true, first: expect.stringContaining('node 1.0.0') });
  });

  it('compares the text of functions, and not what they are called', async () => {
    const scores = [3, 4].map((least) => ({ share: (table: ScoreTable) => Number(table.length > least) }));
    const { metadata } = await runner.run({ data: [X, y], model, scoring: { own: scores[0].share } });
    const again = (own: unknown, cvSplitter = new StratifiedKFold({ nSplits: 3 })) =>
      reproduce(asJSON(metadata), { model, cvSplitter, X, y, scoring: { own }, verbose: 0 } as never);
    const other = { 'another name': scores[0].share }['another name'];
    Object.defineProperty(other, 'name', { value: 'renamed' });
    expect(await again(other)).toMatchObject({ reproduced: true, first: null });
    const { differences } = await again((table: ScoreTable) => Number(table.length > 2));
    expect(differences.map(({ where }) => where)).toEqual(['options.run.scoring.options.own.sha256']);
  });

  it('names what the run had and the call has not, and the other way round', async () => {
    const groups = X.map((_, row) => row >> 1);
    const timestamps = X.map((_, row) => row);
    const { manifest } = await validated({ patientIds: groups, timestamps }, { independentRows: false });
    const again = await reproduce(asJSON(manifest), { model, X, y, verbose: 0 });
    expect(again).toMatchObject({ reproduced: false, result: null });
    expect(again.first).toBe(
      'The run of the manifest had `groups`, `timestamps`, and this call has none: pass the same to reproduce.',
    );
    const plain = (await validated()).manifest;
    const more = await reproduce(asJSON(plain), { model, X, y, groups, verbose: 0 });
    expect(more.first).toMatch(/^This call has `groups`, and the run of the manifest had none/);
    const others = await reproduce(asJSON(plain), { model, X, y: y.map((each) => 1 - each), verbose: 0 });
    expect(others.first).toMatch(/^sha256\.data\.y: /);
  });

  it('is spelled in snake_case, and sees the text of functions there, too', async () => {
    const snake = await import('../../src/snake/index.js');
    const factory = (_ctx: object) => model();
    const validate = (options: object) =>
      new snake.CVKitValidator({ n_splits: 3, independent_rows: true, ci_fits: 0 }).validate({
        X,
        y,
        verbose: 0,
        model: factory,
        ...options,
      } as never);
    const { manifest } = await validate({});
    const given = { model: factory, X, y, verbose: 0 } as never;
    expect(await snake.reproduce(asJSON(manifest), given)).toMatchObject({ reproduced: true, first: null });
    const other = await validate({ model: (_ctx: object) => new LogisticRegression({ C: 0.1 }) });
    expect(asJSON(other.manifest.options)).not.toEqual(asJSON(manifest.options));
    const hooked = async (on_fold_end: () => undefined) =>
      asJSON((await validate({ callbacks: { on_fold_end } })).manifest.options);
    expect(await hooked(() => undefined)).not.toEqual(await hooked(() => void 0));
  });
});
