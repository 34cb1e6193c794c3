/**
 * A small U-Net that marks lesions pixel by pixel: `y` is one mask per image. Images of one patient stay together, and
 * the scores are the overlap of what was marked with the truth (Dice, intersection over union).
 */
import * as tf from '@tensorflow/tfjs';
import { GroupKFold, UniversalCVRunner } from 'cvkit';
import { segmentationNet } from '../models/segmentationNet.mjs';
import { exampleData } from './support/data.mjs';

const [PATIENTS, IMAGES, SIZE] = [30, 4, 32];
const n = PATIENTS * IMAGES;

const { images, masks } = await exampleData({
  generate({ uniform, normal }) {
    const images = new Float32Array(n * SIZE ** 2);
    const masks = new Uint8Array(n * SIZE ** 2);
    for (let image = 0; image < n; image++) {
      // A bright ellipse with a soft outline; the mask is where it is brighter than half of its height.
      const [cx, cy] = [8 + 16 * uniform(), 8 + 16 * uniform()];
      const [width, height, light] = [3 + 4 * uniform(), 3 + 4 * uniform(), 0.35 + 0.3 * uniform()];
      for (let p = 0; p < SIZE ** 2; p++) {
        const distance = Math.hypot(((p % SIZE) - cx) / width, (Math.floor(p / SIZE) - cy) / height);
        images[image * SIZE ** 2 + p] = 0.3 + 0.1 * normal() + light / (1 + Math.exp(6 * (distance - 1)));
        masks[image * SIZE ** 2 + p] = distance < 1 ? 1 : 0;
      }
    }
    return { images, masks };
  },
});

const results = await new UniversalCVRunner({ cvSplitter: new GroupKFold({ nSplits: 3 }), verbose: 0 }).run({
  model: () => segmentationNet(tf, { inputShape: [SIZE, SIZE, 1], filters: 4 }),
  data: {
    X: { data: images, shape: [n, SIZE, SIZE, 1] },
    y: { data: masks, shape: [n, SIZE, SIZE] },
    groups: Array.from({ length: n }, (_, image) => `patient-${Math.floor(image / IMAGES)}`),
  },
  epochs: 7,
  batchSize: 8,
  optimizer: tf.train.adam(0.01),
  lossFn: 'binaryCrossentropy',
  metrics: ['dice', 'iou'],
});

console.log(results.summary());
console.log(`Dice by fold: ${results.scores.dice.map(({ value }) => value.toFixed(3)).join(', ')}`);
