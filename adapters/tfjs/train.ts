/** A loop of our own: `LayersModel.fit` shuffles without a seed, refuses sample weights and adds up several losses wrongly. */

import { AdapterError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { OptionsOf } from '../../src/core/options.js';
import { deriveSeed, permutation, randomSource } from '../../src/core/random.js';
import { recordOf } from '../../src/core/recorded.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';
import { product } from '../../src/data/dense.js';
import { rowNumbers } from '../../src/data/labels.js';
import { oneColumnCode } from '../../src/data/positiveCode.js';
import type {
  Augment,
  Batch,
  EpochLogs,
  FitHistory,
  FitHooks,
  FitOptions,
  TrainStep,
} from '../../src/runner/frameworkAdapter.js';
import { shapeText } from '../inputs.js';
import { rowWeights } from '../rowWeights.js';
import type { tfjsOptions } from './backend.js';
import { byName, callerStep, fromCaller } from './callerStep.js';
import { checkBackendTrains, checkLearns, prepareLayers } from './layers.js';
import { checkLoss, checkLossWeights, type Loss, lossesOf, lossesText } from './losses.js';
import { readValues, tidied } from './memory.js';
import { compileFresh, lastIdBefore, optimizerText } from './optimizer.js';
import { checkAllHaveTargets, type Output, outputSubject, outputsOf, targetShape } from './outputs.js';
import { outputOf } from './predict.js';
import { gatherRows, inputSubject, type RowReader, rowReader } from './rowReader.js';
import {
  buildNames,
  isTfjsTensor,
  type LayersModel,
  type Network,
  type Tensor,
  type Tf,
  type Variable,
} from './structures.js';
import { boundLoss, isSurvivalLoss, lastCut, meansAs, timedTargets } from './survival.js';
import { evaluateStep, lossStep, type StepLogs, type StepTensors } from './trainStep.js';

export type TrainSettings = Partial<Omit<OptionsOf<typeof tfjsOptions>, 'backend' | 'trainStep'>> & {
  readonly trainStep?: TrainStep | undefined;
};

interface TrainingRows {
  readonly X: RowReader;
  readonly targets: readonly Targets[];
  readonly weights: readonly (Float32Array | undefined)[];
}

export async function train(
  tf: Tf,
  model: LayersModel,
  batch: Batch,
  options: FitOptions,
  hooks: FitHooks,
  settings: TrainSettings = {},
): Promise<FitHistory> {
  const { trainStep, output: main } = settings;
  buildNames(model);
  const outputs = outputsOf(model, batch, main);
  if (!trainStep) checkAllHaveTargets(model, outputs);
  const losses = lossesOf(model, outputs, options.lossFn, { optional: trainStep !== undefined });
  outputs.forEach((output, at) => void checkLoss(model, output, losses[at], { scored: at === 0 }));
  checkLossWeights(model, settings.lossWeights);
  checkBackendTrains(model, tf.getBackend());
  checkLearns(model);
  const rows = await trainingRows(model, batch, outputs, losses, options.classWeight);
  const { validation } = options;
  const checkRows = validation && (await trainingRows(model, validation, outputsOf(model, validation, main), losses));
  compileFresh(model, options.optimizer, compiled(tf, model, outputs, losses));

  const used = { optimizer: optimizerText(model), lossFn: lossesText(outputs, losses) };
  const config = await recordOf(model.optimizer?.getConfig()); // now: callbacks may change the learning rate
  const trained = model.model ?? model;
  // Of the model itself: the one that does the work of a sequential model has lost what is frozen in it.
  const variables = model.trainableWeights.map((weight) => weight.read());
  const step = trainStep
    ? callerStep(tf, trained, outputs, trainStep, options.classWeight ? 'classWeight' : 'sampleWeight')
    : lossStep(tf, trained, outputs, { ...settings, variables });
  const augmented = options.augment && augmenter(model, outputs, options.augment);
  const evaluate = evaluateStep(tf, trained, outputs, { ...settings, hasLoss: !losses.includes(undefined) });
  const breathe = breather();
  const runStep = async (work: () => StepLogs): Promise<Record<string, number>> => {
    const { names, all } = tidied(tf, model, () => stackedLogs(tf, work()));
    if (!all) return {};
    try {
      const values = await readValues(tf, all);
      return Object.fromEntries(names.map((name, at) => [name, values[at]]));
    } finally {
      all.dispose();
    }
  };

  const trainEpoch = (epoch: number) => {
    const order = rowOrder(options.seed, epoch, rows.X.length, rows.X.window);
    return overBatches(order, options, breathe, async (places, number) => {
      const tensors = await reader(tf, rows, places);
      const at = { epoch, batch: number };
      const values = await withSeededRandom(deriveSeed(options.seed, 'step', epoch, number), () =>
        runStep(() => {
          const all = tensors();
          const rowsOfStep = augmented ? augmented(all, options.seed, epoch, number) : all;
          return keepsOthers(tf, lastIdBefore.get(model), () => step(rowsOfStep, at));
        }),
      );
      if (!Number.isFinite(values.loss))
        throw diverged(tf, ['The loss in', 'be a finite number', values.loss], epoch, augmented !== undefined);
      await hooks.onBatchEnd?.(epoch, { ...values, batch: number, size: places.length });
      return values;
    });
  };
  const evaluateEpoch = async (rows: TrainingRows, epoch: number) => {
    const means = await overBatches(rowNumbers(rows.X.length), options, breathe, async (places, number) => {
      const tensors = await reader(tf, rows, places);
      return runStep(() => evaluate(tensors(), { epoch, batch: number }));
    });
    return Object.fromEntries(Object.entries(means).map(([name, value]) => [`val_${name}`, value]));
  };

  const readAll = () => Promise.all(variables.map((variable) => readValues(tf, variable)));
  const before = (await readAll()).map((values) => values.slice());
  const epochs: EpochLogs[] = [];
  let warnings: readonly string[] = [];
  const restore = prepareLayers(tf, model);
  const meaning =
    batch.y.task === 'survival'
      ? meansAs(model, losses[0], batch, () => outputOf(tf, model, batch.X, outputs[0].place, 1))
      : undefined;
  try {
    for (let epoch = 0; epoch < options.epochs; epoch++) {
      await hooks.onEpochStart(epoch);
      const logs = await trainEpoch(epoch);
      await checkFinite(tf, variables, epoch, augmented !== undefined);
      if (epoch === 0)
        warnings = [
          ...checkChanged(before, await readAll(), model, trainStep !== undefined),
          ...lastCut(losses[0], batch.y),
        ];
      if (checkRows) Object.assign(logs, await evaluateEpoch(checkRows, epoch));
      epochs.push(logs);
      if ((await hooks.onEpochEnd(epoch, logs)) === 'stop') break;
    }
    await meaning?.end();
  } finally {
    meaning?.release();
    restore();
  }
  const optimizer = { class: model.optimizer?.getClassName() ?? null, config };
  return { epochs, settings: used, warnings, model: { optimizer } };
}

async function trainingRows(
  model: LayersModel,
  batch: Batch,
  outputs: readonly Output[],
  losses: readonly (Loss | undefined)[],
  classWeight?: FitOptions['classWeight'],
): Promise<TrainingRows> {
  // Class weights are those of y; the other outputs have other classes.
  const weights = outputs.map((_, at) => rowWeights(batch, at === 0 ? classWeight : undefined, { meanOne: true }));
  return {
    X: await rowReader(model, batch.X, batch.indices),
    targets: outputs.map((output, at) => targetNumbers(model, output, losses[at])),
    weights: weights.map((each) => each && Float32Array.from(each)),
  };
}

function compiled(
  tf: Tf,
  model: LayersModel,
  outputs: readonly Output[],
  losses: readonly (Loss | undefined)[],
): unknown {
  const named = model.outputNames.map((name, place): [string, Loss] => {
    const loss = losses[outputs.findIndex((output) => output.place === place)];
    if (isSurvivalLoss(loss)) return [name, boundLoss(loss, tf)];
    return [name, typeof loss === 'function' ? guarded(loss) : (loss ?? noLoss)];
  });
  return named.length === 1 ? named[0][1] : Object.fromEntries(named);
}

const guarded =
  (loss: (...args: never[]) => unknown) =>
  (...args: never[]) =>
    fromCaller({ name: 'lossFn', must: 'return a loss', code: 'invalid_loss' }, () => loss(...args));

function noLoss(): never {
  throw new AdapterError('The `lossFn` option must be set to compute a loss outside `trainStep`. Got nothing.', {
    code: 'missing_loss',
  });
}

async function reader(tf: Tf, { X, targets, weights }: TrainingRows, places: Int32Array): Promise<() => StepTensors> {
  const inputs = await X.read(places);
  return () => ({
    x: inputs.map(({ data, shape }) => tf.tensor(data, shape as number[])),
    y: targets.map(({ data, rowShape }) => {
      const width = product(rowShape);
      return tf.tensor(gatherRows(data, width, places), [places.length, ...rowShape]);
    }),
    weights: weights.map((each) => each && tf.tensor(gatherRows(each, 1, places))),
  });
}

/** Means over the batches of `order`, each weighted by its number of rows, as tfjs logs them. */
async function overBatches(
  order: Int32Array,
  { batchSize, signal }: Pick<FitOptions, 'batchSize' | 'signal'>,
  breathe: () => Promise<void>,
  step: (places: Int32Array, number: number) => Promise<Record<string, number>>,
): Promise<Record<string, number>> {
  let sums: Record<string, number> | undefined;
  for (let from = 0; from < order.length; from += batchSize) {
    signal?.throwIfAborted();
    const places = order.subarray(from, from + batchSize);
    const values = await step(places, from / batchSize);
    sums ??= Object.fromEntries(Object.keys(values).map((name) => [name, 0]));
    checkSameLogs(Object.keys(sums), Object.keys(values));
    for (const [name, value] of Object.entries(values)) sums[name] += value * places.length;
    await breathe();
  }
  return Object.fromEntries(Object.entries(sums ?? {}).map(([name, sum]) => [name, sum / order.length]));
}

/** A mean over some of the batches would not be one over the epoch. */
function checkSameLogs(first: readonly string[], now: readonly string[]): void {
  if (first.length === now.length && now.every((name) => first.includes(name))) return;
  const subject = 'The `trainStep` function';
  const must = `return the same names for every batch, ${first.join(', ')}`;
  throw new AdapterError(sentence(subject, must, phrase(now.join(', '))), { code: 'invalid_train_step' });
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

function diverged(tf: Tf, [what, must, got]: readonly [string, string, number], epoch: number, augments: boolean) {
  const subject = `${what} epoch ${epoch} on the ${tf.getBackend()} backend`;
  const way = `Scale X, or use a smaller learning rate${augments ? ', unless `augment` gives NaN or Infinity' : ''}.`;
  return new AdapterError(sentence(subject, must, got, way), { code: 'not_finite' });
}

/** One tensor, to read once for all: each read waits for the device. */
function stackedLogs(tf: Tf, logs: StepLogs): { names: string[]; all: Tensor | undefined } {
  const [names, tensors] = [Object.keys(logs), Object.values(logs)];
  if (tensors.length < 2) return { names, all: tensors[0]?.clone() };
  return { names, all: tf.stack(tensors.map((tensor) => tf.cast(tf.reshape(tensor, []), 'float32'))) };
}

interface Targets {
  readonly data: Float32Array;
  readonly rowShape: readonly number[];
}

/** One column is 0 and 1, 1 being the positive class; codes for the sparse loss; one-hot rows for one unit per class; masks as they are. */
export function targetNumbers(model: Network, output: Output, loss: Loss | undefined): Targets {
  const { labels } = output;
  if (labels.task === 'survival') return { data: timedTargets(labels), rowShape: [2] };
  const rowShape = targetShape(model, output);
  if (labels.task === 'regression') return { data: Float32Array.from(labels.numbers), rowShape };
  if (labels.task === 'multilabel') return { data: Float32Array.from(labels.indicators), rowShape };
  const [units] = rowShape;
  if (units === 1) {
    const one = oneColumnCode(labels);
    return { data: Float32Array.from(labels.codes, (code) => (code === one ? 1 : 0)), rowShape: [1] };
  }
  if (loss === 'sparseCategoricalCrossentropy') return { data: Float32Array.from(labels.codes), rowShape: [1] };
  const data = new Float32Array(labels.length * units);
  for (let row = 0; row < labels.length; row++) data[row * units + labels.codes[row]] = 1;
  return { data, rowShape };
}

const CODE = 'invalid_augmentation';

function augmenter(model: Network, outputs: readonly Output[], augment: Augment) {
  const outputNames = outputs.map(({ name }) => name);
  return (tensors: StepTensors, seed: number, epoch: number, batch: number): StepTensors => {
    const random = randomSource(deriveSeed(seed, 'augment', epoch, batch));
    const feed = { X: byName(model.inputNames, tensors.x), y: byName(outputNames, tensors.y) };
    const result = fromCaller({ name: 'augment', must: 'return { X } or { X, y }', code: CODE }, () =>
      withSeededRandom(deriveSeed(seed, 'augment', epoch, batch, 'Math.random'), () =>
        augment(feed, { epoch, batch, random }),
      ),
    );
    checkResult(result);
    const [rows] = tensors.y[0].shape;
    const x = unpacked('X', model.inputNames, tensors.x, result.X).map((tensor, at) =>
      checked(tensor, `X, for ${inputSubject(model, at)},`, rows, model.inputs[at].shape.slice(1)),
    );
    const y = unpacked('y', outputNames, tensors.y, result.y).map((tensor, at) =>
      checked(tensor, `y, for ${lower(outputSubject(model, outputs[at].place))},`, rows, tensors.y[at].shape.slice(1)),
    );
    return { ...tensors, x, y };
  };
}

const lower = (text: string) => text[0].toLowerCase() + text.slice(1);

function unpacked(
  key: string,
  names: readonly string[],
  tensors: readonly Tensor[],
  result: unknown,
): readonly unknown[] {
  if (result === undefined) return tensors;
  if (names.length === 1) return [result];
  if (typeof result !== 'object' || result === null || isTfjsTensor(result)) {
    throw refusal(`return \`${key}\` as a record of ${names.join(', ')}`, result);
  }
  const stranger = Object.keys(result).find((name) => !names.includes(name));
  if (stranger !== undefined) {
    throw refusal(`return \`${key}\` with the names it was given`, stranger, suggestion(stranger, names));
  }
  return names.map((name, at) => (result as Record<string, unknown>)[name] ?? tensors[at]);
}

function checkResult(result: unknown): void {
  if (typeof result !== 'object' || result === null || isTfjsTensor(result)) {
    throw refusal('return { X } or { X, y }', isTfjsTensor(result) ? phrase('a tensor') : result);
  }
  const stranger = Object.keys(result).find((key) => key !== 'X' && key !== 'y');
  if (stranger !== undefined) throw refusal('return { X } or { X, y }', phrase(`the key '${nameText(stranger)}'`));
}

function checked(tensor: unknown, subject: string, rows: number, rowShape: readonly (number | null)[]): Tensor {
  const wanted = [rows, ...rowShape];
  const must = `return ${subject} as a tensor of shape ${shapeText(wanted)}`;
  if (!isTfjsTensor(tensor)) throw refusal(must, tensor);
  const { shape } = tensor;
  if (shape.length === wanted.length && wanted.every((size, axis) => size === null || size === shape[axis]))
    return tensor;
  throw refusal(must, phrase(shapeText(shape)));
}

const refusal = (must: string, got: unknown, way?: string) =>
  new AdapterError(sentence('The `augment` function', must, got, way), { code: CODE });

/** The losses of tfjs clip probabilities, and wasm clips NaN to 0: a model that is lost would go on with a finite loss. */
async function checkFinite(tf: Tf, weights: readonly Variable[], epoch: number, augments: boolean): Promise<void> {
  // Nothing but NaN and Infinity times 0 is not 0: one number to read, which no large weights overflow.
  const sum = tf.tidy(() => tf.addN(weights.map((weight) => tf.sum(tf.mul(weight, 0)))));
  let zero: number;
  try {
    [zero] = await readValues(tf, sum);
  } finally {
    sum.dispose();
  }
  if (zero === 0) return;
  const read = await Promise.all(weights.map((weight) => readValues(tf, weight)));
  const bad = read.flatMap((values) => values.find((value) => !Number.isFinite(value)) ?? []);
  throw diverged(tf, ['The weights after', 'be finite numbers', bad[0]], epoch, augments);
}

/** Says so where training left all weights as they were, unless the learning rate is 0; that is an error of a `trainStep`. */
function checkChanged(
  before: readonly ArrayLike<number>[],
  now: readonly Float32Array[],
  { optimizer }: LayersModel,
  inStep: boolean,
): readonly string[] {
  if (now.some((values, at) => values.some((value, i) => value !== before[at][i]))) return [];
  // A schedule may begin with it.
  if ((optimizer as { learningRate?: number } | undefined)?.learningRate === 0) return [];
  if (!inStep) {
    return [
      'Training changed no weight of the model in its first epoch. Scale X, and look at the optimizer and at whether the loss depends on the weights.',
    ];
  }
  const must = 'change the weights of the model';
  const got = phrase('none changed in epoch 0');
  const way = 'Call optimizer.minimize(() => loss, true) and return its result.';
  throw new AdapterError(sentence('The `trainStep` function', must, got, way), { code: 'invalid_train_step' });
}

function keepsOthers<T>(tf: Tf, firstTensorId: number | undefined, work: () => T): T {
  const all = Object.values(tf.engine().registeredVariables);
  const older = firstTensorId === undefined ? [] : all.filter(({ id }) => id <= firstTensorId);
  // A variable that gets a value holds other data from then on.
  const before = older.map(({ dataId }) => dataId);
  const result = work();
  const changed = older.filter(({ dataId, isDisposed }, at) => !isDisposed && dataId !== before[at]);
  if (changed.length === 0) return result;
  const names = changed.slice(0, 5).map(({ name }) => `'${nameText(name)}'`);
  const must = 'change no variable that was made outside the factory, since it would go on from fold to fold';
  const way = 'Make it inside the factory.';
  throw new AdapterError(sentence('Training in a fold', must, phrase(names.join(', ')), way), { code: 'not_isolated' });
}

// Where the randomness of training comes from: the fold's seed, the epoch and the batch, and nothing else.

/** The order in which the rows of one epoch are visited; with `window`, shuffled within blocks of that many rows. */
function rowOrder(seed: number, epoch: number, n: number, window?: number): Int32Array {
  const source = randomSource(deriveSeed(seed, 'rows', epoch));
  if (!window) return permutation(source, n);
  const order = new Int32Array(n);
  for (let from = 0; from < n; from += window) {
    const block = permutation(source, Math.min(window, n - from)).map((place) => from + place);
    order.set(block, from);
  }
  return order;
}
