/** What passes between a run and who runs its folds: an executor, what it is given, what folds say, what the run answers. */
import type { ErrorRecord } from '../core/errorRecord.js';
import type { ModuleFunction } from '../core/moduleFunction.js';
import type { PortableLabels, PortableRows } from '../data/portable.js';
import type { SideData } from '../data/sideData.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { Adjustment, AdjustmentOptions } from './adjustment.js';
import type { CompletedOutcome, Decision, FoldOutcome } from './foldResult.js';
import type {
  Batch,
  EpochLogs,
  FitOptions,
  FoldContext,
  FrameworkAdapter,
  HeldMemory,
  ModelFactory,
  ModelPlace,
} from './frameworkAdapter.js';
import type { ImportancePlan } from './importanceOptions.js';
import type { SavedFacts, SaveOptions } from './modelFolder.js';
import type { ModelSource } from './modelSource.js';
import type { Problem } from './readData.js';

/** What the run hands to an executor. */
export interface FoldLink {
  /** What this process has. An executor that works elsewhere makes its own there. */
  readonly services: Omit<FoldServices, 'emit'>;
  emit(event: FoldEvent, control?: EpochControl): Promise<FoldReply>;
  /** The run as plain data, for an executor that works elsewhere; see `runFoldElsewhere`. */
  describe(): Promise<RunRecord>;
  /** What an executor on other machines takes instead. */
  forMachines(): RunForMachines;
}

/** A run for other machines: its rows are named, not sent. */
export interface RunForMachines {
  readonly facts: RecordFacts;
  /** Of every task, for the modules that it names. */
  readonly training: PlainTraining;
  /** Run beside the training, wherever that is. */
  readonly callbacks: readonly PlainCallback[];
  /** The function that gives the rows and labels; undefined where `copyData` writes them into the directory. */
  readonly data: ModuleFunction | undefined;
  /** With `runDirectory`: where finished folds are, and the name of each; see `KeptOutcomes`. */
  readonly directory: { readonly place: string; keyOf(task: FoldTask): string | undefined } | undefined;
}

