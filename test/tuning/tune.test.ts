/** `runWithHyperparameterTuning`, from its options to its results. */

import { describe, expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { randomSource } from '../../src/core/random.js';
import type { TuningTrial } from '../../src/core/tuningTrial.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { MinMaxScaler } from '../../src/preprocessing/minMaxScaler.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { NestedGroupedCV } from '../../src/splitters/grouped/nestedGroupedCV.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { SpatialBlockCV } from '../../src/splitters/spatial/spatialBlockCV.js';
import type { Sampler } from '../../src/tuning/sampler.js';
import { TPESampler } from '../../src/tuning/samplers/tpeSampler.js';
import type { ParamFunction } from '../../src/tuning/space.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { memoryStorage } from '../helpers/memoryStorage.js';
import { Climber, scriptedAdapter } from '../helpers/scriptedAdapter.js';

/** Rows whose class shows in the first of four columns, with much noise. */
function patients(n = 90, seed = 1) {
  const random = randomSource(seed);
  const noise = () => random.random() + random.random() + random.random() - 1.5;
  const y = Array.from({ length: n }, (_, row) => row % 2);
  return { X: y.map((label) => [label + 2 * noise(), noise(), noise(), noise()]), y };
}

const { X, y } = patients();
const logistic = (params: { C?: number }) => new LogisticRegression(params);
const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 });
const asked = { modelFn: logistic, paramGrid: { C: [0.01, 0.1, 1] }, data: [X, y], scoring: 'roc_auc' } as const;

const tune = (more: Partial<TuningOptions> = {}) => runner.runWithHyperparameterTuning({ ...asked, ...more });

