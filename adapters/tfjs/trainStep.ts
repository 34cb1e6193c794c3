/** One step of training: what happens to the model with the rows of one batch. */
import { AdapterError, sentence } from '../../src/core/errors.js';
import type { Output } from './outputs.js';
import type { TrainStep } from './ownTrainStep.js';
import {
  asList,
  type LayersModel,
  type Optimizer,
  type RowFunction,
  type Tensor,
  type Tf,
  type Variable,
} from './structures.js';

/** Tensors of one batch; they belong to the surrounding `tidy`. */
export interface StepTensors {
  /** One for each input of the model. */
  readonly x: readonly Tensor[];
  /** Targets of each output that has some. */
  readonly y: readonly Tensor[];
  /** One weight per row for each of these outputs. */
  readonly weights: readonly (Tensor | undefined)[];
}

/** Loss and metrics of one batch, all scalars, `loss` first. */
export type StepLogs = Readonly<Record<string, Tensor>>;

/** A step that is ready to run. */
export type Step = (tensors: StepTensors, at: { readonly epoch: number; readonly batch: number }) => StepLogs;

interface StepOptions {
  readonly lossWeights?: Readonly<Record<string, number>> | undefined;
}

/**
 * The step of Keras: the loss of each output, one number per row times the weight of the row, averaged over the batch,
 * summed over the outputs, plus the penalties of regularizers. `LayersModel.fit` does the same for one output; for
 * several it adds the losses of their rows whatever their shapes.
 */
export function lossStep(
  tf: Tf,
  model: LayersModel,
  outputs: readonly Output[],
  { lossWeights, variables }: StepOptions & { readonly variables: Variable[] },
): Step {
  const measures = measuresOf(model, outputs);
  return ({ x, y, weights }) => {
    let each: Tensor[] = [];
    let predicted: Tensor[] = [];
    const total = (model.optimizer as Optimizer).minimize(
      () => {
        predicted = asList(model.apply([...x], { training: true }));
        each = outputLosses(tf, model, outputs, predicted, { y, weights });
        // They are wanted after the gradients, whose end would free them; the caller frees what was kept.
        if (measures.length > 0) predicted.forEach((tensor) => void tf.keep(tensor));
        if (outputs.length > 1) each.forEach((tensor) => void tf.keep(tensor));
        return [sumOf(tf, outputs, each, lossWeights), ...model.calculateLosses()].reduce((a, b) =>
          tf.add(a, b),
        ) as never;
      },
      true,
      variables,
    ) as Tensor;
    return { loss: total, ...lossLogs(outputs, each), ...metricLogs(tf, measures, predicted, y) };
  };
}

/** The same loss (without penalties) and metrics of rows that nothing is learnt from, as `LayersModel.evaluate`. */
export function evaluateStep(
  tf: Tf,
  model: LayersModel,
  outputs: readonly Output[],
  { lossWeights, hasLoss }: StepOptions & { readonly hasLoss: boolean },
): Step {
  const measures = measuresOf(model, outputs);
  return ({ x, y, weights }) => {
    const predicted = asList(model.predictOnBatch([...x]));
    const metrics = metricLogs(tf, measures, predicted, y);
    if (!hasLoss) return metrics;
    const each = outputLosses(tf, model, outputs, predicted, { y, weights });
    return { loss: sumOf(tf, outputs, each, lossWeights), ...lossLogs(outputs, each), ...metrics };
  };
}

/** The caller's step with its result checked. */
export function ownStep(tf: Tf, model: LayersModel, outputs: readonly Output[], trainStep: TrainStep): Step {
  const named = (names: readonly string[], tensors: readonly Tensor[]) =>
    names.length === 1 ? tensors[0] : Object.fromEntries(names.map((name, at) => [name, tensors[at]]));
  return ({ x, y, weights }, { epoch, batch }) => {
    const result: unknown = trainStep({
      tf,
      model,
      optimizer: model.optimizer,
      x: named(model.inputNames, x),
      y: named(
        outputs.map(({ name }) => name),
        y,
      ),
      sampleWeight: weights[0],
      epoch,
      batch,
    });
    return checkResult(result);
  };
}

