import { files } from '#io';
import { cleanupOnError, withCleanup } from '../../src/core/cleanup.js';
import {
  AdapterError,
  MissingPackageError,
  messageOf,
  phrase,
  sentence,
  show,
  suggestion,
} from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { Files } from '../../src/core/io.js';
import { pathOfPlace, pathWithin } from '../../src/core/pathOfPlace.js';
import { sha256Of } from '../../src/core/sha256Of.js';
import type { Label } from '../../src/data/labels.js';
import { joinedBytes, rowsAtATime } from '../inputs.js';
import {
  bytesField,
  FIELDS,
  fieldsOf,
  invalidModel,
  Message,
  type ModelFile,
  numberField,
  type OnnxNode,
  readModelFile,
} from './modelFile.js';
import type { OnnxFileSettings } from './options.js';
import {
  type OnnxImports,
  type OrtMetadata,
  type OrtSession,
  openRuntime,
  type Runtime,
  runtimeImports,
  runtimeOf,
} from './runtime.js';

/** The path or URL of an `.onnx` file, its bytes, or a session of onnxruntime that is open. */
export type OnnxSource = string | URL | Uint8Array | ArrayBuffer | object;

export interface OnnxPort {
  readonly name: string;
  /** Its name in the session, which may be another one. */
  readonly inSession: string;
  readonly isTensor: boolean;
  readonly element: string;
  readonly shape: readonly (number | null)[] | undefined;
}

export interface LoadedModel {
  readonly session: OrtSession;
  readonly ort: Runtime['ort'];
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
  /** By tensor of the file: what shows that it holds probabilities, as `the operation Softmax`. */
  readonly probabilitiesBy: ReadonlyMap<string, string>;
  readonly classes: readonly Label[] | undefined;
  /** Facts of the file for the manifest: its SHA-256, what wrote it, and its opset. */
  readonly about: Readonly<Record<string, string>>;
  readonly info: Readonly<Record<string, string>>;
  readonly rowsAtATime: 1 | null;
  /** Names of the outputs that give the same for a row alone and among others. */
  readonly repeatable: Set<string>;
}

export function isSession(value: unknown): value is OrtSession {
  const { run, release, inputNames, outputNames } = (value ?? {}) as Partial<OrtSession>;
  return [run, release].every((each) => typeof each === 'function') && [inputNames, outputNames].every(Array.isArray);
}

/** A file that several users share. A session that the caller opened stays open. */
export class OnnxFile {
  readonly #source: OnnxSource;
  readonly #settings: OnnxFileSettings;
  readonly #imports: OnnxImports;
  #users = 0;
  #loaded: Promise<LoadedModel> | undefined;

  constructor(source: OnnxSource, settings: OnnxFileSettings, imports: OnnxImports = runtimeImports) {
    this.#source = source;
    this.#settings = settings;
    this.#imports = imports;
  }

