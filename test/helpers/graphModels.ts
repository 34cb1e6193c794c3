/** Graph models built by hand, as the converter of tfjs writes them: no file from elsewhere. */
import type { GraphModel } from '../../adapters/tfjs/graphModel.js';
import { tf } from './tfjsModels.js';

interface Node {
  readonly name: string;
  readonly op: string;
  readonly input?: readonly string[];
  readonly attr?: object;
}

const FLOAT = { type: 'DT_FLOAT' };
const dims = (shape: readonly number[]) => ({ dim: shape.map((size) => ({ size: String(size) })) });
const info = (name: string, shape: readonly number[], dtype = 'DT_FLOAT') => ({
  name,
  dtype,
  tensorShape: dims(shape),
});

const placeholder = (name: string, shape: readonly number[] | undefined, dtype = FLOAT): Node => ({
  name,
  op: 'Placeholder',
  attr: { dtype, ...(shape ? { shape: { shape: dims(shape) } } : {}) },
});
const constant = (name: string, shape: readonly number[], dtype = FLOAT): Node => ({
  name,
  op: 'Const',
  attr: { dtype, value: { tensor: { dtype: dtype.type, tensorShape: dims(shape) } } },
});
const node = (name: string, op: string, input: readonly string[], attr: object = { T: FLOAT }): Node => ({
  name,
  op,
  input,
  attr,
});
const matMul = (name: string, x: string, kernel: string) =>
  node(name, 'MatMul', [x, kernel], { T: FLOAT, transpose_a: { b: false }, transpose_b: { b: false } });

type Weights = Readonly<Record<string, { shape: number[]; values: number[]; dtype?: 'int32' | 'bool' }>>;

/** What a handler loads: topology, weights, and names of inputs and outputs where there is a signature. */
function graphArtifacts(nodes: readonly Node[], weights: Weights, signature?: object, library: object[] = []) {
  const buffers = Object.values(weights).map(({ values, dtype }) =>
    dtype === 'bool' ? Uint8Array.from(values) : (dtype === 'int32' ? Int32Array : Float32Array).from(values),
  );
  const weightData = new Uint8Array(buffers.flatMap((buffer) => [...new Uint8Array(buffer.buffer)])).buffer;
  return {
    format: 'graph-model',
    modelTopology: { node: nodes, library: { function: library }, versions: { producer: 1, minConsumer: 1 } },
    weightSpecs: Object.entries(weights).map(([name, { shape, dtype = 'float32' }]) => ({ name, shape, dtype })),
    weightData,
    ...(signature ? { signature } : {}),
  };
}

const load = (artifacts: object): Promise<tf.GraphModel> =>
  tf.loadGraphModel({ load: async () => artifacts as tf.io.ModelArtifacts });

const KERNEL = { shape: [3, 1], values: [2, -1, 0.5] };
const BIAS = { shape: [1], values: [0.25] };

/** sigmoid(2a - b + c/2 + 1/4) of rows [a, b, c]: the hand calculation that tests hold the model to. */
export const logisticOf = ([a, b, c]: readonly number[]) => 1 / (1 + Math.exp(-(2 * a - b + c / 2 + 0.25)));

const logistic = (shape: readonly number[] | undefined): Node[] => [
  placeholder('x', shape),
  constant('kernel', [3, 1]),
  constant('bias', [1]),
  matMul('product', 'x', 'kernel'),
  node('sum', 'BiasAdd', ['product', 'bias'], { T: FLOAT, data_format: { s: 'TkhXQw==' } }),
  node('sigmoid', 'Sigmoid', ['sum']),
  node('y', 'Identity', ['sigmoid']),
];

/** One input `x`, one output `y`. `rows`: the batch size it was converted with; -1 takes any. */
export const logisticGraph = ({ rows = -1, shape = [rows, 3] as number[] | undefined } = {}) =>
  load(graphArtifacts(logistic(shape), { kernel: KERNEL, bias: BIAS }));

/** The same with the names `features` and `risk` in its signature, and without shapes in its nodes. */
export const signedGraph = () =>
  load(
    graphArtifacts(
      logistic(undefined),
      { kernel: KERNEL, bias: BIAS },
      { inputs: { features: info('x:0', [-1, 3]) }, outputs: { risk: info('y:0', [-1, 1]) } },
    ),
  );

/** Inputs `left` [2] and `right` [1] (whole numbers), outputs `risk` (their logistic) and `score` (what goes into it). */
export const twoInputGraph = () =>
  load(
    graphArtifacts(
      [
        placeholder('left', [-1, 2]),
        placeholder('right', [-1, 1], { type: 'DT_INT32' }),
        node('float', 'Cast', ['right'], { SrcT: { type: 'DT_INT32' }, DstT: FLOAT }),
        constant('axis', [], { type: 'DT_INT32' }),
        node('x', 'ConcatV2', ['left', 'float', 'axis'], { T: FLOAT, N: { i: '2' }, Tidx: { type: 'DT_INT32' } }),
        ...logistic(undefined).slice(1, -1),
        node('risk', 'Identity', ['sigmoid']),
        node('score', 'Identity', ['sum']),
      ],
      { kernel: KERNEL, bias: BIAS, axis: { shape: [], values: [1], dtype: 'int32' } },
      {
        inputs: { left: info('left:0', [-1, 2]), right: info('right:0', [-1, 1], 'DT_INT32') },
        outputs: { risk: info('risk:0', [-1, 1]), score: info('score:0', [-1, 1]) },
      },
    ),
  );

/** The logistic behind control flow: what is larger than 0 goes one way, the rest another; both give the same. */
export const branchingGraph = () =>
  load(
    graphArtifacts(
      [
        ...logistic([-1, 3]).slice(0, -1),
        constant('yes', [], { type: 'DT_BOOL' }),
        node('switch', 'Switch', ['sigmoid', 'yes']),
        node('off', 'Neg', ['switch']),
        node('on', 'Identity', ['switch:1']),
        node('y', 'Merge', ['off', 'on'], { T: FLOAT, N: { i: '2' } }),
      ],
      { kernel: KERNEL, bias: BIAS, yes: { shape: [], values: [1], dtype: 'bool' } },
      { inputs: { x: info('x:0', [-1, 3]) }, outputs: { y: info('y:0', [-1, 1]) } },
    ),
  );

/** The adapter's view of a graph model that tfjs made. */
export const graphOf = (model: tf.GraphModel) => model as unknown as GraphModel;
