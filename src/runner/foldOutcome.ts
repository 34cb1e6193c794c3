/** What one fold gave, as plain data: predictions beside the truth, history, decisions; or the error that ended it. */
import { type ErrorRecord, errorOf, errorRecord } from '../core/errorRecord.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { Adjustment } from './adjustment.js';
import type { FitHistory, FoldContext, HeldMemory } from './frameworkAdapter.js';

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

/** What was seen of the labels of one model. */
export interface LabelsProbed {
  /** Training rows on which labels and probabilities were compared; 0 where nobody had to look. */
  readonly looked: number;
  /** Some label was not that of the highest probability: the model has a cut-off of its own. */
  readonly own: boolean;
}

/** What the adapter says of the model of a fold. */
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

/** The outcome of a fold that failed before anything could be counted. */
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