  /** Keeps the session open until `release` of what it gives is called. */
  async hold(): Promise<{ readonly model: LoadedModel; release(): Promise<void> }> {
    this.#users++;
    this.#loaded ??= load(this.#source, this.#settings, this.#imports);
    const loaded = this.#loaded;
    const release = async () => {
      this.#users--;
      if (this.#users > 0) return;
      this.#loaded = undefined;
      if (!isSession(this.#source)) await (await loaded).session.release();
    };
    try {
      return { model: await loaded, release };
    } catch (error) {
      this.#users--;
      if (this.#loaded === loaded) this.#loaded = undefined;
      throw error;
    }
  }

  async use<T>(work: (model: LoadedModel) => Promise<T>): Promise<T> {
    const { model, release } = await this.hold();
    return withCleanup(() => work(model), release);
  }
}

async function load(source: OnnxSource, settings: OnnxFileSettings, imports: OnnxImports): Promise<LoadedModel> {
  if (isSession(source)) {
    const found = settings.ort ? runtimeOf(settings.ort) : await runtimeOfSession(source, imports);
    return loadedModel(source, found, 'The session');
  }
  const { subject, bytes, path } = await readSource(source as string | URL | Uint8Array | ArrayBuffer);
  const file = readModelFile(bytes, subject);
  refuseUnknownNumbers(file, subject);
  const isOutput = file.outputs.some(({ name }) => name === settings.output);
  const rewritten = rewriteModel(bytes, file, isOutput ? undefined : settings.output);
  if (rewritten && file.isExternal) {
    const must = 'hold its weights, because it has to be edited before it is loaded';
    throw invalidModel(subject, must, 'weights in other files', 'Save it as one file.');
  }
  const folder = path?.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) ?? '';
  for (const name of files ? file.weightFiles : []) {
    const place = await pathWithin(files as Files, folder, name);
    if (place === undefined) throw invalidModel(subject, 'have its weights in its folder', 'a file in another place');
  }
  const opened = settings.ort ? runtimeOf(settings.ort) : await openRuntime(settings.runtime, imports);
  // By its path, weights in files of its folder are found.
  const content = rewritten?.bytes ?? (file.isExternal && path !== undefined ? path : bytes);
  const session = await opened.ort.InferenceSession.create(content, {
    logSeverityLevel: FATAL, // what goes wrong is in the error; the runtime would print it, too
    ...settings.sessionOptions,
  }).catch((error) => {
    throw notLoaded(subject, opened, file, error);
  });
  const facts = {
    // A hash of the file alone would not notice other weights.
    sha256: file.isExternal ? '' : await sha256Of(bytes),
    weights: file.isExternal ? 'in other files, which are not hashed' : '',
    producer: file.producer,
    opset: String(file.opsets['ai.onnx'] ?? ''),
  };
  const about = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== ''));
  return cleanupOnError(
    async () => loadedModel(session, opened, subject, about, file, rewritten?.renamed),
    () => session.release(),
  );
}

const FATAL = 4;

function loadedModel(
  session: OrtSession,
  { ort, info }: Runtime,
  subject: string,
  about: LoadedModel['about'] = {},
  file?: ModelFile,
  renamed: ReadonlyMap<string, string> = new Map(),
): LoadedModel {
  const inFile = new Map([...renamed].map(([name, inSession]) => [inSession, name]));
  const ports = (all: readonly OrtMetadata[]): OnnxPort[] =>
    all.map((each) => ({ ...portOf(each), name: inFile.get(each.name) ?? each.name }));
  const inputs = ports(session.inputMetadata);
  const outputs = ports(session.outputMetadata);
  const known = (file?.nodes ?? []).flatMap(({ classes }) => (classes ? [classes] : []));
  const isOne = known.every((classes) => classes.join('\n') === known[0].join('\n'));
  return {
    session,
    ort,
    inputs,
    outputs,
    probabilitiesBy: file ? probabilitiesBy(file) : new Map(),
    classes: isOne ? known[0] : undefined,
    about,
    info,
    rowsAtATime: rowsAtATime(
      inputs.map(({ shape }) => shape?.[0]),
      subject,
      'Export it with a dynamic batch axis.',
    ),
    repeatable: new Set(),
  };
}

const portOf = ({ name, isTensor, type, shape }: OrtMetadata) => ({
  inSession: name,
  isTensor,
  element: type ?? 'unknown',
  // Names of axes, '', and -1 as an unsigned number stand for any size.
  shape: shape?.map((size) => (typeof size === 'number' && size > 0 && size < 2 ** 31 ? size : null)),
});

/** Operations that move, cut or convert numbers and leave them between 0 and 1. */
const KEEPS =
  /^(Identity|Cast|Reshape|Flatten|Squeeze|Unsqueeze|Transpose|Clip|Gather|Slice|Split|Dropout|Concat|ArrayFeatureExtractor)$/;

function probabilitiesBy(file: ModelFile): Map<string, string> {
  const found = new Map<string, string>();
  // Operations stand in the order in which they are computed.
  for (const node of file.nodes) {
    const { opType, inputs, outputs, postTransform } = node;
    const from = found.get(inputs[0]);
    const why = isZipMap(node)
      ? 'ZipMap, which is for probabilities'
      : /^(Softmax|Sigmoid|HardSigmoid)$/.test(opType)
        ? `the operation ${opType}`
        : /^(SOFTMAX|LOGISTIC|PROBIT)/.test(postTransform ?? '')
          ? `post_transform ${postTransform} of ${opType}`
          : KEEPS.test(opType) && from !== undefined
            ? from
            : undefined;
    if (why === undefined) continue;
    for (const output of outputs) found.set(output, why);
    if (isZipMap(node)) found.set(inputs[0], why);
  }
  return found;
}

function refuseUnknownNumbers({ inputs, outputs }: ModelFile, subject: string): void {
  const unsupported = [...inputs, ...outputs].find(({ element }) => /^(bfloat16|complex\d+|type \d+)$/.test(element));
  if (!unsupported) return;
  const must = 'have inputs and outputs of numbers that JavaScript has';
  const got = `${unsupported.element} in '${nameText(unsupported.name)}'`;
  throw invalidModel(subject, must, got, 'Export it in float32.');
}

function notLoaded(subject: string, { info }: Runtime, file: ModelFile, error: unknown): AdapterError {
  const message = messageOf(error);
  const opsets = Object.entries(file.opsets).map(([domain, version]) => `${nameText(domain)} ${version}`);
  const isNewer = /opset|support for models|IR version/i.test(message);
  const way = isNewer
    ? `It needs the operations of ${opsets.join(', ')}: export it for an older opset, or install a newer runtime.`
    : undefined;
  // The runtime names the line of its own source first.
  const short = message.replace(/^.*?(ERROR_MESSAGE: )/s, '').replace(/^\/\S+ .*?\) (?=[A-Z])/s, '');
  return invalidModel(subject, `load in ${info.backend}`, short, way, error);
}

