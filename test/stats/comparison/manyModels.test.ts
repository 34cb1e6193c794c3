import * as tf from '@tensorflow/tfjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../../src/callbacks/earlyStopping.js';
import { DummyClassifier } from '../../../src/estimators/dummyClassifier.js';
import { LogisticRegression } from '../../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../../src/preprocessing/standardScaler.js';
import type { CVResults } from '../../../src/runner/cvResults.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';
import { adjustPValues } from '../../../src/stats/adjustPValues.js';
import { bbcCV } from '../../../src/stats/bbcCV.js';
import { compareModels } from '../../../src/stats/compareModels.js';
import { CVKitValidator } from '../../../src/validator/cvkitValidator.js';
import { cloningExecutor } from '../../helpers/cloningExecutor.js';
import { blobs, NearestMean, spyAdapter } from '../../helpers/nearestMean.js';
import { thrown } from '../../helpers/thrown.js';
import reference from '../../reference/comparison.json' with { type: 'json' };
import { Given, GivenNumbers, givenResults } from '../given.js';

const { clustered, adjusted } = reference;
const { X, y } = blobs(60);
const noisy = X.map((row, at) => row.map((each, j) => each * (j + 1) + 3 * Math.sin(7 * at + j)));
const groups = y.map((_, row) => `patient ${row >> 1}`);
const cv = new StratifiedKFold({ nSplits: 4, shuffle: true, randomState: 3 });
const data = { X: noisy, y, cv };
const logistic = () => new LogisticRegression();

let results: Record<'a' | 'b' | 'c', CVResults>;
beforeAll(async () => {
  const { y, fold, a, b, patients } = clustered;
  const c = a.map((each, at) => (each + 2 * b[at]) / 3);
  const [x, z, w] = await Promise.all([a, b, c].map((p) => givenResults({ p, y, fold, groups: patients })));
  results = { a: x, b: z, c: w };
});

