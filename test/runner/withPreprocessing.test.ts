import { describe, expect, it } from 'vitest';
import { ColumnTransformer } from '../../src/preprocessing/columnTransformer.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { Pipeline } from '../../src/preprocessing/pipeline.js';
import { RandomOverSampler } from '../../src/preprocessing/randomOverSampler.js';
import { SelectKBest } from '../../src/preprocessing/selectKBest.js';
import { SMOTE } from '../../src/preprocessing/smote.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { tabular } from '../../src/preprocessing/tabular.js';
import { ensemble } from '../../src/runner/ensemble.js';
import type { FoldContext, FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { PreparedModel } from '../../src/runner/withPreprocessing.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { blobs, NearestMean, probabilistic, spyAdapter } from '../helpers/nearestMean.js';
import { throwing, thrown } from '../helpers/thrown.js';

const { X, y } = blobs();
/** The first feature in other units, so that nothing but scaling makes both count. */
const units = X.map(([a, b]) => [a, 1000 * b]);

const run = (options: Partial<RunOptions> = {}, runner = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0, ...runner }).run({
    model: () => new NearestMean(),
    data: [units, y],
    metrics: ['accuracy'],
    ...options,
  });

/** A transformer of the caller that notes which rows it was fitted on; it changes nothing. */
const spyTransformer = (seen: number[][]) => ({
  clone: () => spyTransformer(seen),
  fit(rows: number[][]) {
    seen.push(rows.map(([a]) => X.findIndex(([b]) => b === a)));
  },
  transform: (rows: number[][]) => rows,
});

