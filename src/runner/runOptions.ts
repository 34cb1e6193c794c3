/** The options of `run`; the validator takes all of them, too. Loaded with the fold loop. */

import type { ThresholdRule } from '../clinical/decisions/chooseThreshold.js';
import { isClass, MAKE_ONE } from '../core/isClass.js';
import type { LossName, OptimizerName } from '../core/knownNames.js';
import { isModuleFunction, type ModuleFunction } from '../core/moduleFunction.js';
import { snakeCase } from '../core/names.js';
import {
  anything,
  boolean,
  custom,
  type InputOf,
  integer,
  isPlainObject,
  listOf,
  number,
  type OptionShape,
  type OptionsOf,
  oneOf,
  optionOf,
  optionTable,
  type Parsed,
  string,
} from '../core/options.js';
import { type Label, taskOption } from '../data/labels.js';
import type { Pipeline } from '../preprocessing/pipeline.js';
import type { PreprocessingOption } from '../preprocessing/preparation.js';
import { isSplitter, splitDataOptions } from '../splitters/splitter.js';
import type { CVCallback } from './callback.js';
import { type DataOption, dataOptions } from './dataOptions.js';
import type { DryRun } from './dryRun.js';
import type { ParamsOf, ValidationOption } from './foldRows.js';
import type { Augment, FoldContext, ModelPlace } from './frameworkAdapter.js';
import type { ImportanceChoice } from './importanceOptions.js';
import type { ModelOption, ModelSource } from './modelSource.js';
import { outcomeOptions } from './outcomeOptions.js';
import { isPlace, type PlaceOption } from './placeOption.js';
import { insteadOfNames, isFunction, metricsOption, runnerOptions } from './runnerOptions.js';
import type { Scoring } from './scoring.js';
import type { PreparedModel } from './withPreprocessing.js';

/** A loss by name, or a function of truth and prediction, or its module; several outputs: one each, by output name. */
export type LossOption =
  | LossName
  | ModuleFunction
  // biome-ignore lint/suspicious/noExplicitAny: tensors of the caller's own library
  | ((yTrue: any, yPred: any) => any)
  // biome-ignore lint/suspicious/noExplicitAny: as above
  | Readonly<Record<string, LossName | ((yTrue: any, yPred: any) => any)>>;

const isSize = (v: unknown) => typeof v === 'number' && ((v > 0 && v < 1) || (Number.isInteger(v) && v >= 1));
const isValidation = (v: unknown) =>
  isSize(v) || (isPlainObject(v) && Object.keys(v).length === 1 && (isSize(v.size) || isSplitter(v.splitter)));
/** Steps that resample have `fitResample` instead of the two. */
const isStep = (value: unknown): boolean => {
  const { fit, transform, fitResample } = (value ?? {}) as Record<string, unknown>;
  return isFunction(fitResample) || (isFunction(fit) && isFunction(transform));
};
/** A function of the parameters of a trial is refused outside tuning, by `preparationOf`; a class is none. */
const isChoice = (value: unknown): boolean =>
  isFunction(value) && !isStep((value as { prototype?: unknown }).prototype);
const isPreprocessing = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((each) => isOneOrByInput(Array.isArray(each) ? each[1] : each))
    : isOneOrByInput(value) || isChoice(value);
/** A step, or a record of steps for each of several inputs. */
const isOneOrByInput = (value: unknown): boolean =>
  isStep(value) || (isPlainObject(value) && Object.values(value).some((each) => typeof each === 'object'));
/** A folder, or one whose lock is taken even from another machine. */
export type RunDirectoryOption = string | { readonly place: string; readonly force?: boolean };

const isFolder = (v: unknown) => typeof v === 'string' && v !== '';
const isImportance = (v: unknown) => typeof v === 'boolean' || isPlainObject(v);
const isScoring = (v: unknown) =>
  isPlainObject(v) &&
  Object.values(v).every((each) => typeof each === 'string' || isFunction(each) || isModuleFunction(each));

const RATE = 'The optimizer holds it: `optimizer: () => tf.train.adam(0.001)`.';
const OF_ADAPTER = (name: string) => `It is an option of the adapter: \`adapterOptions: { ${name} }\`.`;
/** Names that Keras or an adapter has, in snake_case, and what stands for them here. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ['learning_rate', RATE],
  ['lr', RATE],
  ['validation_data', 'Rows to watch are cut from the training rows of each fold: `validation: 0.2`.'],
  ['train_step', OF_ADAPTER('trainStep')],
  ['loss_weights', OF_ADAPTER('lossWeights')],
  ['backend', OF_ADAPTER('backend')],
]);

/** Where a name belongs that `run` and its like do not know: to a habit, or to the other table. */
export const orHabit = (table: Parameters<typeof optionOf>[0]) => (name: string) =>
  HABITS.get(snakeCase(name)) ?? optionOf(table)(name);

