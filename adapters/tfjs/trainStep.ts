import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { shapeText } from '../inputs.js';
import type { Output } from './outputs.js';
import {
  asList,
  type LayersModel,
  type Optimizer,
  type RowFunction,
  type Tensor,
  type Tf,
  type Variable,
} from './structures.js';

export interface StepTensors {
  readonly x: readonly Tensor[];
  readonly y: readonly Tensor[];
  readonly weights: readonly (Tensor | undefined)[];
}

/** Loss and metrics of one batch, all scalars, `loss` first. */
export type StepLogs = Readonly<Record<string, Tensor>>;

export type Step = (tensors: StepTensors, at: { readonly epoch: number; readonly batch: number }) => StepLogs;

interface StepOptions {
  readonly lossWeights?: Readonly<Record<string, number>> | undefined;
}

/** That of Keras, weighted by rows and with penalties. `LayersModel.fit` adds the losses of several outputs whatever their shapes. */
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
    const kept: Tensor[] = [];
    const keep = (tensors: readonly Tensor[]) => void kept.push(...tensors.map((tensor) => tf.keep(tensor)));
    const total = (model.optimizer as Optimizer).minimize(
      () => {
        predicted = asList(model.apply([...x], { training: true }));
        each = outputLosses(tf, model, outputs, predicted, { y, weights });
        // They are wanted after the gradients, whose end would free them.
        if (measures.length > 0) keep(predicted);
        if (outputs.length > 1) keep(each);
        return [sumOf(tf, outputs, each, lossWeights), ...model.calculateLosses()].reduce((a, b) =>
          tf.add(a, b),
        ) as never;
      },
      true,
      variables,
    ) as Tensor;
    const logs = { loss: total, ...lossLogs(tf, outputs, each), ...metricLogs(tf, measures, predicted, y) };
    tf.dispose(kept);
    return logs;
  };
}

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
    return { loss: sumOf(tf, outputs, each, lossWeights), ...lossLogs(tf, outputs, each), ...metrics };
  };
}

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
    const must = 'give one value per row to be weighted by sampleWeight or classWeight';
    const got = phrase(loss.shape.length === 0 ? 'one value for the whole batch' : `shape ${shapeText(loss.shape)}`);
    const way = 'Leave the weights out, or average over all axes but the first.';
    throw new AdapterError(sentence('The `lossFn` function', must, got, way), { code: 'unweightable_loss' });
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

function lossLogs(tf: Tf, outputs: readonly Output[], each: readonly Tensor[]): StepLogs {
  if (outputs.length === 1) return {};
  return Object.fromEntries(outputs.map(({ label }, at) => [`${label}_loss`, tf.clone(each[at])]));
}

interface Measure {
  readonly name: string;
  readonly metric: RowFunction;
  readonly place: number;
  readonly target: number;
}

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
