/**
 * What one fold gave: the outcome of `runFold` as plain data (predictions beside the truth, history, decisions, or the error
 * that ended it), and the result with its scores.
 */

import { type ErrorRecord, errorOf, errorRecord } from '../core/errorRecord.js';
import type { FoldError } from '../core/errors.js';
import type { NotedCells } from '../data/notedCells.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import type { Adjustment } from './adjustment.js';
import type { FitHistory, FoldContext, HeldMemory } from './frameworkAdapter.js';
import type { FoldImportance } from './importanceOptions.js';

/** What callbacks made of the training of a fold, in order. */
export interface Decision {
  readonly epoch: number;
  /** Before or after that epoch. */
  readonly at: 'start' | 'end';
  readonly what: 'stop' | 'keepWeights' | 'learningRate';
  /** The new learning rate. */
  readonly rate?: number;
}

/** How the training of a fold went. */
export interface Outcome {
  readonly history: FitHistory;
  readonly stoppedEarly: boolean;
  /** The epoch, from 0, whose weights the model ended with (-1: those it began with); null: the last one's. */
  readonly keptEpoch: number | null;
  readonly decisions: readonly Decision[];
}

/** Seconds of the parts of a fold; what is left of the whole is saving, disposing and the like. */
export interface FoldSeconds {
  /** Inner fits, with their predictions. */
  readonly inner: number;
  /** Fitting `preprocessing` and preparing the rows that are trained on. */
  readonly preprocess: number;
  /** Building and training the model, with what callbacks do and watch between epochs. */
  readonly fit: number;
  /** Predicting and scoring. */
  readonly predict: number;
}

export interface LabelsProbed {
  /** Training rows on which labels and probabilities were compared; 0 where nobody had to look. */
  readonly looked: number;
  /** Some label was not that of the highest probability: the model has a cut-off of its own. */
  readonly own: boolean;
}

interface ModelFacts {
  readonly name: string | null;
  /** Why its fit cannot teach it anything; null where that cannot be told. */
  readonly idle: string | null;
  /** What its preparation noted of the test rows. */
  readonly cells?: readonly NotedCells[];
}

interface Facts {
  readonly ctx: FoldContext;
  /** Wall-clock seconds of everything, inner fits included, and of its parts. */
  readonly seconds: number;
  readonly secondsOf: FoldSeconds;
  /** Models that were trained within the training rows for `recalibrate` and `threshold`. */
  readonly innerFits: number;
  /** What the library held more after the fold than before; null when nothing grew, or when another run overlapped, so that nobody can tell. */
  readonly left: HeldMemory | null;
  /** Found in the run directory: trained by an earlier call. */
  readonly kept?: true;
}

interface Tested extends Facts, Outcome {
  readonly status: 'completed';
  /** Truth, (adjusted) predictions and weights of the test rows, in the order of `fold.test`. */
  readonly table: ScoreTable;
  /** The same of the training rows, in the order of `fold.train`: with `returnTrainScores`. */
  readonly trainTable?: ScoreTable;
  /** How predictions were recalibrated and cut, with `recalibrate` and `threshold`; null without. */
  readonly adjustment: Adjustment | null;
  /** What the score loses by each feature, with `importance`. */
  readonly importance?: FoldImportance;
  /** What was seen of the model's own labels. */
  readonly labels: LabelsProbed;
  readonly about: ModelFacts;
}

export interface CompletedOutcome extends Tested {
  /** Models that were trained: its own and the inner ones. */
  readonly fits: number;
  /** Predictions of the test rows as the model gave them, where an adjustment changed them. */
  readonly raw?: ScoreTable;
  /** Predictions of the rows that the task names to compare models. */
  readonly probed?: ScoreTable;
  /** Scores that need the model, of the test rows and of the training rows. */
  readonly modelScores: Readonly<Record<string, Score>>;
  readonly trainModelScores?: Readonly<Record<string, Score>>;
}

interface FailedOutcome extends Facts {
  readonly status: 'failed';
  readonly fits: number;
  readonly error: ErrorRecord;
}

export type FoldOutcome = CompletedOutcome | FailedOutcome;

