/** The adapter for TensorFlow.js: layers models and graph models, on wasm, tfjs-node or plain JavaScript. */

import { files } from '#io';
import { cleanupOnError } from '../../src/core/cleanup.js';
import { AdapterError, CVKitError, messageOf, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { isPlainObject } from '../../src/core/options.js';
import { filePlace, pathWithin } from '../../src/core/pathOfPlace.js';
import { hashOfValues, type Recorded, recordOf } from '../../src/core/recorded.js';
import { removedName } from '../../src/core/removedName.js';
import { sha256Of } from '../../src/core/sha256Of.js';
import { parsedJSON } from '../../src/core/shape.js';
import { replaceIndexed, writeWhole } from '../../src/core/wholeFile.js';
import type {
  AdapterCapabilities,
  FrameworkAdapter,
  ModelFactory,
  ModelPlace,
} from '../../src/runner/frameworkAdapter.js';
import { openBackend, tfjsOptions } from './backend.js';
import { cannotTrain, checkGraphUsable, type GraphModel, isGraphModel, predictorOf } from './graphModel.js';
import { regressionBecause } from './losses.js';
import { forgetModels, freeingOnError, heldMemory } from './memory.js';
import {
  checkUsable,
  copyOf,
  disposeModel,
  isUntrained,
  modelFromFactory,
  newestTensorId,
  type Weights,
  weightsOf,
} from './model.js';
import { adoptOptimizer, learningRateOf, setLearningRate } from './optimizer.js';
import { explained, guardWasmMemory } from './outOfMemory.js';
import { mainOutput } from './outputs.js';
import { defaultImports, type Imports, importPackage } from './packages.js';
import { predict } from './predict.js';
import { snapshot } from './snapshot.js';
import {
  buildNames,
  isLayersModel,
  type Layer,
  type LayersModel,
  layersWithin,
  type Tensor,
  type Tf,
} from './structures.js';
import { train } from './train.js';

export { type DatasetLike, type DatasetRows, fromDataset } from './fromDataset.js';
export { completeWasm } from './kernels/completeWasm.js';
export type { TrainStep, TrainStepContext } from './ownTrainStep.js';

type Model = LayersModel | GraphModel;

export interface SaveNetworkOptions {
  /** Saves the state of the optimizer too, so that training can go on. */
  readonly includeOptimizer?: boolean;
  /** Replaces the network that is saved in the place. */
  readonly overwrite?: boolean;
}

export interface TfjsAdapterOptions {
  /** The library, when it should not be imported: a namespace such as `import * as tf from '@tensorflow/tfjs'`. */
  readonly tf?: object;
  /** How optional packages are loaded, by package name. */
  readonly imports?: Partial<Imports>;
}

const LAYERS: AdapterCapabilities = {
  trains: true,
  epochs: true,
  augments: true,
  auxiliary: true,
  probabilities: true,
  labelsFromProbabilities: true,
  saves: true,
};
const GRAPH: AdapterCapabilities = {
  trains: false,
  epochs: false,
  probabilities: true,
  labelsFromProbabilities: true,
  saves: true,
  why: 'a GraphModel can only predict',
};

/**
 * Makes an adapter for tfjs models. Each fold gets its own model and its own optimizer; row order, weights and dropout
 * masks come from the fold's seed. A dropout layer with a `seed` of its own repeats one mask in every batch, as it does
 * in tfjs itself. Once a session has been open, its backend has the kernels and gradients that {@link completeWasm} and
 * its like put in place. A graph model predicts and is not trained: one that is given as it is serves all folds.
 */
export function createTfjsAdapter({ tf: injected, imports }: TfjsAdapterOptions = {}): FrameworkAdapter {
  const packages: Imports = { ...defaultImports, ...imports };
  let loaded = injected as Tf | undefined;
  const library = async () => {
    loaded ??= (await importPackage(packages, '@tensorflow/tfjs', 'Training a tfjs model')) as Tf;
    return loaded;
  };
  /** Weights of instances as they were when the run began. */
  const atOpen = new WeakMap<LayersModel, Weights>();
  /** Graph models that are the caller's, which every fold uses and none disposes. */
  const borrowed = new WeakSet<object>();

  /** The adapter under the options of one session, for the kind of its model. */
  const under = (settings: Partial<ReturnType<typeof tfjsOptions.resolve>>, capabilities: AdapterCapabilities) => {
    const adapter: FrameworkAdapter<Model> = {
      name: 'tfjs',
      capabilities,
      matches: (model) => isLayersModel(model) || isGraphModel(model),
      regressionBecause(model, lossFn, auxiliary) {
        if (!isLayersModel(model)) return undefined;
        buildNames(model);
        return regressionBecause(model, mainOutput(model, settings.output, auxiliary), lossFn);
      },
      isUntrained: (model) => isLayersModel(model) && isUntrained(model),
      async open(options, model) {
        const tf = await library();
        const known = isLayersModel(model) ? model : undefined;
        const weights = known && weightsOf(known);
        if (isGraphModel(model)) checkGraphUsable(model, 'The model that was given');
        const session = await openBackend(tf, packages, options, model);
        const close = async () => {
          if (known) atOpen.delete(known);
          await session.close();
        };
        const prepare = () => {
          if (tf.getBackend() === 'wasm') guardWasmMemory(tf);
          if (known && weights) atOpen.set(known, weights);
        };
        await cleanupOnError(() => explained(tf, prepare), close);
        return {
          ...session,
          ...(isGraphModel(model) ? { about: await graphFacts(model) } : {}),
          adapter: under(tfjsOptions.resolve(options), isGraphModel(model) ? GRAPH : LAYERS),
          close,
        };
      },
      async buildTracked(factory) {
        const tf = await library();
        return explained(tf, async () => {
          const before = newestTensorId(tf);
          const made = await freeingOnError(tf, factory);
          // Now, because the model may be given up before its fold builds it.
          if (isLayersModel(made)) adoptOptimizer(made, before);
          return made;
        });
      },
      borrowed: (model) => borrowed.has(model),
      async build(source, ctx) {
        const tf = await library();
        if (typeof source === 'function') {
          return explained(tf, () => modelFromFactory(tf, source as ModelFactory, ctx));
        }
        if (isGraphModel(source)) {
          checkGraphUsable(source, 'The model that was given');
          borrowed.add(source);
          return source;
        }
        if (!isLayersModel(source)) {
          throw new AdapterError(
            sentence('The model', 'be a tf.LayersModel, a tf.GraphModel or a factory of one', source),
            { code: 'invalid_model' },
          );
        }
        return explained(tf, () => copyOf(tf, source, atOpen.get(source) ?? weightsOf(source)));
      },
      async fit(model, batch, options, hooks) {
        if (isGraphModel(model)) throw cannotTrain();
        const tf = await library();
        return explained(tf, async () => {
          buildNames(model);
          const facts = await networkFacts(model);
          const history = await train(tf, model, batch, options, hooks, settings);
          const { optimizer = null, lossFn = '' } = history.settings ?? {};
          const used = model.optimizer;
          const trained = { class: used?.getClassName() ?? null, config: await recordOf(used?.getConfig()) };
          return {
            ...history,
            settings: { optimizer: String(optimizer), lossFn: settings.trainStep ? 'the loss of `trainStep`' : lossFn },
            model: { ...facts, optimizer: trained },
          };
        });
      },
      async predict(model, X, facts) {
        const tf = await library();
        return explained(tf, async () =>
          predict(tf, isGraphModel(model) ? await predictorOf(tf, model, X) : model, X, facts, settings),
        );
      },
      memory: () => (loaded ? heldMemory(loaded) : { tensors: 0, bytes: 0 }),
      save: async (model, where) => save(await library(), model, where),
      load: async (where) => load(await library(), where),
      dispose(model) {
        disposeModel(model);
        if (loaded) forgetModels(loaded);
      },
    };
    if (!capabilities.trains) return adapter as FrameworkAdapter;
    const learningRate = { get: learningRateOf, set: setLearningRate };
    return { ...adapter, snapshot, learningRate } as FrameworkAdapter;
  };
  return under({}, LAYERS);
}

/** The adapter with the packages that are installed. */
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
 * @example await saveNetwork(model, 'models/fold-0');
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
 * @example const model = await loadNetwork('models/fold-0');
 */
// biome-ignore lint/suspicious/noExplicitAny: tfjs types stay out of the declarations, whose readers may lack it
export const loadNetwork = async (where: ModelPlace): Promise<any> => tfjsAdapter.load?.(where);

/** @deprecated Use `saveNetwork`, or `refitted.save(place)` with all that predicting needs. */
export const saveModel: (...given: unknown[]) => never = removedName('saveModel', 'saveNetwork(model, place)');

/** @deprecated Use `loadNetwork`, or `loadModel` of `cvkit` for a model that was saved whole. */
export const loadModel: (...given: unknown[]) => never = removedName('loadModel', 'loadNetwork(place)');

// What the manifest of a run holds of a network: facts that a change of the network changes.

/** Class, layers, number of weights, SHA-256 of its JSON and of the weights that it has now, and the loss of its `compile`. */
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

/** Name, number of weights and SHA-256 of operations and weights, in words, as facts of a session are. */
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

/** Shapes of the weights of a layer: `[30,5]`, `[5]`. */
const sizesOf = (layer: Layer & { readonly weights?: LayersModel['weights'] }) =>
  (layer.layers ? [] : (layer.weights ?? [])).map(({ val }) => JSON.stringify(val.shape));

// Saves and loads models in tfjs's own format: `model.json` beside `weights.bin`, without tfjs-node.

type Artifacts = import('@tensorflow/tfjs').io.ModelArtifacts;
type Handler = import('@tensorflow/tfjs').io.IOHandler;
type Specs = readonly import('@tensorflow/tfjs').io.WeightsManifestEntry[];

/** Writes `model`; see `saveNetwork` of index.ts. */
async function save(
  tf: Tf,
  model: LayersModel | GraphModel,
  where: ModelPlace,
  {
    includeOptimizer = false,
    overwrite = false,
  }: { readonly includeOptimizer?: boolean; readonly overwrite?: boolean } = {},
): Promise<void> {
  const subject = 'The model to save';
  if (isGraphModel(model)) checkGraphUsable(model, subject);
  else if (isLayersModel(model)) checkUsable(model, subject);
  else throw refusal('The model to save', 'be a tf.LayersModel or a tf.GraphModel', model);
  const handler = handlerFor(tf, where, 'save', overwrite);
  const { save: write } = handler;
  if (!write) throw refusal('The place to save a model', 'be one that can be written to', where);
  const target = { save: (artifacts: Artifacts) => write.call(handler, artifacts) };
  const release = includeOptimizer ? catchIterations(model as LayersModel) : undefined;
  try {
    await (model as unknown as Saveable).save(target, { includeOptimizer });
  } catch (cause) {
    throw failed(`could not be saved to ${nameOf(where)}`, cause);
  } finally {
    release?.();
  }
}

/** An optimizer makes a tensor of its step count for saving, and nobody in tfjs 4.22 disposes it. */
function catchIterations({ optimizer }: LayersModel): () => void {
  const own = optimizer as unknown as { saveIterations(): Promise<{ tensor: Tensor }> } | undefined;
  if (!own) throw refusal('The model to save', 'be compiled for includeOptimizer', phrase('one without optimizer'));
  const made: Tensor[] = [];
  const { saveIterations } = own;
  own.saveIterations = async () => {
    const steps = await saveIterations.call(own);
    made.push(steps.tensor);
    return steps;
  };
  return () => {
    Reflect.deleteProperty(own, 'saveIterations');
    for (const tensor of made) tensor.dispose();
  };
}

/** Reads a layers or a graph model; see `loadNetwork` of index.ts. */
async function load(tf: Tf, where: ModelPlace): Promise<LayersModel | GraphModel> {
  const handler = handlerFor(tf, where, 'load');
  if (!handler.load) throw refusal('The place to load a model from', 'be one that can be read', where);
  try {
    const artifacts = await handler.load();
    checkWeights(artifacts);
    const again = { load: async () => artifacts };
    const make = async () => (isGraph(artifacts) ? tf.loadGraphModel(again) : tf.loadLayersModel(again));
    return (await freeingOnError<unknown>(tf, make, { wholly: true })) as LayersModel | GraphModel;
  } catch (cause) {
    throw failed(`could not be loaded from ${nameOf(where)}`, cause);
  }
}

interface Saveable {
  save(handler: Handler, options: { readonly includeOptimizer?: boolean }): Promise<unknown>;
}

/** Files that tfjs wrote name their format; others are told by what they hold. */
const isGraph = ({ format, modelTopology }: Artifacts) =>
  format === 'graph-model' || (format === undefined && 'node' in (modelTopology as object));

/** What reads and writes at `where`: a handler, one that tfjs knows by its scheme, or ours for files. */
function handlerFor(tf: Tf, where: ModelPlace, what: 'save' | 'load', overwrite = false): Handler {
  if (typeof where === 'object' && !(where instanceof URL)) return where as Handler;
  const place = String(where);
  const path = filePlace(place);
  if (path !== undefined) {
    return files || /^file:/i.test(place) ? fileHandler(tf, path, overwrite) : pageHandler(tf, place, what);
  }
  const [found] = what === 'save' ? tf.io.getSaveHandlers(place) : tf.io.getLoadHandlers(place);
  if (found) return found;
  throw refusal('The place of a model', 'be a path, or a URL that tfjs can use here', where);
}

/** Where there are no files, a path is a URL relative to the page. */
function pageHandler(tf: Tf, path: string, what: 'save' | 'load'): Handler {
  if (what === 'load') return tf.io.browserHTTPRequest(path);
  throw refusal('The place to save a model', 'be a URL where there is no file system', path, "Use 'indexeddb://...'.");
}

/** A directory, or its `model.json`. */
function fileHandler(tf: Tf, path: string, overwrite = false): Handler {
  const json = /\.json$/i.test(path) ? path : `${path.replace(/(?<![/\\])[/\\]+$/, '')}/model.json`;
  const folder = json.slice(0, Math.max(json.lastIndexOf('/'), json.lastIndexOf('\\')) + 1);
  return {
    async save(artifacts) {
      if (json === path) throw refusal('The place to save a model', 'be a directory', path);
      await write(artifacts, path, overwrite);
      return { modelArtifactsInfo: tf.io.getModelArtifactsInfoForJSON(artifacts) };
    },
    async load() {
      const text = new TextDecoder().decode(await read(json));
      const topology = parse(text, nameText(json.slice(folder.length)));
      return tf.io.getModelArtifactsForJSON(topology, async (manifest) => {
        const parts: Uint8Array[] = [];
        for (const name of manifest.flatMap(({ paths }) => paths)) {
          const place = await pathWithin(fileSystem(), folder, name);
          if (place === undefined)
            throw refusal(
              'The weights of a model',
              'be files in the folder of its model.json',
              phrase('another place'),
            );
          parts.push(await read(place));
        }
        return [manifest.flatMap(({ weights }) => weights), joined(parts)];
      });
    },
  };
}

async function write(artifacts: Artifacts, folder: string, overwrite: boolean): Promise<void> {
  const fs = fileSystem();
  const { weightData, weightSpecs = [], getWeightStream: _, ...facts } = artifacts;
  const weights = [weightData ?? []].flat().map((part) => new Uint8Array(part));
  await replaceIndexed(
    fs,
    folder,
    overwrite,
    (save) => `weights-${save}.bin`,
    async (name) => {
      await writeWhole(fs, `${folder}/${name}`, weights);
      return JSON.stringify({ ...facts, weightsManifest: [{ paths: [name], weights: weightSpecs }] });
    },
  );
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await fileSystem().readFile(path);
  } catch (cause) {
    throw unreadable(
      sentence('The place to load a model from', 'hold model.json and the weights it names', phrase(messageOf(cause))),
      cause,
    );
  }
}

