/** The parts of tfjs that the adapter works with, by structure: models may come from any copy of the library. */
import type { Optimizer, Tensor, Variable } from '@tensorflow/tfjs';
import { hasLayersModelShape } from '../../src/data/modelShapes.js';

export type Tf = typeof import('@tensorflow/tfjs');

export type { Optimizer, Tensor, Variable };

export interface Layer {
  readonly name: string;
  getClassName(): string;
  getConfig(): Record<string, unknown>;
  /** False: its weights stay as they are, and so do those of the layers inside it. */
  trainable: boolean;
  readonly activation?: { getClassName?(): string };
  /** Of models that serve as layers. */
  readonly layers?: readonly Layer[];
  readonly outputs?: readonly SymbolicTensor[];
  /** Of wrappers: TimeDistributed, Bidirectional. */
  readonly layer?: Layer;
}

export interface SymbolicTensor {
  readonly shape: readonly (number | null)[];
  /** The layer that gives it, and its place among what that gives. Unknown where the model is a graph of operations. */
  readonly sourceLayer?: Layer;
  readonly outputTensorIndex?: number;
}

/** What can predict: a layers model is one, and graphModel.ts makes one of a graph model. Shapes begin with the batch. */
export interface Network {
  readonly inputs: readonly SymbolicTensor[];
  readonly inputNames: readonly string[];
  readonly outputs: readonly SymbolicTensor[];
  readonly outputNames: readonly string[];
  readonly layers: readonly Layer[];
}

export type RowFunction = (yTrue: Tensor, yPred: Tensor) => Tensor;

export interface LayersModel extends Layer, Network {
  /** Of a sequential model that has been compiled: the functional model that does its work. */
  readonly model?: LayersModel;
  readonly layers: readonly Layer[];
  readonly outputs: readonly SymbolicTensor[];
  readonly stateful: boolean;
  readonly weights: readonly { readonly originalName: string; readonly val: Tensor }[];
  readonly optimizer: Optimizer | undefined;
  isOptimizerOwned: boolean;
  readonly loss: unknown;
  readonly metrics: unknown;
  readonly lossFunctions: readonly RowFunction[];
  readonly metricsTensors: readonly [RowFunction, number][];
  compile(args: { optimizer: string | Optimizer; loss: unknown; metrics?: unknown }): void;
  readonly trainableWeights: readonly { read(): Variable }[];
  apply(x: Tensor[], options: { training: boolean }): Tensor | Tensor[];
  calculateLosses(): Tensor[];
  getDedupedMetricsNames(): string[];
  predictOnBatch(x: Tensor | Tensor[]): Tensor | Tensor[];
  getWeights(): Tensor[];
  toJSON(unused: null, returnString: false): Record<string, unknown>;
  dispose(): unknown;
}

/** True for sequential and functional models. False for estimators and for graph models, which cannot be trained. */
export const isLayersModel = (model: unknown): model is LayersModel => hasLayersModelShape(model);

/** A sequential model has names of inputs and outputs only after it was built, which else happens at its first use. */
export function buildNames(model: Network & { build?(): void }): void {
  if (model.outputNames.length === 0) model.build?.();
}

export const isTfjsTensor = (value: unknown): value is Tensor =>
  typeof (value as Partial<Tensor> | null | undefined)?.dataSync === 'function';

export const asList = (tensors: Tensor | Tensor[]): Tensor[] => (Array.isArray(tensors) ? tensors : [tensors]);

export function* layersWithin(layer: Layer): Generator<Layer> {
  for (const inner of [...(layer.layers ?? []), ...(layer.layer ? [layer.layer] : [])]) {
    yield inner;
    yield* layersWithin(inner);
  }
}

export interface Override {
  readonly target: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Puts all of them in place. What it returns puts back what was there before, own or inherited. */
export function override(overrides: readonly Override[]): () => void {
  const replaced = overrides.map(({ target, properties }) => {
    const before = Object.keys(properties).map((key) => [key, Object.getOwnPropertyDescriptor(target, key)] as const);
    Object.assign(target, properties);
    return { target, before };
  });
  return () => {
    // The last one first: a layer that a model holds twice is replaced twice.
    for (const { target, before } of replaced.reverse()) {
      for (const [key, own] of before) {
        if (own) Object.defineProperty(target, key, own);
        else Reflect.deleteProperty(target, key);
      }
    }
  };
}
