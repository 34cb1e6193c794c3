/**
 * Transfer learning with few images: a network that has learned to tell shapes apart keeps its layers, and a new last
 * layer is trained in each fold. The base has never seen these patients, so that nothing leaks with it. Training
 * images are mirrored at random; validation and test images never are. The fold models make an ensemble at the end.
 */
import { fileURLToPath } from 'node:url';
import * as tf from '@tensorflow/tfjs';
import { EarlyStopping, ensemble, StratifiedGroupKFold, UniversalCVRunner } from 'cvkit';
import { loadNetwork } from 'cvkit/adapters/tfjs';
import { newHead } from '../models/newHead.mjs';
import { exampleData } from './support/data.mjs';

const BASE = fileURLToPath(new URL('../models/trained/shapes-conv2d', import.meta.url));
const [PATIENTS, IMAGES, SIZE] = [60, 2, 28];
const n = PATIENTS * IMAGES;

const { data, y } = await exampleData({
  generate({ uniform, normal }) {
    const data = new Float32Array(n * SIZE ** 2);
    const ill = Array.from({ length: PATIENTS }, (_, patient) => patient % 2);
    for (let image = 0; image < n; image++) {
      // Every image has a bright spot; a dark centre, as of a cavity, is the finding.
      const hollow = ill[Math.floor(image / IMAGES)];
      const [cx, cy, r] = [9 + 10 * uniform(), 9 + 10 * uniform(), 4 + 4 * uniform()];
      for (let p = 0; p < SIZE ** 2; p++) {
        const distance = Math.hypot((p % SIZE) - cx, Math.floor(p / SIZE) - cy) / r;
        const inside = distance < 1 && !(hollow && distance < 0.6);
        data[image * SIZE ** 2 + p] = 0.2 + 0.18 * normal() + (inside ? 0.4 : 0);
      }
    }
    return { data, y: Array.from({ length: n }, (_, image) => ill[Math.floor(image / IMAGES)]) };
  },
});
const X = { data, shape: [n, SIZE, SIZE, 1] };

const results = await new UniversalCVRunner({ cvSplitter: new StratifiedGroupKFold({ nSplits: 3 }), verbose: 0 }).run({
  model: async ({ classes }) => newHead(tf, { base: await loadNetwork(BASE), classes }),
  data: { X, y, groups: Array.from({ length: n }, (_, image) => `patient-${Math.floor(image / IMAGES)}`) },
  epochs: 40,
  batchSize: 16,
  optimizer: tf.train.adam(0.03),
  lossFn: 'binaryCrossentropy',
  metrics: ['accuracy', 'roc_auc'],
  validation: 0.25,
  callbacks: [new EarlyStopping({ monitor: 'val_roc_auc', patience: 6 })],
  augment: ({ X: images }, { random }) => (random.random() < 0.5 ? { X: tf.reverse(images, 2) } : {}),
  keepModels: 'memory',
});
console.log(results.summary());

const together = await ensemble(results);
const { probabilities } = await together.predict({ data: data.slice(0, SIZE ** 2), shape: [1, SIZE, SIZE, 1] });
console.log(`\n${together.summary()}`);
for (const model of results.models) model.dispose();
console.log(
  `\nThe ensemble gives the first image a probability of ${probabilities[0].toFixed(3)}; the truth is ${y[0]}`,
);
