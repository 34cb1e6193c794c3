import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OnnxEmbedding } from '../../../adapters/onnx/index.js';
import { LogisticRegression } from '../../../src/estimators/index.js';
import { CVKitValidator, EarlyStopping, KFold, loadModel, UniversalCVRunner } from '../../../src/index.js';
import { Pipeline, StandardScaler, transformerFromJSON } from '../../../src/preprocessing/index.js';
import { stack, tf } from '../../helpers/tfjsModels.js';
import { countingOrt, fixtureBytes, fixturePath, inputOf, reference } from './fixtures.js';

const features = (name: string): number[][] => reference(name).outputs.features.map((row: number[][][]) => row.flat(2));
const embedding = (options = {}) => new OnnxEmbedding(fixturePath('grey'), { output: 'features', ...options });

const expectNear = (got: readonly (readonly number[])[], wanted: readonly (readonly number[])[], tolerance = 1e-5) => {
  expect(got.length).toBe(wanted.length);
  const differences = wanted.flatMap((row, at) => row.map((value, j) => Math.abs(got[at][j] - value)));
  expect(Math.max(...differences)).toBeLessThan(tolerance);
};

/** Images whose left half is brighter in class 1; the noise is a sine of large numbers. */
function problem(n = 40) {
  const y = Array.from({ length: n }, (_, row) => row % 2);
  const noise = (at: number) => Math.sin(at * 12.9898) * 43758.5453 - Math.floor(Math.sin(at * 12.9898) * 43758.5453);
  const data = Float32Array.from({ length: n * 48 }, (_, at) => noise(at) + (at % 8 < 4 ? y[Math.floor(at / 48)] : 0));
  return { X: { data, shape: [n, 6, 8, 1] }, y };
}

const runner = new UniversalCVRunner({ cvSplitter: new KFold(), verbose: 0 });

const head = ({ inputShape }: { inputShape?: unknown }) =>
  stack(tf.layers.dense({ inputShape: [...(inputShape as number[])], units: 1, activation: 'sigmoid' }));

