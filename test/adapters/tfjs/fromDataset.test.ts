import { beforeAll, describe, expect, it } from 'vitest';
import { type DatasetLike, fromDataset } from '../../../adapters/tfjs/fromDataset.js';
import { labelsOf } from '../../../src/data/labels.js';
import { type Dense, rowsOf } from '../../../src/data/rows.js';
import type { Batch } from '../../../src/runner/frameworkAdapter.js';
import { batchOf, learn, network, table, tf, weightsOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

beforeAll(() => void tf.setBackend('cpu'));

const { X, y } = table(24);
const options = { lossFn: 'binaryCrossentropy', optimizer: 'sgd', batchSize: 5 };
const dataset = (rows: unknown[] = X.map((xs, row) => ({ xs, ys: y[row] }))) =>
  tf.data.array(rows as never) as DatasetLike;
const rowsAt = async (source: Awaited<ReturnType<typeof fromDataset>>['X'], ...at: number[]) =>
  Array.from(((await source.take(Int32Array.from(at))) as Dense).data);

/** Counts how often a dataset is begun and how many rows it gave. */
function counted(given: DatasetLike) {
  const count = { begun: 0, rows: 0 };
  const iterator = async () => {
    count.begun++;
    const inner = await given.iterator();
    return {
      async next() {
        const result = await inner.next();
        if (!result.done) count.rows++;
        return result;
      },
    };
  };
  return { count, dataset: { iterator } };
}

describe('fromDataset', () => {
  it('gives labels at once and rows when they are asked for', async () => {
    const { X: source, y: labels } = await fromDataset(dataset());
    expect(source.length).toBe(24);
    expect(source.window).toBe(1024);
    expect(labels).toEqual(y);
    expect(await rowsAt(source, 3, 1, 3)).toEqual(Array.from(Float32Array.from([...X[3], ...X[1], ...X[3]])));
  });

  it('gives nothing when nothing is asked for', async () => {
    const { X: source } = await fromDataset(dataset());
    expect(await source.take(new Int32Array(0))).toEqual([]);
    expect(await rowsAt(source, 2)).toEqual(Array.from(Float32Array.from(X[2])));
  });

  it('goes on where it was, and begins again only for rows behind', async () => {
    const { count, dataset: given } = counted(dataset());
    const { X: source } = await fromDataset(given);
    expect(count).toEqual({ begun: 1, rows: 24 });
    await rowsAt(source, 2, 4, 5);
    expect(count).toEqual({ begun: 2, rows: 24 + 6 });
    await rowsAt(source, 8, 7);
    expect(count).toEqual({ begun: 2, rows: 24 + 9 });
    await rowsAt(source, 8);
    expect(count).toEqual({ begun: 3, rows: 24 + 9 + 9 });
  });

  it('serves those who ask at the same time one after the other', async () => {
    const { X: source } = await fromDataset(dataset());
    const [a, b] = await Promise.all([rowsAt(source, 5, 6), rowsAt(source, 0, 23)]);
    expect(a).toEqual(Array.from(Float32Array.from([...X[5], ...X[6]])));
    expect(b).toEqual(Array.from(Float32Array.from([...X[0], ...X[23]])));
  });

  it('trains and disposes every tensor', async () => {
    const model = network();
    const tensors = X.map((row, at) => ({ xs: tf.tensor1d(row), ys: tf.scalar(y[at]) }));
    await learn(model, batchOf(X, y), options);
    const before = tf.memory().numTensors;
    const { X: source, y: labels } = await fromDataset(dataset(tensors), { window: 6 });
    const { epochs } = await learn(model, batchOf(source, labels), options);
    expect(tf.memory().numTensors).toBe(before);
    expect(epochs.length).toBe(2);
    // The caller's own tensors are still there: a dataset of tensors gives copies.
    expect(tensors[0].xs.isDisposed).toBe(false);
    tf.dispose(tensors);
  });

  it('shuffles within its window, and all rows when that is as large as the data', async () => {
    const model = network();
    const start = model.getWeights().map((weight) => tf.clone(weight));
    const run = async (batch: Batch) => {
      model.setWeights(start);
      await learn(model, batch, options);
      return weightsOf(model);
    };
    const stream = await fromDataset(dataset(), { window: 24 });
    const floats = X.map((row) => Array.from(Float32Array.from(row)));
    expect(await run(batchOf(stream.X, stream.y))).toEqual(await run(batchOf(floats, y)));
    const narrow = await fromDataset(dataset(), { window: 4 });
    expect(await run(batchOf(narrow.X, narrow.y))).not.toEqual(await run(batchOf(floats, y)));
  });

  it('reads words, one-hot rows, masks and records', async () => {
    const words = await fromDataset(dataset(X.map((xs, row) => ({ xs, ys: row % 2 ? 'yes' : 'no' }))));
    expect(labelsOf(words.y).classes).toEqual(['no', 'yes']);
    const onehot = await fromDataset(dataset(X.map((xs, row) => ({ xs, ys: tf.oneHot(row % 3, 3) }))));
    expect(labelsOf(onehot.y).task).toBe('multiclass');
    const image = () => tf.ones([4, 5, 1]);
    const masks = await fromDataset(dataset([0, 1].map(() => ({ xs: image(), ys: tf.ones([4, 5]) }))));
    expect(labelsOf(masks.y).shape).toEqual([4, 5]);
    const columns = await fromDataset(dataset(X.map(([a, b], row) => ({ xs: { a, b }, ys: { label: y[row] } }))));
    expect(columns.y).toEqual(y);
    expect(((await columns.X.take(Int32Array.of(1))) as Dense).shape).toEqual([1, 2]);
    const named = X.map(([a, b, c], row) => ({ xs: { left: [a, b], right: [c] }, ys: y[row] }));
    const inputs = await fromDataset(dataset(named));
    const read = await rowsOf(inputs.X).take(Int32Array.of(2)).toInputs();
    expect(read.map(({ name, shape }) => [name, shape])).toEqual([
      ['left', [1, 2]],
      ['right', [1, 1]],
    ]);
  });
});

// What is refused is in ../messages.test.ts.
it('refuses rows without labels, and masks with a pixel that is missing', async () => {
  const message = (rows: unknown[]) => thrown(() => fromDataset(dataset(rows)));
  expect(await message(X.map((xs) => ({ xs })))).toMatch(/\(invalid_element\): .*Row 0/);
  const masks = X.map((xs, at) => ({ xs, ys: [1, at === 5 ? Number.NaN : 0] }));
  expect(await message(masks)).toMatch(/\(missing_labels\): .*row 5/);
});
