import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { product } from '../../src/data/dense.js';
import type { Rows } from '../../src/data/rows.js';
import { hasSeveralTargets, rowsOfTargets } from '../../src/data/targets.js';
import type { LabelFacts, Predictions } from '../../src/runner/frameworkAdapter.js';
import { readValues, tidied } from './memory.js';
import { mainOutput, notProbabilities, outputSubject, outputWidth } from './outputs.js';
import { type Floats, rowReader } from './rowReader.js';
import { asList, buildNames, type LayersModel, type Network, type Tensor, type Tf } from './structures.js';
import { cutsOf, survivalAnswer } from './survival.js';

/** Rows that are read at a time, and values where they are many. */
const [READ, VALUES] = [256, 2 ** 22];

/** Rows computed at a time: the default of `LayersModel.predict`. */
export const BATCH = 32;

/** Rounding of 32-bit floats in a sum over classes. */
const TOLERANCE = 1e-3;

/** A graph has to wait for its own operations: it is run for the numbers of one output, `step` rows at a time. */
export interface GraphPredictor extends Network {
  readonly step: number;
  run(x: () => Tensor[], place: number): Promise<ArrayLike<number>>;
}

export type Predictor = LayersModel | GraphPredictor;

/** Probabilities `[n, 1]` of the positive class, or `[n, classes]`; numbers for a regression. Of several outputs it is that of `y`. */
export async function predict(
  tf: Tf,
  model: Predictor,
  X: Rows,
  facts: LabelFacts,
  { output: name }: { readonly output?: string | undefined } = {},
): Promise<Predictions> {
  buildNames(model);
  const place = mainOutput(model, name, facts.auxiliary);
  const cuts = cutsOf(model);
  const width = outputWidth(model, place, facts, cuts?.length);
  const output = await outputOf(tf, model, X, place, width);
  if (facts.task === 'regression') return { values: hasSeveralTargets(facts) ? rowsOfTargets(output, width) : output };
  if (facts.task !== 'survival' || cuts) checkProbabilities(outputSubject(model, place), output, width, facts);
  if (facts.task === 'survival') return survivalAnswer(model, output, facts.classes as readonly number[]);
  return { probabilities: { data: output, shape: [X.length, width] } };
}

/** What one output of the model gives for the rows. */
export async function outputOf(tf: Tf, model: Predictor, X: Rows, place: number, width: number): Promise<Float64Array> {
  const reader = await rowReader(model, X);
  const output = new Float64Array(X.length * width);
  const block = reader.window ?? Math.max(1, Math.min(READ, Math.floor(VALUES / product(X.rowShape ?? []))));
  // Not all by `predict`, which goes on with the dropout masks of the first batch where the last one is smaller.
  const step = 'run' in model ? model.step : BATCH;
  for (let first = 0; first < X.length; first += block) {
    const length = Math.min(block, X.length - first);
    const inputs = await reader.read(Int32Array.from({ length }, (_, at) => first + at));
    for (let from = 0; from < length; from += step) {
      const to = Math.min(from + step, length);
      const x = () => inputs.map((input) => tensorOf(tf, input, from, to));
      const values = await ('run' in model ? model.run(x, place) : outputOnBatch(tf, model, x, place));
      checkCount(outputSubject(model, place), values.length / (to - from), width);
      output.set(values, (first + from) * width);
    }
  }
  checkFinite(output, width);
  return output;
}

async function outputOnBatch(tf: Tf, model: LayersModel, x: () => Tensor[], place: number) {
  const output = tidied(tf, model, () => tf.clone(asList(model.predictOnBatch(x()))[place]));
  try {
    return await readValues(tf, output);
  } finally {
    output.dispose();
  }
}

function tensorOf(tf: Tf, { data, shape }: Floats, from: number, to: number): Tensor {
  const width = data.length / shape[0];
  return tf.tensor(data.subarray(from * width, to * width), [to - from, ...shape.slice(1)]);
}

function checkCount(subject: string, got: number, width: number): void {
  if (got === width) return;
  const found = phrase(Number.isInteger(got) ? String(got) : 'others');
  throw new AdapterError(sentence(subject, `give ${width} values for each row`, found), { code: 'output_shape' });
}

function checkFinite(output: Float64Array, width: number): void {
  const bad = output.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  const row = Math.floor(bad / width);
  const got = phrase(`${output[bad]} for row ${row} of the rows to predict`);
  throw new AdapterError(sentence('The predictions of the model', 'be finite numbers', got), {
    code: 'not_finite',
    row,
  });
}

function checkProbabilities(subject: string, output: Float64Array, width: number, { task }: LabelFacts): void {
  const oneOfMany = width > 1 && task !== 'multilabel' && task !== 'survival';
  for (let row = 0; row * width < output.length; row++) {
    const values = output.subarray(row * width, (row + 1) * width);
    const sum = values.reduce((total, value) => total + value, 0);
    const outside = values.find((value) => value < 0 || value > 1 + 1e-6);
    if (outside === undefined && !(oneOfMany && Math.abs(sum - 1) > TOLERANCE)) continue;
    // A row may be a mask with thousands of pixels.
    const shown = width <= 20 || outside === undefined ? values : [outside];
    const list = Array.from(shown, (value) => Number(value.toPrecision(4))).join(', ');
    throw notProbabilities(subject, task, width, phrase(`${list} in row ${row}`), row);
  }
}
