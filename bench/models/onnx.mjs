/**
 * Frozen ONNX models in the runner against a loop over onnxruntime-node by hand: the same folds, batches and numbers, in
 * turns in one run, both with one thread, as the ratio of the processor time (other processes disturb the clock). Then what
 * is counted: rows that an embedding computes over folds and epochs, and sessions that are opened and released.
 *
 * Usage: npm run bench:onnx. Apart from bench:models, whose peer is scikit-learn.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import { foldsOf, KFold, randomSource, UniversalCVRunner } from 'cvkit';
import { createOnnxAdapter, OnnxEmbedding, onnxModel } from 'cvkit/adapters/onnx';
import { StandardScaler } from 'cvkit/preprocessing';
import * as ort from 'onnxruntime-node';
import { onnxBytes } from '../../models/scripts/onnxBytes.mjs';
import { median, verdicts } from '../tfjs/verdicts.mjs';

const [FOLDS, BATCH, SIDE] = [5, 32, 224];
const cvSplitter = new KFold({ nSplits: FOLDS });
const sessionOptions = { intraOpNumThreads: 1, logSeverityLevel: 4 };

export async function onnx() {
  const small = readFileSync(new URL('../../models/trained/chest-drawings-onnx/model.onnx', import.meta.url));
  for (const [channels, kind] of [
    [1, 'grey'],
    [3, 'colour'],
  ]) {
    const network = { bytes: convolutions(channels), side: SIDE, channels };
    await inTurns(`${kind} images of ${SIDE} x ${SIDE}`, { ...network, rows: 80, pairs: 9, atMost: 1.05 });
  }
  await inTurns('models/trained/chest-drawings-onnx', { bytes: small, side: 28, channels: 1, rows: 2000, pairs: 15 });
  await counted(small);
}

/** [filters, stride] of each: with 560 million multiplications per image it takes what MobileNet (2017) takes, 569 million. */
const CONVOLUTIONS = [
  [32, 2],
  [64, 2],
  [64, 1],
  [128, 2],
  [128, 1],
  [256, 2],
  [256, 1],
  [256, 2],
];

/** Convolutions of 3 x 3, with weights that nobody trained. */
function convolutions(channels) {
  const random = randomSource(1);
  const numbers = (n, scale) => Float32Array.from({ length: n }, () => scale * (random.random() - 0.5));
  const filters = CONVOLUTIONS.map(([count]) => count);
  const weights = { 'output.weight': [numbers(2 * filters.at(-1), 1), [filters.at(-1), 2]] };
  const nodes = CONVOLUTIONS.flatMap(([count, stride], at) => {
    const before = filters[at - 1] ?? channels;
    weights[`weight${at}`] = [numbers(count * before * 9, 2 / Math.sqrt(before)), [count, before, 3, 3]];
    return [
      {
        op: 'Conv',
        in: [at === 0 ? 'image' : `positive${at - 1}`, `weight${at}`],
        out: `convolution${at}`,
        ints: { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [stride, stride] },
      },
      { op: 'Relu', in: [`convolution${at}`], out: `positive${at}` },
    ];
  });
  nodes.push(
    { op: 'GlobalAveragePool', in: [`positive${filters.length - 1}`], out: 'means' },
    { op: 'Flatten', in: ['means'], out: 'features', int: { axis: 1 } },
    { op: 'MatMul', in: ['features', 'output.weight'], out: 'logits' },
  );
  const inputs = { image: ['rows', channels, SIDE, SIDE] };
  return onnxBytes({ name: 'network', nodes, weights, inputs, outputs: { logits: ['rows', 2] } });
}

function dataOf({ rows, side, channels }) {
  const random = randomSource(2);
  const data = Float32Array.from({ length: rows * side ** 2 * channels }, () => random.random());
  return { X: { data, shape: [rows, side, side, channels] }, y: Array.from({ length: rows }, (_, row) => row % 2) };
}

async function inTurns(title, { bytes, rows, side, channels, pairs, atMost }) {
  const { X, y } = dataOf({ rows, side, channels });
  const sides = { hand: () => byHand(bytes, X), cvkit: () => byRunner(bytes, X, y) };
  const results = {};
  const times = { hand: [], cvkit: [] };
  for (let pair = -1; pair < pairs; pair++) {
    for (const name of pair % 2 === 0 ? ['hand', 'cvkit'] : ['cvkit', 'hand']) {
      const [start, used] = [performance.now(), process.cpuUsage()];
      const { positive, predicting } = await sides[name]();
      const all = since(used);
      results[name] = positive;
      // Both are warm after the first pair.
      if (pair >= 0) times[name].push({ all, predicting, clock: performance.now() - start });
    }
  }
  const per = (name, what) => median(times[name].map((time) => time[what])) / rows;
  const ratio = (what) => median(times.cvkit.map((time, pair) => time[what] / times.hand[pair][what]));
  const gap = results.hand.reduce((most, value, at) => Math.max(most, Math.abs(value - results.cvkit[at])), 0);
  verdicts(`ONNX, ${title}: ${rows} rows, ${FOLDS} folds, batches of ${BATCH}; median of ${pairs} pairs`, [
    { measure: 'predictions by hand, ms per row', value: per('hand', 'predicting'), digits: 3 },
    { measure: 'predictions by cvkit, ms per row', value: per('cvkit', 'predicting'), digits: 3 },
    { measure: 'ratio', value: ratio('predicting'), digits: 3, atMost },
    // With what only cvkit does: hashes of the data for the manifest, checks of the folds, a score with its table.
    { measure: 'whole run by cvkit, ms per row', value: per('cvkit', 'all'), digits: 3 },
    { measure: 'ratio to the whole loop by hand', value: ratio('all'), digits: 3 },
    { measure: 'the same by the clock', value: ratio('clock'), digits: 3 },
    { measure: 'largest difference of a probability', value: gap, digits: 9, atMost: 1e-12 },
  ]);
}