function fileSystem(): NonNullable<typeof files> {
  if (files) return files;
  throw refusal('The place of a model', 'be no file where there is no file system', phrase('a file: URL'));
}

function parse(text: string, path: string) {
  const read = parsedJSON(text, path);
  const found = (isPlainObject(read) ? read : {}) as { modelTopology?: object; weightsManifest?: unknown };
  if (found.modelTopology && Array.isArray(found.weightsManifest)) return found as never;
  const way = Object.hasOwn(found, 'folder') ? "Use loadModel of 'cvkit' for a model that was saved whole." : undefined;
  throw unreadable(sentence(path, 'hold modelTopology and weightsManifest, as tfjs writes them', read, way));
}

const unreadable = (message: string, cause?: unknown) => new AdapterError(message, { code: 'unreadable_model', cause });

function joined(parts: readonly Uint8Array[]): ArrayBuffer {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let from = 0;
  for (const part of parts) {
    all.set(part, from);
    from += part.length;
  }
  return all.buffer;
}

const BYTES: Readonly<Record<string, number>> = {
  float32: 4,
  int32: 4,
  bool: 1,
  complex64: 8,
  uint8: 1,
  uint16: 2,
  float16: 2,
};

/**
 * Weights of another length belong to another model: tfjs itself would fill in what is missing from elsewhere. It makes the layers first, and
 * one of more units than there are weights would take all memory.
 */
