/** The options of the validator, of `validate` and of `fitValidate`. */
import type { FoldJudge } from '../checkers/judgeFolds.js';
import type { Label } from '../core/labels.js';
import {
  arrayLike,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  number,
  oneOf,
  optionTable,
  seed,
  size,
  string,
} from '../core/options.js';
import { type IntervalMethodName, intervalMethodNames } from '../metrics/intervals/methodNames.js';
import { dataOptions, runnerOptions, runOptions } from '../runner/runOptions.js';

const ciMethod = oneOf(...intervalMethodNames);

export const validatorOptions = optionTable('CVKitValidator', {
  method: string()
    .default('stratified_kfold')
    .describe(
      "How folds are made: 'stratified_kfold', 'kfold', 'patient_grouped_kfold', 'temporal', 'holdout', 'repeated_kfold', 'loocv', 'lpocv', 'monte_carlo', 'bootstrap', or any splitter in snake_case. Not set: repeated patients are kept whole.",
    ),
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  randomState: seed().default(42).describe('Seed of the folds, of training and of resampling.'),
  shuffle: boolean().default(true).describe('Draw the rows of each fold at random.'),
  checkLeakage: boolean().default(true).describe('Judge the scored folds for leakage before training.'),
  checkBalance: boolean().default(true).describe('Judge class balance over the scored folds.'),
  metrics: runOptions.shape.metrics,
  returnConfidenceIntervals: boolean().default(true).describe('Give an interval for every metric.'),
  ciLevel: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  ciMethod: custom<IntervalMethodName | Readonly<Record<string, IntervalMethodName>>>(
    `${ciMethod.type} | record of metric -> method`,
    `${ciMethod.must}, or a record of metric to one of them`,
    (v) => ciMethod.accepts(v) || (typeof v === 'object' && v !== null && Object.values(v).every(ciMethod.accepts)),
  )
    .default('bootstrap')
    .describe('How intervals are made.'),
  nBootstrap: integer({ min: 100 }).default(1000).describe('Resamples of the bootstrap intervals.'),
  holdoutTestSize: size().default(0.2).describe("Test share or count of method 'holdout'."),
  holdoutStratify: boolean().default(false).describe("Keep class shares in method 'holdout'."),
  repeatedKfoldRepeats: integer({ min: 1 })
    .default(1)
    .alias('nRepeats')
    .describe("Repeats of method 'repeated_kfold'."),
  lpocvP: integer({ min: 1 }).default(2).alias('p').describe("Rows left out by method 'lpocv'."),
  monteCarloIterations: integer({ min: 1 })
    .default(50)
    .alias('nIterations', 'iterations')
    .describe("Draws of method 'monte_carlo'."),
  monteCarloTestSize: size().default(0.2).alias('mcTestSize').describe("Test share or count of method 'monte_carlo'."),
  bootstrapValidationIterations: integer({ min: 1 })
    .default(200)
    .alias('bootstrapIterations')
    .describe("Draws of method 'bootstrap'."),
  bootstrapValidationEstimator: oneOf('standard', '.632', '.632+')
    .default('standard')
    .alias('bootstrapEstimator')
    .describe("Estimate of method 'bootstrap'."),
  splitterOptions: custom<Readonly<Record<string, unknown>>>('object', 'be a plain object', isPlainObject)
    .default({})
    .describe("Options of the splitter behind `method`, for example { windowSize: 50 } of 'rolling_window_cv'."),
});

const { cvSplitter: _made, ...runnerPart } = runnerOptions.shape;
const { data: _read, folds: _all, ...runPart } = runOptions.shape;
const leakageChecker = custom<FoldJudge>(
  'FoldJudge',
  'have a `judge` method',
  (v) => typeof (v as FoldJudge)?.judge === 'function',
)
  .optional()
  .describe('Judges the scored folds in place of the built-in checks.');
const ids = (text: string) => arrayLike<Label>('id[]').optional().describe(text);

export const validateOptions = optionTable('validate', {
  ...runPart,
  ...runnerPart,
  ...dataOptions.shape,
  groups: ids('Patient (or other unit) of each row.'),
  patientIds: ids('The same as `groups`.'),
  randomState: seed().optional().describe("Seed of training; the validator's own when left out."),
  cv: runnerOptions.shape.cvSplitter.optional().describe('A splitter to use; overrides `method`.'),
  leakageChecker,
});

export const fitValidateOptions = optionTable('fitValidate', {
  ...runPart,
  ...runnerPart,
  randomState: seed().optional().describe("Seed of training; the validator's own when left out."),
  XTrain: dataOptions.shape.X.describe('Rows to train on.'),
  yTrain: dataOptions.shape.y.describe('Labels of the training rows.'),
  XTest: dataOptions.shape.X.describe('Rows to test on, seen once.'),
  yTest: dataOptions.shape.y.describe('Labels of the test rows.'),
  groups: ids('Patient of each training row.'),
  patientIds: ids('The same as `groups`.'),
  testGroups: ids('Patient of each test row.'),
  testPatientIds: ids('The same as `testGroups`.'),
  sampleWeightTest: arrayLike<number>('number[]').optional().describe('Weight of each test row.'),
  leakageChecker,
});

export type ValidatorOptions = InputOf<typeof validatorOptions>;
export type ValidateOptions = InputOf<typeof validateOptions>;
export type FitValidateOptions = InputOf<typeof fitValidateOptions>;
