/** Models that are the same in every fold: those that cannot be trained, and those that `fit` does not change. */
import { fileURLToPath } from 'node:url';
import { RandomForestClassifier } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import { loadNetwork } from '../../adapters/tfjs/index.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';
import { network, table } from '../helpers/tfjsModels.js';
import { throwing } from '../helpers/thrown.js';

const SEEN = "fit had no visible effect: two folds' models give the same predictions";
const IDLE = 'its fit reads none of the training rows';
const WARNING = 'may have been trained on these rows';
const FRESH = { fixedModel: null, trainedBefore: null };

const { X, y } = table(60);
const numbers = X.map(([a, b]) => a + b / 3);

async function run(model: unknown, parts: object = {}, cvSplitter: Splitter = new KFold({ nSplits: 5 })) {
  const { adapter, ...options } = { adapter: undefined, ...parts };
  const runner = new UniversalCVRunner({ cvSplitter, verbose: 0, ...(adapter ? { adapter } : {}) });
  return runner.run({ model, data: [X, y], ...options } as never);
}

async function history(...given: Parameters<typeof run>) {
  const { fixedModel, trainedBefore, warnings } = (await run(...given)).metadata;
  const warned = warnings.filter((warning) => warning.includes(WARNING)).length;
  expect(warned).toBe(fixedModel === null && trainedBefore === null ? 0 : 1);
  return { fixedModel, trainedBefore };
}
const metadata = async (...given: Parameters<typeof history>) => (await history(...given)).fixedModel;

/** A score that was made elsewhere. Its `fit` looks at the rows, and forgets them. */
const score =
  (parts: object = {}) =>
  () => ({
    fit: (rows: number[][]) => void rows.length,
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
    const model = await loadNetwork(fileURLToPath(new URL('../../models/trained/wdbc-graph', import.meta.url)));
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

  it('of what a factory makes is not seen in one fold, nor where few predictions differ', async () => {
    expect(await metadata(score({ predictProba: few(4) }))).toBeNull();
    expect(await metadata(score({ predictProba: undefined }))).toBeNull();
    expect(await metadata(score(), { folds: [0] })).toBeNull();
  });

  it('is seen in later folds where the first one gives few different predictions', async () => {
    const rows = Array.from({ length: 180 }, (_, row) => [row < 60 ? 0.2 : row / 100, 1]);
    const labels = rows.map((_, row) => row % 2);
    expect(await metadata(score(), { data: [rows, labels] }, new KFold({ nSplits: 3 }))).toBe(SEEN);
  });

  it('is known where the text of fit does not look at the rows: labels alone, few probabilities, one fold', async () => {
    const idle = { fit: (_rows: number[][]) => undefined };
    for (const model of [
      score({ ...idle, predictProba: few(4) }),
      score({ ...idle, predictProba: undefined }),
      () => new (class extends FixedCut {})(),
    ]) {
      expect(await metadata(model)).toBe(IDLE);
      expect(await metadata(model, { folds: [0] })).toBe(IDLE);
    }
    expect(await metadata(score(idle), { folds: [0] })).toBe(IDLE);
  });

  it('is nothing where every fit threw, which may have read nothing for that reason', async () => {
    expect(await history(score({ fit: throwing('no luck') }), { onFoldError: 'record' })).toEqual(FRESH);
  });

  it('is none where the factory makes other models, which may have been trained before', async () => {
    let made = 0;
    const cuts = () => ({ fit: () => undefined, predict: new FixedCut(made++ / 4).predict });
    expect(await history(cuts)).toEqual({ fixedModel: null, trainedBefore: IDLE });
  });
});

