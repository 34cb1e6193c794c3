/**
 * What a frozen ONNX network sees in chest images, as the input of a small network that is trained in each fold. The frozen
 * one has learned from drawings of a chest (models/trained/chest-drawings-onnx) and has seen none of these images. As a
 * classifier it is poor on X-rays (onnx-chest-xray.mjs); what it sees in them is of use all the same. Every image goes
 * through it once, however many folds and epochs there are.
 *
 * @data pneumonia_28x28.json
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, EarlyStopping } from 'cvkit';
import { OnnxEmbedding } from 'cvkit/adapters/onnx';
import { StandardScaler } from 'cvkit/preprocessing';
import { chestDrawings } from '../models/scripts/chestDrawings.mjs';
import { exampleData } from './support/data.mjs';

const FILE = fileURLToPath(new URL('../models/trained/chest-drawings-onnx/model.onnx', import.meta.url));

const { X, y } = await exampleData({
  async read(path) {
    const { labels } = JSON.parse(await readFile(path, 'utf8'));
    const pixels = gunzipSync(await readFile(path.replace(/json$/, 'u8.gz')));
    return { X: { data: Float32Array.from(pixels, (p) => p / 255), shape: [labels.length, 28, 28] }, y: labels };
  },
  generate: ({ uniform }) => chestDrawings({ random: uniform }, { n: 400 }),
});

const embedding = new OnnxEmbedding(FILE, { output: 'features' });
const head = ({ inputShape }) =>
  tf.sequential({ layers: [tf.layers.dense({ inputShape, units: 1, activation: 'sigmoid' })] });

const result = await new CVKitValidator({ nSplits: 5, metrics: ['roc_auc', 'sensitivity', 'specificity'] }).validate({
  model: head,
  X,
  y,
  preprocessing: [embedding, new StandardScaler()],
  epochs: 60,
  optimizer: tf.train.adam(0.02),
  lossFn: 'binaryCrossentropy',
  validation: 0.2,
  callbacks: [new EarlyStopping({ patience: 5 })],
});
console.log(result.summary());

const epochs = result.foldDetails.reduce((sum, fold) => sum + fold.epochs, 0);
console.log(
  `\n${embedding.computed} of ${y.length} images went through the frozen network, each once, in 5 folds and ${epochs} epochs; copies count as one`,
);
