/** The parts of tfjs that the adapter works with, by structure: models may come from any copy of the library. */
import type { Optimizer, Tensor } from '@tensorflow/tfjs';
import { looksLikeLayersModel } from '../../src/core/modelShapes.js';

/** The library. Imported on first use or injected, never required. */
export type Tf = typeof import('@tensorflow/tfjs');

export type { Optimizer, Tensor };

export interface Layer {
  readonly name: string;
  getClassName(): string;
  getConfig(): Record<string, unknown>;
  /** Of models that serve as layers. */
  readonly layers?: readonly Layer[];
  /** Of wrappers: TimeDistributed, Bidirectional. */
  readonly layer?: Layer;
}

interface SymbolicTensor {
  readonly shape: readonly (number | null)[];
}

type RowFunction = (yTrue: Tensor, yPred: Tensor) => Tensor;

/** `tf.LayersModel` with the members that `LayersModel.fit` itself uses. */
export interface LayersModel extends Layer {
  /** Of a sequential model that has been compiled: the functional model that does its work. */
  readonly model?: LayersModel;
  readonly layers: readonly Layer[];
  readonly inputs: readonly SymbolicTensor[];
  readonly outputs: readonly SymbolicTensor[];
  readonly stateful: boolean;
  readonly weights: readonly { readonly val: Tensor }[];
  // what compile sets
  readonly optimizer: Optimizer | undefined;
  isOptimizerOwned: boolean;
  readonly loss: unknown;
  readonly metrics: unknown;
  readonly lossFunctions: readonly RowFunction[];
  readonly metricsTensors: readonly [RowFunction, number][];
  compile(args: { optimizer: string | Optimizer; loss: unknown; metrics?: unknown }): void;
  // what fit runs
  makeTrainFunction(): (tensors: Tensor[]) => Tensor[];
  getDedupedMetricsNames(): string[];
  predict(x: Tensor, args: { batchSize: number }): Tensor;
  predictOnBatch(x: Tensor): Tensor;
  getWeights(): Tensor[];
  setWeights(weights: Tensor[]): void;
  toJSON(unused: null, returnString: false): Record<string, unknown>;
  dispose(): unknown;
}

/** True for sequential and functional models. False for estimators and for graph models, which cannot be trained. */
export const isLayersModel = (model: unknown): model is LayersModel => looksLikeLayersModel(model);

/** A layer with everything inside it: models that serve as layers, and what wrappers wrap. */
export function* layersWithin(layer: Layer): Generator<Layer> {
  for (const inner of [...(layer.layers ?? []), ...(layer.layer ? [layer.layer] : [])]) {
    yield inner;
    yield* layersWithin(inner);
  }
}
