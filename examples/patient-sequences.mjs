/**
 * An LSTM on the vital signs of hospital stays, hour by hour. Stays differ in length, and the hours that are missing at
 * the end are passed over. A patient may stay more than once: all stays of a patient are on one side of every fold.
 */
import * as tf from '@tensorflow/tfjs';
import { EarlyStopping, GroupKFold, UniversalCVRunner } from 'cvkit';
import { patientLstm } from '../models/patientLstm.mjs';
import { exampleData } from './support/data.mjs';

const [PATIENTS, HOURS] = [80, 10];
const SIGNS = ['heart rate', 'respiratory rate', 'oxygen saturation'];

const stays = await exampleData({
  generate({ uniform, normal }) {
    return Array.from({ length: PATIENTS }, (_, patient) => {
      const usual = SIGNS.map(() => 0.5 * normal());
      return Array.from({ length: uniform() < 0.6 ? 1 : 3 }, () => {
        const worse = uniform() < 0.4;
        const length = 6 + Math.floor((HOURS - 5) * uniform());
        // Those who get worse drift, some hours before it shows in any single value.
        const drift = (hour, sign) => (worse ? 0.12 * hour * (sign === 2 ? -1 : 1) : 0);
        const hours = Array.from({ length: HOURS }, (_, hour) =>
          SIGNS.map((_, sign) => (hour < length ? usual[sign] + drift(hour, sign) + 0.4 * normal() : 0)),
        );
        return { patient: `patient-${patient}`, hours, worse };
      });
    }).flat();
  },
});

const results = await new UniversalCVRunner({ cvSplitter: new GroupKFold({ nSplits: 4 }), verbose: 0 }).run({
  model: ({ classes }) => patientLstm(tf, { timesteps: HOURS, features: SIGNS.length, classes, units: 8 }),
  data: {
    X: stays.map(({ hours }) => hours),
    y: stays.map(({ worse }) => (worse ? 'worse' : 'stable')),
    groups: stays.map(({ patient }) => patient),
  },
  positiveLabel: 'worse',
  epochs: 20,
  optimizer: tf.train.adam(0.03),
  lossFn: 'binaryCrossentropy',
  metrics: ['accuracy', 'roc_auc', 'sensitivity', 'specificity'],
  validation: 0.2,
  callbacks: [new EarlyStopping({ monitor: 'val_loss', patience: 4 })],
});

console.log(results.summary());
console.log(`Epochs by fold: ${results.foldDetails.map(({ epochs }) => epochs).join(', ')}`);
