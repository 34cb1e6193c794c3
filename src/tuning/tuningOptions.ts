import type { MetricName } from '../core/knownNames.js';
import {
  anything,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  type OptionsOf,
  optionTable,
  string,
} from '../core/options.js';
import type { Params } from '../core/tuningTrial.js';
import type { Pipeline } from '../preprocessing/pipeline.js';
import type { PreprocessingOption } from '../preprocessing/preparation.js';
import type { FoldContext } from '../runner/frameworkAdapter.js';
import { isPipeline } from '../runner/modelSource.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { orHabit, runOptions } from '../runner/runOptions.js';
import type { ScoringFunction } from '../runner/scoring.js';
import { insteadOfFolds, isSplitter, type Splitter } from '../splitters/splitter.js';
import { validatorOptions } from '../validator/validatorOptions.js';
import type { PrunerOption, SamplerOption } from './named.js';
import type { ParamFunction, ParamGrid, Space } from './space.js';
import { stopShape } from './studyOptions.js';
import type { StudyStorage } from './studyStorage.js';

/** Makes the model of a fold from the parameters of a trial. */
// biome-ignore lint/suspicious/noExplicitAny: models and their parameters are the caller's
export type ModelFn = (params: any, ctx: FoldContext) => any;

const {
  model: _model,
  scoring: _scoring,
  folds,
  shard: _shard,
  preprocessing: _preprocessing,
  ...runPart
} = runOptions.shape;
const { cvSplitter: _cvSplitter, ...runnerPart } = runnerOptions.shape;
const { ciLevel, ciMethod, nBootstrap, sampling } = validatorOptions.shape;

const isFunction = (value: unknown) => typeof value === 'function';
const isPath = (value: unknown): value is string | URL =>
  (typeof value === 'string' && value.length > 0) || value instanceof URL;
export const isStorage = (value: unknown): value is StudyStorage => isFunction((value as StudyStorage | null)?.open);

const searchShape = {
  modelFn: custom<ModelFn | Pipeline | string | URL>(
    '(params, ctx) => model | Pipeline | URL',
    'be a function (params, ctx) => model, a Pipeline with a model at its end, or the absolute path or file: URL of a module that exports such a function',
    (v) => isFunction(v) || isPath(v) || isPipeline(v),
  ).describe(
    'Makes the model of a fold from parameters; or a `Pipeline` with a model at its end, whose parameters are named by step and option (`scale__withMean`, `logisticregression__C`); or the absolute path or file: URL of a module that exports such a function.',
  ),
  paramGrid: custom<ParamGrid | ParamFunction>(
    'record of name -> list | range, or (trial) => params',
    'be a record of name to list or { low, high, log?, step? }, or a function of the trial',
    (v) => isPlainObject(v) || isFunction(v),
  ).describe(
    'What is tried: name to a list of choices or a range `{ low, high, log?, step? }` (whole numbers with `step: 1`), or a function `(trial) => params` that asks for parameters, some only where others have certain values. `step__option` is an option of a step of `preprocessing`, or of a `Pipeline`; `epochs` and `batchSize` (or `batch_size`) are settings of training for models that train in epochs.',
  ),
  scoring: custom<MetricName | ScoringFunction>(
    'metric | (table) => number',
    'be the name of a metric or a function',
    (v) => typeof v === 'string' || isFunction(v),
  )
    .default('accuracy' as MetricName)
    .describe(
      'What is searched for: a metric, or a function of the score table, more being better. Trials are ranked by its mean over the inner folds. Left out where y is not of classes: `mse` of numbers, `dice` of masks.',
    ),
  nTrials: integer({ min: 1 }).default(10).describe('Trials of each search. Left out, a grid is tried whole.'),
  sampler: anything<SamplerOption>("'grid' | 'random' | 'tpe' | Sampler")
    .optional()
    .describe(
      "Who proposes parameters. Left out: 'grid' when every value is a list and their product is at most `nTrials`, else 'random'. 'random' tries no combination of lists twice.",
    ),
  pruner: anything<PrunerOption>("'none' | 'median' | 'hyperband' | 'wilcoxon' | Pruner")
    .default('none')
    .describe(
      'Who ends trials that are not worth going on with: after an inner fold, and for models that train in epochs after each epoch of the first inner fold, on inner rows.',
    ),
  innerCv: custom<Splitter | number>(
    'Splitter | integer',
    'be a splitter, or a number of folds from 2',
    (v) => isSplitter(v) || (Number.isInteger(v) && Number(v) >= 2),
  )
    .instead(insteadOfFolds)
    .optional()
    .describe(
      'Inner folds that score the trials, made of the training rows of each outer fold alone. Left out: the inner folds of a nested splitter, else three folds of the family of the outer ones, with patients whole. A number: so many of them. They are held to what the outer folds keep: patients, a level of the hierarchy, the order of time, label intervals.',
    ),
  outer: boolean()
    .default(true)
    .describe(
      'Searches within the training rows of each outer fold, and estimates on its test rows. false: one search on all rows, whose best score is corrected by BBC-CV.',
    ),
  defaultParams: custom<Params>('record of name -> value', 'be a record of name to value', isPlainObject)
    .optional()
    .describe('Parameters to compare with, on the same outer folds. Left out: none, `modelFn({})`.'),
  ...stopShape,
  parallelTrials: integer({ min: 1, max: 1024 })
    .nullable()
    .default(null)
    .describe(
      'Trials that are proposed together, so that their folds can run at once. null: as many as the executor can use where neither sampler nor pruner looks at earlier trials, else 1. The result depends on this number, not on the executor.',
    ),
  storage: custom<StudyStorage | string | URL>(
    'path | StudyStorage',
    'be the path of a journal, or a storage such as new JournalStorage(path)',
    (v) => isPath(v) || isStorage(v),
  )
    .optional()
    .describe(
      "Keeps the trials of every search in a journal (Optuna's format), from which a search that broke off goes on. With `runDirectory` there is one inside it, `trials.log`, and the search goes on from the folds that are kept.",
      'a place',
    ),
  studyName: string()
    .default('tuning')
    .describe('Name of the studies in the storage: `tuning/fold-0`, ...', 'a name in a place'),
};

export const tuningOptions = optionTable(
  'runWithHyperparameterTuning',
  {
    ...searchShape,
    preprocessing: custom<PreprocessingOption | ((params: never) => PreprocessingOption)>(
      'transformer | transformer[] | { input: transformer } | (params) => transformer',
      'be a transformer with fit and transform, a list or (for several inputs) a record of them, or a function of the parameters that gives one',
      (v) => typeof v === 'object' || isFunction(v),
    )
      .optional()
      .describe(
        'Prepares the rows, as in `run`; also a function of the parameters of the trial. Fitted on the training rows of each (inner) fold alone.',
      ),
    folds,
    ...runPart,
    ...runnerPart,
    cvSplitter: custom<Splitter>('Splitter', 'be a splitter, for example new KFold()', isSplitter)
      .instead(insteadOfFolds)
      .optional()
      .describe('Outer folds, in the place of those of the runner.'),
    ciLevel,
    ciMethod,
    nBootstrap,
    sampling,
  },
  orHabit(runnerOptions),
);

export type TuningOptions = InputOf<typeof tuningOptions>;

export interface TuningSettings {
  readonly options: OptionsOf<typeof tuningOptions>;
  readonly written: ReadonlySet<string>;
  readonly space: Space;
  readonly scoringName: string;
  readonly outerCv: Splitter;
  readonly innerCv: Splitter | number | undefined;
}
