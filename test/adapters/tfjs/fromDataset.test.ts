import { beforeAll, describe, expect, it } from 'vitest';
import { type DatasetLike, fromDataset } from '../../../adapters/tfjs/fromDataset.js';
import { train } from '../../../adapters/tfjs/train.js';
import { labelsOf } from '../../../src/data/labels.js';
import { type Dense, rowsOf } from '../../../src/data/rows.js';
import { batchOf, fitOptions, NO_HOOKS, network, table, tf, viewOf, weightsOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

beforeAll(() => void tf.setBackend('cpu'));

const { X, y } = table(24);
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
    const lossFn = 'binaryCrossentropy';
    const run = (batch: Parameters<typeof train>[2]) =>
      train(tf, viewOf(model), batch, fitOptions({ lossFn, optimizer: 'sgd', batchSize: 5 }), NO_HOOKS);
    await run(batchOf(X, y));
    const before = tf.memory().numTensors;
    const { X: source, y: labels } = await fromDataset(dataset(tensors), { window: 6 });
    const { epochs } = await run(batchOf(source, labels));
    expect(tf.memory().numTensors).toBe(before);
    expect(epochs.length).toBe(2);
    // The caller's own tensors are still there: a dataset of tensors gives copies.
    expect(tensors[0].xs.isDisposed).toBe(false);
    tf.dispose(tensors);
  });

  it('shuffles within its window, and all rows when that is as large as the data', async () => {
    const model = network();
    const start = model.getWeights().map((weight) => tf.clone(weight));
    const run = async (batch: Parameters<typeof train>[2]) => {
      model.setWeights(start);
      const options = fitOptions({ lossFn: 'binaryCrossentropy', optimizer: 'sgd', batchSize: 5 });
      await train(tf, viewOf(model), batch, options, NO_HOOKS);
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
    const inputs = await fromDataset(
      dataset(X.map(([a, b, c], row) => ({ xs: { left: [a, b], right: [c] }, ys: y[row] }))),
    );
    const read = await rowsOf(inputs.X).take(Int32Array.of(2)).toInputs();
    expect(read.map(({ name, shape }) => [name, shape])).toEqual([
      ['left', [1, 2]],
      ['right', [1, 1]],
    ]);
  });
});

describe('messages', () => {
  const message = (given: unknown) => thrown(() => fromDataset(given as DatasetLike));
  const rows = X.map((xs, row) => ({ xs, ys: y[row] }));

  it('for what is no dataset of rows', async () => {
    expect(await message(dataset(X.map((xs) => ({ xs }))))).toMatch(/\(invalid_element\): .*Row 0/);
  });

  it('for labels that are missing', async () => {
    const without = (ys: unknown) => message(dataset(rows.map((row, at) => (at === 3 ? { ...row, ys } : row))));
    expect(await without(Number.NaN)).toMatch(/\(missing_labels\): .*row 3.*NaN/);
    const masks = rows.map(({ xs }, at) => ({ xs, ys: [1, at === 5 ? Number.NaN : 0] }));
    expect(await message(dataset(masks))).toContain('row 5');
  });

  it('for rows that have changed when they are read again', async () => {
    let pass = 0;
    const changing = (second: unknown[]): DatasetLike => ({
      iterator: () => dataset(pass++ === 0 ? rows : second).iterator(),
    });
    const reread = async (second: unknown[], ...at: number[]) => {
      pass = 0;
      const { X: source } = await fromDataset(changing(second));
      return thrown(() => source.take(Int32Array.from(at)));
    };
    expect(await reread(rows.slice(0, 20), 3, 22)).toMatch(/\(dataset_changed\): .*row 19/);
    expect(await reread([...rows, ...rows], 23)).toMatch(/\(dataset_changed\): .*Got .*\b24\b/);
    expect(await reread(rows.toReversed(), 2)).toMatch(/\(dataset_changed\): .*row 2/);
    expect(
      await reread(
        rows.map(({ ys }) => ({ xs: [1], ys })),
        1,
        2,
      ),
    ).toBe('nothing thrown');
    const ragged = rows.map(({ xs, ys }, row) => ({ xs: row === 2 ? [1] : xs, ys }));
    expect(await reread(ragged, 1, 2)).toMatch(/\(ragged_rows\): .*Row 2.*\[3\].*\[1\]/);
  });
});
