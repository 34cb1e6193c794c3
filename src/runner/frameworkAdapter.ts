/** The adapter interface: a plain object that tells the fold loop how to build, fit, predict and dispose a model. */
import { AdapterError, atOnce, kindOf, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { RandomSource } from '../core/random.js';
import type { Label, Labels } from '../data/labels.js';
import type { NumericArray, Rows, TestRows } from '../data/rows.js';

/** What a factory and an adapter know about the fold at hand. Read-only. */
export interface FoldContext {
  /** Id of the fold, for example `fold-0`. */
  readonly fold: string;
  /** Place among all folds, from 0. */
  readonly index: number;
  readonly repeat: number;
  readonly nSplits: number;
  /** Training rows of the fold: those that a model is trained on, those that are watched, and any left out. */
  readonly nTrain: number;
  readonly nTest: number;
  /** Seed of this fold, derived from (randomState, repeat, fold). */
  readonly seed: number;
  /**
   * Shape of one row, for example `[30]`, after the preparation; of several inputs, the shape of each by its name:
   * `{ image: [28, 28, 1], table: [2] }`. Undefined for a source of records.
   */
  readonly inputShape: InputShape | undefined;
  /** Classes of `y` in ascending order; empty for regression. */
  readonly classes: readonly Label[];
  readonly task: Labels['task'];
  /** Hyper-parameters of the trial; empty outside tuning. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** A list of numbers; of several inputs a record of such. The type reads as either without a cast. */
// biome-ignore lint/suspicious/noExplicitAny: names of inputs are the caller's
export type InputShape = readonly number[] & Readonly<Record<string, any>>;

// biome-ignore lint/suspicious/noExplicitAny: models are the caller's
export type ModelFactory<M = any> = (ctx: FoldContext) => M | Promise<M>;

/** Rows that a model is trained or validated on. `X` and `y` are views: see {@link Rows} and {@link Labels}. */
export interface Batch {
  readonly X: Rows;
  readonly y: Labels;
  readonly sampleWeight?: Float64Array;
  /** Targets of further outputs of the model, by output name; trained towards, never scored. */
  readonly auxiliary?: Readonly<Record<string, Labels>>;
  /** Row numbers in the full data. */
  readonly indices: Int32Array;
}

// biome-ignore lint/suspicious/noExplicitAny: tensors and models of a framework whose types the reader may lack
type OfFramework = any;

/** Rows of one training batch as the framework holds them (tfjs: tensors); several inputs or outputs are records. */
export interface AugmentBatch {
  readonly X: OfFramework;
  readonly y: OfFramework;
}

/**
 * Changes the rows of a training batch; never sees validation or test rows. What it leaves out stays as it was.
 * `random` is seeded by fold, epoch and batch, and so is `Math.random` while it runs.
 */
export type Augment = (
  batch: AugmentBatch,
  ctx: { readonly epoch: number; readonly batch: number; readonly random: RandomSource },
) => Partial<AugmentBatch>;

/** What a {@link TrainStep} is given. Several inputs and several outputs with targets are records by name. */
export interface TrainStepContext {
  readonly tf: OfFramework;
  readonly model: OfFramework;
  /** Of this fold alone. */
  readonly optimizer: OfFramework;
  readonly x: OfFramework;
  readonly y: OfFramework;
  /** `[n]`, class weights included; undefined without sample and class weights. */
  readonly sampleWeight: OfFramework;
  /** From 0. */
  readonly epoch: number;
  /** Within the epoch, from 0. */
  readonly batch: number;
}

/**
 * The caller's own step: computes a loss, updates the model (`optimizer.minimize`) and returns the loss, a scalar
 * tensor, or a record of scalars that has `loss`. Synchronous; runs inside `tidy`, with `Math.random` seeded by fold,
 * epoch and batch; must change the weights in the first epoch, unless the learning rate is 0. `classWeight` and
 * `sampleWeight` reach it as `sampleWeight`, for it to apply; `lossFn` is used for the logs of validation rows only. A
 * tensor that it keeps with `tf.keep` stays until the caller disposes it.
 */
export type TrainStep = (step: TrainStepContext) => unknown;

/** How a fold is to be trained. */
export interface FitOptions {
  readonly epochs: number;
  readonly batchSize: number;
  /** Name, a function that makes one, or an optimizer of the framework: rebuilt from its config, never shared by folds. */
  readonly optimizer?: unknown;
  readonly lossFn?: unknown;
  readonly classWeight?: Readonly<Record<string, number>>;
  readonly augment?: Augment;
  /** Rows cut from the training rows of the fold; never test rows. */
  readonly validation?: Batch;
  readonly seed: number;
  readonly signal?: AbortSignal;
}

/** Values of one epoch, for example `{ loss, acc, val_loss }`. */
export type EpochLogs = Readonly<Record<string, number>>;

/** What an adapter awaits while it trains, before and after each epoch. */
export interface FitHooks {
  onEpochStart(epoch: number): Promise<void>;
  /**
   * After each training batch, with its loss, `batch` (its number in the epoch, from 0) and `size` (rows). Missing where
   * nobody listens; adapters that do not train in batches never call it.
   */
  onBatchEnd?(epoch: number, logs: EpochLogs): Promise<void>;
  /** `'stop'` ends the training of this fold. */
  onEpochEnd(epoch: number, logs: EpochLogs): Promise<'stop' | undefined>;
}

/** Logs per epoch, in order. Empty for models without epochs. */
export interface FitHistory {
  readonly epochs: readonly EpochLogs[];
  /** What the model was trained with, in words: the option of `run`, or what the model brought along. */
  readonly settings?: TrainingSettings;
  /** The model that was trained, as plain JSON for the manifest: class and options, or layers, weights and optimizer. */
  readonly model?: unknown;
  /** What is to be said of the fit, in sentences: the run prints each once, with the folds. */
  readonly warnings?: readonly string[];
  /** Seconds of the fit that went into fitting and applying `preprocessing`. */
  readonly preprocessSeconds?: number;
}

/** In words: `adam, learning rate 0.001`, `binaryCrossentropy`. */
export interface TrainingSettings {
  readonly optimizer: string;
  readonly lossFn: string;
}

/** What is asked of `predict`. */
export interface PredictOptions {
  /** False: the labels follow from the probabilities, so that `values` beside them may be left out. */
  readonly labels?: boolean;
}

/** What an adapter predicts for rows: labels, probabilities or numbers. */
export interface Predictions {
  /** One value per row: numbers for regression, labels as in `y` else. May be left out when probabilities are given. */
  readonly values?: Float64Array | readonly (Label | readonly number[])[];
  /** Row-major `[n, classes]` in the order of `classes`; for a binary task also `[n, 1]`: P(positive). */
  readonly probabilities?: { readonly data: NumericArray; readonly shape: readonly [number, number] };
  /**
   * Labels in the order of the probability columns. Left out they are the ascending classes of `y`, which is held against
   * `values` on training rows of the first fold.
   */
  readonly classes?: readonly Label[];
  /** Survival: one number per row, larger for an earlier event. */
  readonly risk?: ArrayLike<number>;
  /** Survival: probabilities of no event by each of the ascending `times`, row-major `[n, times]`. */
  readonly survival?: {
    readonly data: NumericArray;
    readonly shape: readonly [number, number];
    readonly times: ArrayLike<number>;
  };
}

/** What an adapter opened for a run: closed once, also after an error. */
export interface AdapterSession {
  /** Facts for the manifest, for example `{ backend: 'wasm', tfjs: '4.22.0' }`. */
  readonly info: Readonly<Record<string, string>>;
  /** Facts about the model for the manifest, which are no matter of the engine: the hash of its file. */
  readonly about?: Readonly<Record<string, string>>;
  /** Things the user should know, printed in the summary. */
  readonly warnings?: readonly string[];
  /**
   * How another thread or process opens the same engine: the options for its `open` (left out: those of the run), and why a
   * thread cannot, as a clause.
   */
  readonly elsewhere?: { readonly options?: Readonly<Record<string, unknown>>; readonly refused?: string };
  /** The adapter to use in this session, where options or the model change it: a graph model does not train. */
  readonly adapter?: FrameworkAdapter;
  close(): Promise<void>;
}

/** The weights of a model at one epoch, which can be put back. */
export interface WeightSnapshot {
  /** Gives the model these weights, bit for bit. */
  restore(): void | Promise<void>;
  /** Frees what the snapshot holds. */
  release(): void | Promise<void>;
}

/** What a library holds. */
export interface HeldMemory {
  readonly tensors: number;
  readonly bytes: number;
}

/** What predicting needs to know about `y`. */
/** Of a survival task, `classes` are the times at which survival is wanted, and `positive` is the cause of interest. */
export type LabelFacts = Pick<Labels, 'task' | 'classes' | 'positive' | 'shape'> & {
  /** Names of the outputs that have targets of their own; the one that is left predicts y. */
  readonly auxiliary?: readonly string[];
};

/** How much more a library holds than before; undefined when nothing grew or nothing is known. */
export function growth(before: HeldMemory | undefined, after: HeldMemory | undefined): HeldMemory | undefined {
  if (!before || !after || after.tensors <= before.tensors) return undefined;
  return { tensors: after.tensors - before.tensors, bytes: after.bytes - before.bytes };
}

/** Where a model is saved: a path, a URL, or a handler of the framework (tfjs: `tf.io.IOHandler`). */
export type ModelPlace = string | object;

/** What an adapter can do. */
export interface AdapterCapabilities {
  /** `fit` does something. */
  readonly trains: boolean;
  /** `fit` runs in epochs, awaits the epoch hooks in each, and ends at 'stop'. */
  readonly epochs: boolean;
  /** `predict` gives them. */
  readonly probabilities: boolean;
  /**
   * Labels are those of the highest probability (above .5 where there are two), always. Left out, `values` are held
   * against `probabilities` on training rows, and asked for beside them only where they differ.
   */
  readonly labelsFromProbabilities?: boolean;
  /** `save` and `load` are used; they are not where it is false. */
  readonly saves: boolean;
  /** `save` and `load` take, too, a place in memory with `write(name, content)` and `read(name)`: for pages and `Blob`s. */
  readonly savesToMemory?: boolean;
  /** `fit` applies the option `augment`. */
  readonly augments?: boolean;
  /** `fit` trains towards auxiliary targets. */
  readonly auxiliary?: boolean;
  /** Why it does not train, for messages: `a GraphModel can only predict`. */
  readonly why?: string;
}

/**
 * How the fold loop works with one kind of model. Plain object; libraries are injected or imported on first use.
 * `build` is given the caller's factory (call it) or instance (copy it, or refuse with the reason).
 */
// biome-ignore lint/suspicious/noExplicitAny: an adapter's model type is its own
export interface FrameworkAdapter<M = any> {
  /** For `framework`, for messages, and to find the adapter of a saved model. */
  readonly name: string;
  /** What it can do; the rest is refused. */
  readonly capabilities: AdapterCapabilities;
  /** Whether `model` is one of this framework's; structural, must not throw. */
  matches(model: unknown): boolean;
  /**
   * Why `model` under this loss predicts numbers whatever `y` looks like, as a clause; undefined where it does not say so. Asked
   * where `y` is integers that may be classes or a measurement.
   */
  regressionBecause?(model: unknown, lossFn: unknown, auxiliary: readonly string[]): string | undefined;
  /**
   * Why `fit` cannot teach this model anything, as a clause: `its fit reads none of the training rows`. Undefined where that
   * cannot be told.
   */
  notTrainedBecause?(model: unknown): string | undefined;
  /** Why `model` cannot be saved, as a clause: `a Forest without toJSON`. Undefined where it can, or nobody knows. */
  notSavedBecause?(model: unknown): string | undefined;
  /** What `model` is called in summaries, such as the name of its class; undefined where it has no name. */
  nameOf?(model: unknown): string | undefined;
  /**
   * Whether an instance shows that it was never trained, as a network whose biases are all as they began. Others are asked
   * for predictions before their first `fit`: a model that answers may have been trained.
   */
  isUntrained?(model: unknown): boolean;
  /**
   * Whether `model` gives labels and probabilities that may disagree, so that the ones are held against the others on training
   * rows. Left out, the model is asked for both to find out.
   */
  givesBoth?(model: M): boolean;
  /** Throws, before anything is trained, for a name of an optimizer or a loss that the library does not have. */
  checkTraining?(settings: Pick<FitOptions, 'optimizer' | 'lossFn'>): void;
  /**
   * Chooses a backend, loads a library: for a run (in each thread for a fold), for `loadModel`, and for each use of a model that
   * is kept, which outlives the session. `model` is that model, or the first one of the run; a run may open once before it has one.
   */
  open?(options: Readonly<Record<string, unknown>>, model?: unknown): Promise<AdapterSession>;
  /** Runs the caller's factory before an adapter is chosen by its model; frees what it made when it throws. */
  buildTracked?<T>(factory: () => Promise<T>): Promise<T>;
  /** A new model for each fold: what the caller's factory gives for `ctx`, or a copy of the instance. */
  build(source: ModelFactory<M> | M, ctx: FoldContext): Promise<M>;
  /** Trains in place. It logs `val_loss` itself, from `options.validation`; other `val_*` are metrics, which are added. */
  fit(model: M, train: Batch, options: FitOptions, hooks: FitHooks): Promise<FitHistory>;
  /** Predicts rows that it has not been trained on; `y` tells the task and the classes, never the truth. */
  predict(model: M, X: TestRows, y: LabelFacts, options?: PredictOptions): Promise<Predictions>;
  /** Keeps the weights as they are now; the model goes on training. */
  snapshot?(model: M): WeightSnapshot | Promise<WeightSnapshot>;
  /** Learning rate of a model that is being trained. */
  readonly learningRate?: { get(model: M): number; set(model: M, rate: number): void };
  /** What the library holds now; growth over a fold is reported with the fold's name. */
  memory?(): HeldMemory;
  /** Writes the model, all of it before it ends, to a path, a URL or whatever the framework saves to. */
  save?(model: M, where: ModelPlace): Promise<void>;
  /** The model that `save` wrote there. */
  load?(where: ModelPlace): Promise<M>;
  /** Frees a model, perhaps after the session was closed. */
  dispose?(model: M): void | Promise<void>;
  /** Whether `build` gave the caller's own object instead of a copy: it is never disposed. Left out: always a copy. */
  borrowed?(model: M): boolean;
}

export const methodOf = ({ name }: FrameworkAdapter, method: string) =>
  `\`${method}\` of the adapter '${nameText(name)}'`;

type OptionalMethod =
  | 'matches'
  | 'memory'
  | 'borrowed'
  | 'givesBoth'
  | 'isUntrained'
  | 'checkTraining'
  | 'notTrainedBecause'
  | 'notSavedBecause'
  | 'regressionBecause'
  | 'nameOf';

/** What a method of an adapter answers at once; undefined where it has none. What it throws is an {@link AdapterError}. */
export function ask<K extends OptionalMethod>(
  adapter: FrameworkAdapter,
  method: K,
  ...args: Parameters<NonNullable<FrameworkAdapter[K]>>
): ReturnType<NonNullable<FrameworkAdapter[K]>> | undefined {
  const subject = methodOf(adapter, method);
  try {
    return atOnce((adapter[method] as ((...args: unknown[]) => never) | undefined)?.call(adapter, ...args), subject);
  } catch (error) {
    return threw(subject, 'give an answer', 'invalid_adapter')(error);
  }
}

/** What a method of an adapter gave; throws {@link AdapterError} unless it `holds`. */
export function checkAnswer<T>(adapter: FrameworkAdapter, method: string, must: string, answer: T, holds: boolean): T {
  if (holds) return answer;
  throw new AdapterError(sentence(methodOf(adapter, method), must, kindOf(answer)), { code: 'invalid_adapter' });
}

export const knows = (adapter: FrameworkAdapter, model: unknown): boolean => Boolean(ask(adapter, 'matches', model));

export function heldBy(adapter: FrameworkAdapter | undefined): HeldMemory | undefined {
  const held = (adapter && ask(adapter, 'memory')) ?? undefined;
  const holds = held === undefined || (Number.isFinite(held.tensors) && Number.isFinite(held.bytes));
  return adapter && checkAnswer(adapter, 'memory', 'give { tensors, bytes }', held, holds);
}

/** Frees a model, unless it is the caller's own. */
export async function disposeOwned(adapter: FrameworkAdapter | undefined, model: unknown): Promise<void> {
  if (!adapter || ask(adapter, 'borrowed', model)) return;
  const failed = threw(methodOf(adapter, 'dispose'), 'free the model', 'dispose_failed');
  await (async () => adapter.dispose?.(model))().catch(failed);
}

/** Throws {@link AdapterError} unless `adapter` has the parts that the fold loop calls. */
export function checkAdapter(adapter: unknown): FrameworkAdapter {
  const parts = (adapter ?? {}) as Partial<FrameworkAdapter>;
  const missing = (['matches', 'build', 'fit', 'predict'] as const).filter((part) => typeof parts[part] !== 'function');
  if (typeof parts.name !== 'string' || parts.name === '') missing.unshift('name' as never);
  if (typeof parts.capabilities !== 'object' || parts.capabilities === null) missing.unshift('capabilities' as never);
  if (missing.length === 0) return parts as FrameworkAdapter;
  const must = 'have name, capabilities, matches, build, fit and predict';
  const got = phrase(`one without ${missing.join(', ')}`);
  throw new AdapterError(sentence('An adapter', must, got), { code: 'invalid_adapter' });
}
