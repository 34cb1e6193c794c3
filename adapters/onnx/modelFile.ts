/**
 * What an `.onnx` file says of its model: inputs, outputs, operations, labels of classes. Read from the bytes, without a
 * runtime. Source of the numbers of fields: `onnx.proto`, IR version 3 and later.
 */

import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { Label } from '../../src/data/labels.js';
import { joinedBytes } from '../inputs.js';

export const FIELDS = {
  model: { producer: 2, producerVersion: 3, graph: 7, opset: 8 },
  opset: { domain: 1, version: 2 },
  graph: { node: 1, initializer: 5, input: 11, output: 12 },
  node: { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 },
  attribute: { name: 1, i: 3, s: 4, ints: 8, strings: 9, type: 20 },
  value: { name: 1, type: 2 },
  type: { tensor: 1 },
  tensorType: { element: 1, shape: 2 },
  tensor: { name: 8, externalData: 13, location: 14 },
  entry: { key: 1, value: 2 },
} as const;

/** Types of the numbers of a tensor, as `TensorProto.DataType` numbers them, in the words of the runtimes. */
const ELEMENTS = `undefined float32 uint8 int8 uint16 int16 int32 int64 string bool float16 float64 uint32 uint64
  complex64 complex128 bfloat16`.split(/\s+/);

/** An input or output. `element`: the type of the numbers of a tensor: `float32`, `int64`, `string`, ...; else `unknown`. */
export interface OnnxValue {
  readonly name: string;
  readonly element: string;
}

export interface OnnxNode {
  readonly opType: string;
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Labels of classes in the order of its columns, where it holds some. */
  readonly classes: readonly Label[] | undefined;
  /** What a classifier of `ai.onnx.ml` does with its scores at the end: `SOFTMAX`, `LOGISTIC`, `NONE`, ... */
  readonly postTransform: string | undefined;
}

export interface ModelFile {
  readonly producer: string;
  /** Versions of the sets of operations, by domain; `ai.onnx` is the standard one. */
  readonly opsets: Readonly<Record<string, number>>;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly isExternal: boolean;
  readonly weightFiles: readonly string[];
}

/** Reads a file. Throws {@link AdapterError} for bytes that are no model; `subject` names it. */
export function readModelFile(bytes: Uint8Array, subject: string): ModelFile {
  try {
    return read(bytes);
  } catch (error) {
    if (!(error instanceof NotAMessage)) throw error;
    const got = bytes.length === 0 ? 'an empty file' : `${bytes.length} bytes that are not one (${error.message})`;
    throw invalidModel(subject, 'be a complete .onnx file', got, undefined, error);
  }
}

export const invalidModel = (subject: string, must: string, got: string, way?: string, cause?: unknown): AdapterError =>
  new AdapterError(sentence(subject, must, phrase(got), way), { code: 'invalid_model', cause });

function read(bytes: Uint8Array): ModelFile {
  const model = new Message(bytes);
  const [graph] = model.messages(FIELDS.model.graph);
  if (!graph) throw new NotAMessage('no graph');
  const outputs = graph.messages(FIELDS.graph.output).map(valueIn);
  if (outputs.length === 0) throw new NotAMessage('no output');
  const weights = graph.messages(FIELDS.graph.initializer);
  const names = new Set(weights.map((each) => each.text(FIELDS.tensor.name)));
  const { key, value } = FIELDS.entry;
  const places = weights
    .flatMap((each) => each.messages(FIELDS.tensor.externalData))
    .filter((entry) => entry.text(key) === 'location' && entry.last(value));
  return {
    producer: [...model.texts(FIELDS.model.producer), ...model.texts(FIELDS.model.producerVersion)]
      .map((each) => nameText(each))
      .join(' '),
    opsets: Object.fromEntries(
      model
        .messages(FIELDS.model.opset)
        .map((each) => [each.text(FIELDS.opset.domain) || 'ai.onnx', each.number(FIELDS.opset.version)]),
    ),
    // Old files name their weights among the inputs, too.
    inputs: graph
      .messages(FIELDS.graph.input)
      .map(valueIn)
      .filter(({ name }) => !names.has(name)),
    outputs,
    nodes: graph.messages(FIELDS.graph.node).map(nodeOf),
    isExternal: weights.some((each) => each.number(FIELDS.tensor.location) === 1),
    weightFiles: [...new Set(places.map((entry) => entry.text(value)))],
  };
}

function valueIn(message: Message): OnnxValue {
  const tensor = message.messages(FIELDS.value.type).at(-1)?.messages(FIELDS.type.tensor).at(-1);
  const number = tensor?.number(FIELDS.tensorType.element) ?? 0;
  const element = tensor ? (ELEMENTS[number] ?? `type ${number}`) : 'unknown';
  return { name: message.text(FIELDS.value.name), element };
}

