/**
 * Writes ONNX files: operations of the standard set on 32-bit floats. The numbers of fields are those of `onnx.proto`
 * (https://github.com/onnx/onnx). It shares nothing with the adapter that reads such files, so that each is a test of the other.
 */

/**
 * The bytes of a model.
 *
 * @param {object} graph
 * @param {string} graph.name
 * @param {{ op: string, in: string[], out: string, ints?: Record<string, number[]>, int?: Record<string, number> }[]} graph.nodes
 *   Operations in their order, with their attributes.
 * @param {Record<string, [values: Float32Array, shape: number[]]>} graph.weights
 * @param {Record<string, (string | number)[]>} graph.inputs Sizes by name; a text is the name of an axis of any size.
 * @param {Record<string, (string | number)[]>} graph.outputs
 * @returns {Buffer}
 */
export function onnxBytes({ name, nodes, weights, inputs, outputs }) {
  const graph = [
    ...nodes.map((each) => bytes(1, node(each))),
    bytes(2, name),
    ...Object.entries(weights).map(([key, [values, shape]]) => bytes(5, tensor(key, values, shape))),
    ...Object.entries(inputs).map(([key, sizes]) => bytes(11, value(key, sizes))),
    ...Object.entries(outputs).map(([key, sizes]) => bytes(12, value(key, sizes))),
  ];
  const [IR_VERSION, OPSET] = [8, 13];
  const opset = Buffer.concat([bytes(1, ''), number(2, OPSET)]);
  return Buffer.concat([
    number(1, IR_VERSION),
    bytes(2, 'cvkit models'),
    bytes(7, Buffer.concat(graph)),
    bytes(8, opset),
  ]);
}

const FLOAT = 1; // TensorProto.DataType

function node({ op, in: inputs, out, ints = {}, int = {} }) {
  const [INT, INTS] = [2, 7]; // AttributeProto.AttributeType
  const attributes = [
    ...Object.entries(ints).map(([key, list]) => [
      bytes(1, key),
      ...list.map((each) => number(8, each)),
      number(20, INTS),
    ]),
    ...Object.entries(int).map(([key, one]) => [bytes(1, key), number(3, one), number(20, INT)]),
  ];
  return Buffer.concat([
    ...inputs.map((each) => bytes(1, each)),
    bytes(2, out),
    bytes(3, out),
    bytes(4, op),
    ...attributes.map((parts) => bytes(5, Buffer.concat(parts))),
  ]);
}

function tensor(name, values, shape) {
  const raw = Buffer.alloc(4 * values.length);
  values.forEach((each, at) => {
    raw.writeFloatLE(each, 4 * at);
  });
  return Buffer.concat([...shape.map((size) => number(1, size)), number(2, FLOAT), bytes(8, name), bytes(9, raw)]);
}

function value(name, sizes) {
  const dimensions = sizes.map((size) => bytes(1, typeof size === 'string' ? bytes(2, size) : number(1, size)));
  const type = Buffer.concat([number(1, FLOAT), bytes(2, Buffer.concat(dimensions))]);
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, type))]);
}

/** A field that holds a number from 0 up. */
const number = (field, n) => Buffer.concat([varint(field * 8), varint(n)]);

/** A field that holds a text or a message. */
function bytes(field, content) {
  const buffer = Buffer.from(content);
  return Buffer.concat([varint(field * 8 + 2), varint(buffer.length), buffer]);
}

function varint(n) {
  const low = n % 128;
  return n < 128 ? Buffer.from([low]) : Buffer.concat([Buffer.from([low + 128]), varint(Math.floor(n / 128))]);
}
