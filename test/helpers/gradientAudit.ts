/**
 * Measures one model on the running backend: its output, and how the output changes along a few directions, once by the
 * backend's gradients and once by central differences. `gradientCases.ts` holds the models.
 *
 * A directional derivative stands for the whole gradient: the directions have no zero and no equal entries, so a single
 * wrong number shows, and one takes four forward passes instead of two for every number.
 */
import { prepareLayers } from '../../adapters/tfjs/layers.js';
import type { LayersModel } from '../../adapters/tfjs/structures.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';
import { tf, viewOf } from './tfjsModels.js';

type Symbols = tf.SymbolicTensor[];

export interface AuditCase {
  readonly name: string;
  readonly inputs: readonly AuditInput[];
  readonly connect: (inputs: Symbols) => tf.SymbolicTensor | Symbols;
  /** The same function said another way, where no backend is beyond doubt: the reference is taken from it. */
  readonly truth?: (inputs: Symbols) => tf.SymbolicTensor | Symbols;
  /** Forward pass of training (the default) or of prediction. */
  readonly training?: boolean;
  /** Name of a tfjs loss: its values per row take the place of the output. */
  readonly loss?: string;
}

export interface AuditInput {
  /** Of one row. */
  readonly shape: number[];
  /** real: distinct numbers from -1.5 to 1.5. negative: the same less 2. indices: 0, 1, 2, 3. padded: see below. */
  readonly kind?: 'real' | 'negative' | 'indices' | 'padded';
  /** Data as a first layer gets it, so without a gradient. */
  readonly data?: boolean;
}

export interface Measured {
  readonly output: readonly number[];
  /** Per variable (weights, then inputs) and direction, with the size that rounding is held against. */
  readonly slopes: readonly { readonly slope: number; readonly size: number }[];
}

/** What the first backend gives: the numbers, and the seed of the data that they hold for. */
export interface Reference extends Measured {
  readonly seed: number;
}

const BATCH = 3;
const DIRECTIONS = 3;
const STEP = 2e-3;
const FORWARD = 1e-4;
const SLOPE = 3e-3;

/** Distinct numbers between -1.5 and 1.5 in mixed order, others for every seed, none of them 0. */
function distinct(n: number, seed: number): number[] {
  const keys = Array.from({ length: n }, (_, i) => Math.sin((i + 1) * 12.9898 + seed * 78.233) * 43758.5453);
  const order = keys.map((key, i) => [key - Math.floor(key), i]).sort(([a], [b]) => a - b);
  const values = new Array<number>(n);
  const shift = (seed * 0.618) % 1;
  order.forEach(([, place], rank) => {
    values[place] = (3 * (rank + shift)) / n - 1.5;
  });
  return values.map((value) => (Math.abs(value) < 1e-9 ? 0.1 / n : value));
}

export function modelOf({ inputs, connect }: Pick<AuditCase, 'inputs' | 'connect'>): tf.LayersModel {
  const symbols = inputs.map(({ shape, kind }) => tf.input({ shape, dtype: kind === 'indices' ? 'int32' : 'float32' }));
  const outputs = connect(symbols);
  return tf.model({ inputs: symbols, outputs });
}

interface Setting {
  readonly model: tf.LayersModel;
  /** Trainable weights, then inputs. */
  readonly variables: readonly { readonly variable: tf.Variable; readonly values: number[] }[];
  /** Everything that the model gives. */
  outputs(): tf.Tensor[];
}

