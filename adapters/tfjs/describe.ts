/** What the manifest of a run holds of a network: facts that a change of the network changes. */
import { messageOf } from '../../src/core/errors.js';
import { hashOfValues, type Recorded, recordOf } from '../../src/core/recorded.js';
import { sha256Of } from '../../src/core/sha256Of.js';
import type { GraphModel } from './graphModel.js';
import { type Layer, type LayersModel, layersWithin } from './structures.js';

/** Class, layers, number of weights, SHA-256 of its JSON and of the weights that it has now, and the loss of its `compile`. */
export async function networkFacts(model: LayersModel): Promise<Readonly<Record<string, Recorded>>> {
  const layers = [...layersWithin(model)];
  // tfjs numbers models and layers as they are made, so that the second copy of a network has other names.
  const places = new Map([model, ...layers].map(({ name }, place) => [name, `layer-${place}`]));
  return {
    class: model.getClassName(),
    layers: layers.map((layer) => [layer.getClassName(), ...sizesOf(layer)].join(' ')),
    weights: model.weights.reduce((sum, { val }) => sum + val.size, 0),
    sha256: await sha256Of(jsonOf(model, places)),
    startingWeights: await hashOfValues(model.weights.map(({ val }) => val)),
    compiledLoss: await recordOf(model.loss),
  };
}

/** Name, number of weights and SHA-256 of operations and weights, in words, as facts of a session are. */
export async function graphFacts(model: GraphModel): Promise<Readonly<Record<string, string>>> {
  const tensors = Object.values(model.weights).flat();
  const nodes = Object.entries(model.executor?.graph?.nodes ?? {}).map(([name, { op }]) => [name, op]);
  return {
    graphWeights: String(tensors.reduce((sum, { size }) => sum + size, 0)),
    graph: await hashOfValues([nodes, tensors]),
  };
}

/** Layers of callers may be unable to give a JSON; then the text of the failure stands for it. */
function jsonOf(model: LayersModel, places: ReadonlyMap<unknown, string>): string {
  try {
    return JSON.stringify(model.toJSON(null, false), (_, each) => places.get(each) ?? each);
  } catch (error) {
    return messageOf(error);
  }
}

/** Shapes of the weights of a layer: `[30,5]`, `[5]`. */
const sizesOf = (layer: Layer & { readonly weights?: LayersModel['weights'] }) =>
  (layer.layers ? [] : (layer.weights ?? [])).map(({ val }) => JSON.stringify(val.shape));