function nodeOf(message: Message): OnnxNode {
  const { node, attribute } = FIELDS;
  const attributes = message.messages(node.attribute);
  const last = attributes.find((each) => each.text(attribute.name) === 'post_transform');
  return {
    opType: message.text(node.opType),
    domain: message.text(node.domain),
    inputs: message.texts(node.input),
    outputs: message.texts(node.output),
    classes: classesIn(attributes),
    postTransform: last?.texts(attribute.s)[0],
  };
}

/** Labels of classes, as classifiers of `ai.onnx.ml` and ZipMap hold them: integers or texts. */
function classesIn(attributes: readonly Message[]): readonly Label[] | undefined {
  const { name, ints, strings } = FIELDS.attribute;
  const lists = attributes
    .filter((each) => each.text(name).startsWith('classlabels_'))
    .flatMap((each) => [each.texts(strings), each.all(ints).flatMap(integersOf).map(Number)]);
  return lists.find(({ length }) => length > 0);
}

/**
 * The wire format of protocol buffers, as far as `.onnx` files use it. Source: "Encoding" in the documentation of Protocol
 * Buffers. Nothing is copied: fields are views of the bytes that they are read from.
 */

export interface Field {
  readonly number: number;
  readonly value?: bigint;
  readonly bytes?: Uint8Array;
  /** The whole field, with its tag, as it stands in the message. */
  readonly raw: Uint8Array;
}

export class NotAMessage extends Error {}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

export function* fieldsOf(message: Uint8Array): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const from = at;
    const [tag, afterTag] = varint(message, at);
    const number = Number(tag >> 3n);
    const wire = Number(tag & 7n);
    if (number === 0) throw new NotAMessage('a field without a number');
    at = afterTag;
    if (wire === VARINT) {
      const [value, end] = varint(message, at);
      at = end;
      yield { number, value, raw: message.subarray(from, at) };
      continue;
    }
    const [length, start] = wire === BYTES ? varint(message, at) : [lengthOf(wire), at];
    at = start + Number(length);
    if (at > message.length) throw new NotAMessage('a field that is longer than the file');
    const raw = message.subarray(from, at);
    yield wire === BYTES ? { number, bytes: message.subarray(start, at), raw } : { number, raw };
  }
}

/** A message whose fields are asked for by their numbers; of a field that is there twice the last one counts. */
export class Message {
  readonly #fields: readonly Field[];

  constructor(bytes: Uint8Array) {
    this.#fields = [...fieldsOf(bytes)];
  }

  all(number: number): Field[] {
    return this.#fields.filter((field) => field.number === number);
  }

  last(number: number): Field | undefined {
    return this.all(number).at(-1);
  }

  texts(number: number): string[] {
    return this.all(number).map(textOf);
  }

  text(number: number): string {
    return this.texts(number).at(-1) ?? '';
  }

  /** Signed; 0 where there is none. */
  number(number: number): number {
    return Number(BigInt.asIntN(64, this.last(number)?.value ?? 0n));
  }

  messages(number: number): Message[] {
    return this.all(number).flatMap(({ bytes }) => (bytes ? [new Message(bytes)] : []));
  }
}

function lengthOf(wire: number): bigint {
  if (wire === FIXED64) return 8n;
  if (wire === FIXED32) return 4n;
  throw new NotAMessage(`the unknown wire type ${wire}`);
}

function varint(bytes: Uint8Array, from: number): [value: bigint, end: number] {
  let value = 0n;
  for (let at = from; at < bytes.length && at < from + 10; at++) {
    value |= BigInt(bytes[at] & 127) << BigInt(7 * (at - from));
    if (bytes[at] < 128) return [BigInt.asUintN(64, value), at + 1];
  }
  throw new NotAMessage('a number that does not end');
}

/** Signed 64-bit integers of a repeated field, which may be written one by one or packed. */
export function integersOf({ value, bytes }: Field): bigint[] {
  if (value !== undefined) return [BigInt.asIntN(64, value)];
  const found: bigint[] = [];
  for (let at = 0; bytes && at < bytes.length; ) {
    const [each, end] = varint(bytes, at);
    found.push(BigInt.asIntN(64, each));
    at = end;
  }
  return found;
}

const decoder = new TextDecoder();

export const textOf = ({ bytes }: Field): string => decoder.decode(bytes);

export const numberField = (number: number, value: number | bigint): Uint8Array =>
  joinedBytes([varintBytes(BigInt(number << 3)), varintBytes(BigInt.asUintN(64, BigInt(value)))]);

export function bytesField(number: number, content: string | readonly Uint8Array[]): Uint8Array {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : joinedBytes(content);
  return joinedBytes([varintBytes(BigInt((number << 3) | BYTES)), varintBytes(BigInt(bytes.length)), bytes]);
}

function varintBytes(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}
