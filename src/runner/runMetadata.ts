import type { RecordedOptions } from '../core/recorded.js';
import type { ContentHashes } from '../data/contentHashes.js';
import type { Label, Task } from '../data/labels.js';
import type { ModelHistory } from './fixedModel.js';
import type { TrainingSettings } from './frameworkAdapter.js';

export type Provenance = Readonly<
  Partial<Record<'description' | 'license' | 'source' | 'sha256', string> & { trueAuc: number }>
>;

/** The steps of `preprocessing`. */
export interface PreprocessingFacts {
  /** In words, with what is not the default: `SimpleImputer, StandardScaler`. */
  readonly steps: string;
  /** Steps that the author declares to use statistics of other rows than those of the fold (`scope: 'global'`). */
  readonly globalSteps: readonly string[];
  /**
   * A step has a `fit`, which is called with the training rows of each fold alone; what a step of the caller's reads there
   * is not known. Functions and frozen networks learn nothing.
   */
  readonly learns: boolean;
  /** Networks that were trained elsewhere, perhaps on these rows. */
  readonly frozen: readonly string[];
  /** Steps that change how often each class is trained on; test rows are as they were. */
  readonly resamplers: readonly string[];
  /** Steps that fill missing cells, with the columns that they are given: `SimpleImputer (columns ['age'])`. */
  readonly imputers: readonly string[];
}

/** What one fold gave, for `reproduce`. */
export interface FoldRecord {
  readonly fold: string;
  /** SHA-256 of the test rows and their predictions (docs/manifest.md); null for a fold that failed. */
  readonly predictions: string | null;
  readonly scores: Readonly<Record<string, number | null>>;
}

/** How a run came about: enough to do it again. */
export interface RunMetadata extends ModelHistory {
  readonly cvkit: string;
  /** What ran the code, for example `node 22.12.0`. */
  readonly runtime: string;
  /**
   * The options that the caller wrote, by table: plain values as they are, functions as name and SHA-256 of their text,
   * instances as class and options; rows as a SHA-256. Empty where predictions were given.
   */
  readonly options: RecordedOptions;
  /** The first model as its adapter describes it: class, options or layers, weights, or its file; null where it does not. */
  readonly network: unknown;
  /** Metrics that were registered, by name: SHA-256 of their functions. */
  readonly metrics: object;
  /** What each fold gave. */
  readonly outcome: readonly FoldRecord[];
  readonly startedAt: string;
  readonly seconds: number;
  readonly splitter: string;
  /** The splitter with its options, as one would write it. */
  readonly design: string;
  /** Number of folds in the plan, and of those that ran. */
  readonly nSplits: number;
  readonly foldsRun: number;
  readonly foldsFailed: number;
  /** Models that were trained in all: those of the folds, inner ones, and those of `apparent` and `verifyIsolation`. */
  readonly modelsTrained: number;
  readonly repeats: number;
  readonly foldFingerprint: string;
  /** SHA-256 of the data and of the folds (docs/manifest.md); null where predictions were given and no data read. */
  readonly sha256: ContentHashes | null;
  /** Ids of the folds of the plan, in order; the fingerprint does not cover them. */
  readonly foldIds: readonly string[];
  readonly n: number;
  /** Number of distinct groups, when groups were given. */
  readonly nGroups: number | null;
  /** What the data set told of itself: description, licence, source, hash; null where nothing was told. */
  readonly dataset: Provenance | null;
  readonly task: Task;
  /** Why that task. */
  readonly taskReason: string;
  /** Empty for regression and for masks, which have as many as pixels. */
  readonly classes: readonly Label[];
  readonly positiveLabel: Label | null;
  /** Survival: the times that scores are about. */
  readonly times?: readonly number[];
  /** Survival: the times of the curves, `yProba` of the out-of-fold table. */
  readonly survivalTimes?: readonly number[];
  /** Survival: the event that risks and curves are about. */
  readonly causeOfInterest?: number;
  /** What made one prediction of those of a patient, where patients were scored, too. */
  readonly aggregate?: 'mean' | 'max' | 'function';
  /** Of masks: the shape of one, its classes, and the tolerance of `nsd`. */
  readonly masks?: { readonly shape: readonly number[]; readonly channels: number; readonly tolerance: number };
  readonly adapter: string;
  /** What the models are called, such as the name of their class; null where the adapter does not tell. */
  readonly model: string | null;
  /** Facts that the adapter tells, for example the backend. */
  readonly engine: Readonly<Record<string, string>>;
  readonly randomState: number | string;
  /** Sizes of one row, for example `[30]`; null where only reading the rows would tell. */
  readonly rowShape: readonly number[] | null;
  /** What prepared the rows in each fold, with `preprocessing`; else null. */
  readonly preprocessing: PreprocessingFacts | null;
  /** Parameters that a search chose, for each outer fold its own; left out where there was none. */
  readonly tuned?: readonly string[];
  /** Null for models that do not train in epochs. Those of the call: a fold may have chosen others, as `tuned` says. */
  readonly epochs: number | null;
  readonly batchSize: number | null;
  /** With what the models were trained, in words; null where the adapter does not tell. */
  readonly training: TrainingSettings | null;
  /**
   * Where the labels come from when a model gives probabilities beside them, and on how many training rows that was looked
   * at; null where only one of the two is to be had, or the adapter tells.
   */
  readonly labels: string | null;
  /** How predictions were recalibrated and cut, in words; null where they were not. */
  readonly adjustment: string | null;
  /**
   * The folds that `verifyIsolation` trained again after all others with the same outcome; empty where fewer than two
   * folds were completed, so that nothing could be shown; null where it was not asked for.
   */
  readonly verifiedFolds: readonly string[] | null;
  /** A callback ended the run before the last fold. */
  readonly stopped: boolean;
  /** Names of scores that need the model and cannot be recomputed from the out-of-fold table. */
  readonly notRecomputable: readonly string[];
  /** Options that another option overrode, as "`framework` by `adapter`". */
  readonly overridden: readonly string[];
  readonly warnings: readonly string[];
}
