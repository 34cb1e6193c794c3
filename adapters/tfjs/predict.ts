/** Predicts rows: probabilities per class, or numbers; and holds the model to what they must be. */
import { AdapterError, sentence } from '../../src/core/errors.js';
import type { Rows } from '../../src/core/rows.js';
import type { LabelFacts, Predictions } from '../../src/runner/frameworkAdapter.js';
import { rowReader } from './rowReader.js';
import type { LayersModel, Tf } from './structures.js';
import { notProbabilities, outputWidth } from './targets.js';

/** Rows read at a time, and rows computed at a time (the default of `LayersModel.predict`). */
const READ = 256;
const BATCH = 32;

/** Rounding of 32-bit floats in a sum over classes. */
const TOLERANCE = 1e-3;

/** Probabilities `[n, classes]` with classes in ascending order (multilabel: labels); numbers for regression. */
export async function predict(tf: Tf, model: LayersModel, X: Rows, facts: LabelFacts): Promise<Predictions> {
  const width = outputWidth(model, facts);
  const reader = await rowReader(model, X);
  const output = new Float64Array(X.length * width);
  for (let from = 0; from < X.length; from += READ) {
    const places = Int32Array.from({ length: Math.min(READ, X.length - from) }, (_, place) => from + place);
    const data = await reader.read(places);
    const values = tf.tidy(() =>
      model.predict(tf.tensor(data, [places.length, ...reader.rowShape]), { batchSize: BATCH }).dataSync(),
    );
    output.set(values as Float32Array, from * width);
  }
  checkFinite(output, width);
  if (facts.task === 'regression') return { values: output };
  checkProbabilities(output, width, facts);
  const data = facts.task === 'binary' && width === 1 ? bothClasses(output) : output;
  return { probabilities: { data, shape: [X.length, data.length / X.length] } };
}

/** One unit gives the probability of the second class. */
function bothClasses(ofSecond: Float64Array): Float64Array {
  const data = new Float64Array(ofSecond.length * 2);
  for (let row = 0; row < ofSecond.length; row++) data.set([1 - ofSecond[row], ofSecond[row]], row * 2);
  return data;
}

function checkFinite(output: Float64Array, width: number): void {
  const bad = output.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  throw new AdapterError(
    sentence('The predictions of the model', 'be finite numbers', {
      text: `${output[bad]} for row ${Math.floor(bad / width)} of the rows to predict`,
    }),
    { code: 'not_finite' },
  );
}

function checkProbabilities(output: Float64Array, width: number, { task }: LabelFacts): void {
  const oneOfMany = width > 1 && task !== 'multilabel';
  for (let row = 0; row * width < output.length; row++) {
    const values = output.subarray(row * width, (row + 1) * width);
    const sum = values.reduce((total, value) => total + value, 0);
    if (values.some((value) => value < 0 || value > 1 + 1e-6) || (oneOfMany && Math.abs(sum - 1) > TOLERANCE)) {
      throw notProbabilities(task, width, {
        text: `${Array.from(values, (value) => Number(value.toPrecision(4))).join(', ')} in row ${row}`,
      });
    }
  }
}