describe('the models of a run with parameters, or of a factory that makes several kinds', () => {
  const broken = { fit: throwing('no luck'), predict: (rows: number[][]) => rows.map(() => 1) };
  const searched = async (modelFn: (params: { bad: boolean }) => object) =>
    (
      await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).runWithHyperparameterTuning({
        ...{ modelFn, paramGrid: { bad: [true, false] }, data: [X, y] },
      })
    ).results;

  it('are those of the folds, not that of a trial that failed', async () => {
    for (const preprocessing of [undefined, new StandardScaler()]) {
      const { metadata, ...results } = await searched(({ bad }) => (bad ? broken : new NearestMean()));
      expect([metadata.fixedModel, metadata.trainedBefore, metadata.model]).toEqual([null, null, 'NearestMean']);
      expect(metadata.warnings.filter((warning) => warning.includes(WARNING))).toEqual([]);
      expect(results.folds).toHaveLength(3);
      const model = () => new NearestMean();
      expect((await run(model, preprocessing ? { preprocessing } : {})).metadata.model).toBe('NearestMean');
    }
  });

  it('are named with their folds where they differ, and none is idle where one is not', async () => {
    const { metadata } = await run(({ index }: { index: number }) => (index < 2 ? new FixedCut() : new NearestMean()));
    expect(metadata.model).toBe('FixedCut in 2 folds, NearestMean in 3 folds');
    expect([metadata.fixedModel, metadata.trainedBefore]).toEqual([null, null]);
  });
});

describe('whether fit has an effect', () => {
  const FEW =
    'there were fewer than 10 different predictions to compare, as with labels alone, and so few prove nothing';
  const notSeen = async (...given: Parameters<typeof run>) => (await run(...given)).metadata.fitNotSeen;

  it('cannot be seen of few different predictions, which is said with the reason', async () => {
    for (const model of [score({ predictProba: few(4) }), score({ predictProba: undefined })]) {
      expect(await notSeen(model)).toBe(FEW);
    }
    expect(await notSeen(score({ predictProba: undefined })())).toBe(FEW);
  });

  it('cannot be seen in one fold, or where no fold trains on what an earlier one tests', async () => {
    const one = 'one fold alone was completed, and it takes the models of two to compare';
    expect(await notSeen(score(), { folds: [0] })).toBe(one);
    expect(await notSeen(() => new NearestMean(), { folds: [0] })).toBe(one);
    const apart = [0, 2].map((at) => [[0, 1, 20, 21, 40, 41].map((row) => row + at), [50 + at, 51 + at]]);
    const none =
      'no completed fold trains on rows that an earlier one tests, so that no row was predicted by two models';
    expect(await notSeen(score(), {}, { getNSplits: () => 2, split: () => apart } as never)).toBe(none);
  });

  it('is seen where models differ, and known of fixed ones', async () => {
    expect(await notSeen(() => new Regressor(5), { data: [X, numbers] })).toBeNull();
    expect(await notSeen(score())).toBeNull();
    expect(await notSeen(score({ fit: (_rows: number[][]) => undefined }), { folds: [0] })).toBeNull();
  });

  it('is told in the details of a summary, not in its short form', async () => {
    const results = await run(score({ predictProba: undefined }));
    const line = (text: string) =>
      text.replace(/\s+/g, ' ').includes(`whether it has an effect could not be seen: ${FEW}`);
    expect([line(results.summary({ details: true })), line(results.summary())]).toEqual([true, false]);
  });
});

