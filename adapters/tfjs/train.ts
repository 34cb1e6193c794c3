/**
 * Trains one model: tfjs's own train step inside an epoch loop that is ours, because `LayersModel.fit` shuffles with a
 * stream that cannot be seeded and refuses sample weights.
 */
import { AdapterError, sentence } from '../../src/core/errors.js';
import { withSeededRandom } from '../../src/core/random.js';
import type { Batch, EpochLogs, FitHistory, FitHooks, FitOptions } from '../../src/runner/frameworkAdapter.js';
import { rowWeights } from '../rowWeights.js';
import { compileFresh } from './optimizer.js';
import { checkTrainable } from './refusals.js';
import { gatherRows, type RowReader, rowReader } from './rowReader.js';
import { rowOrder, stepSeed } from './seeds.js';
import type { LayersModel, Tensor, Tf } from './structures.js';
import { checkLoss, lossOf, outputWidth, type Targets, targetsOf } from './targets.js';

/** Rows, targets and weights of a batch of the interface, ready to be cut into steps. */
interface TrainingRows {
  readonly X: RowReader;
  readonly y: Targets;
  readonly weights: Float32Array | undefined;
}

/** Tensors of one step; they belong to the surrounding `tidy`. */
type StepTensors = [x: Tensor, y: Tensor] | [x: Tensor, y: Tensor, weights: Tensor];

/** Trains `model` for `options.epochs`, fewer when a hook says so. Everything is checked before the first epoch. */
export async function train(
  tf: Tf,
  model: LayersModel,
  batch: Batch,
  options: FitOptions,
  hooks: FitHooks,
): Promise<FitHistory> {
  const loss = lossOf(model, options.lossFn);
  checkLoss(model, batch.y, loss);
  checkTrainable(model, tf.getBackend());
  const rows = await trainingRows(model, batch, loss, options.classWeight);
  const validation = options.validation && (await trainingRows(model, options.validation, loss));
  compileFresh(model, options.optimizer, loss);

  const trained = model.model ?? model;
  const step = trained.makeTrainFunction();
  const names = trained.getDedupedMetricsNames();
  const breathe = breather();
  const epochs: EpochLogs[] = [];
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    await hooks.onEpochStart(epoch);
    const order = rowOrder(options.seed, epoch, rows.X.length);
    const means = await overBatches(order, options, breathe, async (places, number) => {
      const tensors = await reader(tf, rows, places);
      const values = withSeededRandom(stepSeed(options.seed, epoch, number), () => run(tf, () => step(tensors())));
      if (!Number.isFinite(values[0])) throw lossDiverged(values[0], epoch, tf.getBackend());
      return values;
    });
    const logs = Object.fromEntries(names.map((name, at) => [name, means[at]]));
    if (validation) {
      const inOrder = Int32Array.from({ length: validation.X.length }, (_, place) => place);
      const values = await overBatches(inOrder, options, breathe, async (places) => {
        const tensors = await reader(tf, validation, places);
        return run(tf, () => evaluate(tf, trained, tensors()));
      });
      names.forEach((name, at) => {
        logs[`val_${name}`] = values[at];
      });
    }
    epochs.push(logs);
    if ((await hooks.onEpochEnd(epoch, logs)) === 'stop') break;
  }
  return { epochs };
}

async function trainingRows(
  model: LayersModel,
  batch: Batch,
  loss: string | object,
  classWeight?: FitOptions['classWeight'],
): Promise<TrainingRows> {
  const weights = rowWeights(batch, classWeight, { meanOne: true });
  return {
    X: await rowReader(model, batch.X, batch.indices),
    y: targetsOf(batch.y, outputWidth(model, batch.y), loss),
    weights: weights && Float32Array.from(weights),
  };
}

/** Reads the rows of one step; the function it gives makes their tensors. */
async function reader(tf: Tf, { X, y, weights }: TrainingRows, places: Int32Array): Promise<() => StepTensors> {
  const data = await X.read(places);
  return () => {
    const x = tf.tensor(data, [places.length, ...X.rowShape]);
    const target = tf.tensor(gatherRows(y.data, y.width, places), [places.length, y.width]);
    return weights ? [x, target, tf.tensor(gatherRows(weights, 1, places))] : [x, target];
  };
}

/** Loss and metrics of a step as numbers. Everything else is released, also when the step throws. */
function run(tf: Tf, work: () => Tensor[]): number[] {
  // A step keeps metrics and what gradients need out of the reach of `tidy`; tfjs forgets them when it throws.
  const engine = tf.engine();
  const { keep } = engine;
  const kept: Tensor[] = [];
  engine.keep = <T extends Tensor>(tensor: T): T => {
    kept.push(tensor);
    return keep.call(engine, tensor) as T;
  };
  try {
    return tf.tidy(() => work().map((output) => output.dataSync()[0]));
  } finally {
    engine.keep = keep;
    tf.dispose(kept);
  }
}

/** Loss (without penalties) and metrics as `LayersModel.evaluate` gives them, and with weights. */
function evaluate(tf: Tf, model: LayersModel, [x, y, weights]: StepTensors): Tensor[] {
  const predicted = model.predictOnBatch(x);
  const loss = model.lossFunctions[0](y, predicted);
  const metrics = model.metricsTensors.map(([metric]) => tf.mean(metric(y, predicted)));
  return [tf.mean(weights ? tf.mul(loss, weights) : loss), ...metrics];
}

/** Means over the batches of `order`, each weighted by its number of rows, as tfjs logs them. */
async function overBatches(
  order: Int32Array,
  { batchSize, signal }: Pick<FitOptions, 'batchSize' | 'signal'>,
  breathe: () => Promise<void>,
  step: (places: Int32Array, number: number) => Promise<number[]>,
): Promise<number[]> {
  const sums: number[] = [];
  for (let from = 0; from < order.length; from += batchSize) {
    signal?.throwIfAborted();
    const places = order.subarray(from, from + batchSize);
    const values = await step(places, from / batchSize);
    values.forEach((value, at) => {
      sums[at] = (sums[at] ?? 0) + value * places.length;
    });
    await breathe();
  }
  return sums.map((sum) => sum / order.length);
}

/** Lets timers and aborts in five times a second: training itself never leaves the event loop free. */
function breather(): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < 200) return;
    await new Promise((resolve) => setTimeout(resolve, 0));
    last = performance.now();
  };
}

function lossDiverged(value: number, epoch: number, backend: string): AdapterError {
  return new AdapterError(
    sentence(
      `The loss in epoch ${epoch} on the ${backend} backend`,
      'be a finite number',
      value,
      'Scale X, or use a smaller learning rate.',
    ),
    { code: 'not_finite' },
  );
}