/** Scales by hand in `fit`, as one does without preprocessing. */
class ScaledByHand extends NearestMean {
  mean: number[] = [];
  scale: number[] = [];
  scaled = (rows: number[][]) => rows.map((row) => row.map((v, j) => (v - this.mean[j]) / this.scale[j]));
  override fit(rows: number[][], labels: unknown[]) {
    this.mean = rows[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
    this.scale = rows[0].map((_, j) =>
      Math.sqrt(rows.reduce((sum, row) => sum + (row[j] - this.mean[j]) ** 2, 0) / rows.length),
    );
    return super.fit(this.scaled(rows), labels);
  }
  override predict(rows: number[][]) {
    return super.predict(this.scaled(rows));
  }
}

describe('preprocessing', () => {
  it('scales as a model does that scales in its own fit', async () => {
    const inside = await run({ preprocessing: new StandardScaler() });
    const byHand = await run({ model: () => new ScaledByHand() });
    expect(inside.outOfFold.yPred).toEqual(byHand.outOfFold.yPred);
    expect((await run()).outOfFold.yPred).not.toEqual(byHand.outOfFold.yPred);
    const none = { globalSteps: [], frozen: [], resamplers: [], imputers: [] };
    expect(inside.metadata.preprocessing).toEqual({ steps: 'StandardScaler', learns: true, ...none });
    expect(inside.summary()).toMatch(/^ {2}Prepared +StandardScaler, fitted in each fold on its training rows$/m);
    expect(inside.foldDetails[0].secondsOf.preprocess).toBeGreaterThan(0);
  });

  it("lets classWeight: 'balanced' be counted on the rows that the model is fitted on", async () => {
    const given: unknown[] = [];
    const { adapter } = spyAdapter();
    const spied: FrameworkAdapter = {
      ...adapter,
      fit(model, batch, options, hooks) {
        given.push([options.classWeight, Array.from(batch.y.codes)]);
        return adapter.fit(model, batch, options, hooks);
      },
    };
    const rare = y.map((_, row) => Number(row % 4 === 0));
    const sampleWeight = rare.map((label) => (label ? 1 : 3));
    const all = { data: [X, rare], classWeight: 'balanced', folds: [0], metrics: ['accuracy'] } as never;
    await run(all, { adapter: spied });
    await run({ ...(all as object), sampleWeight }, { adapter: spied });
    await run({ ...(all as object), preprocessing: new RandomOverSampler() }, { adapter: spied });
    const [[plain, codes], [weighted], [resampled]] = given as [Record<string, number>, number[]][];
    // n / (classes x rows of the class), as compute_class_weight of scikit-learn.
    const ill = codes.filter((code) => code === 1).length;
    const well = codes.length - ill;
    expect(plain).toEqual({ 0: codes.length / (2 * well), 1: codes.length / (2 * ill) });
    const total = 3 * well + ill;
    expect(weighted).toEqual({ 0: total / (2 * 3 * well), 1: total / (2 * ill) });
    expect(resampled).toEqual({ 0: 1, 1: 1 });
  });

  it('is fitted on the rows that the model is fitted on, without validation and test rows', async () => {
    const seen: number[][] = [];
    const { adapter, spy } = spyAdapter();
    const results = await run(
      { data: [X, y], preprocessing: spyTransformer(seen), validation: 0.25, epochs: 2 },
      { adapter },
    );
    expect(seen).toHaveLength(4);
    const sorted = (rows: readonly number[]) => [...rows].sort((a, b) => a - b);
    expect(new Set(seen.map((rows) => sorted(rows).join()))).toEqual(
      new Set(spy.trainedOn.map((rows) => sorted(rows).join())),
    );
    const bySize = results.indices.map(({ test }) => test);
    for (const rows of seen) expect(bySize.some((test) => rows.every((row) => !test.includes(row)))).toBe(true);
    expect(spy.validatedOn.flat().length).toBeGreaterThan(0);
  });

  it('is fitted again in every inner fold, and for every model of isolation', async () => {
    const seen: number[][] = [];
    await run({ data: [X, y], preprocessing: spyTransformer(seen), model: probabilistic, threshold: 'youden' });
    expect(seen.length).toBeGreaterThan(4);
    expect(new Set(seen.map((rows) => rows.join())).size).toBe(seen.length);
  });

  it('tells the factory the shape after it', async () => {
    const shapes: unknown[] = [];
    const model = ({ inputShape }: FoldContext) => {
      shapes.push(inputShape);
      return new NearestMean();
    };
    await run({ model, preprocessing: new SelectKBest({ k: 1 }) });
    expect(shapes.slice(-4)).toEqual([[1], [1], [1], [1]]);
  });

  it('makes one hundredth of a thousand noise features no better than chance inside folds, and much better outside', async () => {
    const { noise, labels } = noiseFeatures(60, 1000, 7);
    const cvSplitter = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 1 });
    const scored = async (options: Partial<RunOptions>) => {
      const common = { model: probabilistic, data: [noise, labels] as const, metrics: ['roc_auc'] };
      return (await run({ ...common, ...options }, { cvSplitter })).estimates.roc_auc as number;
    };
    const inside = await scored({ preprocessing: new SelectKBest({ k: 10 }) });
    const selected = (await new SelectKBest({ k: 10 }).fitTransform(noise, labels)) as number[][];
    expect(await scored({ data: [selected, labels] })).toBeGreaterThan(0.7);
    expect(inside).toBeLessThan(0.7);
  });

  it('prepares records with text and missing cells', async () => {
    const records = y.map((label, row) => ({
      age: row % 7 === 0 ? null : 40 + 10 * label + (row % 5),
      smoker: row % 3 === 0 ? 'yes' : 'no',
    }));
    const results = await run({ data: [records, y], preprocessing: tabular() });
    expect(results.foldDetails.every(({ status }) => status === 'completed')).toBe(true);
    expect(results.estimates.accuracy).toBeGreaterThan(0.8);
  });

  it('keeps, saves and combines models with their preparation', async () => {
    const results = await run({ preprocessing: new StandardScaler(), keepModels: 'memory' });
    const [first] = results.models as PreparedModel<NearestMean>[];
    expect(first).toBeInstanceOf(PreparedModel);
    const rows = units.slice(0, 4);
    const prepared = (await first.preprocessing.transform(rows)) as number[][];
    expect(first.model.predict(prepared)).toEqual(results.predictions[0].slice(0, 4));
    const together = await ensemble(results, { combine: 'vote' });
    expect((await together.predict(rows)).predictions).toHaveLength(4);
  });

