// @ts-expect-error: the package has no types
import KNN from 'ml-knn';
import { describe, expect, it } from 'vitest';
import { fromConstructor } from '../../src/estimators/fromConstructor.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { blobs } from '../helpers/nearestMean.js';

describe('fromConstructor', () => {
  it('makes ml-knn a model of folds', async () => {
    const { X, y } = blobs(40);
    const results = await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0 }).run({
      model: () => fromConstructor((rows, labels) => new KNN(rows, labels, { k: 3 })),
      data: [X, y],
      metrics: ['accuracy'],
    });
    const { train, test } = results.indices[0];
    const alone = new KNN(
      Array.from(train, (row) => X[row]),
      Array.from(train, (row) => y[row]),
      { k: 3 },
    );
    expect(results.predictions[0]).toEqual(alone.predict(Array.from(test, (row) => X[row])));
  });

  it('has no model before its fit', async () => {
    const model = fromConstructor(() => ({ predict: () => [1] }));
    expect(model.model).toBeUndefined();
  });
});
