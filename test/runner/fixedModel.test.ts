/** Models that are the same in every fold: those that cannot be trained, and those that `fit` does not change. */
import { fileURLToPath } from 'node:url';
import { RandomForestClassifier } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import { loadModel } from '../../adapters/tfjs/index.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';
import { network, table } from '../helpers/tfjsModels.js';

const SEEN = "no effect of fit was seen: two folds' models give the same predictions";
const WARNING = 'may have been trained on these rows';

const { X, y } = table(60);
const numbers = X.map(([a, b]) => a + b / 3);

async function metadata(model: unknown, parts: object = {}, cvSplitter: Splitter = new KFold({ nSplits: 5 })) {
  const { adapter, ...options } = { adapter: undefined, ...parts };
  const runner = new UniversalCVRunner({ cvSplitter, verbose: 0, ...(adapter ? { adapter } : {}) });
  const results = await runner.run({ model, data: [X, y], ...options } as never);
  const warned = results.metadata.warnings.filter((warning) => warning.includes(WARNING)).length;
  expect(warned).toBe(results.metadata.fixedModel === null ? 0 : 1);
  return results.metadata.fixedModel;
}

/** A score that was made elsewhere. */
const score =
  (parts: object = {}) =>
  () => ({
    fit: () => undefined,
    predict: (rows: number[][]) => rows.map(([a]) => Number(a > 0.5)),
    predictProba: (rows: number[][]) => rows.map(([a]) => 1 / (1 + Math.exp(-a))),
    ...parts,
  });

/** The nearest training row, or the mean of the `k` nearest. */
class Neighbours {
  rows: number[][] = [];
  values: number[] = [];
  constructor(readonly k: number) {}
  fit(rows: number[][], values: number[]) {
    [this.rows, this.values] = [rows, values];
  }
  means(rows: number[][]) {
    return rows.map((row) => {
      const far = this.rows.map((other, at) => [Math.hypot(...row.map((v, j) => v - other[j])), this.values[at]]);
      const near = far.sort((a, b) => a[0] - b[0]).slice(0, this.k);
      return near.reduce((sum, [, value]) => sum + value, 0) / this.k;
    });
  }
}
class Regressor extends Neighbours {
  predict = (rows: number[][]) => this.means(rows);
}
class Classifier extends Neighbours {
  predict = (rows: number[][]) => this.means(rows).map((p) => Number(p > 0.5));
  predictProba = (rows: number[][]) => this.means(rows);
}

describe('a model that cannot be trained', () => {
  it('is fixed: the frozen network on all rows of WDBC', async () => {
    const data = await loadCancerImaging();
    const model = await loadModel(fileURLToPath(new URL('../../models/trained/wdbc-graph', import.meta.url)));
    expect(await metadata(model, { data: [data.X, data.y] })).toBe('a GraphModel can only predict');
    model.dispose();
  });

  it('is fixed: an adapter that does not train', async () => {
    const adapter: FrameworkAdapter = {
      name: 'frozen',
      capabilities: { trains: false, epochs: false, probabilities: false, saves: false },
      matches: () => true,
      build: async () => ({}),
      fit: async () => ({ epochs: [] }),
      predict: async (_model, rows) => ({ values: new Array(rows.length).fill(1) }),
    };
    expect(await metadata(() => ({}), { adapter })).toBe("the adapter 'frozen' does not train");
  });
});

describe('a fit without effect', () => {
  it('is seen, in folds of many rows and of one', async () => {
    for (const splitter of [new KFold({ nSplits: 5 }), new RepeatedKFold({ randomState: 1 }), new LOOCV()]) {
      expect(await metadata(score(), {}, splitter)).toBe(SEEN);
    }
    const regression = { fit: () => undefined, predict: (rows: number[][]) => rows.map(([a]) => a / 30) };
    expect(await metadata(() => ({ ...regression }), { data: [X, numbers] })).toBe(SEEN);
  });

  it('is seen in a network whose learning rate is 0', async () => {
    const { train } = await import('@tensorflow/tfjs');
    const options = { lossFn: 'binaryCrossentropy', epochs: 1, optimizer: train.sgd(0) };
    const model = network();
    expect(await metadata(model, options)).toBe(SEEN);
    expect(await metadata(model, { ...options, optimizer: train.sgd(0.01) })).toBeNull();
    expect(await metadata(() => network(), options)).toBeNull(); // weights are drawn anew in every fold
    model.dispose();
  });

  it('is not seen where one model differs', async () => {
    let made = 0;
    const oneOther = () => {
      const shift = made++ === 3 ? 1e-12 : 0;
      return score({ predictProba: (rows: number[][]) => rows.map(([a]) => 1 / (1 + Math.exp(-a)) - shift) })();
    };
    expect(await metadata(oneOther)).toBeNull();
  });

  it('is not seen in one fold, nor where few predictions differ', async () => {
    const few = (parts: number) => (rows: number[][]) =>
      rows.map(([a]) => Math.round(parts / (1 + Math.exp(-a))) / parts);
    expect(await metadata(score({ predictProba: few(4) }))).toBeNull();
    expect(await metadata(score({ predictProba: undefined }))).toBeNull();
    expect(await metadata(score(), { folds: [0] })).toBeNull();
  });
});

describe('a model that learns', () => {
  it.each<[string, () => unknown, object]>([
    ['the class means', () => new NearestMean(), {}],
    ['the nearest row', () => new Classifier(1), {}],
    ['seven rows', () => new Classifier(7), {}],
    ['the nearest row, numbers', () => new Regressor(1), { data: [X, numbers] }],
    ['three rows, numbers', () => new Regressor(3), { data: [X, numbers] }],
    ['a forest', () => new RandomForestClassifier({ nEstimators: 10, seed: 3, noOOB: true }), {}],
    ['a small network', () => network(), { lossFn: 'binaryCrossentropy', optimizer: 'adam', epochs: 1 }],
  ])('is not accused: %s', async (_, model, parts) => {
    for (const splitter of [new KFold({ nSplits: 5 }), new KFold({ nSplits: 2, shuffle: true, randomState: 1 })]) {
      expect(await metadata(model, parts, splitter)).toBeNull();
    }
  });

  it('is not accused in leave-one-out, where most models are almost alike', async () => {
    const small = blobs(30);
    const parts = { data: [small.X, small.y] };
    expect(await metadata(() => new Classifier(5), parts, new LOOCV())).toBeNull();
    expect(
      await metadata(() => new Regressor(1), { data: [small.X, small.X.map(([a]) => a)] }, new LOOCV()),
    ).toBeNull();
  });
});
