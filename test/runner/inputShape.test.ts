/** `ctx.inputShape` of rows that are read as they are needed: of what a network takes, after the preparation. */
import { expect, it } from 'vitest';
import { FunctionTransformer, Resize } from '../../src/preprocessing/index.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { tf } from '../helpers/tfjsModels.js';

const y = Array.from({ length: 12 }, (_, row) => row % 2);
const run = (X: object, options: Partial<RunOptions>) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model: () => ({}),
    data: { X, y },
    metrics: ['accuracy'],
    ...options,
  });
const dense = (rows: Int32Array) => ({
  data: Float32Array.from({ length: rows.length * 24 }, (_, at) => at),
  shape: [rows.length, 4, 6, 1],
});
const images = { length: 12, take: dense };

it('a network is built by the shape of a row source, also where it is asked for its task', async () => {
  const shapes: unknown[] = [];
  const network = ({ inputShape }: { inputShape: number[] }) => {
    shapes.push(inputShape);
    return tf.sequential({
      layers: [tf.layers.flatten({ inputShape }), tf.layers.dense({ units: 1, activation: 'sigmoid' })],
    });
  };
  const options = { model: network as never, epochs: 1, optimizer: 'sgd', lossFn: 'binaryCrossentropy' };
  const results = await run(images, options);
  expect(new Set(shapes.map(String))).toEqual(new Set(['4,6,1']));
  expect(results.metadata.rowShape).toEqual([4, 6, 1]);
  shapes.length = 0;
  await run(images, { ...options, preprocessing: new Resize({ size: 2 }) });
  expect(shapes.at(-1)).toEqual([2, 3, 1]);
});

it.each<[string, (row: number) => unknown, number[] | undefined]>([
  ['arrays', (row) => [row, 1, 2], [3]],
  ['nested arrays', (row) => [[row, 1, 2]], [1, 3]],
  ['records, whose cells may be texts', (row) => ({ age: row, sex: 'f' }), undefined],
])('is there for a source of %s', async (_, rowOf, shape) => {
  const shapes: unknown[] = [];
  const model = ({ inputShape }: { inputShape: unknown }) => {
    shapes.push(inputShape);
    return { fit: () => undefined, predict: (X: unknown[]) => X.map((_row, at) => at % 2) };
  };
  await run({ length: 12, take: (rows: Int32Array) => Array.from(rows, rowOf) }, { model: model as never });
  for (const each of shapes) expect(each).toEqual(shape);
  expect(shapes.length).toBeGreaterThan(1);
});

it('a function gets the rows of a source as it gives them', async () => {
  const seen = new Set<string>();
  const preprocessing = new FunctionTransformer((rows) => {
    seen.add(rows.shape ? 'dense' : 'arrays');
    return rows;
  });
  const model = () => ({ fit: () => undefined, predict: (X: unknown[]) => X.map((_row, at) => at % 2) });
  await run(images, { model, preprocessing });
  await run(
    { length: 12, take: (rows: Int32Array) => Array.from(rows, (row) => [[row], [1]]) },
    { model, preprocessing },
  );
  expect([...seen]).toEqual(['dense', 'arrays']);
});