  it('gives the same in a run that trains folds again after all others', async () => {
    const results = await run({ preprocessing: new StandardScaler(), verifyIsolation: true }, ...inTurn());
    expect(results.metadata.verifiedFolds).toHaveLength(2);
  });

  it('resamples training rows alone, and says what that does to risks', async () => {
    const { adapter, spy } = spyAdapter();
    const few = y.map((_, row) => (row % 5 === 0 ? 1 : 0));
    const cvSplitter = new StratifiedKFold({ nSplits: 4 });
    const results = await run(
      { data: [X, few], preprocessing: [new StandardScaler(), new RandomOverSampler()] },
      { adapter, cvSplitter },
    );
    for (const rows of spy.trainedOn) {
      const positives = rows.filter((row) => few[row] === 1).length;
      expect(positives).toBe(rows.length / 2);
    }
    expect(results.outOfFold.row).toHaveLength(40);
    expect(results.metadata.warnings.join(' ')).toMatch(/resampled \(RandomOverSampler\).*no longer calibrated/);
  });

  it('trains on made-up rows of SMOTE, with labels of their class', async () => {
    const few = y.map((_, row) => (row % 4 === 0 ? 1 : 0));
    const trained: number[] = [];
    class Counting extends NearestMean {
      override fit(rows: number[][], labels: unknown[]) {
        trained.push(labels.filter((label) => label === 1).length / rows.length);
        return super.fit(rows, labels);
      }
    }
    const cvSplitter = new StratifiedKFold({ nSplits: 4 });
    await run(
      { data: [X, few], model: () => new Counting(), preprocessing: new SMOTE({ kNeighbors: 2 }) },
      { cvSplitter },
    );
    expect(trained.every((share) => share === 0.5)).toBe(true);
  });

  it('lists what the author declares to be fitted elsewhere', async () => {
    const centred = new FunctionTransformer((rows: number[][]) => rows.map((row) => row.map((v) => v - 3)), {
      scope: 'global',
      name: 'means of the registry',
    });
    const results = await run({ preprocessing: new Pipeline([centred, new StandardScaler()]) });
    expect(results.metadata.preprocessing?.globalSteps).toEqual(['means of the registry']);
    expect(results.summary()).toMatch(/on other rows, as the author\s+declares: means of the registry/);
  });

  it('tells whether any step learns from the rows', async () => {
    const same = new FunctionTransformer((rows: number[][]) => rows);
    class Frozen extends StandardScaler {
      override frozenSteps(): readonly string[] {
        return ['a network'];
      }
    }
    const columns = (step: StandardScaler | 'passthrough') =>
      new ColumnTransformer([
        ['a', step, [0]],
        ['b', same, [1]],
      ]);
    const learns = async (preprocessing: RunOptions['preprocessing']) =>
      (await run({ preprocessing })).metadata.preprocessing?.learns;
    for (const none of [same, [same, same], columns('passthrough'), [new RandomOverSampler(), same], new Frozen()]) {
      expect(await learns(none)).toBe(false);
    }
    for (const some of [[same, new StandardScaler()], columns(new StandardScaler()), spyTransformer([])]) {
      expect(await learns(some)).toBe(true);
    }
  });

  it.each([
    [
      'one that gives other rows',
      { fit: () => undefined, transform: (rows: number[][]) => rows.slice(1) },
      'rows_changed',
    ],
    ['one that throws', { fit: () => undefined, transform: throwing('boom') }, 'transform_failed'],
  ])('refuses %s', async (_, preprocessing, code) => {
    expect(await thrown(() => run({ preprocessing }))).toContain(`(${code})`);
  });
});

/** Folds one after the other, where the project runs several at once. */
const inTurn = () => (process.env.CLONES === '4' ? [{ executor: 'inline' as const }] : []);

/** Standard normal numbers that tell nothing of the labels. */
function noiseFeatures(n: number, width: number, seed: number) {
  let state = seed;
  const uniform = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return (state + 0.5) / 2147483648;
  };
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    noise: Array.from({ length: n }, () => Array.from({ length: width }, normal)),
    labels: Array.from({ length: n }, (_, row) => row % 2),
  };
}
