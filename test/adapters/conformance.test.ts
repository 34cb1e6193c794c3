import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomForestClassifier, RandomForestRegression } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import { estimatorAdapter } from '../../adapters/estimator/index.js';
import { createOnnxAdapter, onnxAdapter, onnxModel } from '../../adapters/onnx/index.js';
import { createTfjsAdapter, tfjsAdapter } from '../../adapters/tfjs/index.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { adapterRegistry } from '../../src/runner/adapterRegistry.js';
import { type AdapterUnderTest, adapterSuite } from '../conformance/adapterSuite.js';
import { logisticGraph } from '../helpers/graphModels.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { network, stack, table, tf } from '../helpers/tfjsModels.js';
import { hasTfjsNode } from '../helpers/tfjsNode.js';
import { fixturePath } from './onnx/fixtures.js';

const { layers: l } = tf;
const memory = () => tf.memory().numTensors;
const withoutTfjs = createTfjsAdapter({ imports: { '@tensorflow/tfjs': () => Promise.reject(new Error('not here')) } });
const withoutWasm = createTfjsAdapter({
  tf: { ...tf, findBackendFactory: () => undefined },
  imports: { '@tensorflow/tfjs-backend-wasm': () => Promise.reject(new Error('not here')) },
});
const session = { run: () => undefined, inputNames: [], outputNames: [], release: () => undefined };

const estimator = {
  adapter: estimatorAdapter,
  foreignModels: [session, network(), await logisticGraph()],
  makeData: () => table(30),
};
const tfjs = { adapter: tfjsAdapter, memory, foreignModels: [new NearestMean(), session] };
const compiled = (model: tf.LayersModel, loss: string, optimizer: string | tf.Optimizer = 'adam') => {
  model.compile({ optimizer, loss, metrics: ['accuracy'] });
  return model;
};

class Slow {
  readonly #inner = new NearestMean();
  async fit(X: number[][], y: unknown[]) {
    this.#inner.fit(X, y);
  }
  async predict(X: number[][]) {
    return this.#inner.predict(X);
  }
}

const MEMBERS: Record<string, AdapterUnderTest> = {
  'estimator: fit and predict': { ...estimator, makeFactory: () => () => new NearestMean() },
  'estimator: fit and predict, async, with labels as text': {
    ...estimator,
    makeData: () => ({ ...table(30), y: table(30).y.map((label) => (label ? 'case' : 'control')) }),
    makeFactory: () => () => new Slow(),
  },
  'estimator: logistic regression, which saves': {
    ...estimator,
    makeFactory: () => () => new LogisticRegression(),
    place: () => mkdtemp(join(tmpdir(), 'cvkit-')),
  },
  'estimator: mljs forest': {
    ...estimator,
    makeFactory: () => (ctx) => new RandomForestClassifier({ nEstimators: 5, seed: ctx.seed >>> 1, noOOB: true }),
  },
  'estimator: mljs forest, regression': {
    ...estimator,
    makeData: () => ({ ...table(30), y: table(30).X.map(([a, b]) => a + b) }),
    makeFactory: () => () => new RandomForestRegression({ nEstimators: 5, noOOB: true }),
  },
};

const noOnnx = () => Promise.reject(new Error('not here'));
const onnx: Omit<AdapterUnderTest, 'makeFactory' | 'makeData'> = {
  adapter: onnxAdapter,
  foreignModels: [new NearestMean(), network(), await logisticGraph()],
  missing: {
    adapter: createOnnxAdapter({ imports: { 'onnxruntime-node': noOnnx, 'onnxruntime-web': noOnnx } }),
    packageName: 'onnxruntime-node',
  },
};
const fourColumns = (n: number) => table(n).X.map(([a, b]) => [a, b, a * b, 1]);
for (const runtime of ['node', 'web'] as const) {
  MEMBERS[`onnx on ${runtime}: a forest with ZipMap`] = {
    ...onnx,
    makeData: () => ({ X: fourColumns(30), y: table(30).y }),
    makeFactory: () => () => onnxModel(fixturePath('zipmap-integers'), { gives: 'probabilities', runtime }),
  };
  MEMBERS[`onnx on ${runtime}: a regression`] = {
    ...onnx,
    makeData: () => ({ X: fourColumns(30), y: table(30).X.map(([a, b]) => a + b) }),
    makeFactory: () => () => onnxModel(fixturePath('regression'), { runtime }),
  };
}

/** Saves to memory; files.test.ts saves to disk. */
function place(): tf.io.IOHandler {
  let kept: tf.io.ModelArtifacts | undefined;
  return {
    async save(artifacts) {
      kept = artifacts;
      return { modelArtifactsInfo: tf.io.getModelArtifactsInfoForJSON(artifacts) };
    },
    load: async () => kept as tf.io.ModelArtifacts,
  };
}

const images = (n: number, size: number) =>
  tf.tidy(() => tf.reshape(tf.sin(tf.range(0, n * size ** 2)), [n, size, size, 1]).arraySync() as number[][][][]);
const apply = (layer: tf.layers.Layer, to: tf.SymbolicTensor | tf.SymbolicTensor[]) =>
  layer.apply(to) as tf.SymbolicTensor;