describe('runWithHyperparameterTuning', () => {
  it('separates the estimate from the best inner score, which is printed as optimistic', async () => {
    const tuned = await tune();
    const { results, outerEstimate, perFoldParams, bestParams, bestScore, stability, defaults } = tuned;
    expect(outerEstimate?.estimate).toBe(results.estimates.roc_auc);
    expect(outerEstimate?.lower).toBeLessThan(outerEstimate?.estimate as number);
    expect(perFoldParams.map(({ fold }) => fold)).toEqual(['fold-0', 'fold-1', 'fold-2']);
    expect(perFoldParams.map(({ outerScore }) => outerScore)).toEqual(results.scores.roc_auc.map(({ value }) => value));
    for (const { params, innerScore, fold } of perFoldParams) {
      const { bestTrial } = tuned.studies[fold];
      expect([params, innerScore]).toEqual([bestTrial?.params, bestTrial?.value]);
    }
    expect([bestParams, bestScore]).toEqual([tuned.study.bestParams, tuned.study.bestValue]);
    expect(tuned.bestScoreIs).toMatch(/optimistic/);
    expect(stability?.nFolds).toBe(3);
    expect(defaults?.params).toEqual({});
    // 4 searches of 3 trials on 3 inner folds, the outer folds, and the default parameters on them
    expect(tuned.modelsTrained).toBe(4 * 3 * 3 + 3 + 3);
    const text = tuned.summary();
    expect(text).toMatch(/^ {2}Estimate +roc_auc .* the whole\s+procedure, search included, on outer test rows/);
    expect(text.replace(/\s+/g, ' ')).toContain('(inner score, optimistic: the best of many on the folds that chose');
    expect(text).toMatch(/fold-2 .*C /);
    expect(text).toMatch(/modelFn\(\{\}\)/);
  });

  it('scores a trial as a run on its inner folds would, and an outer fold as a run with its choice', async () => {
    const tuned = await tune();
    const inner = new StratifiedKFold({ nSplits: 3 });
    const [first] = tuned.results.indices;
    const rows = Array.from(first.train);
    const plain = await new UniversalCVRunner({ cvSplitter: inner, verbose: 0 }).run({
      model: () => logistic({ C: 0.1 }),
      data: [rows.map((row) => X[row]), rows.map((row) => y[row])],
      metrics: ['roc_auc'],
    });
    expect(tuned.studies['fold-0'].trials[1].value).toBeCloseTo(plain.meanScores.roc_auc as number, 12);
    const chosen = tuned.perFoldParams[1].params;
    const alone = await runner.run({ model: () => logistic(chosen), data: [X, y], folds: [1], metrics: ['roc_auc'] });
    expect(alone.scores.roc_auc[0]).toEqual(tuned.results.scores.roc_auc[1]);
  });

  it('is searched for the mean squared error where y is numbers and no score is named', async () => {
    const numbers = X.map(([first], row) => 3 * first + (row % 5));
    const shrunken = ({ by }: { by: number }) => {
      let centre = 0;
      return {
        fit: (_: unknown, values: number[]) => {
          centre = (by * values.reduce((sum, value) => sum + value, 0)) / values.length;
        },
        predict: (rows: unknown[]) => rows.map(() => centre),
      };
    };
    const cvSplitter = new KFold({ nSplits: 3 });
    const searched = { modelFn: shrunken, paramGrid: { by: [0, 1, 3] }, data: [X, numbers] } as const;
    const tuned = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).runWithHyperparameterTuning(searched);
    expect([tuned.scoring, tuned.bestParams, tuned.study.direction]).toEqual(['mse', { by: 1 }, 'minimize']);
    const written = runner.runWithHyperparameterTuning({ ...searched, cvSplitter, scoring: 'accuracy' });
    await expect(written).rejects.toMatchObject({ code: 'invalid_option' });
  });

  it('gives the same again, on every executor, and with trials side by side', async () => {
    const run = async (more: object) => {
      const paramGrid = { C: { low: 0.001, high: 10, log: true } };
      const { studies, results, bestParams } = await tune({ paramGrid, nTrials: 5, ...more });
      const trials = Object.values(studies).map((study) => study.trials.map(({ value, params }) => [value, params]));
      return { trials, scores: results.scores, bestParams };
    };
    const once = await run({});
    expect(await run({})).toEqual(once);
    expect(await run({ executor: cloningExecutor(4) })).toEqual(once);
    expect(await run({ parallelTrials: 3 })).toEqual(once);
    expect(await run({ randomState: 7 })).not.toEqual(once);
  });

  it('runs on threads, from a module', async () => {
    const module = { modelFn: new URL('./models/centroid.mjs', import.meta.url), paramGrid: { shrink: [0, 0.5] } };
    const [here, there] = [await tune(module), await tune({ ...module, nJobs: 2 })];
    expect(there.results.scores).toEqual(here.results.scores);
    expect(there.study.trials.map(({ value }) => value)).toEqual(here.study.trials.map(({ value }) => value));
  });

  it('minimises a loss, and takes a function, of which more is better', async () => {
    const loss = await tune({ scoring: 'log_loss' });
    expect(loss.study.direction).toBe('minimize');
    expect(loss.bestScore).toBe(Math.min(...loss.study.trials.map(({ value }) => value as number)));
    const hits = ({ yTrue, yPred }: { yTrue: number[]; yPred: number[] }) =>
      Array.from(yTrue).filter((each, at) => each === yPred[at]).length;
    const own = await tune({ scoring: hits });
    expect(own.scoring).toBe('hits');
    expect(own.study.direction).toBe('maximize');
    expect(own.outerEstimate?.reason).toMatch(/defineMetric/);
  });

  it('searches preparations by name and by a function', async () => {
    const named = await tune({
      preprocessing: [['scale', new StandardScaler()]],
      paramGrid: { C: [0.1, 1], scale__withMean: [true, false] },
    });
    expect(Object.keys(named.bestParams)).toEqual(['C', 'scale__withMean']);
    const chosen = await tune({
      modelFn: ({ C }) => new LogisticRegression({ C }),
      preprocessing: ({ scaler = 'standard' }: { scaler?: string }) =>
        scaler === 'standard' ? new StandardScaler() : new MinMaxScaler(),
      paramGrid: { C: [1], scaler: ['standard', 'range'] },
    });
    const { trials } = chosen.study;
    expect(trials[0].value).not.toBe(trials[1].value);
  });

  it('takes a function of the trial, whose parameters depend on each other', async () => {
    const { perFoldParams, bestParams, study } = await tune({
      nTrials: 8,
      paramGrid: (trial) =>
        trial.suggestCategorical('strength', ['weak', 'strong']) === 'weak'
          ? { C: trial.suggestFloat('C_weak', 1, 10) }
          : { C: trial.suggestFloat('C_strong', 0.01, 0.1) },
    });
    expect(Object.keys(bestParams)).toEqual(['C']);
    const tried = new Set(study.trials.map(({ params }) => Object.keys(params).sort().join()));
    expect(tried).toEqual(new Set(['C_weak,strength', 'C_strong,strength']));
    for (const { params } of perFoldParams) expect(params.C).toBeGreaterThan(0);
  });

  it('refits with the best parameters of all rows', async () => {
    const seen: unknown[] = [];
    const modelFn = (params: { C?: number }, ctx: FoldContext) => {
      if (ctx.fold === 'all-rows') seen.push(params);
      return logistic(params);
    };
    const { refitted, bestParams } = await tune({ modelFn, refit: true });
    expect(seen).toEqual([bestParams]);
    expect(refitted?.note).toMatch(/no test of this model.*one more search on all rows/);
    expect((await refitted?.predict(X.slice(0, 2)))?.predictions).toHaveLength(2);
  });

  it('without outer folds corrects the best score, and says that nothing was left to test on', async () => {
    const tuned = await tune({ outer: false });
    expect(tuned.outerEstimate).toBeNull();
    expect(tuned.perFoldParams).toEqual([]);
    expect(tuned.results.meanScores.roc_auc).toBeCloseTo(tuned.bestScore, 12);
    expect(tuned.correctedBest).toMatchObject({ method: 'bbc_cv', nTrials: 3, nLeftOut: 0 });
    expect(tuned.correctedBest?.estimate).toBeLessThan(tuned.bestScore + 0.05);
    const text = tuned.summary().replace(/\s+/g, ' ');
    expect(text).toContain('the best of 3 trials, its optimism taken off by BBC-CV.');
    expect(text).toContain('no rows that the search has not seen');
  });

  it('trains the winner of a search without outer folds as its trial was trained', async () => {
    // What it predicts depends on the seed of the fold alone, as with a network whose training failed.
    const modelFn = ({ add }: { add: number }, { seed }: FoldContext) => {
      const random = randomSource(seed + add);
      const draws = Float64Array.from({ length: 200 }, () => random.random());
      return {
        fit: () => undefined,
        predict: (rows: unknown[]) => rows.map((_, row) => Number(draws[row] > 0.5)),
        predictProba: (rows: unknown[]) => rows.map((_, row) => [1 - draws[row], draws[row]]),
      };
    };
    const tuned = await tune({ modelFn, paramGrid: { add: [0, 1, 2] }, outer: false });
    expect(tuned.results.meanScores.roc_auc).toBeCloseTo(tuned.bestScore, 12);
  });

  it('tells callbacks of each trial, which may end a search, and emits it', async () => {
    const told: TuningTrial[] = [];
    const own = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 });
    let events = 0;
    own.on('trial:end', () => void events++);
    const onTrialEnd = (trial: TuningTrial) => {
      told.push(trial);
      return trial.trial.number === 1 ? 'stop' : undefined;
    };
    await own.runWithHyperparameterTuning({ ...asked, callbacks: { onTrialEnd } });
    expect(told.map(({ search, done }) => `${search} ${done}`)).toEqual(
      ['fold-0', 'fold-1', 'fold-2', 'all-rows'].flatMap((search) => [`${search} 1`, `${search} 2`]),
    );
    expect(told[0]).toMatchObject({ nTrials: 3, searchesDone: 0, nSearches: 4 });
    expect(events).toBe(told.length);
  });

  it('ends by patience', async () => {
    const flat = { paramGrid: { unused: { low: 0, high: 1 } }, modelFn: () => logistic({}) };
    const { study, perFoldParams } = await tune({ ...flat, nTrials: 50, patience: 3 });
    expect(study.trials).toHaveLength(4);
    expect(perFoldParams[0].ended).toMatch(/3 trials in a row/);
  });
});

