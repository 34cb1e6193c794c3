/** The options of `validate` and of `fitValidate`: those of the runner and of `run`, and what the validator adds. */
import type { FoldChecker } from '../checkers/assessRun.js';
import { checkShape } from '../checkers/checkOptions.js';
import { raiseOnOption } from '../checkers/raiseOn.js';
import type { ModuleFunction } from '../core/moduleFunction.js';
import { arrayLike, custom, type InputOf, optionTable, seed } from '../core/options.js';
import { dataOptions } from '../runner/dataOptions.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { orHabit, readRunOptions } from '../runner/runOptions.js';
import { cvOption, idsOption, validatorOptions } from './validatorOptions.js';

const { cvSplitter: _splitter, ...runnerPart } = runnerOptions.shape;
const ofRun = readRunOptions.shape;
const { folds: _one, shard: _shard, dryRun: _dry, ...runPart } = ofRun;
const leakageChecker = custom<FoldChecker>(
  'FoldChecker',
  'have an `assess` method',
  (v) => typeof (v as FoldChecker)?.assess === 'function',
)
  .optional()
  .describe('Assesses the scored folds in place of the built-in checks; the verdict says which checks it made.');

export const validateOptions = optionTable(
  'validate',
  {
    ...ofRun,
    ...runnerPart,
    ...dataOptions.shape,
    groups: idsOption('Patient (or other unit) of each row.'),
    patientIds: idsOption('The same as `groups`.'),
    randomState: seed().optional().describe("Seed of training; the validator's own when left out."),
    cv: cvOption,
    leakageChecker,
    raiseOn: raiseOnOption,
    ...checkShape,
  },
  orHabit(validatorOptions),
);

export const fitValidateOptions = optionTable(
  'fitValidate',
  {
    ...runPart,
    ...runnerPart,
    randomState: seed().optional().describe("Seed of training; the validator's own when left out."),
    XTrain: dataOptions.shape.X.optional().describe(
      'Rows to train on; left out, with their labels, where `model` is one that `loadModel` gave.',
    ),
    yTrain: dataOptions.shape.y.optional().describe('Labels of the training rows.'),
    XTest: dataOptions.shape.X.describe('Rows to test on, seen once.'),
    yTest: dataOptions.shape.y.describe('Labels of the test rows.'),
    featureNames: dataOptions.shape.featureNames,
    auxiliary: dataOptions.shape.auxiliary.describe(
      'Targets of further outputs of the model for the training rows, by output name.',
    ),
    groups: idsOption('Patient of each training row.'),
    patientIds: idsOption('The same as `groups`.'),
    testGroups: idsOption('Patient of each test row.'),
    testPatientIds: idsOption('The same as `testGroups`.'),
    sampleWeightTest: arrayLike<number>('number[]').optional().describe('Weight of each test row.'),
    leakageChecker,
    raiseOn: raiseOnOption,
    ...checkShape,
  },
  orHabit(validatorOptions),
);

export type ValidateOptions = InputOf<typeof validateOptions>;
/** `data` in place of rows and labels: the function of a module that gives them, and the ids of patients. */
export type ValidateInput = ValidateOptions | (Omit<ValidateOptions, 'X' | 'y'> & { readonly data: ModuleFunction });
export type FitValidateOptions = InputOf<typeof fitValidateOptions>;