describe('compareModels of several models', () => {
  it('has in each row what a run and a validation of that combination give', async () => {
    const preparations = { none: null, scaled: new StandardScaler() };
    const models = { near: () => new NearestMean(), logistic: new LogisticRegression() };
    const table = await compareModels({ models, preparations, ...data, groups, metric: 'roc_auc', randomState: 7 });
    const names = ['near, none', 'near, scaled', 'logistic, none', 'logistic, scaled'];
    expect(table.rows.map(({ name }) => name)).toEqual(names);
    for (const { name, model, preparation, interval, scores, ...row } of table.rows) {
      const preprocessing = preparations[preparation as keyof typeof preparations];
      const one = { model: models[model as keyof typeof models], ...(preprocessing ? { preprocessing } : {}) };
      const runner = new UniversalCVRunner({ cvSplitter: cv, verbose: 0, randomState: 7 });
      const run = await runner.run({ ...one, data: { X: noisy, y, groups }, metrics: ['roc_auc'] });
      expect(scores, name).toEqual(run.scores.roc_auc);
      expect(row).toMatchObject({ foldMean: run.meanScores.roc_auc, foldSd: run.stdScores.roc_auc });
      expect(interval?.estimate).toBe(run.estimates.roc_auc);
      expect(row).toMatchObject({ nFolds: 4, nFailed: 0, reason: null });
      expect(table.foldFingerprint).toBe(run.metadata.foldFingerprint);
      const validator = new CVKitValidator({ cv, metrics: ['roc_auc'], randomState: 7, ciFits: 0 });
      const { lower, upper, note } = (await validator.validate({ ...one, X: noisy, y, groups, verbose: 0 }))
        .confidenceIntervals.roc_auc;
      // `compareModels` has no `ciFits`, and no reason why there is no training part.
      const said = note?.replace(/(is not in the interval): [^.]*\./, '$1.');
      expect([interval?.lower, interval?.upper, interval?.note]).toEqual([lower, upper, said]);
    }
    expect(table).toMatchObject({ unit: 'patient', nUnits: 30, randomState: 7, reference: null });
  });

  it('says the same of results that are there already', async () => {
    const run = (model: () => object) =>
      new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).run({
        model,
        data: { X: noisy, y },
        metrics: ['accuracy'],
      });
    const models = { near: () => new NearestMean(), logistic, chance: () => new DummyClassifier() };
    const trained = await compareModels({ models, ...data, metric: 'accuracy' });
    const runs = { near: await run(models.near), logistic: await run(logistic), chance: await run(models.chance) };
    const given = await compareModels({ results: runs, metric: 'accuracy' });
    const timeless = (table: object) => JSON.parse(JSON.stringify(table, (key, v) => (key === 'seconds' ? 0 : v)));
    expect(timeless(given)).toEqual(timeless(trained));
    const list = await compareModels({ results: Object.values(runs), metric: 'accuracy' });
    expect(list.rows.map(({ name }) => name)).toEqual(['0', '1', '2']);
    expect(list.best?.estimate).toBe(given.best?.estimate);
  });

  it('makes the folds once, builds a model per combination and fold, and changes nothing it was given', async () => {
    let made = 0;
    const counted = {
      repeatable: true,
      claims: cv.claims,
      getNSplits: () => 4,
      split: (...input: Parameters<typeof cv.split>) => {
        made++;
        return cv.split(...input);
      },
    };
    const { adapter, spy } = spyAdapter();
    const before = JSON.stringify([noisy, y]);
    const table = await compareModels({
      models: { one: () => new NearestMean(), two: () => new NearestMean() },
      preparations: { none: null, scaled: new StandardScaler() },
      ...data,
      cv: counted,
      adapter,
      metric: 'accuracy',
    });
    expect([made, spy.trainedOn.length]).toEqual([1, 16]);
    expect(new Set(spy.trainedOn.map(String)).size).toBe(4);
    expect(JSON.stringify([noisy, y])).toBe(before);
    expect(table.rows[0].scores).toEqual(table.rows[2].scores);
  });

  it('does not depend on the order of the models, nor on the call', async () => {
    const models = { near: () => new NearestMean(), logistic, chance: () => new DummyClassifier() };
    const { chance, ...others } = models;
    const one = await compareModels({ models, ...data, metric: 'roc_auc' });
    const two = await compareModels({ models: { chance, ...others }, ...data, metric: 'roc_auc' });
    for (const { name, interval, scores } of one.rows) {
      const same = two.rows.find((row) => row.name === name);
      expect([same?.interval, same?.scores]).toEqual([interval, scores]);
    }
    expect(two.best).toEqual({ ...one.best, chosenShare: one.best?.chosenShare });
    for (const { a, b, difference, pAdjusted } of one.comparisons) {
      const same = two.comparisons.find((each) => [each.a, each.b].sort().join() === [a, b].sort().join());
      expect(same?.difference).toBeCloseTo((same?.a === a ? 1 : -1) * (difference as number), 12);
      if (pAdjusted === null) expect(same?.pAdjusted).toBeNull();
      else expect(same?.pAdjusted).toBeCloseTo(pAdjusted, 12);
    }
  });

  it('takes `data` in the place of X and y', async () => {
    const models = { near: () => new NearestMean(), logistic };
    const one = await compareModels({ models, ...data, groups });
    const two = await compareModels({ models, data: [noisy, y, groups], cv });
    expect(two.comparisons).toEqual(one.comparisons);
    expect(two.rows.map(({ interval }) => interval)).toEqual(one.rows.map(({ interval }) => interval));
  });
});

