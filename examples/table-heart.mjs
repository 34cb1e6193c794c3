/**
 * A CSV file without a header, with gaps and codes, as UCI has the Cleveland heart data: read, validated with a logistic
 * regression, then with a network on the same folds. Nothing is prepared by hand: `tabular()` learns what fills, scales and
 * encodes the columns from the training rows of each fold.
 *
 * @data processed.cleveland.data
 */
import * as tf from '@tensorflow/tfjs';
import { CVKitValidator, EarlyStopping } from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { readTable } from 'cvkit/node';
import { tabular } from 'cvkit/preprocessing';
import { compareModels } from 'cvkit/stats';
import { heartFile } from './support/tables.mjs';

const table = await readTable(await heartFile(), {
  columnNames: 'age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num'.split(' '),
  types: { cp: 'categorical', restecg: 'categorical', thal: 'categorical' }, // codes: numbers whose order means nothing
  target: 'num',
});
const y = table.y.map((grade) => Number(grade > 0)); // 0 is healthy, 1 to 4 are degrees of disease

const validator = new CVKitValidator({ independentRows: true }); // one row per patient
const data = { ...table, y, preprocessing: tabular() };
const regression = await validator.validate({ ...data, model: () => new LogisticRegression() });

console.log(table.summary());
console.log(regression.summary());

// The same folds for a network. It stops early by rows that are cut from the training rows, never by the test rows.
const network = await validator.validate({
  ...data,
  model: ({ inputShape }) =>
    tf.sequential({
      layers: [
        tf.layers.dense({ inputShape: [...inputShape], units: 8, activation: 'relu' }),
        tf.layers.dense({ units: 1, activation: 'sigmoid' }),
      ],
    }),
  epochs: 100,
  optimizer: tf.train.adam(0.01),
  lossFn: 'binaryCrossentropy',
  validation: 0.2,
  callbacks: [new EarlyStopping({ monitor: 'val_loss', patience: 10 })],
});
console.log(network.summary());
console.log(compareModels(network, regression, { metric: 'roc_auc' }).summary());
const areas = [regression, network].map(({ estimates }) => estimates.roc_auc.toFixed(3));
console.log(`roc_auc ${areas[0]} of the regression, ${areas[1]} of the network`);
