import { files } from '#io';
import { AdapterError, CVKitError, messageOf, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { MemoryPlace } from '../../src/core/memoryPlace.js';
import { isPlainObject } from '../../src/core/options.js';
import { filePlace, pathWithin } from '../../src/core/pathOfPlace.js';
import { parsedJSON } from '../../src/core/shape.js';
import { INDEX, replaceIndexed, writeWhole } from '../../src/core/wholeFile.js';
import { product } from '../../src/data/dense.js';
import type { ModelPlace } from '../../src/runner/frameworkAdapter.js';
import { joinedBytes } from '../inputs.js';
import { checkGraphUsable, type GraphModel, isGraphModel } from './graphModel.js';
import { freeingOnError } from './memory.js';
import { checkUsable } from './model.js';
import { isLayersModel, type LayersModel, type Tensor, type Tf } from './structures.js';
import { readMeaning, writeMeaning } from './survival.js';

type Artifacts = import('@tensorflow/tfjs').io.ModelArtifacts;
type Handler = import('@tensorflow/tfjs').io.IOHandler;
type Specs = readonly import('@tensorflow/tfjs').io.WeightsManifestEntry[];
type SaveableModel = Pick<import('@tensorflow/tfjs').LayersModel, 'save'>;

export async function save(
  tf: Tf,
  model: LayersModel | GraphModel,
  where: ModelPlace,
  { includeOptimizer = false, overwrite = false }: { includeOptimizer?: boolean; overwrite?: boolean } = {},
): Promise<void> {
  const subject = 'The model to save';
  if (isGraphModel(model)) checkGraphUsable(model, subject);
  else if (isLayersModel(model)) checkUsable(model, subject);
  else throw refusal('The model to save', 'be a tf.LayersModel or a tf.GraphModel', model);
  writeMeaning(model);
  const handler = handlerFor(tf, where, 'save', overwrite);
  const { save: write } = handler;
  if (!write) throw refusal('The place to save a model', 'be one that can be written to', where);
  const target = { save: (artifacts: Artifacts) => write.call(handler, artifacts) };
  const release = includeOptimizer ? catchIterations(model as LayersModel) : undefined;
  try {
    await (model as unknown as SaveableModel).save(target as Handler, { includeOptimizer });
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
  const created: Tensor[] = [];
  const { saveIterations } = own;
  own.saveIterations = async () => {
    const steps = await saveIterations.call(own);
    created.push(steps.tensor);
    return steps;
  };
  return () => {
    Reflect.deleteProperty(own, 'saveIterations');
    for (const tensor of created) tensor.dispose();
  };
}

export async function load(tf: Tf, where: ModelPlace): Promise<LayersModel | GraphModel> {
  const handler = handlerFor(tf, where, 'load');
  if (!handler.load) throw refusal('The place to load a model from', 'be one that can be read', where);
  try {
    const artifacts = await handler.load();
    checkWeights(artifacts);
    const again = { load: async () => artifacts };
    const make = async () => (isGraph(artifacts) ? tf.loadGraphModel(again) : tf.loadLayersModel(again));
    const loaded = (await freeingOnError<unknown>(tf, make, { wholly: true })) as LayersModel | GraphModel;
    readMeaning(loaded);
    return loaded;
  } catch (cause) {
    throw failed(`could not be loaded from ${nameOf(where)}`, cause);
  }
}

/** Files that tfjs wrote name their format; others are known by what they hold. */
const isGraph = ({ format, modelTopology }: Artifacts) =>
  format === 'graph-model' || (format === undefined && 'node' in (modelTopology as object));

function handlerFor(tf: Tf, where: ModelPlace, what: 'save' | 'load', overwrite = false): Handler {
  if (where instanceof MemoryPlace) return memoryHandler(tf, where);
  if (typeof where === 'object' && !(where instanceof URL)) return where as Handler;
  const place = String(where);
  const path = filePlace(place);
  if (path !== undefined) {
    if (files || /^file:/i.test(place)) return fileHandler(tf, path, overwrite);
    if (what === 'load') return tf.io.browserHTTPRequest(place);
    const must = 'be a URL where there is no file system';
    throw refusal('The place to save a model', must, place, "Use 'indexeddb://...'.");
  }
  const [found] = what === 'save' ? tf.io.getSaveHandlers(place) : tf.io.getLoadHandlers(place);
  if (found) return found;
  throw refusal('The place of a model', 'be a path, or a URL that tfjs can use here', where);
}

function fileHandler(tf: Tf, path: string, overwrite = false): Handler {
  const json = /\.json$/i.test(path) ? path : `${path.replace(/(?<![/\\])[/\\]+$/, '')}/${INDEX}`;
  const folder = json.slice(0, Math.max(json.lastIndexOf('/'), json.lastIndexOf('\\')) + 1);
  return {
    async save(artifacts) {
      if (json === path) throw refusal('The place to save a model', 'be a directory', path);
      await write(artifacts, path, overwrite);
      return { modelArtifactsInfo: tf.io.getModelArtifactsInfoForJSON(artifacts) };
    },
    async load() {
      const text = new TextDecoder().decode(await read(json));
      return artifactsOf(tf, text, nameText(json.slice(folder.length)), async (name) => {
        const place = await pathWithin(fileSystem(), folder, name);
        if (place !== undefined) return read(place);
        throw refusal('The weights of a model', `be files in the folder of its ${INDEX}`, phrase('another place'));
      });
    },
  };
}

const memoryHandler = (tf: Tf, place: MemoryPlace): Handler => ({
  async save(artifacts) {
    const { weights, index } = filesOf(artifacts, 'weights.bin');
    place.write('/weights.bin', joinedBytes(weights));
    place.write(`/${INDEX}`, index);
    return { modelArtifactsInfo: tf.io.getModelArtifactsInfoForJSON(artifacts) };
  },
  load: () =>
    artifactsOf(tf, place.text(`/${INDEX}`), INDEX, async (name) => place.read(`/${name}`) ?? new Uint8Array()),
});

function artifactsOf(
  tf: Tf,
  text: string,
  name: string,
  readPart: (name: string) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Artifacts> {
  return tf.io.getModelArtifactsForJSON(parse(text, name), async (manifest) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (const part of manifest.flatMap(({ paths }) => paths)) parts.push(await readPart(part));
    // One large file is taken as it was read. A list of parts would do, but tfjs 4.22 reads weights across them as 0.
    const isWhole = parts.length === 1 && parts[0].byteLength === parts[0].buffer.byteLength;
    return [manifest.flatMap(({ weights }) => weights), (isWhole ? parts[0] : joinedBytes(parts)).buffer];
  });
}

function filesOf({ weightData, weightSpecs = [], getWeightStream: _, ...facts }: Artifacts, name: string) {
  const weights = [weightData ?? []].flat().map((part) => new Uint8Array(part));
  return { weights, index: JSON.stringify({ ...facts, weightsManifest: [{ paths: [name], weights: weightSpecs }] }) };
}

async function write(artifacts: Artifacts, folder: string, overwrite: boolean): Promise<void> {
  const fs = fileSystem();
  const write = async (name: string) => {
    const { weights, index } = filesOf(artifacts, name);
    await writeWhole(fs, `${folder}/${name}`, weights);
    return index;
  };
  await replaceIndexed(fs, folder, overwrite, (save) => `weights-${save}.bin`, write);
}

async function read(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await fileSystem().readFile(path);
  } catch (cause) {
    const must = `hold ${INDEX} and the weights it names`;
    throw unreadable(sentence('The place to load a model from', must, phrase(messageOf(cause))), cause);
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

const BYTES: Readonly<Record<string, number>> = {
  float32: 4,
  int32: 4,
  bool: 1,
  complex64: 8,
  uint8: 1,
  uint16: 2,
  float16: 2,
};

/** tfjs would take missing weights from elsewhere, and makes layers of any size before it reads their weights. */
function checkWeights({ modelTopology, weightSpecs, weightData }: Artifacts): void {
  const specs: Specs = weightSpecs ?? [];
  if (!weightData || specs.some(({ dtype }) => dtype === 'string')) return;
  const values = specs.reduce((sum, { shape }) => sum + product(shape), 0);
  JSON.stringify(modelTopology, (key, size) => {
    if (!/^(units|filters|(input|output)_?dim)$/i.test(key) || !(size > values)) return size;
    const must = 'have sizes that its weights fit';
    throw unreadable(sentence('The topology of the model', must, phrase(`${key} ${size} and ${values} numbers`)));
  });
  const bytesOf = ({ dtype, quantization }: Specs[number]) => BYTES[quantization?.dtype ?? dtype];
  const wanted = specs.reduce((sum, spec) => sum + product(spec.shape) * bytesOf(spec), 0);
  const found = [weightData].flat().reduce((sum, part) => sum + part.byteLength, 0);
  if (found === wanted) return;
  const must = `be ${wanted} bytes, as its ${INDEX} says`;
  throw unreadable(sentence('The weights of the model', must, phrase(`${found} bytes`)));
}

const refusal = (subject: string, must: string, got: unknown, way?: string): AdapterError =>
  new AdapterError(sentence(subject, must, got, way), { code: 'invalid_place' });

const nameOf = (where: ModelPlace) =>
  typeof where === 'string' || where instanceof URL ? `'${nameText(String(where), 300)}'` : 'its handler';

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