function checkWeights({ modelTopology, weightSpecs, weightData }: Artifacts): void {
  const specs: Specs = weightSpecs ?? [];
  if (!weightData || specs.some(({ dtype }) => dtype === 'string')) return;
  const bytes = ({ shape, dtype, quantization }: Specs[number]) =>
    shape.reduce((size, axis) => size * axis, 1) * BYTES[quantization?.dtype ?? dtype];
  const values = specs.reduce((sum, { shape }) => sum + shape.reduce((size, axis) => size * axis, 1), 0);
  JSON.stringify(modelTopology, (key, size) => {
    if (!/^(units|filters|(input|output)_?dim)$/i.test(key) || !(size > values)) return size;
    const must = 'have sizes that its weights fit';
    throw unreadable(sentence('The topology of the model', must, phrase(`${key} ${size} and ${values} numbers`)));
  });
  const wanted = specs.reduce((sum, spec) => sum + bytes(spec), 0);
  const found = [weightData].flat().reduce((sum, part) => sum + part.byteLength, 0);
  if (found === wanted) return;
  throw unreadable(
    sentence('The weights of the model', `be ${wanted} bytes, as its model.json says`, phrase(`${found} bytes`)),
  );
}

const refusal = (subject: string, must: string, got: unknown, way?: string): AdapterError =>
  new AdapterError(sentence(subject, must, got, way), { code: 'invalid_place' });

const nameOf = (where: ModelPlace) =>
  typeof where === 'string' || where instanceof URL ? `'${nameText(String(where), 300)}'` : 'its handler';

/** Errors of ours say what is wrong; those of tfjs get a subject. */
function failed(what: string, cause: unknown): CVKitError {
  if (cause instanceof CVKitError) return cause;
  const message = messageOf(cause).split(/\.\s|\n/)[0];
  const [, layer] = /Unknown layer: (\w+)/.exec(message) ?? [];
  return new AdapterError(
    layer
      ? `The model ${what}, because it has the layer class ${layer}, which tfjs does not know. ` +
          `Call tf.serialization.registerClass(${layer}) before.`
      : `The model ${what}: ${message}.`,
    { code: layer ? 'unknown_layer' : 'unreadable_model', cause },
  );
}