describe('what a trial cannot do', () => {
  it('shows trials that fail, and goes on', async () => {
    const tuned = await tune({ paramGrid: { C: [-1, 1] } });
    expect(tuned.study.trials.map(({ state }) => state)).toEqual(['failed', 'complete']);
    expect(tuned.study.trials[0].reason).toMatch(/inner fold 0: The `C` option.*Got -1/);
    expect(tuned.bestParams).toEqual({ C: 1 });
    expect(tuned.summary()).toMatch(/4 of 8 trials failed/);
  });

  it('throws where every trial fails', async () => {
    const broken = { fit: () => Promise.reject(new Error('singular')), predict: () => [] };
    const failing = tune({ modelFn: () => ({ ...broken }) });
    await expect(failing).rejects.toMatchObject({
      code: 'all_trials_failed',
      message: expect.stringMatching(/singular/),
    });
    const boom = () => Promise.reject(new Error('boom'));
    await expect(tune({ modelFn: boom })).rejects.toThrow(/boom/);
  });

  it('says why where the score has no value in any inner fold', async () => {
    const constant = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 0) });
    const failing = tune({ modelFn: constant });
    await expect(failing).rejects.toThrow(/roc_auc has no value in inner fold 0: the model gives no probabilities/);
    const cvSplitter = new KFold({ nSplits: 2, shuffle: true, randomState: 1 });
    const blocks = y.map((_, row) => (row < 45 ? 0 : 1));
    // Inner folds in row order hold one class each but for the middle one.
    const some = await tune({ cvSplitter, data: [X, blocks], innerCv: new KFold({ nSplits: 3 }) });
    expect(some.study.trials.every(({ state }) => state === 'complete')).toBe(true);
  });

  it('counts the same inner folds for every trial', async () => {
    // One inner fold without positives: a model that predicts one there has a precision of 0, one that does not has none.
    const rare = y.map((_, row) => Number(row < 60 && row % 2));
    const paramGrid = { bold: [false, true] };
    const modelFn = ({ bold }: { bold: boolean }) => ({
      fit: () => undefined,
      predict: (rows: number[][]) => rows.map(([first], row) => Number(first > 0.5 || (bold && row === 0))),
    });
    const how = { scoring: 'precision', outer: false, innerCv: new KFold({ nSplits: 3 }) } as const;
    const { study } = await tune({ modelFn, paramGrid, data: [X, rare], ...how });
    const [shy, bold] = study.trials;
    expect([shy.state, bold.state]).toEqual(['complete', 'complete']);
    const hits = (rows: number[], isBold: boolean) => {
      const called = rows.filter((row, at) => X[row][0] > 0.5 || (isBold && at === 0));
      return called.filter((row) => rare[row] === 1).length / called.length;
    };
    const folds = [0, 30].map((start) => Array.from({ length: 30 }, (_, at) => start + at));
    const expected = (isBold: boolean) => (hits(folds[0], isBold) + hits(folds[1], isBold)) / 2;
    expect(shy.value).toBeCloseTo(expected(false), 12);
    expect(bold.value).toBeCloseTo(expected(true), 12);
  });

  it('reports default parameters that cannot be trained as unknown', async () => {
    const modelFn = ({ C }: { C: number }) => {
      if (C === undefined) throw new Error('C is needed');
      return logistic({ C });
    };
    const tuned = await tune({ modelFn });
    expect(tuned.defaults).toMatchObject({ results: null, reason: expect.stringMatching(/C is needed/) });
    expect(tuned.summary().replace(/\s+/g, ' ')).toMatch(
      /Defaults unknown, since modelFn\(\{\}\) cannot be trained.*C is needed/,
    );
    const given = await tune({ modelFn, defaultParams: { C: 1 } });
    const plain = await runner.run({ model: () => logistic({ C: 1 }), data: [X, y], metrics: ['roc_auc'] });
    expect(given.defaults?.results?.estimates.roc_auc).toBe(plain.estimates.roc_auc);
  });
});