/** Makes the model with weights and inputs that depend on `seed`, and releases everything after `work`. */
function withSetting<T>(each: AuditCase, seed: number, work: (setting: Setting) => T): T {
  const engine = tf.engine();
  const { keep } = engine;
  const kept: tf.Tensor[] = [];
  // What gradients need, and dropout masks, are kept out of the reach of `tidy`; tfjs forgets them when it throws.
  engine.keep = <K extends tf.Tensor>(tensor: K): K => {
    kept.push(tensor);
    return keep.call(engine, tensor) as K;
  };
  const model = modelOf(each);
  const x = each.inputs.map((input, at) => tf.tidy(() => tf.variable(inputTensor(input, seed + 50 + at))));
  engine.startScope();
  try {
    each.inputs.forEach(({ shape }, at) => {
      // `fit` and `predict` hold the data against it.
      if (`${model.inputs[at].shape.slice(1)}` !== `${shape}`)
        throw new Error('The model changed the shape of its input.');
    });
    return work(settingOf(each, seed, model, x));
  } finally {
    engine.endScope();
    engine.keep = keep;
    model.dispose();
    tf.dispose([...x, ...kept]);
  }
}

function settingOf(
  { inputs, loss, training = true }: AuditCase,
  seed: number,
  model: tf.LayersModel,
  x: tf.Variable[],
) {
  if (loss) model.compile({ optimizer: 'sgd', loss });
  model.weights.forEach((weight, at) => {
    const shape = weight.shape as number[];
    const values = distinct(tf.util.sizeFromShape(shape), seed + at + 1);
    const within = weight.originalName.includes('variance') ? (v: number) => Math.abs(v) + 0.5 : (v: number) => v / 2;
    tf.tidy(() => {
      weight.write(tf.tensor(values.map(within), shape));
    });
  });
  const moving = [
    ...model.trainableWeights.map((weight) => weight.read() as tf.Variable),
    ...x.filter((_, at) => !inputs[at].data),
  ];
  const inner = model as unknown as LayersModel & { calculateLosses(): tf.Scalar[] };
  const given = x.map((variable, at) => (inputs[at].data ? variable.clone() : variable));
  const outputs = () =>
    withSeededRandom(7, () => {
      const out = [model.apply(given.length === 1 ? given[0] : given, { training })].flat() as tf.Tensor[];
      if (!loss) return [...out, ...inner.calculateLosses()];
      return [inner.lossFunctions[0](targetFor(loss, out[0].shape), out[0])];
    });
  const variables = moving.map((variable) => ({ variable, values: Array.from(variable.dataSync()) }));
  return { model, variables, outputs };
}

function inputTensor({ shape, kind = 'real' }: AuditInput, seed: number): tf.Tensor {
  const size = tf.util.sizeFromShape(shape);
  const values = distinct(BATCH * size, seed);
  const all = [BATCH, ...shape];
  if (kind === 'indices')
    return tf.tensor(
      values.map((v) => Math.floor(((v + 1.5) / 3) * 4)),
      all,
      'int32',
    );
  if (kind === 'negative')
    return tf.tensor(
      values.map((v) => v - 2),
      all,
    );
  if (kind === 'padded') {
    // The first and the last row lack their last two steps.
    const padding = (2 * size) / shape[0];
    values.fill(0, size - padding, size);
    values.fill(0, 3 * size - padding);
  }
  return tf.tensor(values, all);
}

/** Targets that suit the loss: classes, margins, or numbers above 0 that sum to 1. */
function targetFor(loss: string, [rows, width]: number[]): tf.Tensor {
  const classes = [0, 2, 1].slice(0, rows);
  if (loss === 'sparseCategoricalCrossentropy') return tf.tensor(classes, [rows, 1]);
  const oneHot = tf.oneHot(tf.tensor1d(classes, 'int32'), width).toFloat();
  if (loss === 'categoricalHinge') return oneHot;
  return loss.toLowerCase().includes('hinge') ? oneHot.mul(2).sub(1) : oneHot.mul(0.7).add(0.3 / width);
}

/** What the outputs are weighted with: a slope of their sum stands for the slopes of all of them. */
const weightsFor = (output: tf.Tensor, at: number) => distinct(output.size, 90 + at);

const directionsFor = (values: readonly number[], at: number) =>
  Array.from({ length: DIRECTIONS }, (_, k) => distinct(values.length, 20 + 7 * at + k).map((d) => d / 1.5));