async function runtimeOfSession(session: OrtSession, imports: OnnxImports): Promise<Runtime> {
  for (const name of ['node', 'web'] as const) {
    const found = await openRuntime(name, imports).catch((error) => {
      if (error instanceof MissingPackageError) return undefined;
      throw error;
    });
    if (found && session instanceof (found.ort.InferenceSession as unknown as new () => object)) return found;
  }
  const must = 'be of onnxruntime-node or onnxruntime-web as cvkit finds them';
  const way = "Pass the library that opened it, too: { ort } of import * as ort from '...'.";
  throw new AdapterError(sentence('A session', must, phrase(show(session)), way), { code: 'invalid_runtime' });
}

async function readSource(source: string | URL | Uint8Array | ArrayBuffer) {
  if (source instanceof Uint8Array || source instanceof ArrayBuffer) {
    return {
      subject: 'The ONNX model',
      bytes: source instanceof Uint8Array ? source : new Uint8Array(source),
      path: undefined,
    };
  }
  const subject = `The ONNX model ${nameText(String(source), 300)}`;
  const isAddress = /^(https?|blob|data):/i.test(String(source));
  if (!files || isAddress) return { subject, bytes: await fetched(String(source), subject), path: undefined };
  const at = /^file:/i.test(String(source)) ? new URL(source) : source;
  const bytes = await files.readFile(at).catch((error) => {
    const must = 'be a file that can be read';
    const got = phrase(messageOf(error));
    throw new AdapterError(sentence(subject, must, got), { code: 'unreadable_file', cause: error });
  });
  return { subject, bytes, path: pathOfPlace(String(at)) };
}

