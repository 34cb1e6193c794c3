import { describe, expect, it, vi } from 'vitest';
import { graphOps, isGraphModel, predictorOf } from '../../../adapters/tfjs/graphModel.js';
import { tfjsAdapter } from '../../../adapters/tfjs/index.js';
import { predict } from '../../../adapters/tfjs/predict.js';
import { rowsOf } from '../../../src/data/rows.js';
import { disposeOwned } from '../../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import {
  branchingGraph,
  graphOf,
  logisticGraph,
  logisticOf,
  signedGraph,
  twoInputGraph,
} from '../../helpers/graphModels.js';
import {
  batchOf,
  context,
  fitOptions,
  gap,
  NO_HOOKS,
  network,
  onBackend,
  table,
  tf,
} from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = table(70);
const binary = { task: 'binary', classes: [0, 1], shape: undefined } as const;
const expected = X.map(logisticOf);

/** Predictions of a model on one backend; the model is disposed, and no tensor may be left. */
async function predicted(make: () => Promise<tf.GraphModel>, backend: string, rows: unknown, output?: string) {
  return onBackend(backend, async () => {
    const before = tf.memory().numTensors;
    const model = await make();
    const held = tf.memory().numTensors;
    const graph = graphOf(model);
    const view = rowsOf(rows);
    const found = await predict(tf, await predictorOf(tf, graph, view), view, binary, { output });
    expect(tf.memory().numTensors).toBe(held);
    model.dispose();
    expect(tf.memory().numTensors).toBe(before);
    return found.probabilities?.data ?? [];
  });
}

describe.each(['cpu', 'wasm'])('a graph model on %s', (backend) => {
  it.each<[string, () => Promise<tf.GraphModel>]>([
    ['any number of rows', () => logisticGraph()],
    ['one row at a time', () => logisticGraph({ rows: 1 })],
    ['no shape in its nodes', () => logisticGraph({ shape: undefined })],
    ['a signature', signedGraph],
    ['control flow', branchingGraph],
  ])('predicts with %s', async (_, make) => {
    expect(gap(await predicted(make, backend, X), expected)).toBeLessThan(1e-6);
  });

  it('predicts from several inputs, whole numbers among them, the output that is named', async () => {
    const rows = { left: X.map(([a, b]) => [a, b]), right: X.map((_, row) => row % 3) };
    const wanted = X.map(([a, b], row) => logisticOf([a, b, row % 3]));
    expect(gap(await predicted(twoInputGraph, backend, rows, 'risk'), wanted)).toBeLessThan(1e-6);
  });
});

describe('a graph model', () => {
  it('is run without a warning, whether it has to be waited for or not', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await predicted(logisticGraph, 'cpu', X);
    await predicted(branchingGraph, 'cpu', X);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('leaves nothing behind when its numbers cannot be read', async () => {
    const model = await logisticGraph();
    const predictor = await predictorOf(tf, graphOf(model), rowsOf(X));
    const before = tf.memory().numTensors;
    const spy = vi.spyOn(tf.Tensor.prototype, 'data').mockRejectedValue(new Error('lost'));
    await expect(predictor.run(() => [tf.tensor2d(X)], 0)).rejects.toThrow('lost');
    spy.mockRestore();
    expect(tf.memory().numTensors).toBe(before);
    model.dispose();
  });

  it('is known, with its operations', async () => {
    const model = await logisticGraph();
    expect([model, Object.create(tf.GraphModel.prototype)].map(isGraphModel)).toEqual([true, true]);
    expect([network(), {}, null].map(isGraphModel)).toEqual([false, false, false]);
    expect(graphOps(graphOf(model)).slice(3)).toEqual(['MatMul', 'BiasAdd', 'Sigmoid', 'Identity']);
    model.dispose();
  });

  it('cannot be trained', async () => {
    const model = await logisticGraph();
    expect(await thrown(() => tfjsAdapter.fit(model, batchOf(X, y), fitOptions(), NO_HOOKS))).toMatch(
      /\(cannot_train\): .*Got training/,
    );
    const session = await tfjsAdapter.open?.({ backend: 'cpu' }, model);
    expect(session?.adapter?.capabilities).toMatchObject({ trains: false, epochs: false });
    expect(Object.keys(session?.adapter ?? {})).not.toContain('learningRate');
    await session?.close();
    model.dispose();
  });

  it('serves all folds when it is given, and is the caller’s; one of a factory goes with its fold', async () => {
    const model = await logisticGraph();
    const before = tf.memory().numTensors;
    const first = await tfjsAdapter.build(model, context());
    expect(first).toBe(model);
    await disposeOwned(tfjsAdapter, first);
    expect(await tfjsAdapter.build(model, context())).toBe(model);
    expect(tf.memory().numTensors).toBe(before);
    const own = await tfjsAdapter.build(() => logisticGraph(), context());
    expect(tf.memory().numTensors).toBe(before + 2);
    await disposeOwned(tfjsAdapter, own);
    expect(tf.memory().numTensors).toBe(before);
    model.dispose();
  });

  it('is refused once it is disposed', async () => {
    const model = await logisticGraph();
    model.dispose();
    expect(await thrown(() => tfjsAdapter.build(() => model, context()))).toContain(
      'The model that the factory returned',
    );
  });
});

describe('a graph model in a run', () => {
  const runner = (adapterOptions = {}) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapterOptions, verbose: 0 });
  const wanted = X.map((row) => logisticOf(row));

  it.each(['an instance', 'a factory'])('is found by itself and predicts every fold, as %s', async (kind) => {
    const own = kind === 'an instance' ? await logisticGraph() : undefined;
    const before = tf.memory().numTensors;
    const results = await runner().run({ model: own ?? (() => logisticGraph()), data: [X, y], metrics: ['accuracy'] });
    expect(results.metadata.engine.backend).toBe('wasm');
    expect(gap(results.probabilities.flatMap((fold) => [...(fold ?? [])]) as number[], wanted)).toBeLessThan(1e-6);
    expect(tf.memory().numTensors).toBe(before);
    own?.dispose();
  });
});
