/**
 * Edits the bytes of an `.onnx` file, so that the runtimes can serve it:
 *
 * - ZipMap, which packs probabilities into a sequence of maps that no JavaScript runtime reads, is dropped, and what it
 *   was given becomes the output;
 * - one tensor becomes the only output, an inner one too (embeddings);
 * - 16-bit floats at the door are cast from and to 32 bits, since onnxruntime-node refuses them on newer Node.
 *
 * All other operations and the weights stay as they are, byte for byte.
 */
import { AdapterError, sentence, suggestion } from '../../src/core/errors.js';
import { FIELDS, type ModelFile, type OnnxNode } from './modelFile.js';
import { bytesField, fieldsOf, joined, numberField, textOf } from './protobuf.js';

export interface Rewritten {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** New names of inputs and outputs, by the names that they have in the file. */
  readonly renamed: ReadonlyMap<string, string>;
}

export const isZipMap = ({ opType, domain }: OnnxNode): boolean => opType === 'ZipMap' && domain === 'ai.onnx.ml';

/** Types of numbers as `TensorProto.DataType` has them. */
const FLOAT32 = 1;
const FLOAT16 = 10;

/**
 * The bytes after the edits that `file` needs; undefined where it needs none.
 *
 * @param expose name of the tensor that becomes the only output, as 32-bit floats
 * @throws {AdapterError} there is no such tensor.
 */
export function rewriteModel(bytes: Uint8Array, file: ModelFile, expose?: string): Rewritten | undefined {
  if (expose !== undefined) checkExists(file, expose);
  const unpacked = new Map(file.nodes.filter(isZipMap).map(({ inputs, outputs }) => [outputs[0], inputs[0]]));
  const halves = (values: ModelFile['inputs']) =>
    values.flatMap(({ name, element }) => (element === 'float16' ? [name] : []));
  const castIn = halves(file.inputs);
  const castOut = expose === undefined ? halves(file.outputs) : [expose];
  if (unpacked.size + castIn.length + castOut.length === 0) return undefined;

  const door = new Map([...castIn, ...castOut].map((name) => [name, freeName(file, name)]));
  const doorOf = (name: string) => door.get(name) as string;
  const editedGraph = (graph: Uint8Array): Uint8Array[] => {
    const edited = castIn.map((name) => castNode(doorOf(name), name, FLOAT16));
    for (const { number, bytes: content = new Uint8Array(), raw } of fieldsOf(graph)) {
      const name = nameOf(number, content);
      const isInput = number === FIELDS.graph.input;
      if (number === FIELDS.graph.node ? unpacked.has(name) : number === FIELDS.graph.output && expose !== undefined) {
        continue;
      }
      const inside = number === FIELDS.graph.output ? unpacked.get(name) : undefined;
      if (inside !== undefined) edited.push(untypedOutput(inside));
      else if (isInput && castIn.includes(name)) edited.push(asFloat32(content, doorOf(name)));
      else if (number === FIELDS.graph.output && castOut.includes(name)) edited.push(untypedOutput(doorOf(name)));
      else edited.push(raw);
    }
    edited.push(...castOut.map((name) => castNode(name, doorOf(name), FLOAT32)));
    return expose === undefined ? edited : [...edited, untypedOutput(doorOf(expose))];
  };
  const fields = [...fieldsOf(bytes)].map(({ number, bytes: content, raw }) =>
    number === FIELDS.model.graph && content ? bytesField(number, editedGraph(content)) : raw,
  );
  return { bytes: joined(fields), renamed: new Map([...unpacked, ...door]) };
}

/** Name of an input or output; of an operation that of its first output. */
function nameOf(number: number, content: Uint8Array): string {
  const { graph, node, value } = FIELDS;
  const wanted = number === graph.node ? node.output : value.name;
  if (![graph.node, graph.input, graph.output].some((known) => known === number)) return '';
  for (const field of fieldsOf(content)) if (field.number === wanted) return textOf(field);
  return '';
}

/** Names of all tensors that an operation makes, in their order. */
const tensorNames = ({ nodes }: ModelFile): string[] =>
  nodes.flatMap(({ outputs }) => outputs).filter((name) => name !== '');

function checkExists(file: ModelFile, name: string): void {
  const names = tensorNames(file);
  if (names.includes(name)) return;
  const last = names.slice(-MOST_NAMES);
  const way = suggestion(name, names.length > last.length ? last : names);
  throw new AdapterError(sentence('The `output` of an ONNX model', 'name one of its tensors', name, way), {
    code: 'unknown_output',
  });
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

/** An output whose type the runtime works out. */
const untypedOutput = (name: string) => bytesField(FIELDS.graph.output, [bytesField(FIELDS.value.name, name)]);

/** An input with another name, of 32-bit floats, in its shape. */
function asFloat32(value: Uint8Array, name: string): Uint8Array {
  const { value: fields, type, tensorType } = FIELDS;
  const within = (message: Uint8Array | undefined, number: number) =>
    message && [...fieldsOf(message)].find((field) => field.number === number);
  const tensor = within(within(value, fields.type)?.bytes, type.tensor)?.bytes;
  const shape = within(tensor, tensorType.shape);
  return bytesField(FIELDS.graph.input, [
    bytesField(fields.name, name),
    bytesField(fields.type, [
      bytesField(type.tensor, [numberField(tensorType.element, FLOAT32), ...(shape ? [shape.raw] : [])]),
    ]),
  ]);
}