const oneRange: ParamFunction = ({ suggestInt }) => ({ C: suggestInt('C', 1, 2) });
const twoRanges: ParamFunction = ({ number, suggestFloat }) => ({ C: suggestFloat('C', 1, 2 + number) });

describe('bad input', () => {
  it.each<[string, object, RegExp]>([
    ['an empty grid', { paramGrid: {} }, /`paramGrid` must have at least one parameter/],
    ['an unknown key', { paramGrid: { C: { min: 0, max: 1 } } }, /\{ low, high, log\?, step\? \}. Got \{ min, max \}/],
    ['a model as a choice', { paramGrid: { C: [() => 1] } }, /plain data/],
    ['an unknown scoring', { scoring: 'rocauc' }, /no metric 'rocauc'. Did you mean 'roc_auc'/],
    ['a scoring of another task', { scoring: 'rmse' }, /'rmse' must be used for regression/],
    ['a scoring without a direction', { scoring: 'calibration_slope' }, /more or less is better/],
    ['no trials', { nTrials: 0 }, /`nTrials` option .* integer >= 1. Got 0/],
    ['model', { model: () => logistic({}) }, /Did you mean `modelFn`/],
    ['a class', { modelFn: LogisticRegression }, /Use \(params\) => new LogisticRegression\(params\)/],
    ['a parameter of a step without steps', { paramGrid: { scale__withMean: [true] } }, /Got no `preprocessing`/],
    ['defaults without outer folds', { outer: false, defaultParams: {} }, /`defaultParams` option .* no effect/],
    ['a grid of a function', { sampler: 'grid', paramGrid: oneRange }, /must be for a `paramGrid` that is a record/],
    ['one name with two ranges', { paramGrid: twoRanges }, /one range in the whole study/],
    ['a range without a step in a grid', { sampler: 'grid', paramGrid: { C: { low: 0, high: 1 } } }, /be counted/],
    ['a function that asks for nothing', { paramGrid: () => ({ C: 1 }) }, /ask for at least one parameter/],
    ['ciMethod nested_cv', { ciMethod: 'nested_cv' }, /needs no further models/],
    ['ciMethod without outer folds', { outer: false, ciMethod: 'analytic' }, /`ciMethod` option .* no effect/],
    ['studyName without storage', { studyName: 'mine' }, /`studyName` option .* no effect/],
    ['defaults of a step that is not there', { defaultParams: { scale__withMean: true } }, /no `preprocessing`/],
  ])('refuses %s', async (_name, option, message) => {
    const failing = tune({ ...option } as never);
    await expect(failing).rejects.toThrow(CVKitError);
    await expect(failing).rejects.toThrow(message);
  });

  it('asks for inner folds where it cannot make them', async () => {
    const coordinates = X.map((_, row) => [row % 9, row % 10]);
    const cvSplitter = new SpatialBlockCV({ nSplits: 3, coordinates: coordinates as never });
    await expect(tune({ cvSplitter })).rejects.toThrow(/`innerCv` option must say/);
  });
});