export const runOptions = optionTable(
  'run',
  {
    model: custom<ModelOption>(
      '(ctx) => model | model | URL',
      'be a factory, a model or the absolute path or file: URL of a module',
      (v) => ['function', 'object', 'string'].includes(typeof v) && v !== null,
    ).describe(
      'Factory, called for each model that is trained and where one must be looked at first (its task, its engine), an instance that is copied, the path or URL of an .onnx file, or the absolute path or file: URL (in pages a URL of their own origin) of a module that exports a factory.',
    ),
    data: custom<DataOption>(
      '[X, y] | [X, y, groups] | { X, y, ... } | { module, export }',
      'be [X, y], [X, y, groups] or { X, y, ... }, such as `{ ...images }` of what readImages gives',
      (v) => (Array.isArray(v) ? v.length === 2 || v.length === 3 : isPlainObject(v)),
    ).describe(
      'The rows and labels, with groups, times, places and weights where they are known, or the function of a module that gives them.',
      'its SHA-256 stands in `sha256.data`',
    ),
    groups: splitDataOptions.shape.groups,
    sampleWeight: dataOptions.shape.sampleWeight,
    preprocessing: custom<PreprocessingOption>(
      'transformer | transformer[] | { input: transformer }',
      'be a transformer with fit and transform, a list of them, or a record of either for several inputs',
      isPreprocessing,
    )
      .optional()
      .instead((steps) => (isClass(steps) ? MAKE_ONE : undefined))
      .describe(
        'Prepares the rows: a transformer or `Pipeline` of `cvkit/preprocessing`, any object with `fit` and `transform`, or a list of them; for several inputs a record of such: `{ table: tabular(), image: new Resize({ size: 64 }) }`. Fitted in each fold on the rows that the model is fitted on, never on validation or test rows.',
      ),
    epochs: integer({ min: 1 }).default(1).describe('Passes over the training rows, for models that train in epochs.'),
    batchSize: integer({ min: 1 }).default(32).describe('Rows per gradient step.'),
    optimizer: anything<OptimizerName | object>(
      'string | optimizer | () => optimizer | { module, export }',
      'be a name or an optimizer',
    )
      .optional()
      .describe(
        'Name, a function that makes an optimizer for each fold, or an optimizer: rebuilt from its config for every fold, never shared.',
      ),
    lossFn: anything<LossOption>('string | function | { module, export }', 'be a name or a function')
      .optional()
      .alias('loss')
      .describe(
        'Loss. A function by its module, `{ module, export, kwArgs }`, runs on any executor, as do `optimizer`, `augment` and `scoring`.',
      ),
    metrics: metricsOption,
    scoring: custom<Scoring>(
      'record of name -> name of a metric | function',
      'be a record of name to metric name or function',
      isScoring,
    )
      .instead(insteadOfNames)
      .optional()
      .describe('Further scores by name; overrides `metrics`.'),
    callbacks: custom<CVCallback | readonly CVCallback[]>(
      'CVCallback | CVCallback[]',
      'be a callback or a list of callbacks',
      (v) =>
        (Array.isArray(v) ? v : [v]).every((each) => typeof each === 'object' && each !== null && !Array.isArray(each)),
    )
      .default([])
      .describe('Hooks into the fold loop: one callback or a list.'),
    validation: custom<ValidationOption>(
      'number | { size } | { splitter }',
      'be a share between 0 and 1, a count of rows, { size } or { splitter }',
      isValidation,
    )
      .optional()
      .alias('validationSplit')
      .describe("Rows cut from each fold's training rows, whole groups, for early stopping. Never test rows."),
    signal: custom<AbortSignal>(
      'AbortSignal',
      'be an AbortSignal',
      (v) => typeof (v as AbortSignal)?.aborted === 'boolean',
    )
      .optional()
      .describe(
        'Ends the run, also one whose model never answers; `results` of the error holds the folds that were done. A loop that never leaves the thread free ends only where folds run in threads (`nJobs`) or `processes`.',
        'ends a run',
      ),
    foldTimeout: number({ above: 0, max: 2_000_000 })
      .optional()
      .describe(
        'Seconds that a fold may take, inner fits included; then it fails. Work in it that never settles is abandoned. A loop that never leaves the thread free ends only where folds run in threads (`nJobs`) or `processes`.',
      ),
    retries: integer({ min: 0, max: 100 })
      .default(0)
      .describe(
        'How often a fold that failed is tried again, with the same rows and seed: one that threw, took longer than `foldTimeout`, or lost its thread or process. Its outcome counts once.',
        'a fold that is tried again gives the same numbers',
      ),
    task: taskOption(),
    positiveLabel: custom<Label>('label', 'be a string, a number or a boolean', (v) =>
      ['string', 'number', 'boolean'].includes(typeof v),
    )
      .optional()
      .describe('The positive class of a binary y.'),
    ...outcomeOptions,
    classWeight: custom<Readonly<Record<string, number>> | 'balanced'>(
      "'balanced' | record of class -> weight",
      "be 'balanced' or a record of class to a weight >= 0",
      (v) => v === 'balanced' || (isPlainObject(v) && Object.values(v).every((w) => typeof w === 'number' && w >= 0)),
    )
      .optional()
      .describe(
        "Weight of each class in training. 'balanced': rows / (classes x rows of the class), counted on the rows that each fold fits.",
      ),
    parent: custom<FoldContext>('FoldContext', 'be the context of a fold', (v) => typeof v === 'object' && v !== null)
      .optional()
      .describe(
        'The `ctx` of the fold that this run is begun in, inside the factory, model or hook of another run. In browsers, where runs wait for each other, it lets this one through; in Node it is known anyway.',
        'lets a run begin in another one',
      ),
    folds: listOf<number | string>(
      'fold',
      'be a list of fold numbers or ids',
      (v) => Number.isInteger(v) || typeof v === 'string',
    )
      .optional()
      .describe('Run only these folds of the plan, by number from 0 or by id.'),
    augment: custom<Augment | ModuleFunction>(
      '(batch, ctx) => batch | { module, export }',
      'be a function, or { module, export } that names one',
      (v) => isFunction(v) || isModuleFunction(v),
    )
      .optional()
      .describe('Changes training batches, seeded by fold, epoch and batch; never sees validation or test rows.'),
    recalibrate: oneOf('platt', 'isotonic', 'beta')
      .optional()
      .describe(
        'Recalibrates the probabilities of a binary task; fitted in each fold on its training rows alone: on the rows of `validation`, else on out-of-fold predictions over inner folds: those of a nested splitter, or up to five of its own.',
      ),
    threshold: anything<ThresholdRule>('ThresholdRule', 'be a threshold rule')
      .optional()
      .describe(
        "Chooses the threshold of the labels in each fold, on the same rows as `recalibrate`: 'youden', { sensitivity }, { specificity }, { cost }, { guaranteedSensitivity }, or { fixed }, which needs no rows.",
      ),
    returnTrainScores: boolean()
      .default(false)
      .describe("Also scores each fold's model on the training rows of its fold: `results.trainScores`."),
    importance: custom<boolean | ImportanceChoice>(
      'boolean | { features, repeats, metric }',
      'be true, false or { features, repeats, metric }',
      isImportance,
    )
      .default(false)
      .describe('Permutation importance: what the score of test rows loses by each feature: `results.importance`.'),
    apparent: boolean()
      .default(false)
      .describe(
        'Trains one more model on all rows and scores it on these very rows: `results.apparent`, the apparent performance.',
      ),
    refit: boolean()
      .default(false)
      .describe(
        'Trains one more model on all rows, by the procedure of the folds: `results.refitted`, with its preparation and threshold, ready to predict and to be saved. The estimates are not about it; its `note` says so.',
        'trains one more model',
      ),
    verifyIsolation: boolean()
      .default(false)
      .describe(
        'Trains the first fold once more after all others, and then one more at random, with the decisions that callbacks took in them (they are not called again), and requires the same history and predictions, bit for bit. What the first fold keeps once for all others, such as a scaler that is fitted on first use, is not seen. One fold alone can show nothing. The summary says both.',
      ),
    keepModels: oneOf('none', 'memory', 'save')
      .default('none')
      .describe(
        "'memory' keeps every fold's model in `results.models`; 'save' writes it to `modelPath`, and `results.models` " +
          'holds the places.',
        'keeps what was trained',
      ),
    modelPath: custom<PlaceOption>(
      'string | (ctx) => place',
      'be a path, with {fold} and {epoch} to fill in, or a function that gives one',
      isPlace,
    )
      .optional()
      .describe("Where keepModels: 'save' writes, for example 'models/{fold}'.", 'a place'),
    overwrite: boolean()
      .default(false)
      .describe("Lets keepModels: 'save' replace models that are saved in these places.", 'a place'),
    runDirectory: custom<RunDirectoryOption>(
      'string | { place, force }',
      'be the path of a folder, or { place, force }',
      (v) =>
        isFolder(v) || (isPlainObject(v) && isFolder(v.place) && [true, false, undefined].includes(v.force as boolean)),
    )
      .optional()
      .describe(
        'Folder that keeps every finished fold as it ends (Node): the same call goes on where it stopped, and gives the same scores. `force` takes the lock of another machine. Ctrl-C ends the run with what is done.',
        'a place',
      ),
    shard: custom<string>('i/n', "be 'i/n', such as '2/5' for the second of five parts", (v) => {
      const [, part, parts] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(String(v)) ?? [];
      return typeof v === 'string' && parts !== undefined && Number(part) <= Number(parts);
    })
      .optional()
      .describe(
        "Does a part of the folds, '2/5' every fifth from the second on, and keeps them in `runDirectory`; `mergeRuns` of cvkit/node joins the parts.",
        'a part of the folds',
      ),
    dryRun: boolean()
      .default(false)
      .describe(
        'Trains nothing: gives a `DryRun` with folds, fits, time and disk; with `runDirectory` also tasks for `cvkit worker`.',
        'trains nothing',
      ),
    resumeKey: string()
      .optional()
      .describe(
        'With `runDirectory`, for functions that are in no module: your word that what they do is the same as long as this text is.',
      ),
    copyData: boolean()
      .default(false)
      .describe(
        'Copies the data into `runDirectory`, readable by you alone, for workers on other machines.',
        'copies what is there',
      ),
    onFoldError: oneOf('throw', 'record')
      .default('throw')
      .describe(
        "'record' goes on after a failed fold and shows it; it is never averaged away. A wrong option ends the run all the same.",
      ),
  },
  orHabit(runnerOptions),
);

