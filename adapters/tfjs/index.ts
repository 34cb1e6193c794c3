/** The adapter for TensorFlow.js: layers models and graph models, on wasm, tfjs-node or plain JavaScript. */

import { cleanupOnError } from '../../src/core/cleanup.js';
import { AdapterError, messageOf, sentence } from '../../src/core/errors.js';
import { checkedModule, functionOf, isModuleFunction } from '../../src/core/moduleFunction.js';
import { hashOfValues, type Recorded, recordOf } from '../../src/core/recorded.js';
import { sha256Of } from '../../src/core/sha256Of.js';
import type {
  AdapterCapabilities,
  FrameworkAdapter,
  ModelFactory,
  ModelPlace,
} from '../../src/runner/frameworkAdapter.js';
import { openBackend, tfjsOptions } from './backend.js';
import { load, save } from './files.js';
import { cannotTrain, checkGraphUsable, type GraphModel, isGraphModel, predictorOf } from './graphModel.js';
import { checkLossNames, regressionBecause } from './losses.js';
import { explained, forgetModels, freeingOnError, guardWasmMemory } from './memory.js';
import {
  copyForFold,
  disposeModel,
  isUntrained,
  modelFromFactory,
  newestTensorId,
  readWeights,
  snapshot,
  type Weights,
} from './model.js';
import { adoptOptimizer, freshOptimizer, learningRateOf, setLearningRate } from './optimizer.js';
import { mainOutput } from './outputs.js';
import { defaultImports, type Imports, importPackage } from './packages.js';
import { predict } from './predict.js';
import { buildNames, isLayersModel, type Layer, type LayersModel, layersWithin, type Tf } from './structures.js';
import { withMeaning } from './survival.js';
import { type TrainSettings, train } from './train.js';

export interface SaveNetworkOptions {
  /** Saves the state of the optimizer too, so that training can go on. */
  readonly includeOptimizer?: boolean;
  /** Replaces the network that is saved in the place. */
  readonly overwrite?: boolean;
}
export type { TrainStep, TrainStepContext } from '../../src/runner/frameworkAdapter.js';
export { type DatasetLike, type DatasetRows, fromDataset } from './fromDataset.js';
export { completeWasm } from './kernels/completeWasm.js';
export { coxLoss, type DiscreteHazardLossOptions, discreteHazardLoss, type SurvivalLoss } from './survival.js';

type Model = LayersModel | GraphModel;

export interface TfjsAdapterOptions {
  /** The library, when it should not be imported: a namespace such as `import * as tf from '@tensorflow/tfjs'`. */
  readonly tf?: object;
  /** How optional packages are loaded, by package name. */
  readonly imports?: Partial<Imports>;
}

const PREDICTS = { probabilities: true, labelsFromProbabilities: true, saves: true, savesToMemory: true };
const LAYERS: AdapterCapabilities = { ...PREDICTS, trains: true, epochs: true, augments: true, auxiliary: true };
const GRAPH: AdapterCapabilities = {
  ...PREDICTS,
  trains: false,
  epochs: false,
  why: 'a GraphModel can only predict',
};

/** The options, with a `trainStep` that its module names. */
async function settingsOf(options: object): Promise<TrainSettings> {
  const { trainStep, ...settings } = tfjsOptions.resolve(options);
  if (!isModuleFunction(trainStep)) return { ...settings, trainStep };
  const owner = 'the `trainStep` option of tfjsAdapter';
  return { ...settings, trainStep: await functionOf(checkedModule(trainStep, owner), owner) };
}

/**
 * Makes an adapter for tfjs models. Each fold gets its own model and its own optimizer; row order, weights and dropout
 * masks come from the fold's seed. A dropout layer with a `seed` of its own repeats one mask in every batch, as it does
 * in tfjs itself. Once a session has been open, its backend has the kernels and gradients that {@link completeWasm} and
 * its like put in place. A graph model predicts and is not trained: one that is given as it is serves all folds.
 *
 * @example
 * const own = createTfjsAdapter({ tf }); // with a copy of the library of your own
 * const results = await new UniversalCVRunner({ cvSplitter, adapter: own, verbose: 0 }).run({
 *   model: network, data: [X, y], preprocessing, ...training,
 * });
 * console.log(results.meanScores.roc_auc);
 */