/** Output and slopes by the gradients of the running backend, as in training; the message where it has none. */
export function byGradients(each: AuditCase, seed: number): Measured | string {
  try {
    return withSetting(each, seed, ({ model, variables, outputs }) => {
      prepareLayers(tf, viewOf(model)); // the model is disposed afterwards
      const output = outputs().flatMap((out) => Array.from(out.dataSync()));
      const { value, grads } = tf.variableGrads(
        () => tf.addN(outputs().map((out, at) => out.mul(tf.tensor(weightsFor(out, at), out.shape)).sum())),
        variables.map(({ variable }) => variable),
      );
      const slopes = variables.flatMap(({ variable, values }, at) => {
        const gradient = Array.from(grads[variable.name].dataSync());
        return directionsFor(values, at).map((direction) => {
          const terms = direction.map((d, i) => d * gradient[i]);
          return { slope: sum(terms), size: Math.hypot(...terms) };
        });
      });
      return { output: [...output, value.dataSync()[0]], slopes };
    });
  } catch (error) {
    return (error as Error).message;
  }
}

/** Output and slopes by central differences of fourth order, on the running backend, of the layers as tfjs has them. */
export function byDifferences(each: AuditCase): Reference | string {
  const stated = { ...each, connect: each.truth ?? each.connect };
  for (let seed = 0; seed < 2000; seed += 100) {
    try {
      const measured = withSetting(stated, seed, differences);
      if (measured) return { ...measured, seed };
    } catch (error) {
      return (error as Error).message;
    }
  }
  throw new Error(`${each.name}: no numbers found that are far from every kink.`);
}

/** Undefined where a kink (of relu, of a maximum) lies so near that differences do not hold. */
function differences({ variables, outputs }: Setting): Measured | undefined {
  const output = () =>
    tf.tidy(() => outputs().map((out, at) => ({ out: out.dataSync(), weights: weightsFor(out, at) })));
  const total = () => sum(output().flatMap(({ out, weights }) => weights.map((weight, i) => weight * out[i])));
  const slopes: { slope: number; size: number }[] = [];
  for (const [at, { variable, values }] of variables.entries()) {
    for (const direction of directionsFor(values, at)) {
      const totalAt = (by: number) => {
        tf.tidy(() =>
          variable.assign(
            tf.tensor(
              values.map((v, i) => v + by * direction[i]),
              variable.shape,
            ),
          ),
        );
        return total();
      };
      const [near, far] = [STEP, 2 * STEP].map((step) => (totalAt(step) - totalAt(-step)) / (2 * step));
      tf.tidy(() => variable.assign(tf.tensor(values, variable.shape)));
      if (Math.abs(near - far) > (SLOPE / 2) * Math.max(0.1, Math.abs(near))) return undefined;
      slopes.push({ slope: (4 * near - far) / 3, size: Math.abs(near) });
    }
  }
  return { output: [...output().flatMap(({ out }) => Array.from(out)), total()], slopes };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** What `measured` gets wrong, or undefined when it agrees with the reference. */
export function disagreement(reference: Measured | string, measured: Measured | string): string | undefined {
  if (typeof reference === 'string') return reference.split('\n')[0];
  if (typeof measured === 'string') return measured.split('\n')[0];
  if (reference.output.length !== measured.output.length) return 'another number of outputs';
  const scale = Math.max(1, ...reference.output.map(Math.abs));
  const far = reference.output.findIndex((value, i) => !(Math.abs(value - measured.output[i]) <= FORWARD * scale));
  if (far >= 0) return `output ${measured.output[far]} instead of ${reference.output[far]}`;
  const wrong = reference.slopes.findIndex(({ slope, size }, i) => {
    const other = measured.slopes[i];
    return !(Math.abs(slope - other.slope) <= SLOPE * Math.max(0.1, size, other.size));
  });
  if (wrong < 0) return undefined;
  return `slope ${measured.slopes[wrong].slope} instead of ${reference.slopes[wrong].slope}`;
}
