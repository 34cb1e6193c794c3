/** Pipelines within pipelines, tensors of steps, sources that are read once, and names that would collide. */
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { OneHotEncoder } from '../../src/preprocessing/oneHotEncoder.js';
import { PCA } from '../../src/preprocessing/pca.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { preparationOf } from '../../src/preprocessing/preparation.js';
import { SMOTE } from '../../src/preprocessing/smote.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { matrix } from '../helpers/matrix.js';
import { tf } from '../helpers/tfjsModels.js';

const random = randomSource(3);
const y = Array.from({ length: 60 }, (_, row) => Number(row % 5 === 0));
const X = y.map((label) => [label + random.random(), random.random(), random.random()]);

/** A model that keeps how many rows of each class it was trained on. */
const counting = (seen: number[][]) => () => ({
  fit(_rows: unknown[], labels: number[]) {
    seen.push([0, 1].map((label) => labels.filter((each) => each === label).length));
  },
  predict: (rows: number[][]) => rows.map((_, at) => at % 2),
});
const run = (preprocessing: object | undefined, model: () => object, data: unknown = [X, y]) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).run({
    model,
    data: data as never,
    preprocessing: preprocessing as never,
    metrics: ['accuracy'],
  });

it('a pipeline in a pipeline acts as its steps do: what resamples has an effect, is told, and is drawn by the seed of the fold', async () => {
  const seen: number[][] = [];
  const nested = () => [new Pipeline([new StandardScaler(), new SMOTE()]), new PCA({ nComponents: 2 })];
  const results = await run(nested(), counting(seen));
  expect(seen.every(([none, ill]) => none === ill)).toBe(true);
  expect(results.metadata.preprocessing?.resamplers).toEqual(['SMOTE']);
  expect(results.metadata.warnings.join()).toContain('The training rows were resampled (SMOTE)');
  const flat = preparationOf(nested());
  expect(flat.described).toBe('StandardScaler, SMOTE, PCA({ nComponents: 2 })');
});

it('a step of the caller within others is copied for each fold as it is outside, and the one that was given stays as it was', async () => {
  class Centre {
    mean: number[] | undefined;
    fit(rows: number[][]) {
      this.mean = rows[0].map((_, column) => rows.reduce((sum, row) => sum + row[column], 0) / rows.length);
    }
    transform(rows: number[][]) {
      return rows.map((row) => row.map((cell, column) => cell - (this.mean as number[])[column]));
    }
  }
  const centre = new Centre();
  const seen: number[][] = [];
  await run(new ColumnTransformer([['c', new Pipeline([centre, new StandardScaler()]), [0, 1, 2]]]), counting(seen));
  expect([seen.length, centre.mean]).toEqual([3, undefined]);
});

it('steps that give tensors leave none behind', async () => {
  const before = tf.memory().numTensors;
  const own = { fit: () => undefined, transform: (rows: number[][]) => tf.tidy(() => tf.mul(tf.tensor2d(rows), 2)) };
  const doubled = new FunctionTransformer((rows) => tf.tidy(() => tf.mul(tf.tensor2d(rows), 2)));
  const kept: number[][] = [];
  await run([doubled, own], counting(kept));
  expect(tf.memory().numTensors).toBe(before);
});

it('rows of a source are read once for each reading', async () => {
  const readBy = async (preprocessing: object | undefined) => {
    let read = 0;
    const take = (rows: Int32Array) => {
      read += rows.length;
      return Array.from(rows, (row) => X[row]);
    };
    await run(preprocessing, counting([]), [{ length: 60, take }, y]);
    return read;
  };
  // A few rows more in each fold: for the shape, and to see that rows are prepared one by one.
  const plain = await readBy(undefined);
  expect(await readBy([new FunctionTransformer((rows) => rows)])).toBeLessThan(plain + 3 * 20);
});

describe('names after one-hot encoding', () => {
  it('that would be equal are refused', async () => {
    const records = [
      { a: 'b_c', a_b: 'c', word: 'x' },
      { a: 'd', a_b: 'e', word: 'y' },
    ];
    const step = new Pipeline([
      new ColumnTransformer([['hot', new OneHotEncoder(), ['a', 'a_b']]], { remainder: 'passthrough' }),
      new FunctionTransformer((rows) => rows),
    ]);
    await expect(step.fit(records)).rejects.toThrow(
      /must have different names\. Got '.*a_b_c' twice\. Rename a column of X\./,
    );
  });

  it('booleans may be given as categories, each once', async () => {
    const hot = new OneHotEncoder({ categories: [[false, true]] });
    expect(await hot.fitTransform([[true], [false]])).toEqual(matrix('0 1 | 1 0'));
    expect(() => new OneHotEncoder({ categories: [['a', 'a']] })).toThrow('be a list of different categories');
  });
});
