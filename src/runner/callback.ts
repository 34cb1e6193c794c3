/** Hooks into the fold loop: optional begin/end pairs with one read-only context. hooks.ts calls them. */

import type { CheckOutcome } from '../core/checkOutcome.js';
import { CVKitError, messageOf } from '../core/errors.js';
import type { TuningTrial } from '../core/tuningTrial.js';
import type { Label, Labels } from '../data/labels.js';
import type { Rows } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';
import type { CheckedFold, FoldPlan } from '../splitters/foldsOf.js';
import type { CVResults } from './cvResults.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext, ModelPlace } from './frameworkAdapter.js';
import type { SaveOptions } from './modelFolder.js';
import type { PreprocessingFacts } from './runMetadata.js';

/** A check of the folds, when it begins: large data take some of them many seconds. */
export interface CheckStart {
  /** Stable, for example `CVL003`. */
  readonly code: string;
  readonly type: string;
  /** Checks done before it, and all that will be made. */
  readonly done: number;
  readonly nChecks: number;
}

/** What is known before the first fold. */
export interface RunContext {
  /** Number of folds that will run. */
  readonly nSplits: number;
  readonly adapter: string;
  readonly epochs: number;
  /** The checked folds that are scored: those that `folds` of run names, else the whole design. */
  readonly folds: FoldPlan;
  readonly X: Rows;
  readonly y: Labels;
  readonly data: SideData;
  /** Columns of ids that a reader of the data left out. */
  readonly repeatedIds?: Readonly<Record<string, number>> | undefined;
  /** What prepares the rows in each fold; null where nothing does. */
  readonly preprocessing: PreprocessingFacts | null;
  /** The rows as vectors of a frozen network, where `preprocessing` begins with one: they tell which rows are alike. */
  readonly embeddings?: Rows | undefined;
  /** The seed of the run. */
  readonly randomState: number | string;
  /** How ids of patients are printed: alike in checks and in the JSON of the results. */
  readonly nameOf: (id: Label) => string;
  /**
   * The training rows of a fold that are watched and not trained on, as row numbers; left out where no rows are. Throws
   * {@link CVKitError} for a fold that cannot be cut, which then fails with that error.
   */
  readonly watchedRows?: ((fold: CheckedFold) => Int32Array) | undefined;
  /** What the checks of `validate` found on these folds; left out where none were made before. */
  readonly checks?: readonly CheckOutcome[] | undefined;
  /** Calls `onCheckStart` of all callbacks: for one that makes checks. */
  readonly checkStarts?: ((check: CheckStart) => Promise<void>) | undefined;
  /** Adds a full sentence to the warnings of the results. */
  warn(sentence: string): void;
}

/** What a callback may do with the model between epochs. Throws {@link AdapterError} where the adapter cannot. */
export interface EpochModel {
  /** The fold ends with the weights that the model has now; the last call counts. */
  keepWeights(): Promise<void>;
  /** Saves the model as it is now; `loadModel` reads it. Throws where a model is saved already, without `overwrite: true`. */
  save(where: ModelPlace, options?: SaveOptions): Promise<void>;
  getLearningRate(): number;
  /** Sets the learning rate of the batches to come. */
  setLearningRate(rate: number): void;
}

/** A fold context with the epoch that the batch is part of. */
export interface BatchContext extends FoldContext {
  /** From 0. */
  readonly epoch: number;
  /** Number of epochs asked for. */
  readonly epochs: number;
}

/** A fold context between epochs. */
export interface EpochContext extends BatchContext {
  readonly model: EpochModel;
}

/** How many of the inner fits of a fold are done. */
export interface InnerProgress {
  readonly done: number;
  readonly total: number;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook may return nothing at all
export type Hook<R = undefined> = R | void | Promise<R | void>;

/**
 * Every hook is optional, sync or async, and may have its snake_case name (`on_epoch_end`), which the types do not list.
 * One that throws fails the run, and the error names callback and hook. Contexts, logs and results are copies: they cannot
 * be changed, and what is written to their typed arrays stays there.
 */
export interface CVCallback {
  /** Shown in errors; the class name when left out. */
  readonly name?: string;
  /** The log this callback decides by, for example `val_loss`; `val_*` needs the `validation` option. */
  readonly monitor?: string | undefined;
  /**
   * Acts between epochs alone, and so has no effect on models that do not train in epochs. It is part of training, so
   * models beside those of the folds (inner folds, all rows, refits) are trained with it; other callbacks never see them.
   */
  readonly needsEpochs?: boolean;
  /** Reads what happens and changes nothing in training, so it is not called for models beside those of the folds. */
  readonly readOnly?: boolean;
  /**
   * The handlers of one fold, for a callback that counts or remembers something. What they remember belongs to that fold
   * alone, so that one callback can serve folds and runs that go on at once. Asked once per fold, before its first moment, and with
   * `retries` once per attempt; a hook that is here and in the callback itself is called here alone.
   */
  forFold?(ctx: FoldContext): FoldHandlers;
  /** Before each check of the folds: those of `validate`, which come before `onCvStart`, and of `LeakageDetectionCallback`. */
  onCheckStart?(check: CheckStart): Hook;
  /** Before the first fold, when the folds are known. */
  onCvStart?(run: RunContext): Hook;
  /** After each trial of a search (`runWithHyperparameterTuning`); `'stop'` ends this search. All searches come before the first fold. */
  onTrialEnd?(trial: TuningTrial): Hook<'stop'>;
  /** Before the model of a fold is built. */
  onFoldStart?(ctx: FoldContext): Hook;
  /** Before each pass over the training rows; only for models that train in epochs. */
  onEpochStart?(ctx: EpochContext): Hook;
  /**
   * After each training batch, for adapters that train in batches. `logs` holds the loss of the batch, `batch` (its number
   * in the epoch, from 0) and `size` (rows).
   */
  onBatchEnd?(ctx: BatchContext, logs: EpochLogs): Hook;
  /** `'stop'` ends the training of this fold. */
  onEpochEnd?(ctx: EpochContext, logs: EpochLogs): Hook<'stop'>;
  /** After each inner fit of a fold (`recalibrate`, `threshold`), before its `onFoldStart`. */
  onInnerFit?(ctx: FoldContext, inner: InnerProgress): Hook;
  /** `'stop'` ends the run after this fold. */
  onFoldEnd?(ctx: FoldContext, result: FoldResult): Hook<'stop'>;
  /** After the last fold, with a copy of the results that `run` returns. Models that are kept are the same objects. */
  onCvEnd?(results: CVResults): Hook;
  /** Always called once, last, also after an error, which it is given. */
  teardown?(error?: unknown): Hook;
}

export type FoldHandlers = Pick<
  CVCallback,
  'onFoldStart' | 'onEpochStart' | 'onBatchEnd' | 'onEpochEnd' | 'onInnerFit' | 'onFoldEnd'
>;

export type HookName = Exclude<keyof CVCallback, 'name' | 'monitor' | 'needsEpochs' | 'readOnly' | 'forFold'>;

/** A hook threw. Never recorded as a failed fold: the run ends. */
export class CallbackError extends CVKitError {
  constructor(callback: string, hook: string, cause: unknown) {
    // Errors of cvkit are full sentences already.
    const message =
      cause instanceof CVKitError
        ? `${cause.message} (${hook} of the callback ${callback})`
        : `The ${hook} hook of the callback ${callback} must not throw. Got: ${messageOf(cause)}`;
    super(message, { code: 'callback', cause });
  }
}