export function createTfjsAdapter({ tf: injected, imports }: TfjsAdapterOptions = {}): FrameworkAdapter {
  const packages: Imports = { ...defaultImports, ...imports };
  let loaded = injected as Tf | undefined;
  const library = async () => {
    loaded ??= (await importPackage(packages, '@tensorflow/tfjs', 'Training a tfjs model')) as Tf;
    return loaded;
  };
  const within = async <T>(work: (tf: Tf) => T | Promise<T>): Promise<T> => {
    const tf = await library();
    return explained(tf, () => work(tf));
  };
  /** Weights of instances as they were when the run began. */
  const atOpen = new WeakMap<LayersModel, Weights>();
  /** Graph models that are the caller's, which every fold uses and none disposes. */
  const borrowed = new WeakSet<object>();

  const under = (settings: TrainSettings, capabilities: AdapterCapabilities) => {
    const adapter: FrameworkAdapter<Model> = {
      name: 'tfjs',
      capabilities,
      matches: (model) => isLayersModel(model) || isGraphModel(model),
      regressionBecause(model, lossFn, auxiliary) {
        if (!isLayersModel(model)) return undefined;
        buildNames(model);
        return regressionBecause(model, mainOutput(model, settings.output, auxiliary), lossFn);
      },
      isUntrained(model) {
        const weights = isLayersModel(model) ? atOpen.get(model) : undefined;
        return weights !== undefined && isUntrained(model as LayersModel, weights);
      },
      checkTraining({ optimizer, lossFn }) {
        if (typeof optimizer === 'string') freshOptimizer(optimizer);
        checkLossNames(lossFn);
      },
      async open(options, model) {
        const tf = await library();
        const known = isLayersModel(model) ? model : undefined;
        const weights = known && (await readWeights(tf, known));
        if (isGraphModel(model)) checkGraphUsable(model, 'The model that was given');
        const session = await openBackend(tf, packages, options, model);
        const close = async () => {
          if (known) atOpen.delete(known);
          await session.close();
        };
        const prepare = async () => {
          if (tf.getBackend() === 'wasm') guardWasmMemory(tf);
          if (known && weights) atOpen.set(known, weights);
          return {
            ...session,
            ...(isGraphModel(model) ? { about: await graphFacts(model) } : {}),
            adapter: under(await settingsOf(options), isGraphModel(model) ? GRAPH : LAYERS),
            close,
          };
        };
        return cleanupOnError(() => explained(tf, prepare), close);
      },
      buildTracked: (factory) =>
        within(async (tf) => {
          const before = newestTensorId(tf);
          const model = await freeingOnError(tf, factory);
          // Now, because the model may be given up before its fold builds it.
          if (isLayersModel(model)) adoptOptimizer(model, before);
          return model;
        }),
      borrowed: (model) => borrowed.has(model),
      async build(source, ctx) {
        if (typeof source === 'function') return within((tf) => modelFromFactory(tf, source as ModelFactory, ctx));
        if (isGraphModel(source)) {
          checkGraphUsable(source, 'The model that was given');
          borrowed.add(source);
          return source;
        }
        if (!isLayersModel(source)) {
          const must = 'be a tf.LayersModel, a tf.GraphModel or a factory of one';
          throw new AdapterError(sentence('The model', must, source), { code: 'invalid_model' });
        }
        return within(async (tf) => copyForFold(tf, source, atOpen.get(source) ?? (await readWeights(tf, source))));
      },
      async fit(model, batch, options, hooks) {
        if (isGraphModel(model)) throw cannotTrain();
        return within(async (tf) => {
          buildNames(model);
          const facts = await networkFacts(model);
          const history = await train(tf, model, batch, options, hooks, settings);
          const { optimizer = null, lossFn = '' } = history.settings ?? {};
          return {
            ...history,
            settings: { optimizer: String(optimizer), lossFn: settings.trainStep ? 'the loss of `trainStep`' : lossFn },
            model: { ...facts, ...(history.model as object) },
          };
        });
      },
      predict: (model, X, facts) =>
        within(async (tf) =>
          predict(tf, isGraphModel(model) ? await predictorOf(tf, model, X) : model, X, facts, settings),
        ),
      memory() {
        const { numTensors: tensors = 0, numBytes: bytes = 0 } = loaded?.memory() ?? {};
        return { tensors, bytes };
      },
      save: async (model, where) => save(await library(), model, where),
      load: async (where) => load(await library(), where),
      dispose(model) {
        disposeModel(model);
        if (loaded) forgetModels(loaded);
      },
    };
    if (!capabilities.trains) return adapter as FrameworkAdapter;
    const learningRate = { get: learningRateOf, set: setLearningRate };
    const snapshotOf = (model: LayersModel) => withMeaning(model, snapshot(model));
    return { ...adapter, snapshot: snapshotOf, learningRate } as FrameworkAdapter;
  };
  return under({}, LAYERS);
}