/** Milliseconds of the processor since `process.cpuUsage()` gave `used`. */
function since(used) {
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1000;
}

async function byRunner(bytes, X, y) {
  let predicting = 0;
  const onnxAdapter = createOnnxAdapter();
  const adapter = {
    ...onnxAdapter,
    async open(...given) {
      const opened = await onnxAdapter.open(...given);
      const predict = async (...of) => {
        const used = process.cpuUsage();
        const predictions = await opened.adapter.predict(...of);
        predicting += since(used);
        return predictions;
      };
      return { ...opened, adapter: { ...opened.adapter, predict } };
    },
  };
  const { outOfFold } = await new UniversalCVRunner({ cvSplitter, adapter, verbose: 0 }).run({
    model: onnxModel(bytes, { gives: 'logits', batchSize: BATCH, sessionOptions, ort }),
    data: [X, y],
    metrics: ['roc_auc'],
  });
  return { positive: Float64Array.from(outOfFold.yProba), predicting };
}

/** What a user would write: one session, folds, batches, softmax. */
async function byHand(bytes, { data, shape: [rows, height, width, channels] }) {
  const session = await ort.InferenceSession.create(bytes, sessionOptions);
  const pixels = height * width;
  const size = pixels * channels;
  const positive = new Float64Array(rows);
  const used = process.cpuUsage();
  for (const { test } of foldsOf(cvSplitter, rows)) {
    for (let from = 0; from < test.length; from += BATCH) {
      const some = test.subarray(from, from + BATCH);
      const batch = new Float32Array(some.length * size);
      some.forEach((row, at) => {
        const image = data.subarray(row * size, (row + 1) * size);
        if (channels === 1) batch.set(image, at * size);
        else {
          for (let channel = 0; channel < channels; channel++) {
            const to = at * size + channel * pixels;
            for (let p = 0; p < pixels; p++) batch[to + p] = image[p * channels + channel];
          }
        }
      });
      const tensor = new ort.Tensor('float32', batch, [some.length, channels, height, width]);
      const { logits } = await session.run({ image: tensor });
      some.forEach((row, at) => {
        positive[row] = 1 / (1 + Math.exp(logits.data[2 * at] - logits.data[2 * at + 1]));
      });
    }
  }
  const predicting = since(used);
  await session.release();
  return { positive, predicting };
}

/** Rows through an embedding, and sessions, over folds, epochs and runs. */
async function counted(bytes) {
  const seen = { opened: 0, released: 0, rows: 0 };
  const rows = 500;
  const { X, y } = dataOf({ rows, side: 28, channels: 1 });
  const EPOCHS = 10;
  const embedding = new OnnxEmbedding(bytes, { output: 'features', ort: watched(seen) });
  const runner = new UniversalCVRunner({ cvSplitter, adapterOptions: { backend: 'cpu' }, verbose: 0 });
  await runner.run({
    model: ({ inputShape }) =>
      tf.sequential({ layers: [tf.layers.dense({ inputShape, units: 1, activation: 'sigmoid' })] }),
    data: [X, y],
    preprocessing: [embedding, new StandardScaler()],
    epochs: EPOCHS,
    optimizer: 'adam',
    validation: 0.2,
    lossFn: 'binaryCrossentropy',
    metrics: ['roc_auc'],
  });
  verdicts(`ONNX, embeddings of ${rows} rows: a network of TensorFlow.js on top, ${FOLDS} folds, ${EPOCHS} epochs`, [
    { measure: 'rows computed, as it counts', value: embedding.computed, atLeast: rows, atMost: rows },
    // One row twice: that it gives the same is looked at.
    { measure: 'rows given to the session', value: seen.rows, atLeast: rows + 1, atMost: rows + 1 },
    { measure: 'sessions opened', value: seen.opened, atLeast: 1, atMost: 1 },
    { measure: 'sessions released', value: seen.released, atLeast: 1, atMost: 1 },
  ]);

  const RUNS = 20;
  const each = { opened: 0, released: 0, rows: 0 };
  const model = onnxModel(bytes, { gives: 'logits', ort: watched(each) });
  for (let run = 0; run < RUNS; run++) {
    await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model, data: [X, y], metrics: ['roc_auc'] });
  }
  verdicts(`ONNX, a classifier in ${RUNS} runs of ${FOLDS} folds`, [
    { measure: 'sessions opened', value: each.opened, atLeast: RUNS, atMost: RUNS },
    { measure: 'sessions released', value: each.released, atLeast: RUNS, atMost: RUNS },
    { measure: 'rows given to the sessions', value: each.rows, atLeast: RUNS * (rows + 1), atMost: RUNS * (rows + 1) },
  ]);
}

/** onnxruntime with sessions that count what is done with them. */
function watched(seen) {
  return {
    ...ort,
    InferenceSession: {
      async create(...given) {
        const session = await ort.InferenceSession.create(...given);
        seen.opened++;
        return new Proxy(session, {
          get(target, name) {
            const value = target[name];
            if (name === 'release') seen.released++;
            if (name !== 'run') return typeof value === 'function' ? value.bind(target) : value;
            return (feeds, ...rest) => {
              seen.rows += Object.values(feeds)[0].dims[0];
              return target.run(feeds, ...rest);
            };
          },
        });
      },
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await onnx();
