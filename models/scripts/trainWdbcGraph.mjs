/**
 * Writes models/trained/wdbc-graph: the network of models/trained/wdbc-tabular as a graph of operations, which can only
 * predict. The format is that of tfjs graph models: nodes as in TensorFlow's GraphDef, and their constants as weights.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import { loadCancerImaging, StratifiedKFold, UniversalCVRunner } from 'cvkit';
import { loadModel } from 'cvkit/adapters/tfjs';
import { describe, trained } from './describe.mjs';

const [NAME, SCRIPT] = ['wdbc-graph', 'models/scripts/trainWdbcGraph.mjs'];
await tf.ready();
const network = await loadModel(trained('wdbc-tabular'));
const numbers = (layer, at) => network.getLayer(layer).getWeights()[at].dataSync();

/** The constants: batch normalisation is one product and one sum per column once it is trained. */
const EPSILON = network.getLayer('scale').getConfig().epsilon;
const [gamma, beta, mean, variance] = [0, 1, 2, 3].map((at) => numbers('scale', at));
const factor = gamma.map((each, column) => each / Math.sqrt(variance[column] + EPSILON));
const units = numbers('hidden1', 1).length;
const constants = {
  factor: [factor, [30]],
  offset: [beta.map((each, column) => each - mean[column] * factor[column]), [30]],
  'hidden1/kernel': [numbers('hidden1', 0), [30, units]],
  'hidden1/bias': [numbers('hidden1', 1), [units]],
  'output/kernel': [numbers('output', 0), [units, 1]],
  'output/bias': [numbers('output', 1), [1]],
};
network.dispose();

const FLOAT = { T: { type: 'DT_FLOAT' } };
const shapeOf = (sizes) => ({ dim: sizes.map((size) => ({ size: String(size) })) });
const node = (name, op, input, attr = FLOAT) => ({ name, op, input, attr });
const constant = (name, [, shape]) =>
  node(name, 'Const', [], {
    dtype: { type: 'DT_FLOAT' },
    value: { tensor: { dtype: 'DT_FLOAT', tensorShape: shapeOf(shape) } },
  });
const product = { ...FLOAT, transpose_a: { b: false }, transpose_b: { b: false } };
const nodes = [
  node('columns', 'Placeholder', [], { dtype: { type: 'DT_FLOAT' }, shape: { shape: shapeOf([-1, 30]) } }),
  ...Object.entries(constants).map(([name, values]) => constant(name, values)),
  node('scaled', 'Mul', ['columns', 'factor']),
  node('centred', 'AddV2', ['scaled', 'offset']),
  node('hidden1/product', 'MatMul', ['centred', 'hidden1/kernel'], product),
  node('hidden1/sum', 'BiasAdd', ['hidden1/product', 'hidden1/bias']),
  node('hidden1', 'Relu', ['hidden1/sum']),
  node('output/product', 'MatMul', ['hidden1', 'output/kernel'], product),
  node('output/sum', 'BiasAdd', ['output/product', 'output/bias']),
  node('malignant', 'Sigmoid', ['output/sum']),
];
const signature = (name, sizes) => ({
  [name]: { name: `${name}:0`, dtype: 'DT_FLOAT', tensorShape: shapeOf(sizes) },
});
const model = {
  format: 'graph-model',
  generatedBy: SCRIPT,
  convertedBy: null,
  modelTopology: { node: nodes, library: {}, versions: { producer: 27 } },
  signature: { inputs: signature('columns', [-1, 30]), outputs: signature('malignant', [-1, 1]) },
  weightsManifest: [
    {
      paths: ['weights.bin'],
      weights: Object.entries(constants).map(([name, [, shape]]) => ({ name, shape, dtype: 'float32' })),
    },
  ],
};
const data = Float32Array.from(Object.values(constants).flatMap(([values]) => Array.from(values)));
mkdirSync(trained(NAME), { recursive: true });
writeFileSync(join(trained(NAME), 'model.json'), JSON.stringify(model));
writeFileSync(join(trained(NAME), 'weights.bin'), new Uint8Array(data.buffer));

// Its constants were trained on the other rows of this fold, so that it has not seen these.
const graph = await loadModel(trained(NAME));
const { X, y } = await loadCancerImaging();
const results = await new UniversalCVRunner({
  cvSplitter: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }),
  adapterOptions: { backend: 'wasm' },
  verbose: 0,
}).run({ model: graph, data: [X, y], folds: [0], metrics: ['accuracy', 'roc_auc'] });
graph.dispose();
describe(NAME, {
  script: SCRIPT,
  data: 'the constants of models/trained/wdbc-tabular; rows as there; predictions are P(1)',
  results,
});
console.log(results.summary());
