/**
 * A folder of DICOM files, read as they are needed: patient, study and institution come from the files, patients stay
 * whole in the folds. A small network on the wasm backend. Name a folder of your own with --data; its folders are labels.
 *
 * The generated files hold 36 patients of three institutions. Each image has a faint spot: in half of the patients a disc
 * with an edge, in the others as much light without an edge. Patients and images differ in brightness, so that
 * no simple number of an image, its mean say, tells the label.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as tf from '@tensorflow/tfjs';
import '@tensorflow/tfjs-backend-wasm';
import { CVKitValidator } from 'cvkit';
import { readImages } from 'cvkit/node';
import { exampleData } from './support/data.mjs';
import { dicomBytes } from './support/dicomFile.mjs';

await tf.setBackend('wasm');
const SIDE = 24;
const PATIENTS = 36;
const IMAGES_EACH = 4;
let made;

const folder = await exampleData({
  read: (path) => path,
  async generate({ uniform, normal }) {
    made = await mkdtemp(join(tmpdir(), 'cvkit-dicom-'));
    for (const label of ['disc', 'none']) await mkdir(join(made, label));
    for (let patient = 0; patient < PATIENTS; patient++) {
      const [level, light] = [1024 + 40 * normal(), 60 + 60 * uniform()];
      for (let image = 0; image < IMAGES_EACH; image++) {
        const [row, column, shift] = [7 + 10 * uniform(), 7 + 10 * uniform(), 20 * normal()];
        const spot = patient % 2 === 0 ? (away) => (away < 4 ? 1 : 0) : (away) => Math.exp(-((away / 4) ** 2));
        const pixels = Uint16Array.from({ length: SIDE ** 2 }, (_, at) => {
          const away = Math.hypot(Math.floor(at / SIDE) - row, (at % SIDE) - column);
          return level + shift + 40 * normal() + light * spot(away);
        });
        const ids = { patient: `P${patient}`, site: `S${patient % 3}`, study: `${patient + 1}`, number: image + 1 };
        const bytes = dicomBytes({ pixels, height: SIDE, width: SIDE, ...ids });
        await writeFile(join(made, patient % 2 === 0 ? 'disc' : 'none', `${patient}-${image}.dcm`), bytes);
      }
    }
    return made;
  },
});

const images = await readImages(folder, { labelsFrom: 'folder', window: { center: 50, width: 500 } });
console.log(
  `${images.X.length} images of ${images.shape.join(' x ')}, levels ${Object.keys(images.hierarchy).join(', ')}`,
);

const result = await new CVKitValidator({ nSplits: 3, metrics: ['accuracy', 'roc_auc'] }).validate({
  model: () =>
    tf.sequential({
      layers: [
        tf.layers.conv2d({ inputShape: images.shape, filters: 8, kernelSize: 5, activation: 'relu' }),
        tf.layers.globalMaxPooling2d({}),
        tf.layers.dense({ units: 1, activation: 'sigmoid' }),
      ],
    }),
  ...images,
  positiveLabel: 'disc',
  epochs: 20,
  batchSize: 16,
  optimizer: tf.train.adam(0.02),
  lossFn: 'binaryCrossentropy',
});
console.log(result.summary());
const { estimate, lower, upper } = result.confidenceIntervals.roc_auc;
console.log(
  `roc_auc ${estimate.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}] on ${images.X.length} DICOM images`,
);
if (made) await rm(made, { recursive: true });
