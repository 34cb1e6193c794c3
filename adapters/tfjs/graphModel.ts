import { AdapterError, phrase, sentence } from '../../src/core/errors.js';
import { hasGraphModelShape } from '../../src/data/modelShapes.js';
import type { Rows } from '../../src/data/rows.js';
import { rowsAtATime } from '../inputs.js';
import { BATCH, type GraphPredictor } from './predict.js';
import { asList, type Tensor, type Tf } from './structures.js';

type GraphShape = readonly number[] | undefined;

export interface GraphModel {
  readonly inputs: readonly { readonly shape?: GraphShape; readonly dtype?: string }[];
  readonly inputNodes: readonly string[];
  readonly outputNodes: readonly string[];
  readonly modelSignature?: { readonly inputs?: Readonly<Record<string, { readonly resourceId?: unknown }>> };
  readonly weights: Readonly<Record<string, readonly Tensor[]>>;
  readonly executor?: { readonly graph?: { readonly nodes?: Readonly<Record<string, { readonly op: string }>> } };
  execute(inputs: Record<string, Tensor>, outputs: string[]): Tensor | Tensor[];
  executeAsync(inputs: Record<string, Tensor>, outputs: string[]): Promise<Tensor | Tensor[]>;
  dispose(): void;
}

export const isGraphModel = (model: unknown): model is GraphModel => hasGraphModelShape(model);

export const graphOps = (model: GraphModel): string[] =>
  Object.values(model.executor?.graph?.nodes ?? {}).map(({ op }) => op);

export function checkGraphUsable(model: GraphModel, subject: string): void {
  if (!Object.values(model.weights).some((tensors) => tensors.some((tensor) => tensor?.isDisposed))) return;
  const got = phrase('a GraphModel whose weights are disposed');
  throw new AdapterError(sentence(subject, 'hold its weights', got, 'Load it again.'), { code: 'invalid_model' });
}

export const cannotTrain = (): AdapterError =>
  new AdapterError(
    'A GraphModel can only predict. Got training. Leave out the options of training, or train a tf.LayersModel.',
    { code: 'cannot_train' },
  );

/** Operations that are waited for: those whose path or size depends on numbers. The others run at once. */
const WAITING =
  /^(Switch|Merge|Enter|Exit|NextIteration|LoopCond|(Stateless)?(If|While)|Where)$|^NonMaxSuppression|HashTable|^LookupTable/;

/** The model as predict.ts wants it. A row of zeros tells the shapes of outputs, which most graphs do not hold. */
export async function predictorOf(tf: Tf, model: GraphModel, X: Rows): Promise<GraphPredictor> {
  const { inputNodes, modelSignature } = model;
  const names = inputNodes.filter((name) => modelSignature?.inputs?.[name]?.resourceId == null);
  const inputs = names.map((name) => model.inputs[inputNodes.indexOf(name)]);
  const shapes = inputs.map(({ shape }) => shape);
  const sizes = shapes.map((shape) => (shape && shape[0] > 0 ? shape[0] : null));
  const step = rowsAtATime(sizes, 'The input of a GraphModel', 'Convert it with a batch size of -1.') ?? BATCH;
  const waits = names.length < inputNodes.length || graphOps(model).some((op) => WAITING.test(op));
  const run = async (x: Tensor[], outputs: string[]): Promise<Tensor[]> => {
    const feed = Object.fromEntries(names.map((name, at) => [name, x[at]]));
    return asList(waits ? await model.executeAsync(feed, outputs) : model.execute(feed, outputs));
  };
  const cast = (tensor: Tensor, at: number) => tf.cast(tensor, (inputs[at].dtype ?? 'float32') as 'float32');

  const rowShapes = await rowShapesOf(shapes, names, X);
  const zeros = rowShapes.map((shape, at) => tf.tidy(() => cast(tf.zeros([1, ...shape]), at)));
  const probe = await run(zeros, [...model.outputNodes]).finally(() => tf.dispose(zeros));
  const outputShapes = probe.map(({ shape }) => [null, ...shape.slice(1)]);
  tf.dispose(probe);

  return {
    inputs: rowShapes.map((shape) => ({ shape: [null, ...shape] })),
    inputNames: names,
    outputs: outputShapes.map((shape) => ({ shape })),
    outputNames: model.outputNodes,
    layers: [],
    step,
    async run(x, place) {
      const fed = tf.tidy(() => x().map(cast));
      const [found] = await run(fed, [model.outputNodes[place]]).finally(() => tf.dispose(fed));
      return found.data().finally(() => found.dispose());
    },
  };
}

async function rowShapesOf(shapes: readonly GraphShape[], names: readonly string[], X: Rows): Promise<number[][]> {
  const known = shapes.map((shape) => shape?.slice(1));
  if (known.every((shape) => shape?.every((size) => size > 0))) return known as number[][];
  const inputs = await X.take(Int32Array.of(0)).toInputs();
  return known.map((shape, at) => {
    const declared = (inputs.find(({ name }) => name === names[at]) ?? inputs[at])?.shape.slice(1) ?? [];
    return shape ? shape.map((size, axis) => (size > 0 ? size : (declared[axis] ?? 1))) : [...declared];
  });
}