/**
 * The adapter of networks of TensorFlow.js: a tf.LayersModel is trained anew in each fold, a tf.GraphModel predicts.
 *
 * @example
 * const plain = new UniversalCVRunner({ cvSplitter, adapterOptions: { backend: 'cpu' }, verbose: 0 });
 * const results = await plain.run({ model: network, data: [X, y], preprocessing, ...training });
 * console.log(results.meanScores.roc_auc);
 */
export const tfjsAdapter: FrameworkAdapter = createTfjsAdapter();

/**
 * Saves a network alone, in tfjs's own format, as `tf.loadLayersModel`, `tf.loadGraphModel` and tfjs-node read it. Needs no
 * tfjs-node. Files are moved into place when they are complete, so that a crash leaves the model that was there before.
 *
 * @param model a tf.LayersModel or a tf.GraphModel
 * @param where a directory as path or `file:` URL (`model.json` in it, and the weights beside it in the file that it names), a URL with a scheme of tfjs
 *   (`indexeddb://`, `localstorage://`, `http://`), or a `tf.io.IOHandler`
 * @throws {AdapterError} the model is disposed, or the place is none that can be written to
 * @throws {CVKitError} `place_taken`: a model is there, and `overwrite` is not true; `unwritable_place`
 * @example
 * const kept = network();
 * await saveNetwork(kept, 'models/network');
 * console.log((await loadNetwork('models/network')).countParams());
 */
export const saveNetwork = async (model: object, where: ModelPlace, options?: SaveNetworkOptions): Promise<void> =>
  save(
    (await importPackage(defaultImports, '@tensorflow/tfjs', 'Saving a tfjs model')) as Tf,
    model as Model,
    where,
    options,
  );

/**
 * Loads what {@link saveNetwork}, tfjs, tfjs-node or its converter wrote: a tf.LayersModel or a tf.GraphModel, by the
 * `format` in its model.json. Needs no tfjs-node.
 *
 * @param where a directory, or its `model.json`, as path or `file:` URL; or what `saveNetwork` takes
 * @throws {AdapterError} nothing there, not a model, weights that do not belong to it, or an unknown class of layer
 * @example
 * await saveNetwork(network(), 'models/again');
 * const loaded = await loadNetwork('models/again');
 * console.log(loaded.countParams());
 */
// biome-ignore lint/suspicious/noExplicitAny: tfjs types stay out of the declarations, whose readers may lack it
export const loadNetwork = async (where: ModelPlace): Promise<any> => tfjsAdapter.load?.(where);

async function networkFacts(model: LayersModel): Promise<Readonly<Record<string, Recorded>>> {
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

async function graphFacts(model: GraphModel): Promise<Readonly<Record<string, string>>> {
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

const sizesOf = (layer: Layer & { readonly weights?: LayersModel['weights'] }) =>
  (layer.layers ? [] : (layer.weights ?? [])).map(({ val }) => JSON.stringify(val.shape));