it('inner folds are those of a nested splitter, or as many as asked for, and keep patients whole', async () => {
  const groups = y.map((_, row) => row >> 1);
  const nested = await tune({ groups, cvSplitter: new NestedGroupedCV() });
  expect(nested.search.innerFolds).toMatch(/^GroupKFold/);
  expect((await tune({ groups })).search.innerFolds).toMatch(/^StratifiedGroupKFold/);
  const five = await tune({ innerCv: 5 });
  expect(five.search.innerFolds).toMatch(/nSplits: 5/);
  expect(five.modelsTrained).toBe(4 * 3 * 5 + 6);
});

describe('pruning', () => {
  /** Trials of one weight per epoch: `rate` is how fast the prediction grows, and the target is 4. */
  const climbing = (more: object) => {
    const { adapter } = scriptedAdapter();
    return runner.runWithHyperparameterTuning({
      modelFn: ({ rate }: { rate: number }) => Object.assign(new Climber(), { rate }),
      paramGrid: { rate: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.1, 0.05] },
      nTrials: 8,
      data: [X, y.map(() => 0).map((_, row) => 4 + (row % 2) / 100)],
      task: 'regression',
      cvSplitter: new KFold({ nSplits: 3 }),
      scoring: 'rmse',
      adapter,
      epochs: 4,
      defaultParams: { rate: 1 },
      ...more,
    } as never);
  };

  it('ends trials after an inner fold, the same on every executor', async () => {
    const pruned = await climbing({ pruner: 'median' });
    const states = pruned.study.trials.map(({ state }) => state);
    expect(states.slice(0, 5)).toEqual(Array(5).fill('complete'));
    expect(states.slice(5)).toEqual(Array(3).fill('pruned'));
    expect(pruned.bestParams).toEqual({ rate: 1 });
    const apart = await climbing({ pruner: 'median', executor: cloningExecutor(3) });
    const reports = ({ study }: typeof pruned) =>
      study.trials.map(({ value, intermediateValues }) => [value, intermediateValues]);
    expect(reports(apart)).toEqual(reports(pruned));
    // Networks between epochs, on inner rows.
    const steps = pruned.study.trials.map(({ intermediateValues }) => [...intermediateValues.keys()]);
    expect([steps[0], steps[7]]).toEqual([[1, 2, 3, 4, 8, 12], [1]]);
  });

  it('compares fold by fold with wilcoxon', async () => {
    const pruned = await climbing({ pruner: 'wilcoxon', innerCv: 8 });
    expect(pruned.study.trials[0].state).toBe('complete');
    expect(pruned.study.trials.slice(1).map(({ state }) => state)).toEqual(Array(7).fill('pruned'));
    expect(pruned.study.trials[1].intermediateValues.size).toBeLessThan(8);
    expect(pruned.warnings.join()).not.toMatch(/had no effect/);
    const few = await climbing({ pruner: 'wilcoxon', innerCv: 3 });
    expect(few.warnings.join()).toMatch(/after 4 inner folds at the earliest, and there are 3: it had no effect/);
  });

  it.each(['batchSize', 'batch_size'])('takes %s as a parameter', async (name) => {
    const seen = new Set<number>();
    const { adapter } = scriptedAdapter();
    const fit = (...args: Parameters<typeof adapter.fit>) => {
      seen.add(args[2].batchSize);
      return adapter.fit(...args);
    };
    const watched = { ...adapter, fit };
    const search = { modelFn: () => new Climber(), defaultParams: { [name]: 16 }, nTrials: 2, adapter: watched };
    const tuned = await climbing({ ...search, paramGrid: { [name]: [8, 512] } });
    expect([...seen].sort((a, b) => a - b)).toEqual([8, 16, 512]);
    expect(Object.keys(tuned.bestParams)).toEqual([name]);
    expect(tuned.results.summary()).toContain('batches of the size that the search chose');
    await expect(climbing({ ...search, paramGrid: { [name]: [0.5] } })).rejects.toThrow(
      `'${name}' must be an integer from 1. Got 0.5`,
    );
    await expect(climbing({ ...search, paramGrid: { batchSize: [8], batch_size: [8] } })).rejects.toThrow(
      "The same parameter was given under two names, 'batchSize' and 'batch_size'. Use 'batchSize' alone.",
    );
  });

  it('takes epochs as a parameter', async () => {
    const search = { modelFn: () => new Climber(), defaultParams: { epochs: 2 } };
    const tuned = await climbing({ ...search, paramGrid: { epochs: [1, 4, 6] } });
    expect(tuned.bestParams).toEqual({ epochs: 4 });
    expect(tuned.results.histories.map(({ epochs }) => epochs.length)).toEqual([4, 4, 4]);
    const half = climbing({ ...search, paramGrid: { epochs: [0.5] } });
    await expect(half).rejects.toThrow(/'epochs' must be an integer from 1. Got 0.5/);
  });
});