describe('its differences', () => {
  it('are those that the definitions written in R give', async () => {
    const { a, b } = results;
    const { comparisons } = await compareModels({ results: { a, b } });
    const { difference, se, p, lower, upper } = clustered.corrected;
    expect(comparisons).toHaveLength(1);
    expect(comparisons[0]).toMatchObject({ a: 'a', b: 'b', df: 2, signFlip: null });
    expect(comparisons[0].difference).toBeCloseTo(difference, 12);
    expect(comparisons[0].standardError).toBeCloseTo(se, 12);
    expect([comparisons[0].pValue, comparisons[0].pAdjusted]).toEqual([expect.closeTo(p, 12), expect.closeTo(p, 12)]);
    // 1.02 in R, which knows no range: areas differ by 1 at most.
    expect(upper).toBeGreaterThan(1);
    expect([comparisons[0].lower, comparisons[0].upper]).toEqual([expect.closeTo(lower, 10), 1]);
  });

  it('can be counted by hand', async () => {
    // 16 rows in four folds; right answers by fold are 4 4 3 3, 2 3 2 1 and 2 2 2 2.
    const right = { good: [4, 4, 3, 3], fair: [2, 3, 2, 1], poor: [2, 2, 2, 2] };
    const truth = Array.from({ length: 16 }, (_, row) => row % 2);
    const fold = truth.map((_, row) => row >> 2);
    const predicted = (counts: number[]) =>
      truth.map((label, row) => (row % 4 < counts[row >> 2] ? label : 1 - label) * 0.8 + 0.1);
    const runs = Object.fromEntries(
      await Promise.all(
        Object.entries(right).map(
          async ([name, counts]) => [name, await givenResults({ p: predicted(counts), y: truth, fold })] as const,
        ),
      ),
    );
    const table = await compareModels({ results: runs, metric: 'accuracy', reference: 'poor' });
    expect(table.rows.map(({ interval, foldMean }) => [interval?.estimate, foldMean])).toEqual([
      [14 / 16, 14 / 16],
      [8 / 16, 8 / 16],
      [8 / 16, 8 / 16],
    ]);
    // Differences good - poor: .5 .5 .25 .25, mean .375, variance .0625 / 3; times 1/4 + 4/12; 3 degrees of freedom.
    const [good, fair] = table.comparisons;
    expect([good.a, good.b, fair.a, fair.b]).toEqual(['good', 'poor', 'fair', 'poor']);
    const se = Math.sqrt((0.0625 / 3) * (1 / 4 + 1 / 3));
    expect(good.difference).toBeCloseTo(0.375, 12);
    expect(good.standardError).toBeCloseTo(se, 12);
    // t = 3.4017 with 3 df: two-sided p .04240 (R: 2 * pt(-3.401680, 3)); Holm doubles the smaller of two.
    expect(good.pValue).toBeCloseTo(0.0424, 4);
    expect(good.pAdjusted).toBeCloseTo(2 * (good.pValue as number), 12);
    // Limits at 97.5 %: quantile .9875 of t with 3 df is 4.176535 (R: qt(.9875, 3)).
    expect(good.upper).toBeCloseTo(0.375 + 4.176535 * se, 6);
    expect(good.lower).toBeCloseTo(0.375 - 4.176535 * se, 6);
    // Differences fair - poor: 0 .25 0 -.25.
    expect(fair.difference).toBeCloseTo(0, 12);
    expect([fair.pValue, fair.pAdjusted]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
  });

  it('of all pairs are those of two, with p-values by Holm and limits by Bonferroni', async () => {
    const nPermutations = 199;
    const { comparisons } = await compareModels({ results, metric: 'brier', level: 0.9, nPermutations });
    expect(comparisons.map(({ a, b }) => a + b)).toEqual(['ab', 'ac', 'bc']);
    const pairs = comparisons.map(({ a, b }) =>
      compareModels(results[a as 'a'], results[b as 'b'], { metric: 'brier', level: 1 - 0.1 / 3 }),
    );
    pairs.forEach(({ correctedT, signFlip }, at) => {
      expect(comparisons[at].pValue).toBe(correctedT.pValue);
      expect(comparisons[at].difference).toBe(correctedT.difference);
      expect(comparisons[at].lower).toBeCloseTo(correctedT.lower as number, 12);
      expect(comparisons[at].upper).toBeCloseTo(correctedT.upper as number, 12);
      // Other swaps of the same test: 3 standard errors of 199 and 1,999 swaps.
      const p = signFlip.pValue as number;
      const noise = 3 * Math.sqrt(p * (1 - p) * (1 / 199 + 1 / 1999)) + 0.005;
      expect(Math.abs((comparisons[at].signFlip?.pValue as number) - p)).toBeLessThan(noise);
    });
    expect(comparisons.map(({ pAdjusted }) => pAdjusted)).toEqual(
      adjustPValues(comparisons.map((each) => each.pValue)),
    );
    expect(comparisons.map(({ signFlip }) => signFlip?.pAdjusted)).toEqual(
      adjustPValues(comparisons.map(({ signFlip }) => signFlip?.pValue as number)),
    );
    // R's p.adjust, which is what adjustPValues is held against.
    expect(adjustPValues(adjusted.p)).toEqual(adjusted.holm.map((each) => expect.closeTo(each, 12)));
  });

  it('do not exist for folds in time, and the rows do', async () => {
    const models = { near: () => new NearestMean(), logistic };
    const table = await compareModels({ models, ...data, cv: new TimeSeriesSplit({ nSplits: 3 }), metric: 'accuracy' });
    expect(table.comparisons[0]).toMatchObject({ difference: null, pValue: null, pAdjusted: null, lower: null });
    expect(table.comparisons[0].reason).toContain('folds in time');
    expect(table.rows.every(({ interval }) => interval?.estimate !== null)).toBe(true);
  });
});

describe('its best row', () => {
  it('is that of bbcCV on the same results', async () => {
    const options = { metric: 'roc_auc', level: 0.9, nBootstrap: 200, randomState: 5 } as const;
    const { best } = await compareModels({ results, ...options });
    expect(best).toEqual(bbcCV(results, options));
    expect(best?.chosenShare).toEqual({ a: expect.any(Number), b: expect.any(Number), c: expect.any(Number) });
  });
});

describe('a combination that fails', () => {
  const boom = () => {
    throw new Error('no licence');
  };
  /** Fails where a row of the second fold is tested. */
  class Fragile extends NearestMean {
    override predict(rows: number[][]) {
      if (rows.some((row) => row[0] === noisy[at][0])) throw new Error('unheard of');
      return super.predict(rows);
    }
  }
  const at = 1;

  it('is a row with its reason, and changes nothing for the others', async () => {
    const models = { near: () => new NearestMean(), logistic };
    const with3 = await compareModels({ models: { ...models, broken: boom }, ...data, metric: 'accuracy' });
    const with2 = await compareModels({ models, ...data, metric: 'accuracy' });
    expect(with3.rows[2]).toMatchObject({ interval: null, scores: [], nFolds: 0, foldMean: null });
    expect(with3.rows[2].reason).toContain('no licence');
    expect(with3.comparisons).toEqual(with2.comparisons);
    expect(with3.best).toEqual(with2.best);
    expect(with3.summary()).toContain('No results of broken');
    const lost = await compareModels({ models: { ...models, broken: boom }, ...data, reference: 'broken' });
    expect(lost.comparisons.map(({ a, b, reason }) => [a, b, reason])).toEqual([
      ['near', 'broken', 'broken has no results'],
      ['logistic', 'broken', 'broken has no results'],
    ]);
  });

  it('in one fold is compared with nothing, and is not among those the best is chosen from', async () => {
    const models = { near: () => new NearestMean(), logistic, fragile: () => new Fragile() };
    const table = await compareModels({ models, ...data, metric: 'accuracy', onFoldError: 'record' });
    const fragile = table.rows[2];
    expect(fragile).toMatchObject({ nFolds: 4, nFailed: 1, reason: null });
    expect(fragile.interval).toMatchObject({ lower: null, reason: '1 of 4 folds failed' });
    expect(fragile.scores.filter(({ value }) => value === null)).toHaveLength(1);
    expect(table.comparisons.map(({ pValue }) => pValue !== null)).toEqual([true, false, false]);
    expect(table.comparisons[1].reason).toBe('1 of 4 folds failed (fragile)');
    expect(Object.keys(table.best?.chosenShare ?? {})).toEqual(['near', 'logistic']);
    expect(table.notes).toEqual(['Not among those that the best was chosen from, lacking folds: fragile.']);
    // Where it stands makes no difference; where all lack the same fold, there is no best.
    const { fragile: first, ...others } = models;
    const recording = { ...data, metric: 'accuracy', onFoldError: 'record' } as const;
    const turned = await compareModels({ models: { first, ...others }, ...recording });
    expect(turned.best).toEqual(table.best);
    const none = await compareModels({ models: { one: first, two: first }, ...recording });
    expect([none.best, none.comparisons[0].reason]).toEqual([null, '1 of 4 folds failed (one)']);
    // Thrown, which is the default, it is the whole row.
    const strict = await compareModels({ models, ...data, metric: 'accuracy' });
    expect(strict.rows[2].reason).toContain('unheard of');
  });

  it('leaves no choice where one is left', async () => {
    const one = await compareModels({ models: { near: () => new NearestMean(), broken: boom }, ...data });
    expect([one.best, one.comparisons]).toEqual([null, []]);
    expect(one.notes.join()).toContain('no choice of the best');
  });

  it('without a value of the metric is compared with nothing and never the best', async () => {
    const models = { given: () => new Given(), labels: () => new GivenNumbers(), half: () => new DummyClassifier() };
    const { y, a, fold } = clustered;
    const cv = new PredefinedSplit({ testFold: fold });
    const table = await compareModels({ models, X: a.map((p) => [p]), y, cv, metric: 'roc_auc', task: 'binary' });
    expect(table.rows[1].interval).toMatchObject({ estimate: null });
    expect(table.rows[1].reason).toBeNull();
    expect(table.comparisons.map(({ reason }) => reason === undefined)).toEqual([false, true, false]);
    expect(table.best).toMatchObject({ chosen: 'given', chosenShare: { labels: 0 } });
    expect(table.best?.note).toContain('Never chosen, having no roc_auc: labels');
  });
});

describe('models of several frameworks', () => {
  const network = () => {
    const model = tf.sequential();
    model.add(tf.layers.dense({ units: 3, activation: 'relu', inputShape: [2] }));
    model.add(tf.layers.dense({ units: 1, activation: 'sigmoid' }));
    return model;
  };
  const training = { epochs: 3, batchSize: 8, optimizer: 'adam', lossFn: 'binaryCrossentropy' } as const;

  it('stand in one table, and each is given the options that it can use', async () => {
    const models = { chance: new DummyClassifier(), logistic: new LogisticRegression(), network };
    const stop = new EarlyStopping({ monitor: 'val_loss', patience: 1 });
    const options = { ...training, validation: 0.2, callbacks: stop, adapterOptions: { backend: 'cpu' } };
    const before = tf.memory().numTensors;
    const table = await compareModels({ models, ...data, ...options, metric: 'roc_auc' });
    expect(tf.memory().numTensors).toBe(before);
    expect(table.rows.map(({ reason }) => reason)).toEqual([null, null, null]);
    const run = new UniversalCVRunner({ cvSplitter: cv, verbose: 0, adapterOptions: { backend: 'cpu' } });
    const { adapterOptions: _, ...rest } = options;
    const alone = await run.run({ model: network, data: [noisy, y], ...rest, metrics: ['roc_auc'] });
    expect(table.rows[2].scores).toEqual(alone.scores.roc_auc);
    expect(alone.foldDetails.every(({ nValidation }) => nValidation > 0)).toBe(true);
  });

  it('refuse what none of them can use, before anything is trained', async () => {
    let made = 0;
    const counted = () => {
      made++;
      return new NearestMean();
    };
    const models = { logistic, counted };
    expect(await thrown(() => compareModels({ models, ...data, epochs: 3 }))).toContain('idle_option');
    expect(made).toBeLessThanOrEqual(2);
  });

  it('may be modules, whose folds run elsewhere', async () => {
    const models = {
      module: new URL('../../node/models/centroid.mjs', import.meta.url),
      again: new URL('../../node/models/centroid.mjs', import.meta.url).href,
    };
    const here = await compareModels({ models, ...data, metric: 'accuracy' });
    const there = await compareModels({ models, ...data, metric: 'accuracy', executor: cloningExecutor() });
    expect(there.rows.map(({ scores }) => scores)).toEqual(here.rows.map(({ scores }) => scores));
    expect(here.rows[0].scores).toEqual(here.rows[1].scores);
  });
});

describe('it ends', () => {
  it('when it is aborted, with the reason, after the combination at hand', async () => {
    const control = new AbortController();
    let fits = 0;
    class Counting extends NearestMean {
      override fit(rows: number[][], labels: unknown[]) {
        if (++fits === 6) control.abort(new Error('enough'));
        return super.fit(rows, labels);
      }
    }
    const models = { one: () => new Counting(), two: () => new Counting(), three: () => new Counting() };
    const aborted = compareModels({ models, ...data, metric: 'accuracy', signal: control.signal });
    await expect(aborted).rejects.toThrow('enough');
    expect(fits).toBe(6);
  });

  it('and begins anew as a regression where a model is one', async () => {
    const numbers = y.map((_, row) => row % 5);
    const regression = () => {
      const model = tf.sequential();
      model.add(tf.layers.dense({ units: 1, inputShape: [2] }));
      model.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
      return model;
    };
    const models = { near: () => new GivenNumbers('regression'), line: regression };
    const table = await compareModels({ models, X: noisy, y: numbers, cv: new KFold({ nSplits: 3 }) });
    expect(table.metric).toBe('rmse');
    expect(table.rows.map(({ reason }) => reason)).toEqual([null, null]);
  });
});
