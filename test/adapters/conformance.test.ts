import { RandomForestClassifier, RandomForestRegression } from 'ml-random-forest';
import { describe, it } from 'vitest';
import { estimatorAdapter } from '../../adapters/estimator/index.js';
import { createTfjsAdapter, tfjsAdapter } from '../../adapters/tfjs/index.js';
import { type AdapterUnderTest, adapterSuite } from '../conformance/adapterSuite.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { network, table, tf } from '../helpers/tfjsModels.js';

const memory = () => tf.memory().numTensors;
const withoutTfjs = createTfjsAdapter({ imports: { '@tensorflow/tfjs': () => Promise.reject(new Error('not here')) } });
const withoutWasm = createTfjsAdapter({
  tf: { ...tf, findBackendFactory: () => undefined },
  imports: { '@tensorflow/tfjs-backend-wasm': () => Promise.reject(new Error('not here')) },
});
const graphModel = { predict: () => undefined, execute: () => undefined, modelVersion: '1', inputs: [], outputs: [] };

const estimator = { adapter: estimatorAdapter, foreignModels: [graphModel, network()], makeData: () => table(30) };
const tfjs = { adapter: tfjsAdapter, memory, foreignModels: [new NearestMean(), graphModel] };
const compiled = (model: tf.LayersModel, loss: string, optimizer: string | tf.Optimizer = 'adam') => {
  model.compile({ optimizer, loss, metrics: ['accuracy'] });
  return model;
};

const MEMBERS: Record<string, AdapterUnderTest> = {
  'estimator: fit and predict': { ...estimator, makeFactory: () => () => new NearestMean() },
  'estimator: fit and predict, async, with labels as text': {
    ...estimator,
    makeData: () => ({ ...table(30), y: table(30).y.map((label) => (label ? 'case' : 'control')) }),
    makeFactory: () => () =>
      new (class {
        readonly inner = new NearestMean();
        async fit(X: number[][], y: unknown[]) {
          this.inner.fit(X, y);
        }
        async predict(X: number[][]) {
          return this.inner.predict(X);
        }
      })(),
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
  'tfjs on cpu: dropout': {
    ...tfjs,
    adapterOptions: { backend: 'cpu' },
    makeData: () => table(30),
    makeFactory: () => () => compiled(network({ dropout: 0.5 }), 'binaryCrossentropy'),
    missing: { adapter: withoutTfjs, packageName: '@tensorflow/tfjs' },
  },
  'tfjs on wasm: dropout': {
    ...tfjs,
    adapterOptions: { backend: 'wasm' },
    makeData: () => table(30),
    makeFactory: () => () => compiled(network({ dropout: 0.5 }), 'binaryCrossentropy'),
    missing: { adapter: withoutWasm, packageName: '@tensorflow/tfjs-backend-wasm' },
  },
  'tfjs on wasm: softmax, one optimizer for all folds': {
    ...tfjs,
    adapterOptions: { backend: 'wasm' },
    makeData: () => table(30, 3),
    makeFactory: () => () => network({ units: 3 }),
    fitOptions: { optimizer: tf.train.momentum(0.05, 0.9), lossFn: 'sparseCategoricalCrossentropy' },
  },
  'tfjs on cpu: regression': {
    ...tfjs,
    adapterOptions: { backend: 'cpu' },
    makeData: () => ({ ...table(30), y: table(30).X.map(([a, b]) => a + b) }),
    makeFactory: () => () => compiled(network({ activation: 'linear' }), 'meanSquaredError', tf.train.adam(0.05)),
  },
  'tfjs on wasm: convolutions': {
    ...tfjs,
    adapterOptions: { backend: 'wasm' },
    makeData: () => ({
      X: tf.tidy(() => tf.reshape(tf.sin(tf.range(0, 18 * 36)), [18, 6, 6, 1]).arraySync() as number[][][][]),
      y: table(18).y,
    }),
    makeFactory: () => () =>
      compiled(
        tf.sequential({
          layers: [
            tf.layers.conv2d({ filters: 2, kernelSize: 3, inputShape: [6, 6, 1] }),
            tf.layers.batchNormalization(),
            tf.layers.maxPooling2d({ poolSize: 2 }),
            tf.layers.flatten(),
            tf.layers.dense({ units: 1, activation: 'sigmoid' }),
          ],
        }),
        'binaryCrossentropy',
      ),
  },
};

describe.each(Object.entries(MEMBERS))('%s', (_, member) => {
  for (const { name, run } of adapterSuite(member)) it(name, run);
});