/** An image and a column into one probability. */
function twoInputs(): tf.LayersModel {
  const inputs = [tf.input({ shape: [4, 4, 1], name: 'image' }), tf.input({ shape: [1], name: 'age' })];
  const both = apply(tf.layers.concatenate(), [apply(tf.layers.flatten(), inputs[0]), inputs[1]]);
  const outputs = apply(tf.layers.dense({ units: 1, activation: 'sigmoid' }), both);
  return compiled(tf.model({ inputs, outputs }), 'binaryCrossentropy');
}

/** The adapter of a session with a graph model, which predicts only. */
async function predictOnly() {
  const model = await logisticGraph();
  const session = await tfjsAdapter.open?.({ backend: 'cpu' }, model);
  await session?.close();
  model.dispose();
  return session?.adapter ?? tfjsAdapter;
}

/** Models of tfjs, tested on every backend. */
const NETWORKS: Record<string, Omit<AdapterUnderTest, 'adapter'> & Partial<Pick<AdapterUnderTest, 'adapter'>>> = {
  dropout: {
    makeData: () => table(30),
    makeFactory: () => () => compiled(network({ dropout: 0.5 }), 'binaryCrossentropy'),
  },
  'softmax and sparse targets, one optimizer for all folds': {
    makeData: () => table(30, 3),
    makeFactory: () => () => network({ units: 3 }),
    fitOptions: { optimizer: tf.train.momentum(0.05, 0.9), lossFn: 'sparseCategoricalCrossentropy' },
  },
  'softmax and one-hot targets': {
    makeData: () => table(30, 3),
    makeFactory: () => () => compiled(network({ units: 3 }), 'categoricalCrossentropy'),
  },
  regression: {
    makeData: () => ({ ...table(30), y: table(30).X.map(([a, b]) => a + b) }),
    makeFactory: () => () => compiled(network({ activation: 'linear' }), 'meanSquaredError', tf.train.adam(0.05)),
  },
  convolutions: {
    makeData: () => ({ X: images(18, 6), y: table(18).y }),
    makeFactory: () => () => {
      const first = l.conv2d({ filters: 2, kernelSize: 3, inputShape: [6, 6, 1] });
      const rest = [l.batchNormalization(), l.maxPooling2d({ poolSize: 2 }), l.flatten()];
      return compiled(stack(first, ...rest, l.dense({ units: 1, activation: 'sigmoid' })), 'binaryCrossentropy');
    },
  },
  'several inputs': {
    makeData: () => ({ X: { image: images(18, 4), age: table(18).X.map(([a]) => a) }, y: table(18).y }),
    makeFactory: () => twoInputs,
  },
  masks: {
    makeData: () => ({
      X: images(15, 4),
      y: images(15, 4).map((image) => image.map((row) => row.map(([v]) => +(v > 0)))),
    }),
    makeFactory: () => () => {
      const size = { filters: 1, kernelSize: 3, inputShape: [4, 4, 1] };
      return compiled(stack(l.conv2d({ ...size, padding: 'same', activation: 'sigmoid' })), 'binaryCrossentropy');
    },
  },
  'a graph model': {
    adapter: await predictOnly(),
    makeData: () => table(30),
    makeFactory: () => () => logisticGraph(),
  },
};

const MISSING = {
  cpu: { adapter: withoutTfjs, packageName: '@tensorflow/tfjs' },
  wasm: { adapter: withoutWasm, packageName: '@tensorflow/tfjs-backend-wasm' },
};

describe.each([
  ['cpu', true],
  ['wasm', true],
  ['tensorflow', hasTfjsNode],
])('tfjs on %s', (backend, runs) => {
  describe.skipIf(!runs).each(Object.entries(NETWORKS))('%s', (_, networks) => {
    const missing = MISSING[backend as keyof typeof MISSING];
    const member = { ...tfjs, ...networks, adapterOptions: { backend }, place, ...(missing ? { missing } : {}) };
    for (const { name, run } of adapterSuite(member)) it(name, run);
  });
});

describe('every folder of adapters', () => {
  const entries = readdirSync(new URL('../../adapters/', import.meta.url), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);

  it('has a row in src/runner/adapterRegistry.ts, both named as the adapter is', async () => {
    expect(adapterRegistry.names().sort()).toEqual(folders.sort());
    const loaded = await Promise.all(Array.from(adapterRegistry, (row) => row.load()));
    expect(loaded.map(({ name }) => name)).toEqual(adapterRegistry.names());
  });

  it('is tried by adapterSuite: here, or in its own test', () => {
    const here = [tfjs, ...Object.values(MEMBERS)].map(({ adapter }) => adapter.name);
    const testOf = (name: string) => readFileSync(new URL(`./${name}/index.test.ts`, import.meta.url), 'utf8');
    expect(folders.filter((name) => !here.includes(name) && !testOf(name).includes('adapterSuite('))).toEqual([]);
  });
});

describe.each(Object.entries(MEMBERS))('%s', (_, member) => {
  for (const { name, run } of adapterSuite(member)) it(name, run);
});
