/** What a model spends its time on, which decides the engine that suits it. */
import { graphOps, isGraphModel } from './graphModel.js';
import { isLayersModel, type Layer, layersWithin } from './structures.js';

export type Workload = 'convolutions' | 'large layers' | 'small layers';

/**
 * Weights from which tfjs-node is faster than wasm, embeddings left aside. Measured, batches of 32, wasm against
 * tfjs-node: dense layers of 8,000 weights 0.7, 33,000 weights 1.3, 393,000 weights 6.8; LSTM of 6,000 weights 0.4,
 * 21,000 weights 1.1, 82,000 weights 6.2; embedding of 64,000 weights 0.9.
 */
const LARGE = 30_000;

/** The heaviest kind of work in a layers or graph model. `small layers` for what is neither. */
export function workloadOf(model: unknown): Workload {
  const kinds = isLayersModel(model)
    ? [...layersWithin(model)].map((layer) => layer.getClassName())
    : isGraphModel(model)
      ? graphOps(model)
      : [];
  if (kinds.some((kind) => kind.includes('Conv'))) return 'convolutions';
  return weightsOf(model) >= LARGE ? 'large layers' : 'small layers';
}

function weightsOf(model: unknown): number {
  if (isLayersModel(model)) return sum([...layersWithin(model)].map(ownWeights));
  return isGraphModel(model)
    ? sum(Object.values(model.weights).flatMap((tensors) => tensors.map(({ size }) => size)))
    : 0;
}

function ownWeights(
  layer: Layer & { readonly weights?: readonly { readonly val: { readonly size: number } }[] },
): number {
  if (layer.layers || layer.layer || layer.getClassName() === 'Embedding') return 0;
  return sum((layer.weights ?? []).map(({ val }) => val.size));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
