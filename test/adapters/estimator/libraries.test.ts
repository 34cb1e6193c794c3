/** Real packages behind the adapter of estimators. */
import { createRequire } from 'node:module';
import { RandomForestClassifier } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { blobs } from '../../helpers/nearestMean.js';

// Both are promises behind CommonJS, which an import would wrap.
const require = createRequire(import.meta.url);

const { X, y } = blobs(40);
const run = (model: () => object) =>
  new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 4 }), verbose: 0 }).run({
    model,
    data: [X, y],
    metrics: ['accuracy', 'roc_auc'],
  });

/** Follows which models hold memory outside JavaScript. */
function watched<M extends { train(...args: unknown[]): unknown; free(): void }>(model: M, held: Set<M>): M {
  const { train, free } = model;
  return Object.assign(model, {
    train(...args: unknown[]) {
      const result = train.apply(model, args); // frees the model of a former training
      held.add(model);
      return result;
    },
    free() {
      held.delete(model);
      free.call(model);
    },
  });
}

describe('labels of libraries with `train`', () => {
  const forest = () => new RandomForestClassifier({ nEstimators: 10, seed: 3, noOOB: true });
  const scored = (labels: unknown[], model: () => object = forest) =>
    new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 4 }), verbose: 0 }).run({
      model,
      data: [X, labels] as never,
      ...(typeof labels[0] === 'string' ? { positiveLabel: 'ill' } : {}),
      metrics: ['accuracy', 'roc_auc'],
    });

  it('false and true learn what 0 and 1 do', async () => {
    const { outOfFold } = await scored(y);
    const booleans = await scored(y.map((label) => label === 1));
    expect(booleans.outOfFold.yProba).toEqual(outOfFold.yProba);
    expect(booleans.outOfFold.yPred).toEqual(outOfFold.yPred.map((label) => label === 1));
    const byLabel = () => {
      const model = forest();
      return {
        train: (rows: number[][], labels: number[]) => model.train(rows, labels),
        predict: (rows: number[][]) => model.predict(rows),
        predictProbability: (rows: number[][], label: number) =>
          rows.map((row) => {
            const votes = model.predictionValues([row]).to2DArray().flat();
            return votes.filter((vote) => vote === label).length / votes.length;
          }),
      };
    };
    const flags = y.map((label) => label === 1);
    const [asked, expected] = [await scored(flags, byLabel), await scored(y, byLabel)];
    expect(asked.outOfFold.yProba).toEqual(expected.outOfFold.yProba);
  });

  it('texts that a library does not take are named as the likely reason', async () => {
    await expect(scored(y.map((label) => (label === 1 ? 'ill' : 'well')))).rejects.toThrow(
      /The `train` of the model threw: .+\. Labels of y are texts or negative, which many libraries with `train` do not take: pass them as 0, 1, 2, \.\.\.\./,
    );
  });
});

it('libsvm-js gives labels, and probabilities where it was made with them; each is freed', async () => {
  const SVM = await require('libsvm-js');
  const held = new Set<never>();
  let most = 0;
  const made = (probabilityEstimates: boolean) => () => {
    most = Math.max(most, held.size);
    const type = SVM.SVM_TYPES.C_SVC;
    return watched(new SVM({ kernel: SVM.KERNEL_TYPES.RBF, type, gamma: 0.5, cost: 1, probabilityEstimates }), held);
  };
  const labels = await run(made(false));
  expect(labels.estimates.accuracy).toBeGreaterThan(0.6);
  expect(labels.estimates.roc_auc).toBeNull();
  const both = await run(made(true));
  expect(both.estimates.roc_auc).toBeGreaterThan(0.6);
  expect([most, held.size]).toEqual([0, 0]);
});

it('ml-xgboost gives P(second class) by its objective; each is freed', async () => {
  const XGBoost = await require('ml-xgboost');
  const held = new Set<never>();
  const results = await run(() =>
    watched(new XGBoost({ objective: 'binary:logistic', iterations: 20, max_depth: 2 }), held),
  );
  expect(results.estimates.accuracy).toBeGreaterThan(0.6);
  expect(results.estimates.roc_auc).toBeGreaterThan(0.6);
  expect(held.size).toBe(0);
});