/** A callback of cvkit that its options make again. */
export interface PlainCallback {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Runs tasks and gives their outcomes, in any order; tasks are made while they are asked for. An outcome says what went
 * wrong in a fold; `run` throws only when it cannot go on. `runFold` keeps to `foldTimeout`, and the run to its `signal`.
 */
export interface Executor {
  readonly name: string;
  /** The largest number of folds that run at once. */
  readonly concurrency: number;
  /**
   * Folds run outside this thread, where only the record of the run is known: the model must be in a module. 'processes': also
   * outside this process, with an engine of their own. 'machines': perhaps on another machine, which answers with the outcome
   * alone.
   */
  readonly elsewhere?: boolean | 'processes' | 'machines';
  run(tasks: Iterable<FoldTask>, link: FoldLink): AsyncIterable<FoldOutcome>;
  close(): Promise<void>;
}

/** What is saved with each model of a run, and whether models may be replaced. */
export type SavingRun = Pick<SavedFacts, 'framework' | 'run' | 'data' | 'featureNames' | 'preprocessing'> & {
  readonly overwrite: boolean;
};

/** What a process that runs folds needs beside the tasks; none of it is part of a task. */
export interface FoldServices extends Pick<Problem, 'X' | 'y' | 'auxiliary' | 'data' | 'weight' | 'positive'> {
  readonly adapter: FrameworkAdapter;
  readonly source: ModelFactory | object;
  /** See {@link ModelSource}. */
  readonly built: ModelSource['built'];
  /** Training settings that are functions or objects of a library. */
  readonly training: Pick<FitOptions, 'optimizer' | 'lossFn' | 'augment'>;
  /** The scores that need the model, by name; `table` holds what it predicted for the rows. */
  modelScores(model: unknown, rows: Batch, table: ScoreTable): Promise<Record<string, Score>>;
  readonly signal: AbortSignal | undefined;
  /** Of the fold that runs. */
  readonly seed?: number;
  /** Models that are kept in this process, by the id of their fold. */
  readonly models: Map<string, unknown>;
  placeOf(fold: string): ModelPlace;
  /** What is saved with models of this run. */
  readonly saving: SavingRun;
  /** What the model that waits for the first fold of a run holds, by the id of that fold. */
  readonly waiting: { readonly fold: string; readonly held: HeldMemory } | undefined;
  /** Starts watching now; the function it gives tells whether growth in the library's memory is this fold's alone. */
  watchMemory(): () => boolean;
  /** The context of a fold as the caller's code is given it. */
  contextOf<C extends FoldContext>(ctx: C): C;
  emit(event: FoldEvent, control?: EpochControl): Promise<FoldReply>;
}

/** What a fold needs of its run where it has nothing else: in another thread or process. Plain data. */
export type RunRecord = RecordFacts & RunRows;

/** All but its rows. */
export interface RecordFacts {
  readonly id: string;
  /** URL of the module that exports the model factory. */
  readonly model: string;
  /** The factory is given the parameters of the trial first. */
  readonly takesParams: boolean;
  readonly framework: string;
  readonly adapterOptions: Readonly<Record<string, unknown>>;
  /** What the adapter told of its engine, which must be the same where the fold runs. */
  readonly engine: Readonly<Record<string, string>>;
  /** The steps of `preprocessing` before they are fitted, as plain data; undefined where there are none. */
  readonly preprocessing: unknown;
  readonly positive: number;
  readonly saving: SavingRun;
}

export interface RunRows {
  readonly X: PortableRows;
  readonly y: PortableLabels;
  readonly auxiliary: Readonly<Record<string, PortableLabels>> | undefined;
  readonly groups: SideData['groups'];
  readonly weight: Float64Array | undefined;
}

interface EventFacts {
  readonly ctx: FoldContext;
  /** The fold is an inner one: only callbacks that are part of training hear of it. */
  readonly inner: boolean;
}

interface EpochFacts extends EventFacts {
  readonly epoch: number;
  readonly epochs: number;
}

/** The rate, why it cannot be told, or null where the adapter knows of none. */
type LearningRate = number | ErrorRecord | null;

export type FoldEvent =
  | (EventFacts & { readonly type: 'foldStart' })
  | (EpochFacts & { readonly type: 'epochStart'; readonly learningRate: LearningRate })
  | (EpochFacts & { readonly type: 'batchEnd'; readonly logs: EpochLogs })
  | (EpochFacts & { readonly type: 'epochEnd'; readonly logs: EpochLogs; readonly learningRate: LearningRate })
  /** One inner fold of the fold has ended. */
  | (EventFacts & {
      readonly type: 'innerEnd';
      readonly done: number;
      readonly total: number;
      readonly outcome: CompletedOutcome;
    });

/** What the run answers. */
export interface FoldReply {
  /** After an epoch: ends the training of the fold. */
  readonly stop?: boolean;
  /** The learning rates that were set, in order; the last one counts. */
  readonly learningRates?: readonly number[];
  /** At the start of a fold: some callback or listener wants every batch. */
  readonly batches?: boolean;
}

/** What the run may do with the model while it answers an event between epochs. */
export interface EpochControl {
  keepWeights(): Promise<void>;
  save(where: ModelPlace, options?: SaveOptions): Promise<void>;
}

/** Training settings that are plain data; functions and objects of a library stay in the process that has them. */
export type PlainTraining = Pick<FitOptions, 'epochs' | 'batchSize'> & {
  /** `'balanced'` is counted on the rows that the model is fitted on. */
  readonly classWeight?: FitOptions['classWeight'] | 'balanced';
  readonly optimizer?: string | ModuleFunction;
  readonly lossFn?: unknown;
  readonly augment?: ModuleFunction;
};

/**
 * Rows whose labels are asked for beside probabilities: all where the labels are those of a cut-off of the model's own, or
 * only one of the two is to be had; none where labels do not count; else those less sure than where both were seen to agree,
 * by label.
 */
export type LabelsNeeded = 'all' | 'none' | { readonly sureFrom: ReadonlyMap<string, number> };

/** Which rows are asked for labels, or on how many training rows that is found out. */
export type LabelProbe = 'all' | 'none' | { readonly look: number };

/** Row numbers are those of the full data, ascending. */
export interface FoldTask {
  /** What a factory is told of the fold: id, place, seed, parameters of the trial. */
  readonly ctx: FoldContext;
  /** Rows that the model is trained on. */
  readonly fit: Int32Array;
  /** Rows that training watches, cut from the training rows of the fold. */
  readonly watch?: Int32Array;
  readonly test: Int32Array;
  /** All training rows of the fold, where they are predicted, too. */
  readonly train?: Int32Array;
  /** Which features are permuted among the test rows, with `importance`. */
  readonly importance?: ImportancePlan;
  /** Rows that earlier folds test and this one trains on, predicted to see whether `fit` has an effect. */
  readonly probe?: Int32Array;
  readonly labels: LabelProbe;
  /** Metrics to compute on the watched rows after each epoch: name of the log to name of the metric. */
  readonly watchedMetrics: Readonly<Record<string, string>>;
  readonly training: PlainTraining;
  /** Seconds after which the fold fails; an inner fold ends with its outer one. */
  readonly timeout?: number;
  /** Folds within the training rows, trained first: their predictions are what the adjustment is fitted on. */
  readonly inner: readonly FoldTask[];
  /** Id of the fold that this one is an inner fold of. */
  readonly outer?: string;
  /** Recalibration and threshold to fit, and one that is fitted already. */
  readonly adjust?: AdjustmentOptions;
  readonly adjustment?: Adjustment;
  /** What callbacks decided when this fold was trained before; they are not called again. */
  readonly replay?: readonly Decision[];
  readonly keepModel: 'none' | 'memory' | 'save';
  /** Why the rows of this fold cannot be trained on, found when the task was made. */
  readonly fault?: ErrorRecord;
}