describe('an instance that predicts before its first fit', () => {
  it('is fixed where it predicts the same after it, also in one fold', async () => {
    expect(await history(score()(), { folds: [0] })).toEqual({
      fixedModel: 'fit had no visible effect: the same predictions before and after it',
      trainedBefore: null,
    });
  });

  it('may have been trained, and equal labels after its fit are told', async () => {
    const before = 'the model predicted before its first fit';
    for (const folds of [[0], [0, 1, 2]]) {
      expect(await history(score({ predictProba: undefined })(), { folds })).toEqual({
        fixedModel: null,
        trainedBefore: `${before}, and no differently after it`,
      });
    }
    const trained = new NearestMean().fit(X, y);
    expect(await history(trained)).toEqual({ fixedModel: null, trainedBefore: expect.stringContaining(before) });
    expect(await history(new Trained())).toEqual({ fixedModel: null, trainedBefore: before });
  });

  it('is asked behind a preparation, too', async () => {
    const told = { fixedModel: null, trainedBefore: expect.stringContaining('predicted before its first fit') };
    const prepared = { preprocessing: new StandardScaler() };
    expect(await history(new NearestMean().fit(X, y), prepared)).toEqual(told);
    expect(await history(new NearestMean(), prepared)).toEqual(FRESH);
    // A network is known by its biases: they are as they began.
    const training = { lossFn: 'binaryCrossentropy', optimizer: 'sgd' };
    for (const options of [training, { ...training, ...prepared }]) {
      const model = network();
      expect(await history(model, options)).toEqual(FRESH);
      model.setWeights(model.getWeights().map((weight) => weight.add(0.01)));
      expect(await history(model, options)).toEqual(told);
      model.dispose();
    }
  });

  it('is no longer in doubt where it throws, gives one answer, or a factory makes it', async () => {
    const forest = new RandomForestClassifier({ nEstimators: 5, seed: 3, noOOB: true });
    for (const model of [new NearestMean(), forest, new Trained(0), () => new Trained()]) {
      expect(await history(model)).toEqual(FRESH);
    }
  });
});

/** Probabilities with `parts` + 1 values. */
const few = (parts: number) => (rows: number[][]) => rows.map(([a]) => Math.round(parts / (1 + Math.exp(-a))) / parts);

class FixedCut {
  constructor(readonly cut = 0.5) {}
  fit() {
    return this;
  }
  predict = (rows: number[][]) => rows.map(([a]) => Number(a > this.cut));
}

/** One step of a perceptron from the weights that it has: it goes on learning. */
class Trained {
  constructor(public weight = 2) {}
  fit(rows: number[][], labels: number[]) {
    rows.forEach(([a], at) => {
      this.weight += 0.01 * a * (labels[at] - 0.5);
    });
  }
  predictProba(rows: number[][]) {
    return rows.map(([a]) => 1 / (1 + Math.exp(-a * this.weight)));
  }
  predict(rows: number[][]) {
    return this.predictProba(rows).map((p) => Number(p > 0.5));
  }
}

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

  it('is not accused on WDBC by its labels alone, made by a factory or given as an instance', async () => {
    const { X, y } = await loadCancerImaging();
    class Labels {
      model: { fit(X: unknown, y: unknown): unknown; predict(X: unknown): unknown } | undefined;
      constructor(readonly make: () => NonNullable<Labels['model']>) {}
      fit(rows: unknown, labels: unknown) {
        this.model = this.make();
        this.model.fit(rows, labels);
      }
      predict(rows: unknown) {
        if (!this.model) throw new Error('not trained yet');
        return this.model.predict(rows);
      }
    }
    class Majority {
      label = 0;
      fit(_rows: number[][], labels: number[]) {
        this.label = Number(labels.filter((label) => label === 1).length > labels.length / 2);
      }
      predict = (rows: number[][]) => rows.map(() => this.label);
    }
    const learners: (() => object)[] = [() => new NearestMean(), () => new Classifier(5), () => new Majority()];
    for (const make of learners as ConstructorParameters<typeof Labels>[0][]) {
      for (const model of [() => new Labels(make), new Labels(make)]) {
        const found = await history(model, { data: [X, y] }, new KFold({ shuffle: true, randomState: 1 }));
        expect(found).toEqual(FRESH);
      }
    }
  });

  it('is not accused in leave-one-out, where most models are almost alike', async () => {
    const small = blobs(30);
    const alone = (model: () => unknown, labels: number[]) => metadata(model, { data: [small.X, labels] }, new LOOCV());
    expect(await alone(() => new Classifier(5), small.y)).toBeNull();
    const first = small.X.map(([a]) => a);
    expect(await alone(() => new Regressor(1), first)).toBeNull();
  });
});
