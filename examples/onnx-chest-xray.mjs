/**
 * A frozen ONNX classifier of chest images, evaluated as it is: nothing is trained, so that folds show the spread of its
 * performance; the threshold alone is chosen in each fold, on its training rows. The network has learned from drawings of
 * a chest (models/trained/chest-drawings-onnx) and has seen none of these images. On further drawings it does well, on
 * X-rays of children far less well: a model has to be tested where it will be used.
 *
 * @data pneumonia_28x28.json
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { CVKitValidator } from 'cvkit';
import { onnxModel } from 'cvkit/adapters/onnx';
import { chestDrawings } from '../models/scripts/chestDrawings.mjs';
import { exampleData } from './support/data.mjs';

const FILE = fileURLToPath(new URL('../models/trained/chest-drawings-onnx/model.onnx', import.meta.url));

const { X, y } = await exampleData({
  async read(path) {
    const { labels } = JSON.parse(await readFile(path, 'utf8'));
    const pixels = gunzipSync(await readFile(path.replace(/json$/, 'u8.gz')));
    return { X: { data: Float32Array.from(pixels, (p) => p / 255), shape: [labels.length, 28, 28] }, y: labels };
  },
  // Other drawings than those that the network was trained on.
  generate: ({ uniform }) => chestDrawings({ random: uniform }, { n: 400 }),
});

const result = await new CVKitValidator({ metrics: ['roc_auc', 'sensitivity', 'specificity', 'brier'] }).validate({
  // Columns of the output. The network knows opacities, which are taken for pneumonia here.
  model: onnxModel(FILE, { gives: 'logits', classes: ['normal', 'pneumonia'] }),
  X,
  y: Array.from(y, (label) => (label === 1 ? 'pneumonia' : 'normal')),
  positiveLabel: 'pneumonia',
  threshold: { sensitivity: 0.9 },
});
console.log(result.summary());

const { estimate, lower, upper } = result.confidenceIntervals.roc_auc;
const told = lower > 0.5 ? 'better than chance' : upper < 0.5 ? 'worse than chance' : 'not better than chance';
console.log(
  `\nroc_auc ${estimate.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}] on images new to the network: ${told}`,
);