/** Errors of outcomes that never left this process, so that nothing of them is lost. */
const raised = new WeakMap<FailedOutcome, unknown>();

export function failedOutcome(outcome: FailedOutcome, error: unknown): FailedOutcome {
  raised.set(outcome, error);
  return outcome;
}

export const failedAtOnce = (ctx: FoldContext, started: number, error: unknown): FailedOutcome => ({
  ctx,
  status: 'failed',
  error: errorRecord(error),
  seconds: (performance.now() - started) / 1000,
  secondsOf: { inner: 0, preprocess: 0, fit: 0, predict: 0 },
  fits: 0,
  innerFits: 0,
  left: null,
});

/** The error of a failed fold: what was thrown, where that was in this process, else what its record tells. */
export const errorIn = (outcome: FailedOutcome): unknown =>
  raised.has(outcome) ? raised.get(outcome) : errorOf(outcome.error);

/** What is kept of a fold: not its training rows, which the plan gives again and which would take O(n) memory each. */
export type KeptFold = Pick<CheckedFold, 'id' | 'index' | 'repeat' | 'number' | 'test' | 'excluded'>;

export const keptOf = ({ id, index, repeat, number, test, excluded }: KeptFold): KeptFold => {
  return { id, index, repeat, number, test, ...(excluded ? { excluded } : {}) };
};

/** A fold that was trained and scored. */
export interface CompletedFold extends Tested {
  /** Without its training rows, which the plan gives again: kept for every fold they would take O(n) memory each. */
  readonly fold: KeptFold;
  /** Value of each metric on the test rows; null with the reason where there is none. */
  readonly scores: Readonly<Record<string, Score>>;
  readonly trainScores?: Readonly<Record<string, Score>>;
  /** Rows that the model was trained on, and rows that were watched: parts of the training rows of the fold. */
  readonly nFitted: number;
  /** Training rows that were watched, for early stopping and the like. */
  readonly nValidation: number;
  /** Units (patients, where they are known) that the model was trained on; null when it was trained on all training rows. */
  readonly nUnitsFitted: number | null;
  /** The model with `keepModels: 'memory'`, its place with 'save'. */
  readonly model?: unknown;
}

/** A completed fold: what its outcome says, and what was made of it. Without `nUnitsFitted`, it was trained on all its rows. */
export function completedFold(
  outcome: Omit<Tested, 'status'>,
  completed: Pick<CompletedFold, 'fold' | 'scores' | 'nFitted'> & Partial<CompletedFold>,
): CompletedFold {
  // By name: an executor of others may add fields to an outcome.
  const { ctx, seconds, secondsOf, innerFits, left, history, stoppedEarly, keptEpoch, decisions } = outcome;
  const { table, adjustment, labels, about, importance } = outcome;
  return {
    ...{ ctx, seconds, secondsOf, innerFits, left, history, stoppedEarly, keptEpoch, decisions },
    ...{ table, adjustment, labels, about, nValidation: 0, nUnitsFitted: null },
    ...(importance ? { importance } : {}),
    ...completed,
    status: 'completed',
  };
}

/** A fold that broke off, with its error. */
export interface FailedFold extends Facts {
  /** Without its training rows, which the plan gives again: kept for every fold they would take O(n) memory each. */
  readonly fold: KeptFold;
  readonly status: 'failed';
  /** No value, with the reason. */
  readonly scores: Readonly<Record<string, Score>>;
  readonly error: FoldError;
}

export type FoldResult = CompletedFold | FailedFold;

/** One row of `foldDetails`. */
export interface FoldDetails
  extends Pick<FoldContext, 'fold' | 'index' | 'repeat' | 'nTrain' | 'nTest' | 'seed'>,
    Pick<
      CompletedFold,
      'nFitted' | 'nValidation' | 'stoppedEarly' | 'keptEpoch' | 'seconds' | 'secondsOf' | 'innerFits'
    > {
  readonly status: 'completed' | 'failed';
  readonly error: string | null;
  readonly epochs: number;
  /** How the predictions of the fold were recalibrated and cut, with `recalibrate` and `threshold`; else null. */
  readonly adjustment: Adjustment | null;
}
