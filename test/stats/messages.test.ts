/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { beforeAll, describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { sampleSize } from '../../src/clinical/sampleSize.js';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { RepeatedGroupKFold } from '../../src/splitters/grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { acrossSites } from '../../src/stats/acrossSites.js';
import { adjustPValues } from '../../src/stats/adjustPValues.js';
import { bbcCV } from '../../src/stats/bbcCV.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { conformalIntervals } from '../../src/stats/conformalIntervals.js';
import { conformalSets } from '../../src/stats/conformalSets.js';
import { expectedAucWidth } from '../../src/stats/expectedAucWidth.js';
import { identityConfounding } from '../../src/stats/identityConfounding.js';
import { labelMoves, type Scheme } from '../../src/stats/labelMoves.js';
import { labelPermutationGap } from '../../src/stats/labelPermutationGap.js';
import { type LeakageInflationOptions, leakageInflation } from '../../src/stats/leakageInflation.js';
import { learningCurve } from '../../src/stats/learningCurve.js';
import { permutationTest } from '../../src/stats/permutationTest.js';
import { randomEffects } from '../../src/stats/randomEffects.js';
import { subgroupTable } from '../../src/stats/subgroupTable.js';
import { validationSampleSize } from '../../src/stats/validationSampleSize.js';
import { texts } from '../helpers/messages.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import comparison from '../reference/comparison.json' with { type: 'json' };
import sites from '../reference/sites.json' with { type: 'json' };
import { givenResults } from './given.js';
import { Neighbours, people } from './recognisers.js';

const { X, y } = blobs(60);
const pairs = y.map((_, row) => row >> 1);
const every = (step: number) => y.map((_, row) => row % step);
const { adapter } = spyAdapter();
const model = () => new NearestMean();
const uniform = (seed: number, n = 60) => {
  const random = randomSource(seed);
  return Array.from({ length: n }, () => random.random());
};
const fold = every(3);
let [one, two, other, relabelled, ungrouped, rowwise] = [] as CVResults[];
beforeAll(async () => {
  [one, two, other, relabelled, ungrouped, rowwise] = await Promise.all([
    givenResults({ p: uniform(1), y, fold, groups: pairs }),
    givenResults({ p: uniform(2), y, fold, groups: pairs }),
    givenResults({ p: uniform(2), y, fold: every(4), groups: pairs }),
    givenResults({ p: uniform(2), y: y.with(5, 1 - y[5]), fold, groups: pairs }),
    givenResults({ p: uniform(2), y, fold }),
    givenResults({ p: uniform(2), y, fold: every(60) }),
  ]);
});
const page = (name: string, rows: Record<string, () => unknown>) =>
  it(name, async () => expect(await texts(rows)).toMatchSnapshot());

describe('labels exchanged', () => {
  const permuted = (more: object) => () =>
    permutationTest({ ...{ model, X, y, adapter, nPermutations: 19 }, cv: new KFold({ nSplits: 4 }), ...more });
  const gap = (more: object) => () =>
    labelPermutationGap({ ...{ model, X, y, adapter, cv: new KFold() }, nPermutations: 19, ...more });
  const moved = (y: number[], groups: number[], scheme?: Scheme) =>
    labelMoves(labelsOf(y, { task: 'classification' }), groups, scheme);
  const person = people({ patients: 30, own: 3 });
  const confounded = (more: object) =>
    identityConfounding({ model: () => new Neighbours(), nPermutations: 19, ...person, ...more });
  page('permutationTest', {
    'labels that vary within patients': permuted({ groups: pairs }),
    'a scheme without groups': permuted({ scheme: 'within' }),
    'five permutations': permuted({ nPermutations: 5 }),
    'a misspelt option': permuted({ epoch: 5 }),
    'a metric of another task': permuted({ metric: 'rmse' }),
    'refit, without effect': permuted({ refit: true }),
    'apparent, without effect': permuted({ apparent: true }),
    'returnTrainScores, without effect': permuted({ returnTrainScores: true }),
    'a scheme within patients of one label': () => moved([1, 1, 0, 0], [0, 0, 1, 1], 'within'),
    'patients of different numbers of rows': () => moved([1, 0, 0, 0, 1, 1], [0, 1, 1, 2, 2, 2], 'between'),
    'patients who cannot move': () => moved([1, 0, 0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 1, 1, 1, 2, 2, 3], 'between').text,
    'labels that vary, in labelPermutationGap': gap({ groups: pairs }),
    'a scheme without groups, in labelPermutationGap': gap({ scheme: 'within' }),
    'a misspelt option, in labelPermutationGap': gap({ nPermutation: 99 }),
  });
  page('identityConfounding', {
    'labels that vary': async () => (await confounded({ y: person.y.map((_, row) => row % 2) })).message,
    'six patients': async () => (await confounded(people({ patients: 6 }))).message,
    'no groups': () => confounded({ groups: undefined }),
    'three permutations': () => confounded({ nPermutations: 3 }),
    'a metric without influence': () => confounded({ metric: 'ece' }),
    'a misspelt option': () => confounded({ nPermutation: 99 }),
  });
});

page('leakageInflation', {
  ...Object.fromEntries(
    Object.entries({
      'no groups': { data: [X, y] },
      'groups that are null': { data: { X, y, groups: null } },
      'one group': { data: [X, y, y.map(() => 'one')] },
      'a metric of another task': { metric: 'rmse' },
      'the same folds twice': { guarded: new KFold(), naive: new KFold() },
      'other repeats': { guarded: new KFold(), naive: new RepeatedKFold({ nSplits: 3, nRepeats: 2 }) },
      'no row that both test': {
        guarded: new PredefinedSplit({ testFold: y.map((_, row) => (row % 2) - 1) }),
        naive: new PredefinedSplit({ testFold: y.map((_, row) => -(row % 2)) }),
      },
      'a misspelt option': { naiv: new KFold() },
      'rows beside data': { X, y, timestamps: y },
      'designs that are swapped': {
        guarded: new KFold({ shuffle: true, randomState: 1 }),
        naive: new StratifiedGroupKFold({ nSplits: 3, randomState: 1 }),
      },
      'designs in time that are swapped': {
        data: { X, y, timestamps: y.map((_, row) => row) },
        guarded: new KFold(),
        naive: new TimeSeriesSplit(),
      },
      'a naive design that keeps patients whole': { naive: new KFold({ nSplits: 3 }) },
      'one row per patient': { data: [X, y, y.map((_, row) => row)] },
    }).map(([what, more]) => [
      what,
      () =>
        leakageInflation({
          model,
          data: [X, people({ patients: 30, rows: 2 }).y, pairs],
          ...more,
        } as LeakageInflationOptions),
    ]),
  ),
});

page('results', {
  'no result': () => subgroupTable(undefined as never, { by: { fold } }),
  'saved JSON': () => compareModels(one, JSON.parse(JSON.stringify(two))),
  'a promise': () => compareModels(one, Promise.resolve(two) as never),
  'an empty object': () => compareModels({} as never, one),
  'nothing as the second': () => compareModels(one, undefined as never),
  'a metric of another task': () => compareModels(one, two, { metric: 'rmse' }),
  'other folds': () => compareModels(one, other),
  'other labels': () => compareModels(one, relabelled),
  'other groups': () => compareModels(one, ungrouped),
  'a rope below 0': () => compareModels(one, two, { rope: -1 }),
  'folds that do not differ': () => compareModels(one, one, { nPermutations: 99 }).correctedT.reason,
  'patients who do not differ': () => compareModels(one, one, { nPermutations: 99 }).paired.reason,
  'folds of one unit': () =>
    compareModels(rowwise, rowwise, { metric: 'accuracy', nPermutations: 99 }).correctedT.reason,
  'subgroups of other rows': () => subgroupTable(one, { by: { sex: ['f'] } }),
  'no subgroups': () => subgroupTable(one, { by: {} }),
  'a row without a subgroup': () => subgroupTable(one, { by: { sex: y.map((_, row) => (row === 3 ? '' : 'f')) } }),
  'subgroups by exact numbers': () => subgroupTable(one, { by: { age: y.map((_, row) => 40 + row) } }),
  'intersections of unknown variables': () => subgroupTable(one, { by: { fold }, intersections: [['fold', 'age']] }),
  'intersections of one variable': () => subgroupTable(one, { by: { fold }, intersections: [['fold']] }),
  'subgroups by no metric': () => subgroupTable(one, { by: { fold }, metrics: [] }),
  'subgroups by a metric of another task': () => subgroupTable(one, { by: { fold }, metrics: ['rmse'] }),
  'no result of sites': () => acrossSites(undefined as never, { sites: [1, 2] }),
  'sites of other rows': () => acrossSites(one, { sites: [1, 2] }),
  'patients of other rows': () => acrossSites(one, { sites: fold, patients: [1] }),
  'one site': () => acrossSites(one, { sites: y.map(() => 'one') }),
  'one estimate': () => randomEffects([1], [1]),
  'too few variances': () => randomEffects([1, 2], [1]),
  'a variance of 0': () => randomEffects([1, 2], [1, 0]),
  'an estimate that is NaN': () => randomEffects([1, Number.NaN], [1, 1]),
  'a variance that is a symbol': () => randomEffects([1, 2], [1, Symbol('x') as never]),
  'an estimate that is a bigint': () => randomEffects([1, 2n as never], [1, 1]),
  'a level of 1': () => randomEffects([1, 2], [1, 1], { level: 1 }),
  'a p-value above 1': () => adjustPValues([0.1, 1.2]),
});

describe('bbcCV', () => {
  const numbers = () => ({ ...one, outOfFold: { ...one.outOfFold, yProba: null } }) as never;
  const torn = () => ({ ...one, foldDetails: [...one.foldDetails, { ...one.foldDetails[0], index: 5 }] }) as never;
  const few = (seed: number) => givenResults({ p: uniform(seed, 8), y: y.slice(0, 8), fold: fold.slice(0, 8) });
  page('bbcCV', {
    'one result': () => bbcCV([one]),
    'a result alone': () => bbcCV(one as never),
    'a promise': () => bbcCV({ one, two: Promise.resolve(two) as never }),
    'other folds': () => bbcCV({ one, other }),
    'a metric of another task': () => bbcCV([one, two], { metric: 'rmse' }),
    'an unknown option': () => bbcCV([one, two], { rope: 0.1 } as never),
    'eight rows': async () => bbcCV([await few(1), await few(2)], { metric: 'brier', nBootstrap: 100 }).reason,
    'a failed fold': () => bbcCV([torn(), torn()], { nBootstrap: 100 }).reason,
    'no probabilities': () => bbcCV([numbers(), numbers()], { nBootstrap: 100 }).reason,
    'resamples without a value': async () => {
      const rare = y.map((_, row) => Number(row < 2));
      const testFold = fold.map((of, row) => (row === 0 ? -1 : of));
      const of = (seed: number) => givenResults({ p: uniform(seed), y: rare, fold: testFold });
      return bbcCV([await of(1), await of(2)], { nBootstrap: 100 }).reason;
    },
    'a configuration without a value': async () => {
      const of = (seed: number) =>
        givenResults({ p: uniform(seed, 30), y: y.slice(0, 30), fold: every(5).slice(0, 30) });
      const [a, b] = [await of(1), await of(2)];
      return bbcCV({ a, b: { ...b, outOfFold: { ...b.outOfFold, yProba: null } } as never }, { nBootstrap: 100 }).note;
    },
  });
});

describe('compareModels({ models })', () => {
  const logistic = () => new LogisticRegression();
  const scaled = new StandardScaler();
  const boom = () => {
    throw new Error('no licence');
  };
  const base = { models: { near: model, logistic }, X, y, cv: new StratifiedKFold({ nSplits: 4 }) };
  const of = (more: object) => () => compareModels({ ...base, ...more } as never);
  const results = (more: object) => () => compareModels(more as never);
  page('models', {
    'one model': of({ models: { logistic } }),
    'no models': of({ models: {} }),
    'a list of models': of({ models: [logistic, logistic] }),
    'a number as a model': of({ models: { near: 3, logistic } }),
    'no preparations': of({ preparations: {} }),
    'a text as a preparation': of({ preparations: { scaled: 'scaled' } }),
    'one name twice': of({ models: { a: logistic, 'a, b': logistic }, preparations: { 'b, c': null, c: null } }),
    'preparations and preprocessing': of({ preparations: { none: null, scaled }, preprocessing: scaled }),
    'a misspelt option': of({ model: logistic }),
    'an option of other functions': of({ refit: true }),
    'one preparation': of({ models: { logistic }, preparations: { scaled } }),
    'an unknown reference': of({ reference: 'logistc' }),
    'a reference without its preparation': of({ preparations: { none: null, scaled }, reference: 'logistic' }),
    'an unknown reference among results': () => compareModels({ results: { one, two }, reference: 'c' }),
    'a misspelt metric': of({ metric: 'rocauc_' }),
    'a metric of another task': of({ metric: 'rmse' }),
    'no rows': of({ X: undefined }),
    'rows twice': of({ data: [X, y] }),
    'models and results': () => compareModels({ ...base, results: { one, two } } as never),
    'neither models nor results': results({}),
    'one result': () => compareModels({ results: { one } }),
    'a promise': () => compareModels({ results: { one, two: Promise.resolve(two) as never } }),
    'other folds': () => compareModels({ results: { one, other } }),
    'an option of models with results': () => compareModels({ results: { one, two }, epochs: 3 } as never),
    'epochs that no model has': of({ epochs: 3 }),
    'options of an adapter that has none': of({ epochs: 1, adapterOptions: { backend: 'cpu' } }),
    'callbacks that act between epochs': of({ callbacks: new EarlyStopping({ monitor: 'val_loss' }) }),
    'factories that all fail': of({ models: { a: boom, b: boom } }),
    'models that all fail': of({ models: { a: boom, b: () => Object.assign(model(), { fit: boom }) } }),
  });
});

describe('numbers of patients', () => {
  const base = { prevalence: 0.1, parameters: 10 };
  const curve = (more: object) => () =>
    learningCurve({
      ...{ model, X, y, adapter, metric: 'accuracy' },
      cv: new StratifiedKFold({ nSplits: 3 }),
      ...more,
    });
  page('sizes', {
    'neither R2 nor c': () => sampleSize(base),
    'both R2 and c': () => sampleSize({ ...base, r2CoxSnell: 0.1, cStatistic: 0.7 }),
    'an R2 above its largest': () => sampleSize({ ...base, r2CoxSnell: 0.6 }),
    'an R2 above the shrinkage': () => sampleSize({ prevalence: 0.5, parameters: 3, r2CoxSnell: 0.7, shrinkage: 0.65 }),
    'an error with many parameters': () =>
      sampleSize({ ...base, parameters: 40, r2CoxSnell: 0.1, meanAbsoluteError: 0.05 }),
    'a prevalence of 1': () => sampleSize({ ...base, prevalence: 1, r2CoxSnell: 0.1 }),
    'a predictor without spread': () =>
      validationSampleSize({ prevalence: 0.1, cStatistic: 0.8, linearPredictor: { mean: 0, sd: 0 } }),
    'a c of one half': () => validationSampleSize({ prevalence: 0.1, cStatistic: 0.5 }),
    'the width of one patient': () => expectedAucWidth({ nPositive: 1, nNegative: 9, level: 0.999 }).text,
    'the width of many': () => expectedAucWidth({ nPositive: 23, nNegative: 177 }).text,
    'no positive patient': () => expectedAucWidth({ nPositive: 0, nNegative: 5 }),
    'sizes that descend': curve({ sizes: [0.5, 0.2] }),
    'a share, then as many rows': curve({ sizes: [0.5, 20] }),
    'a size of all rows': curve({ sizes: [10, 40] }),
    'a size of more rows': curve({ sizes: [1000] }),
    'a size of 1': curve({ sizes: [1] }),
    'a share below one row': curve({ sizes: [0.001] }),
    'a size of 0': curve({ sizes: [0] }),
    'a nested design': curve({ cv: new NestedCV() }),
  });
});

describe('conformal predictions', () => {
  const sets =
    (options: object, fresh: unknown = [0.2]) =>
    () =>
      conformalSets([0, 1, 1], [0.2, 0.4, 0.6], fresh as number[], options);
  const folds = [0, 1, 1];
  page('intervals and sets', {
    'more models than folds': () => conformalIntervals([1, 2], [1, 2], [[1], [1], [1]] as never, { folds: [0, 1] }),
    NaN: () => conformalIntervals([1, 2], [1, Number.NaN], [1]),
    'a new prediction that is infinite': () => conformalIntervals([1, 2], [1, 2], [Number.POSITIVE_INFINITY]),
    'no new predictions': () => conformalIntervals([1, 2], [1, 2], []),
    'no list per fold': () => conformalIntervals([1, 2], [1, 2], [1], { folds: [0, 1] }),
    'an unknown option': () => conformalIntervals([1, 2], [1, 2], [1], { perClass: true } as object),
    'every row without groups': sets({ everyRow: true }),
    'classes with folds': sets({ perClass: true, folds }, [[0.2], [0.3]]),
    'a fold without a model': sets({ folds: [0, 1, 2] }, [[0.2], [0.3]]),
    'models of other rows': sets({ folds }, [[0.2], [0.3, 0.4]]),
    'a patient in two folds': sets({ folds, groups: [1, 1, 2] }, [[0.2], [0.3]]),
    'an alpha of one half': sets({ alpha: 0.5 }),
    'no new probabilities': sets({}, []),
    'a new probability that is NaN': sets({}, [Number.NaN]),
    'no list of probabilities per fold': sets({ folds }, [0.2, 0.3]),
    'no lists of probabilities': sets({ folds }, []),
    'a new probability above 1': sets({}, [1.4]),
    'a new probability of a model above 1': sets({ folds }, [[0.2], [1.2]]),
    'too few groups': sets({ groups: [1, 2] }),
  });
});

describe('summaries', () => {
  const { clustered } = comparison;
  const third = clustered.a.map((each, at) => (each + 2 * clustered.b[at]) / 3);
  const runs = async () => {
    const results = await Promise.all(
      [clustered.a, clustered.b, third].map((p) => givenResults({ ...clustered, p, groups: clustered.patients })),
    );
    // Times differ from machine to machine.
    for (const { metadata } of results) Object.assign(metadata, { seconds: 1.5 });
    return { first: results[0], second: results[1], mixed: results[2] };
  };
  /** The intervals of `validate` have constants that a study of their own sets. */
  const masked = (text: string) => text.replaceAll(/\[0\.\d{3}, 0\.\d{3}\]/g, '[0.###, 0.###]');
  page('summaries', {
    acrossSites: async () => {
      const { site, y, p } = sites.across;
      const results = await givenResults({ p, y, groups: site, fold: new LeaveOneGroupOut() });
      return acrossSites(results, { sites: site.map((each) => `hospital ${each}`) }).summary();
    },
    'compareModels of two': async () => {
      const { first, second } = await runs();
      return compareModels(first, second, { rope: 0.05, nPermutations: 999 }).summary();
    },
    'compareModels, all pairs': async () =>
      (await compareModels({ results: await runs(), nPermutations: 99 })).summary(),
    'compareModels with a reference': async () =>
      (await compareModels({ results: await runs(), metric: 'brier', reference: 'second' })).summary(),
    'compareModels without a value': () => compareModels(one, one, { nPermutations: 99 }).summary(),
    'compareModels where one model fails': async () => {
      const broken = () => {
        throw new Error('no licence');
      };
      const table = await compareModels({ models: { near: model, broken }, X, y, cv: new KFold() });
      return masked(table.summary()).replace(/\d\.\d s/g, '#.# s');
    },
    leakageInflation: async () => {
      const data = people({ patients: 30, rows: 3, own: 3 });
      return (await leakageInflation({ model: () => new Neighbours(), data })).summary();
    },
    learningCurve: async () => {
      const cv = new RepeatedGroupKFold({ nSplits: 3, nRepeats: 2, randomState: 1 });
      const options = { ...{ model, X, y, adapter, cv, metric: 'accuracy' }, sizes: [0.2, 0.5] };
      return masked((await learningCurve({ ...options, groups: pairs })).summary());
    },
    permutationTest: async () => {
      const cv = new TimeSeriesSplit({ nSplits: 3 });
      const options = { ...{ model, adapter, cv, nPermutations: 19 }, metric: 'accuracy' };
      return (await permutationTest({ ...options, ...blobs(40) })).summary();
    },
    subgroupTable: () => {
      const sex = pairs.map((pair) => 'fm'[pair % 2]);
      const kind = pairs.map((pair) => (pair % 10 === 0 ? 'rare' : pair % 2 ? 'second' : 'common'));
      return masked(subgroupTable(one, { by: { sex, kind }, metrics: ['roc_auc'] }).summary());
    },
  });
});
