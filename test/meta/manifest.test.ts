/** Every option of a run is in its manifest, or its row says why it cannot change a number. */
import { describe, expect, it } from 'vitest';
import type { OptionShape } from '../../src/core/options.js';
import { recordedOptions } from '../../src/core/recorded.js';
import { EarlyStopping, KFold, StratifiedKFold } from '../../src/index.js';
import { StandardScaler } from '../../src/preprocessing/index.js';
import { runnerOptions } from '../../src/runner/runnerOptions.js';
import { runOptions } from '../../src/runner/runOptions.js';
import { MedianPruner, TPESampler } from '../../src/tuning/index.js';
import { tuningOptions } from '../../src/tuning/tuningOptions.js';
import { fitValidateOptions, validateOptions } from '../../src/validator/validateOptions.js';
import { validatorOptions } from '../../src/validator/validatorOptions.js';

const TABLES = [runnerOptions, runOptions, tuningOptions, validatorOptions, validateOptions, fitValidateOptions];

const functions = [(a: number) => a, (a: number) => -a] as const;
const bools = [true, false] as const;
const splitters = [new KFold({ nSplits: 3 }), new KFold({ nSplits: 4 })] as const;
/** Two valid values of each option that is recorded. A new option needs a line here, or a reason in its row. */
const VALUES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  cvSplitter: splitters,
  framework: ['auto', 'tfjs'],
  adapter: [
    { name: 'a', fit: functions[0] },
    { name: 'a', fit: functions[1] },
  ],
  adapterOptions: [
    { backend: 'wasm', trainStep: functions[0] },
    { backend: 'wasm', trainStep: functions[1] },
  ],
  randomState: [1, 'one'],
  model: functions,
  preprocessing: [[new StandardScaler()], [new StandardScaler({ withStd: false })]],
  epochs: [1, 2],
  batchSize: [8, 16],
  optimizer: [{ getConfig: () => ({ rate: 1 }) }, { getConfig: () => ({ rate: 2 }) }],
  lossFn: functions,
  metrics: [['accuracy'], ['accuracy', 'f1']],
  scoring: [{ own: functions[0] }, { own: functions[1] }],
  callbacks: [
    new EarlyStopping({ monitor: 'val_loss', patience: 1 }),
    new EarlyStopping({ monitor: 'val_loss', patience: 2 }),
  ],
  validation: [{ splitter: splitters[0] }, { splitter: splitters[1] }],
  task: ['binary', 'regression'],
  positiveLabel: [0, '0'],
  times: [[1], [2]],
  causeOfInterest: [1, 2],
  classWeight: [{ a: 1 }, { a: 2 }],
  folds: [[0], ['fold-0']],
  augment: functions,
  recalibrate: ['platt', 'beta'],
  threshold: ['youden', { sensitivity: 0.9 }],
  returnTrainScores: bools,
  importance: [true, { repeats: 2 }],
  apparent: bools,
  verifyIsolation: bools,
  onFoldError: ['throw', 'record'],
  modelFn: functions,
  paramGrid: [{ C: [1, 2] }, { C: [1, 3] }],
  nTrials: [1, 2],
  sampler: [new TPESampler({ nStartupTrials: 3 }), new TPESampler({ nStartupTrials: 4 })],
  pruner: [new MedianPruner({ nMinTrials: 1 }), new MedianPruner({ nMinTrials: 2 })],
  innerCv: [2, splitters[0]],
  outer: bools,
  defaultParams: [{ C: 1 }, { C: 2 }],
  timeout: [1, 2],
  foldTimeout: [1, 2],
  tolerance: [1, 2],
  aggregate: ['mean', 'max'],
  resumeKey: ['1', '2'],
  patience: [1, 2],
  parallelTrials: [1, null],
  ciLevel: [0.9, 0.95],
  ciMethod: ['bootstrap', { accuracy: 'delong' }],
  nBootstrap: [100, 200],
  sampling: ['cohort', 'case_control'],
  method: ['kfold', 'loocv'],
  cv: [splitters[0], new StratifiedKFold({ nSplits: 3 })],
  nSplits: [2, 3],
  shuffle: bools,
  checkLeakage: [true, 'strict'],
  checkBalance: bools,
  compliance: ['FDA', 'CE'],
  checklists: [['CLAIM'], []],
  notApplicable: [['temporal'], []],
  acknowledged: [{ CVB001: 'rare' }, { CVB001: 'rare by design' }],
  independentRows: bools,
  preparedInside: bools,
  returnConfidenceIntervals: bools,
  nestedCvRepeats: [1, 2],
  ciFits: [0, 'auto'],
  ciRefits: [20, 30],
  holdoutTestSize: [0.2, 0.3],
  holdoutStratify: bools,
  repeatedKfoldRepeats: [1, 2],
  lpocvP: [1, 2],
  monteCarloIterations: [10, 20],
  monteCarloTestSize: [0.2, 0.3],
  bootstrapValidationIterations: [10, 20],
  bootstrapValidationEstimator: ['.632', '.632+'],
  splitterOptions: [{ windowSize: 1 }, { windowSize: 2 }],
  featureNames: [
    ['a', 'b'],
    ['b', 'a'],
  ],
  leakageChecker: [{ assess: functions[0] }, { assess: functions[1] }],
  raiseOn: [['patient'], []],
  design: ['iid', 'prospective'],
  spatialThreshold: [1, 2],
  embeddings: [[[1, 2]], [[1, 3]]],
};

/** What a scoring function of a search is has one value. */
const OF_TABLE: Readonly<Record<string, typeof VALUES>> = {
  runWithHyperparameterTuning: { scoring: functions },
};

describe.each(TABLES.map((table) => [table.owner, table] as const))('the options of %s', (owner, { shape }) => {
  it.each(Object.keys(shape))('%s is recorded, or its row says why not', async (name) => {
    const row = (shape as unknown as OptionShape)[name];
    if (row.unrecorded !== undefined) {
      expect(row.unrecorded).toMatch(/\w+ \w+/);
      return;
    }
    const values = OF_TABLE[owner]?.[name] ?? VALUES[name];
    expect(values, `no two values of \`${name}\` are known here`).toBeDefined();
    const recorded = values.map((value) => {
      expect(row.accepts(value) || (row.takesNull && value === null)).toBe(true);
      return recordedOptions([
        { owner, shape, options: { [name]: value }, written: new Set([name]), changed: new Set() },
      ]);
    });
    const [first, second] = (await Promise.all(recorded)).map((each) => JSON.stringify(each));
    expect(first).toContain(`"${name}"`);
    expect(first).not.toBe(second);
  });
});

it('leaves out what prints, keeps, places or stops, and what is hashed as data', () => {
  const out = TABLES.flatMap(({ shape }) => Object.entries(shape)).flatMap(([name, { unrecorded }]) =>
    unrecorded === undefined || /^its SHA-256|`dataset`|`warnings`/.test(unrecorded) ? [] : [name],
  );
  const known =
    'copyData dryRun executor keepModels modelPath nJobs overwrite parent refit retries revealIds runDirectory shard signal storage studyName truth verbose';
  expect([...new Set(out)].sort()).toEqual(known.split(' '));
});
