/** `preprocessing: { table: ..., image: ... }`: steps for each of several inputs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import * as steps from '../../src/preprocessing/index.js';
import { loadModel } from '../../src/runner/loadModel.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import type { PreparedModel } from '../../src/runner/withPreprocessing.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { tf } from '../helpers/tfjsModels.js';

const { ChannelScaler, FunctionTransformer, Pipeline, RandomOverSampler, Resize, SimpleImputer } = steps;
const { SMOTE, StandardScaler, tabular, transformerFromJSON } = steps;

const N = 24;
const y = Array.from({ length: N }, (_, row) => (row % 3 === 0 ? 1 : 0));
const pixels = Float32Array.from({ length: N * 16 }, (_, at) => ((at * 7) % 11) / 10);
const image = { data: pixels, shape: [N, 4, 4, 1] };
const table = y.map((label, row) => [row % 5 === 4 ? null : 100 + row + 9 * label, (row * row) % 7]);
const records = table.map(([dose, age], row) => ({ dose, age, sex: row % 2 ? 'f' : 'm' }));
const X = { image, table };
/** Images that are read as they are needed. */
const source = {
  length: N,
  take: (rows: Int32Array) => ({
    data: Float32Array.from({ length: rows.length * 16 }, (_, at) => pixels[rows[at >> 4] * 16 + (at & 15)]),
    shape: [rows.length, 4, 4, 1],
  }),
};

interface Shapes {
  readonly image: number[];
  readonly table: number[];
}
const network = ({ inputShape }: { readonly inputShape: Shapes }) => {
  const inputs = (['image', 'table'] as const).map((name) => tf.input({ shape: inputShape[name], name }));
  const flat = [tf.layers.flatten().apply(inputs[0]) as tf.SymbolicTensor, inputs[1]];
  const outputs = tf.layers.dense({ units: 1, activation: 'sigmoid', kernelInitializer: 'zeros' });
  return tf.model({ inputs, outputs: outputs.apply(tf.layers.concatenate().apply(flat)) as tf.SymbolicTensor });
};
const both = () => ({ table: [new SimpleImputer(), new StandardScaler()], image: new Resize({ size: 2 }) });
const TRAINING = { epochs: 2, optimizer: 'sgd', lossFn: 'binaryCrossentropy', metrics: ['accuracy'] } as const;

const runner = (options = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), randomState: 1, verbose: 0, ...options });
const run = (options: Partial<RunOptions> = {}, own = {}) =>
  runner(own).run({
    model: network as never,
    data: { X, y },
    ...TRAINING,
    preprocessing: both(),
    keepModels: 'memory',
    ...options,
  } as RunOptions);