async function fetched(address: string, subject: string): Promise<Uint8Array> {
  const failed = (why: string, cause?: unknown) => {
    const must = 'be at an address that can be fetched';
    return new AdapterError(sentence(subject, must, phrase(why)), { code: 'unreadable_file', cause });
  };
  const response = await fetch(address).catch((error) => {
    throw failed(messageOf(error), error);
  });
  if (!response.ok) throw failed(`status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// Edits the bytes of an `.onnx` file: ZipMap, whose maps no JavaScript runtime reads, is dropped; an inner tensor becomes the
// output; 16-bit floats are cast from and to 32 bits, since onnxruntime-node refuses them. All else stays, byte for byte.

interface Rewritten {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly renamed: ReadonlyMap<string, string>;
}

const isZipMap = ({ opType, domain }: OnnxNode): boolean => opType === 'ZipMap' && domain === 'ai.onnx.ml';

const FLOAT32 = 1;
const FLOAT16 = 10;

/** Undefined where `file` needs no edits. `expose` becomes the only output, as 32-bit floats. */
export function rewriteModel(bytes: Uint8Array, file: ModelFile, expose?: string): Rewritten | undefined {
  if (expose !== undefined) checkExists(file, expose);
  const unpacked = new Map(file.nodes.filter(isZipMap).map(({ inputs, outputs }) => [outputs[0], inputs[0]]));
  const halves = (values: ModelFile['inputs']) =>
    values.flatMap(({ name, element }) => (element === 'float16' ? [name] : []));
  const castIn = halves(file.inputs);
  const castOut = expose === undefined ? halves(file.outputs) : [expose];
  if (unpacked.size + castIn.length + castOut.length === 0) return undefined;

  const port = new Map([...castIn, ...castOut].map((name) => [name, freeName(file, name)]));
  const portOf = (name: string) => port.get(name) as string;
  const editedGraph = (graph: Uint8Array): Uint8Array[] => {
    const edited = castIn.map((name) => castNode(portOf(name), name, FLOAT16));
    for (const { number, bytes: content = new Uint8Array(), raw } of fieldsOf(graph)) {
      const name = nameOf(number, content);
      const isInput = number === FIELDS.graph.input;
      if (number === FIELDS.graph.node ? unpacked.has(name) : number === FIELDS.graph.output && expose !== undefined) {
        continue;
      }
      const inside = number === FIELDS.graph.output ? unpacked.get(name) : undefined;
      if (inside !== undefined) edited.push(untypedOutput(inside));
      else if (isInput && castIn.includes(name)) edited.push(asFloat32(content, portOf(name)));
      else if (number === FIELDS.graph.output && castOut.includes(name)) edited.push(untypedOutput(portOf(name)));
      else edited.push(raw);
    }
    edited.push(...castOut.map((name) => castNode(name, portOf(name), FLOAT32)));
    return expose === undefined ? edited : [...edited, untypedOutput(portOf(expose))];
  };
  const fields = [...fieldsOf(bytes)].map(({ number, bytes: content, raw }) =>
    number === FIELDS.model.graph && content ? bytesField(number, editedGraph(content)) : raw,
  );
  return { bytes: joinedBytes(fields), renamed: new Map([...unpacked, ...port]) };
}

function nameOf(number: number, content: Uint8Array): string {
  const { graph, node, value } = FIELDS;
  if (![graph.node, graph.input, graph.output].some((known) => known === number)) return '';
  return new Message(content).texts(number === graph.node ? node.output : value.name)[0] ?? '';
}

const tensorNames = ({ nodes }: ModelFile): string[] =>
  nodes.flatMap(({ outputs }) => outputs).filter((name) => name !== '');

function checkExists(file: ModelFile, name: string): void {
  const names = tensorNames(file);
  if (names.includes(name)) return;
  const last = names.slice(-MOST_NAMES);
  const way = suggestion(name, names.length > last.length ? last : names);
  const subject = 'The `output` of an ONNX model';
  throw new AdapterError(sentence(subject, 'name one of its tensors', name, way), { code: 'unknown_output' });
}

/** A graph may have thousands of tensors: those near the end are the ones that people ask for. */
const MOST_NAMES = 12;

function freeName(file: ModelFile, name: string): string {
  const taken = new Set([...tensorNames(file), ...file.inputs.map((input) => input.name)]);
  let free = `${name}_float32`;
  while (taken.has(free)) free += '_';
  return free;
}

function castNode(from: string, to: string, element: number): Uint8Array {
  const { node, attribute } = FIELDS;
  const INTEGER = 2; // AttributeProto.AttributeType.INT
  return bytesField(FIELDS.graph.node, [
    bytesField(node.input, from),
    bytesField(node.output, to),
    bytesField(node.opType, 'Cast'),
    bytesField(node.attribute, [
      bytesField(attribute.name, 'to'),
      numberField(attribute.i, element),
      numberField(attribute.type, INTEGER),
    ]),
  ]);
}

const untypedOutput = (name: string) => bytesField(FIELDS.graph.output, [bytesField(FIELDS.value.name, name)]);

function asFloat32(value: Uint8Array, name: string): Uint8Array {
  const { value: fields, type, tensorType } = FIELDS;
  const [tensor] = new Message(value).messages(fields.type).flatMap((each) => each.messages(type.tensor));
  const shape = tensor?.last(tensorType.shape);
  return bytesField(FIELDS.graph.input, [
    bytesField(fields.name, name),
    bytesField(fields.type, [
      bytesField(type.tensor, [numberField(tensorType.element, FLOAT32), ...(shape ? [shape.raw] : [])]),
    ]),
  ]);
}