describe('samplers and storages of others', () => {
  it('plug in', async () => {
    const asc: Sampler = {
      name: 'ascending',
      looksBack: true,
      sample: ({ trials }, _trial, _name, distribution) =>
        distribution.kind === 'categorical' ? distribution.choices[0] : distribution.low + trials.length / 10,
    };
    const { study } = await tune({ paramGrid: { C: { low: 0.1, high: 1 } }, nTrials: 3, sampler: asc });
    expect(study.trials.map(({ params }) => params.C)).toEqual([0.1, 0.2, 0.30000000000000004]);
  });

  it.each<[string, object]>([
    ['in the middle of a group', { sampler: new TPESampler({ nStartupTrials: 3 }), parallelTrials: 3, nTrials: 8 }],
    ['that patience ends', { patience: 2, nTrials: 30 }],
  ])('go on where a search broke off %s, with the same results', async (_name, how) => {
    const grid = { paramGrid: { C: { low: 0.001, high: 10, log: true } }, outer: false, ...how };
    const whole = await tune({ ...grid, storage: memoryStorage() });
    const of = ({ study }: typeof whole) => study.trials.map(({ value, params, state }) => [value, params, state]);
    for (const at of [1, 2, 4, 5]) {
      const storage = memoryStorage();
      const stop = new AbortController();
      let trials = 0;
      const callbacks = { onTrialEnd: () => (++trials === at ? stop.abort(new Error('cut')) : undefined) };
      const run = (more: object) => tune({ ...grid, storage, ...more });
      const first = await run({ signal: stop.signal, callbacks }).catch((error: Error) => error.message);
      if (typeof first === 'string') expect(first).toContain('cut');
      expect(of(await run({}))).toEqual(of(whole));
      // What is done stays done.
      expect(of(await run({}))).toEqual(of(whole));
    }
  });
});