export type RunOptions = InputOf<typeof runOptions>;

export type PreprocessingInput = RunOptions['preprocessing'];
export type KeepModelsInput = RunOptions['keepModels'];
export type DryRunInput = RunOptions['dryRun'];

/** `Options` whose model, preparation and kept models type the result. */
export type Typing<
  Options,
  M extends ModelOption,
  P extends PreprocessingInput,
  K extends KeepModelsInput,
> = Options & {
  readonly model: M;
  readonly preprocessing?: P;
  readonly keepModels?: K;
};

/** `Options` whose `dryRun` says what the call gives. */
export type Drying<Options, D extends DryRunInput> = Options & { readonly dryRun?: D };
export type OrDryRun<D, R> = [D] extends [true] ? DryRun : R;

/** The type of the models that a `model` option gives: unknown where a file holds them. */
export type ModelOf<M> = Bare<Built<M>>;

/** The type of one entry of `results.models`; a fold that failed has null. */
export type KeptOf<M, P, K> = K extends 'memory'
  ? P extends null | undefined
    ? InMemory<Built<M>>
    : PreparedModel<ModelOf<M>>
  : K extends 'save'
    ? ModelPlace
    : null;

type Built<M> = M extends string | URL ? unknown : M extends (...args: never[]) => infer R ? Awaited<R> : M;
type Bare<T> = unknown extends T ? unknown : T extends Pipeline | { readonly onnx: unknown } ? unknown : T;
type InMemory<T> = unknown extends T ? unknown : T extends Pipeline ? PreparedModel : Bare<T>;