function checkResult(result: unknown): StepLogs {
  const refuse = (must: string, got: unknown, way?: string) => {
    throw new AdapterError(sentence('The `trainStep` function', must, got, way), { code: 'invalid_train_step' });
  };
  if (typeof (result as PromiseLike<unknown> | undefined)?.then === 'function') {
    refuse('be synchronous, because tensors and seeds live for one call', { text: 'a promise' });
  }
  const logs: unknown = isTensor(result) ? { loss: result } : result;
  if (typeof logs !== 'object' || logs === null) {
    refuse('return the loss, a scalar tensor, or a record of scalars that has `loss`', result);
  }
  const { loss, ...others } = logs as Record<string, Tensor>;
  if (!isTensor(loss)) refuse('return a scalar tensor as `loss`', loss);
  for (const [name, value] of Object.entries({ loss, ...others })) {
    if (!isTensor(value)) refuse('return scalar tensors only', { text: `${typeof value} as \`${name}\`` });
    if (value.size !== 1) {
      refuse(
        'return scalar tensors only',
        { text: `shape [${value.shape.join(', ')}] as \`${name}\`` },
        'Take its mean.',
      );
    }
  }
  return { loss, ...others };
}

const isTensor = (value: unknown): value is Tensor =>
  typeof (value as Partial<Tensor> | null | undefined)?.dataSync === 'function';

/** The loss of each output over the rows of a batch, weighted. */
function outputLosses(
  tf: Tf,
  model: LayersModel,
  outputs: readonly Output[],
  predicted: readonly Tensor[],
  { y, weights }: Pick<StepTensors, 'y' | 'weights'>,
): Tensor[] {
  return outputs.map(({ place }, at) => {
    const loss = model.lossFunctions[place](y[at], predicted[place]);
    const weight = weights[at];
    return tf.mean(weight ? tf.mul(perRow(tf, loss, weight.shape[0]), weight) : loss);
  });
}

/** One number per row: pixels, time steps and channels are averaged. */
function perRow(tf: Tf, loss: Tensor, rows: number): Tensor {
  if (loss.shape.length === 0 || loss.shape[0] !== rows) {
    throw new AdapterError(
      sentence(
        'The `lossFn` function',
        'give one value per row to be weighted by sampleWeight or classWeight',
        { text: loss.shape.length === 0 ? 'one value for the whole batch' : `shape [${loss.shape.join(', ')}]` },
        'Leave the weights out, or average over all axes but the first.',
      ),
      { code: 'unweightable_loss' },
    );
  }
  return loss.shape.length === 1 ? loss : tf.mean(tf.reshape(loss, [rows, -1]), 1);
}

function sumOf(tf: Tf, outputs: readonly Output[], each: readonly Tensor[], lossWeights: StepOptions['lossWeights']) {
  return each
    .map((loss, at) => {
      const weight = lossWeights?.[outputs[at].name];
      return weight === undefined ? loss : tf.mul(loss, weight);
    })
    .reduce((sum, loss) => tf.add(sum, loss));
}

/** tfjs logs them for models with several outputs. */
function lossLogs(outputs: readonly Output[], each: readonly Tensor[]): StepLogs {
  if (outputs.length === 1) return {};
  return Object.fromEntries(outputs.map(({ label }, at) => [`${label}_loss`, each[at]]));
}

interface Measure {
  readonly name: string;
  readonly metric: RowFunction;
  /** Place among the outputs of the model, and among those with targets. */
  readonly place: number;
  readonly target: number;
}

/** The metrics that the model was compiled with, of outputs that have targets, under the names of tfjs. */
function measuresOf(model: LayersModel, outputs: readonly Output[]): Measure[] {
  // With several outputs the first entries are their losses.
  const losses = model.outputs.length > 1 ? model.outputs.length : 0;
  const names = model.getDedupedMetricsNames().slice(1 + losses);
  return model.metricsTensors.slice(losses).flatMap(([metric, place], at) => {
    const target = outputs.findIndex((output) => output.place === place);
    if (target < 0) return [];
    const { name, label } = outputs[target];
    const own = losses > 0 ? `${label}${names[at].slice(name.length)}` : names[at];
    return [{ name: own, metric, place, target }];
  });
}

function metricLogs(
  tf: Tf,
  measures: readonly Measure[],
  predicted: readonly Tensor[],
  y: readonly Tensor[],
): StepLogs {
  return Object.fromEntries(
    measures.map(({ name, metric, place, target }) => [name, tf.mean(metric(y[target], predicted[place]))]),
  );
}