const stepOf = (model: unknown) => (model as PreparedModel).preprocessing as InstanceType<typeof Pipeline>;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('steps for each input', () => {
  it('are fitted in each fold on the rows that are fitted', async () => {
    const { models } = await run();
    for (const [at, { train }] of [...new KFold({ nSplits: 2 }).split(N)].entries()) {
      const alone = new Pipeline(both().table);
      await alone.fit(Array.from(train, (row) => table[row]));
      const prepared = await stepOf(models[at]).transform(X);
      expect(prepared.table).toEqual(await alone.transform(table));
      expect(prepared.image).toEqual(await new Resize({ size: 2 }).transform(image));
    }
  });

  it.each([
    ['in memory', image],
    ['of a source', source],
  ])('tell the factory the prepared shapes by name: images %s', async (_, images) => {
    const shapes: unknown[] = [];
    const model = (ctx: { readonly inputShape: Shapes }) => {
      shapes.push(ctx.inputShape);
      return network(ctx);
    };
    const preprocessing = { table: tabular(), image: new Resize({ size: 2 }) };
    await run({ model: model as never, data: { X: { image: images, table: records }, y }, preprocessing });
    expect(shapes[0]).toEqual({ image: [4, 4, 1], table: [3] });
    expect(shapes.at(-1)).toEqual({ image: [2, 2, 1], table: [5] });
  });

  it('leave an input without any as it is', async () => {
    const { models } = await run({ preprocessing: { table: tabular() }, data: { X: { image, table: records }, y } });
    const { image: same } = await stepOf(models[0]).transform({ image, table: records });
    expect(same).toEqual(image);
  });

  it('get the labels and the weights of the rows', async () => {
    const selected = new Pipeline([{ table: [new SimpleImputer(), new steps.SelectKBest({ k: 1 })] }]);
    expect((await selected.fitTransform(X, y))[0].table).toHaveLength(1);
    const scaled = new Pipeline([{ table: new StandardScaler() }]);
    const [rows, weight] = [table.map(([, age]) => [age]), y.map((_, row) => row)];
    await scaled.fit({ image, table: rows }, y, weight);
    const alone = await new StandardScaler().fit(rows as number[][], y, weight);
    expect(JSON.stringify(scaled)).toContain(JSON.stringify(alone.toJSON().fitted));
  });

  it('say their input in the facts of the run', async () => {
    const { metadata } = await run();
    expect(metadata.preprocessing).toMatchObject({
      steps: '{ table: SimpleImputer, StandardScaler; image: Resize({ size: 2 }) }',
      learns: true,
      imputers: ["SimpleImputer (input 'table')"],
    });
  });

  it('may be followed by a step that resamples', async () => {
    const results = await run({ preprocessing: [both(), new RandomOverSampler()] });
    expect(results.metadata.preprocessing?.resamplers).toEqual(['RandomOverSampler']);
  });

  it('may stand in a Pipeline with a model at its end', async () => {
    const model = new Pipeline([{ table: [new SimpleImputer(), new StandardScaler()] }, network as never]);
    const results = await run({ model, preprocessing: undefined });
    const { outOfFold } = await run({ preprocessing: { table: both().table } });
    expect(results.outOfFold.yProba).toEqual(outOfFold.yProba);
  });

  it('have options that a search changes, by input and step', async () => {
    const seen: unknown[] = [];
    const preprocessing = { table: new StandardScaler(), image: new ChannelScaler() };
    const tuned = await runner().runWithHyperparameterTuning({
      modelFn: ((params: object, ctx: { readonly inputShape: Shapes }) => {
        seen.push(params);
        return network(ctx);
      }) as never,
      paramGrid: { table__standardscaler__withMean: [false] },
      nTrials: 1,
      data: { X: { image, table: table.map(([, age]) => [age]) }, y },
      ...TRAINING,
      scoring: 'accuracy',
      preprocessing,
      keepModels: 'memory',
    } as never);
    expect(stepOf(tuned.results.models[0]).describe()).toBe(
      '{ table: StandardScaler({ withMean: false }); image: ChannelScaler }',
    );
    expect(preprocessing.table.getParams().withMean).toBe(true);
    const named = new Pipeline([['inputs', preprocessing], network as never]);
    expect(named.withParams({ inputs__table__standardscaler__withStd: false }).describe()).toContain(
      '{ table: StandardScaler({ withStd: false }); image: ChannelScaler }',
    );
  });

  it('are saved with the model', async () => {
    const place = join(folder, 'saved');
    const { refitted } = await run({ refit: true });
    await refitted?.save(place);
    const loaded = await loadModel(place);
    expect(await loaded.predictProba(X)).toEqual(await refitted?.predictProba(X));
  });

  it('are written as JSON and read, fitted or not', async () => {
    const fitted = stepOf((await run()).models[0]);
    const read = transformerFromJSON(JSON.parse(JSON.stringify(fitted))) as typeof fitted;
    expect(await read.transform(X)).toEqual(await fitted.transform(X));
    const clone = transformerFromJSON(JSON.parse(JSON.stringify(fitted.clone()))) as typeof fitted;
    expect([fitted.toJSON().fitted, clone.toJSON().fitted]).toEqual([true, null]);
    await expect(clone.transform(X)).rejects.toMatchObject({ code: 'not_fitted' });
  });

  it('leave neither a missing cell nor an infinite number where there was none', async () => {
    const gaps = new FunctionTransformer((rows: (number | null)[][]) => rows.map(() => [Number.NaN]), { name: 'gaps' });
    const preprocessing = { image: new Resize({ size: 2 }), table: gaps };
    await expect(run({ preprocessing })).rejects.toMatchObject({ code: 'made_missing' });
  });
});

it.each<[string, Partial<RunOptions>, string]>([
  ['an unknown name', { preprocessing: { tabel: tabular() } }, 'unknown_input'],
  ['rows of one input', { data: { X: table, y } }, 'not_inputs'],
  ['a step that resamples one input', { preprocessing: { table: [tabular(), new SMOTE()] } }, 'invalid_option'],
  ['what is no step', { preprocessing: { table: tabular(), image: 5 } as never }, 'invalid_option'],
  ['a record without steps', { preprocessing: {} }, 'invalid_option'],
])('%s is refused before a fold begins', async (_, options, code) => {
  const model = () => expect.unreachable();
  await expect(run({ ...options, model })).rejects.toMatchObject({ code });
});

it('an unknown name in a model that is a Pipeline is refused before a fold begins', async () => {
  const pipeline = () => new Pipeline([{ ...both(), tabel: tabular() }, new LogisticRegression()]);
  for (const model of [pipeline(), pipeline]) {
    const callbacks = { onFoldStart: () => expect.unreachable() };
    const running = runner().run({ model, data: { X, y }, callbacks });
    await expect(running).rejects.toMatchObject({ code: 'unknown_input' });
  }
});
