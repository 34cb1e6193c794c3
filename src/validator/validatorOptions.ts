import { declaredShape } from '../checkers/checkOptions.js';
import { nearest } from '../core/errors.js';
import type { MethodName } from '../core/knownNames.js';
import { MOST_DRAWS } from '../core/numbers.js';
import {
  arrayLike,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  number,
  oneOf,
  optionOf,
  optionTable,
  seed,
  size,
  string,
} from '../core/options.js';
import type { Label } from '../data/labels.js';
import { DEFAULT_METHOD, type IntervalMethodName, intervalMethodNames } from '../intervals/methodNames.js';
import { metricsOption, runnerOptions } from '../runner/runnerOptions.js';
import { insteadOfFolds, isSplitter, type Splitter } from '../splitters/splitter.js';
import { evidenceShape } from './evidenceOptions.js';
import { methodNames, OWN_METHODS } from './methods.js';

export const idsOption = (text: string) => arrayLike<Label>('id[]').optional().describe(text);

const ciMethod = oneOf(...intervalMethodNames);

const nSplits = integer({ min: 2 });
const halvings = integer({ min: 5, max: MOST_DRAWS / 2 });

/** A word in the place of folds is a method, which the constructor takes. */
const insteadOfName = (word: string) =>
  `Use the \`method\` of CVKitValidator: '${nearest(word, methodNames()) ?? OWN_METHODS.join("', '")}'.`;

export const cvOption = custom<Splitter | number>(
  'Splitter | integer',
  `be a splitter, for example new KFold(), or ${nSplits.must.replace('be ', '')}`,
  (v) => isSplitter(v) || nSplits.accepts(v),
)
  .instead((value) => (typeof value === 'string' ? insteadOfName(value) : insteadOfFolds(value)))
  .optional()
  .describe('A splitter, which overrides `method`, or a number of folds, in the place of `nSplits`.');

/** Options of `validate`, which a constructor is easily given; that table reads this one, so its parts stand here. */
const ofValidate = optionOf({
  owner: 'validate',
  canonical: (name) => {
    const found = runnerOptions.canonical(name);
    return found === 'cvSplitter' ? undefined : found;
  },
});

export const validatorOptions = optionTable(
  'CVKitValidator',
  {
    method: string<MethodName>()
      .default('stratified_kfold')
      .describe(
        "How folds are made: 'stratified_kfold', 'kfold', 'patient_grouped_kfold', 'temporal', 'holdout', 'repeated_kfold', 'loocv', 'lpocv', 'monte_carlo', 'bootstrap', or any splitter in snake_case. Not set: repeated patients are kept whole.",
      ),
    cv: cvOption,
    nSplits: nSplits.default(5).describe('Number of folds.'),
    randomState: seed().default(42).describe('Seed of the folds, of training and of resampling.'),
    shuffle: boolean().default(true).describe('Draw the rows of each fold at random.'),
    checkLeakage: custom<boolean | 'strict'>(
      "boolean | 'strict'",
      "be true, false or 'strict'",
      (v) => typeof v === 'boolean' || v === 'strict',
    )
      .default(true)
      .describe("Judge the scored folds for leakage before training; 'strict' ends there with a LeakageError."),
    checkBalance: boolean().default(true).describe('Judge class balance over the scored folds.'),
    ...evidenceShape,
    ...declaredShape,
    metrics: metricsOption,
    returnConfidenceIntervals: boolean().default(true).describe('Give an interval for every metric.'),
    ciLevel: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
    ciMethod: custom<IntervalMethodName | Readonly<Record<string, IntervalMethodName>>>(
      `${ciMethod.type} | record of metric -> method`,
      `${ciMethod.must}, or a record of metric to one of them`,
      (v) => ciMethod.accepts(v) || (typeof v === 'object' && v !== null && Object.values(v).every(ciMethod.accepts)),
    )
      .default(DEFAULT_METHOD)
      .describe('How intervals are made.'),
    sampling: oneOf('cohort', 'case_control')
      .default('cohort')
      .describe(
        "How rows came about: 'cohort', the prevalence is random; 'case_control', the numbers per class are fixed, and " +
          'metrics that depend on the prevalence get no interval.',
      ),
    nBootstrap: integer({ min: 100, max: MOST_DRAWS })
      .default(1000)
      .describe(
        "Resamples of patients (else rows) behind the ciMethods 'bootstrap' and 'oof_bootstrap'. Where it is not written, 'bootstrap' of 500,000 patients or more computes what resamples approach.",
      ),
    nestedCvRepeats: integer({ min: 1, max: MOST_DRAWS })
      .default(10)
      .describe("Repeats R behind ciMethod 'nested_cv', which makes R K (K + 1) / 2 further fits for K folds."),
    ciFits: custom<number | 'auto'>(
      "integer | 'auto'",
      `be 0, 'auto' or ${halvings.must.replace('be ', '')}`,
      (v) => v === 'auto' || v === 0 || halvings.accepts(v),
    )
      .default('auto')
      .describe(
        "Halvings of the patients, with two fits each on half of the rows, from which the ciMethods 'bootstrap' and 'analytic' estimate what training adds: the interval is then about the procedure. 0: about the models of these folds. 'auto': 10 for models without epochs, with up to 5,000 patients and 100,000 rows, else 0.",
      ),
    ciRefits: integer({ min: 20, max: MOST_DRAWS })
      .nullable()
      .default(null)
      .describe(
        "Runs the whole cross-validation on that many resamples of the patients; the interval of ciMethod 'bootstrap' or 'analytic' is then about the procedure and takes the larger standard error. For cheap models.",
      ),
    holdoutTestSize: size().default(0.2).describe("Test share or count of method 'holdout'."),
    holdoutStratify: boolean().default(false).describe("Keep class shares in method 'holdout'."),
    repeatedKfoldRepeats: integer({ min: 1, max: MOST_DRAWS })
      .default(1)
      .alias('nRepeats')
      .describe("Repeats of method 'repeated_kfold'."),
    lpocvP: integer({ min: 1 }).default(2).alias('p').describe("Rows left out by method 'lpocv'."),
    monteCarloIterations: integer({ min: 1, max: MOST_DRAWS })
      .default(50)
      .alias('nIterations', 'iterations')
      .describe("Draws of method 'monte_carlo'."),
    monteCarloTestSize: size()
      .default(0.2)
      .alias('mcTestSize')
      .describe("Test share or count of method 'monte_carlo'."),
    bootstrapValidationIterations: integer({ min: 1, max: MOST_DRAWS })
      .default(200)
      .alias('bootstrapIterations')
      .describe("Draws of method 'bootstrap'."),
    bootstrapValidationEstimator: oneOf('standard', '.632', '.632+', 'optimism')
      .default('standard')
      .alias('bootstrapEstimator')
      .describe(
        "Estimate of method 'bootstrap': 'standard', the mean over rows left out; '.632' and '.632+', between that and the model of all rows; 'optimism', what the model of all rows gives on them less the mean optimism.",
      ),
    splitterOptions: custom<Readonly<Record<string, unknown>>>('object', 'be a plain object', isPlainObject)
      .default({})
      .describe("Options of the splitter behind `method`, for example { windowSize: 50 } of 'rolling_window_cv'."),
  },
  ofValidate,
);

export type ValidatorOptions = InputOf<typeof validatorOptions>;