const { data: _data, ...afterReading } = runOptions.shape;
/** The same without `data`, for callers that have read the data already. */
export const readRunOptions = optionTable('run', afterReading, orHabit(runnerOptions));

export interface TuningCall {
  /** What is to be said of a model of all rows, whose parameters were searched for: a sentence. */
  readonly refitNote: string;
  readonly paramsOf: ParamsOf;
  /** Parameters to make a first model from, which tells the adapter; the next ones where a model cannot be made. */
  readonly first: () => Iterable<Readonly<Record<string, unknown>>>;
}

/** The checked options of the constructor and of `run`. The seed is drawn where none was given. */
export interface RunCall {
  readonly runner: Parsed<typeof runnerOptions.shape>;
  readonly run: {
    readonly options: OptionsOf<typeof readRunOptions>;
    readonly changed: ReadonlySet<string>;
  };
  /** What the caller wrote, for the manifest: the options of the constructor, and those of the call. */
  readonly written: readonly Parsed<OptionShape>[];
  readonly randomState: number | string;
  /** Callbacks of ours, called after those of the caller. */
  readonly listeners: readonly CVCallback[];
  /** What models are built from, where the model was asked for its task before. */
  readonly source?: ModelSource | undefined;
  /** The model is made from parameters, which are the trial's. */
  readonly tuning?: TuningCall;
  /** One of many runs on data that the first one has described. */
  readonly isFurther?: true;
}