describe('OnnxEmbedding', () => {
  it('gives the inner tensor of the reference, as vectors', async () => {
    const step = embedding();
    expectNear(await step.transform(inputOf('grey') as never), features('grey'));
    expect(step.getFeatureNamesOut()).toEqual([0, 1, 2, 3, 4].map((at) => `embedding_${at}`));
    const half = new OnnxEmbedding(fixturePath('half-image'), { output: 'features' });
    const found = await half.transform(inputOf('half-image') as never);
    expectNear(found, features('half-image'), 0.01);
  });

  it('computes each row once, by its content', async () => {
    const step = embedding();
    const { X } = problem(5);
    const twice = { data: Float32Array.from([...X.data, ...X.data]), shape: [10, 6, 8, 1] };
    const vectors = await step.transform(twice as never);
    expect(step.computed).toBe(5);
    expect(vectors.slice(5)).toEqual(vectors.slice(0, 5));
    await Promise.all([step.transform(twice as never), step.transform(X as never)]);
    expect(step.computed).toBe(5);
    const uncached = embedding({ cache: false });
    expect(await uncached.transform(twice as never)).toEqual(vectors);
    expect(uncached.computed).toBe(10);
  });

  it('is made again with other options, and is shared where they stay', async () => {
    const step = embedding({ batch_size: 4 });
    const other = step.withParams({ cache: false, batchSize: 2 });
    const kept = { output: 'features', source: fixturePath('grey') };
    expect(other.getParams()).toMatchObject({ ...kept, cache: false, batchSize: 2 });
    expect(step.getParams()).toMatchObject({ cache: true, batchSize: 4 });
    expectNear(await other.transform(inputOf('grey') as never), features('grey'));
    expect(step.computed).toBe(0);
    const pipeline = new Pipeline([step, new StandardScaler()]);
    expect(pipeline.withParams({ standardscaler__withMean: false }).steps[0][1]).toBe(step);
    const changed = pipeline.withParams({ onnxembedding__source: fixturePath('half-image') });
    expect((changed.steps[0][1] as OnnxEmbedding).getParams().source).toEqual(fixturePath('half-image'));
    expect(() => pipeline.withParams({ onnxembedding__batchSize: 0 })).toThrow(
      "In the step 'onnxembedding': The `batchSize`",
    );
  });

  it('serves an estimator in every fold with one pass over the rows and one session', async () => {
    const { releases, counting } = countingOrt();
    const step = embedding({ ort: counting });
    const { X, y } = problem();
    const result = await new CVKitValidator({ nSplits: 4 }).validate({
      model: () => new LogisticRegression(),
      preprocessing: [step, new StandardScaler()],
      X: X as never,
      y,
      independentRows: true,
      verbose: 0,
    });
    expect(step.computed).toBe(40);
    expect(releases.length).toBe(1);
    expect(releases[0]).toHaveBeenCalledTimes(1);
    expect(result.meanScores.roc_auc).toBeGreaterThan(0.9);
    const summary = result.summary({ details: true }).replace(/\s+/g, ' ');
    expect(summary).toMatch(
      /trained elsewhere, perhaps on these rows: OnnxEmbedding\(grey\.onnx, features\) on onnxruntime-node \d+\.\d+\.\d+, SHA-256 [0-9a-f]{12}/,
    );
    // Its vectors, not the pixels, are what near-duplicates are looked for in.
    expect(result.checks.find(({ code }) => code === 'CVL003')?.evidence.inputs).toMatchObject([{ features: 5 }]);
    expect(result.overallStatus).toBe('not_fully_verified');
    expect(result.summary()).toContain('preprocessing');
  });

  it('releases the session when a fold fails', async () => {
    const { releases, counting } = countingOrt();
    const { X, y } = problem();
    const model = () => ({ fit: () => Promise.reject(new Error('broken')), predict: () => [] });
    const failing = runner.run({ model, preprocessing: embedding({ ort: counting }), data: [X, y] as never });
    await expect(failing).rejects.toThrow('broken');
    expect(releases.length).toBe(1);
    expect(releases[0]).toHaveBeenCalledTimes(1);
  });

  it('is a step before a network that is trained with early stopping', async () => {
    const step = embedding();
    const { X, y } = problem();
    const cvSplitter = new KFold({ shuffle: true, randomState: 1 });
    const results = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({
      model: head,
      preprocessing: [step, new StandardScaler()],
      data: [X, y] as never,
      epochs: 30,
      optimizer: tf.train.adam(0.1),
      lossFn: 'binaryCrossentropy',
      validation: 0.25,
      callbacks: new EarlyStopping({ patience: 5 }),
    });
    expect(step.computed).toBe(40);
    expect(results.meanScores.roc_auc).toBeGreaterThan(0.9);
  });

  it('reads images of a source in blocks, never all at once', async () => {
    const { X, y } = problem();
    let most = 0;
    const source = {
      length: 40,
      take: (rows: Int32Array) => {
        most = Math.max(most, rows.length);
        return {
          data: Float32Array.from([...rows].flatMap((row) => [...X.data.subarray(row * 48, (row + 1) * 48)])),
          shape: [rows.length, 6, 8, 1],
        };
      },
    };
    const step = embedding({ batchSize: 4 });
    const model = () => new LogisticRegression();
    const run = (first: OnnxEmbedding, rows: unknown) =>
      runner.run({ model, preprocessing: [first, new StandardScaler()], data: [rows, y] as never });
    const [lazy, eager] = [await run(step, source), await run(embedding(), X)];
    expect(lazy.outOfFold.yProba).toEqual(eager.outOfFold.yProba);
    expect([most, step.computed]).toEqual([4, 40]);
  });

  it('is written as JSON and read again, with the hash of its file', async () => {
    const step = new Pipeline([embedding(), new StandardScaler()]);
    const { X } = problem(6);
    await step.fit(X as never);
    const read = transformerFromJSON(JSON.parse(JSON.stringify(step))) as Pipeline;
    expect(await read.transform(X as never)).toEqual(await step.transform(X as never));
  });

  it('refuses a file that has changed, and takes the right one afterwards', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cvkit-onnx-'));
    const path = join(folder, 'net.onnx');
    await writeFile(path, fixtureBytes('grey'));
    const step = new OnnxEmbedding(path, { output: 'features' });
    const vectors = await step.transform(problem(3).X as never);
    const json = JSON.parse(JSON.stringify(step));
    await writeFile(path, fixtureBytes('half-image'));
    const read = transformerFromJSON(json) as OnnxEmbedding;
    await expect(read.transform(problem(3).X as never)).rejects.toThrow(
      'The file of OnnxEmbedding(net.onnx, features) must be the one that was saved. Got another one: its SHA-256 differs.',
    );
    await expect(step.hold()).rejects.toThrow('its SHA-256 differs');
    await writeFile(path, fixtureBytes('grey'));
    const release = await step.hold();
    expect(await step.transform(problem(3).X as never)).toEqual(vectors);
    await release();
    await rm(folder, { recursive: true });
  });

  it('names the row of X where a cell is missing, whatever its block and its copies', async () => {
    const { X } = problem(45);
    X.data.copyWithin(40 * 48, 0, 48); // row 40 is a copy of row 0, and is not computed again
    X.data[42 * 48 + 7] = Number.NaN;
    await expect(embedding().transform(X as never)).rejects.toThrow(
      'X row 42 of the rows to predict at [0, 7, 0] must be',
    );
  });

  it('cannot be written where it came as bytes', () => {
    const step = new OnnxEmbedding(fixtureBytes('grey'), { output: 'features' });
    expect(() => step.toJSON()).toThrow('An OnnxEmbedding to be written as JSON must come from a path or URL');
  });

  it('says what is wrong in one sentence', async () => {
    const named = (output: string) =>
      new OnnxEmbedding(fixturePath('grey'), { output }).transform(problem(3).X as never);
    await expect(named('feature')).rejects.toThrow(
      "must name one of its tensors. Got 'feature'. Did you mean 'features'?",
    );
    expect(() => new OnnxEmbedding(7 as never)).toThrow('The source of onnxModel must be the path');
    expect(() => embedding().getFeatureNamesOut()).toThrow('must be requested after rows were transformed');
    const wrong = embedding().transform([[1, 2, 3]] as never);
    await expect(wrong).rejects.toThrow(
      "The rows of X must have the shape [1, 6, 8] of the input 'image' of the model. Got [3].",
    );
  });

  it('is saved and loaded with the head that was refitted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cvkit-onnx-'));
    const { X, y } = problem();
    const { refitted } = await runner.run({
      model: head,
      preprocessing: [embedding(), new StandardScaler()],
      data: [X, y] as never,
      optimizer: 'adam',
      lossFn: 'binaryCrossentropy',
      refit: true,
    });
    await refitted?.save(join(folder, 'final'));
    const loaded = await loadModel(join(folder, 'final'));
    const [found, expected] = [await loaded.predict(X as never), await refitted?.predict(X as never)];
    expect(found.probabilities).toEqual(expected?.probabilities);
    await rm(folder, { recursive: true });
  });
});
