/** What one fold gave: predictions with the truth beside them, scores, history; or the error that ended it. */

import { type ErrorRecord, errorOf, errorRecord } from '../core/errorRecord.js';
import type { FoldError } from '../core/errors.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import type { Adjustment } from './adjustment.js';
import type { FitHistory, FoldContext, HeldMemory } from './frameworkAdapter.js';

/** What is kept of a fold: not its training rows, which the plan gives again and which would take O(n) memory each. */
export type KeptFold = Pick<CheckedFold, 'id' | 'index' | 'repeat' | 'number' | 'test' | 'excluded'>;

export const keptOf = ({ id, index, repeat, number, test, excluded }: KeptFold): KeptFold => {
  return { id, index, repeat, number, test, ...(excluded ? { excluded } : {}) };
};

export interface FoldFacts {
  readonly fold: KeptFold;
  readonly ctx: FoldContext;
  /** What the library held more after the fold than before; null when nothing grew, or when another run overlapped, so that nobody can tell. */
  readonly left: HeldMemory | null;
  readonly seconds: number;
  readonly secondsOf: FoldSeconds;
  /** Models that were trained within the training rows for `recalibrate` and `threshold`. */
  readonly innerFits: number;
}

export interface CompletedFold extends FoldFacts, Outcome {
  readonly status: 'completed';
  /** Value of each metric on the test rows; null with the reason where there is none. */
  readonly scores: Readonly<Record<string, Score>>;
  /** Truth, (adjusted) predictions and weights of the test rows, in the order of `fold.test`. */
  readonly table: ScoreTable;
  /** How predictions were recalibrated and cut, with `recalibrate` and `threshold`; null without. */
  readonly adjustment: Adjustment | null;
  /** The same of the training rows, in the order of `fold.train`, and its scores: with `returnTrainScores`. */
  readonly trainTable?: ScoreTable;
  readonly trainScores?: Readonly<Record<string, Score>>;
  /** Rows that the model was trained on, and rows that were watched: parts of the training rows of the fold. */
  readonly nFitted: number;
  readonly nValidation: number;
  /** Units (patients, where they are known) that the model was trained on; null when it was trained on all training rows. */
  readonly nUnitsFitted: number | null;
  /** What was seen of the model's own labels. */
  readonly labels: LabelsProbed;
  readonly about: ModelFacts;
  /** The model with `keepModels: 'memory'`, its place with 'save'. */
  readonly model?: unknown;
}

type Carried = Omit<CompletedOutcome, 'status' | 'fits' | 'raw' | 'probed' | 'modelScores' | 'trainModelScores'>;

/** A completed fold: what its outcome says, and what was made of it. Without `nUnitsFitted`, it was trained on all its rows. */
export function completedFold(
  outcome: Carried,
  completed: Pick<CompletedFold, 'fold' | 'scores' | 'nFitted'> & Partial<CompletedFold>,
): CompletedFold {
  const {
    fits: _1,
    raw: _2,
    probed: _3,
    modelScores: _4,
    trainModelScores: _5,
    ...carried
  } = outcome as CompletedOutcome;
  return { ...carried, nValidation: 0, nUnitsFitted: null, ...completed, status: 'completed' };
}

export interface FailedFold extends FoldFacts {
  readonly status: 'failed';
  /** No value, with the reason. */
  readonly scores: Readonly<Record<string, Score>>;
  readonly error: FoldError;
}

export type FoldResult = CompletedFold | FailedFold;

/** One row of `foldDetails`. */
export interface FoldDetails {
  readonly fold: string;
  readonly index: number;
  readonly repeat: number;
  /** Training rows of the fold: those that the model was trained on, those that were watched, and any left out. */
  readonly nTrain: number;
  /** Training rows that the model was trained on. */
  readonly nFitted: number;
  /** Training rows that were watched, for early stopping and the like. */
  readonly nValidation: number;
  readonly nTest: number;
  readonly seed: number;
  readonly status: 'completed' | 'failed';
  readonly error: string | null;
  readonly epochs: number;
  readonly stoppedEarly: boolean;
  /** The epoch, from 0, whose weights the model ended with (-1: those it began with); null: the last one's. */
  readonly keptEpoch: number | null;
  /** Wall-clock seconds of everything, inner fits included, and of its parts. */
  readonly seconds: number;
  readonly secondsOf: FoldSeconds;
  /** Models that were trained within the training rows for `recalibrate` and `threshold`. */
  readonly innerFits: number;
  /** How the predictions of the fold were recalibrated and cut, with `recalibrate` and `threshold`; else null. */
  readonly adjustment: Adjustment | null;
}

export interface Decision {
  readonly epoch: number;
  /** Before or after that epoch. */
  readonly at: 'start' | 'end';
  readonly what: 'stop' | 'keepWeights' | 'learningRate';
  readonly rate?: number;
}

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

export interface ModelFacts {
  readonly name: string | null;
  /** Why its fit cannot teach it anything; null where that cannot be told. */
  readonly idle: string | null;
}

interface OutcomeFacts {
  readonly ctx: FoldContext;
  readonly seconds: number;
  readonly secondsOf: FoldSeconds;
  /** Models that were trained: its own and the inner ones. */
  readonly fits: number;
  readonly innerFits: number;
  /** What the library held more after the fold than before; null when nothing grew or nobody can tell. */
  readonly left: HeldMemory | null;
}

export interface CompletedOutcome extends OutcomeFacts, Outcome {
  readonly status: 'completed';
  /** Truth and (adjusted) predictions of the test rows, in their order. */
  readonly table: ScoreTable;
  readonly trainTable?: ScoreTable;
  /** Predictions of the test rows as the model gave them, where an adjustment changed them. */
  readonly raw?: ScoreTable;
  /** Predictions of the rows that the task names to compare models. */
  readonly probed?: ScoreTable;
  /** Scores that need the model, of the test rows and of the training rows. */
  readonly modelScores: Readonly<Record<string, Score>>;
  readonly trainModelScores?: Readonly<Record<string, Score>>;
  readonly adjustment: Adjustment | null;
  readonly labels: LabelsProbed;
  readonly about: ModelFacts;
}

export interface FailedOutcome extends OutcomeFacts {
  readonly status: 'failed';
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
