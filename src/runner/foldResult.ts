/** What one fold gave: predictions with the truth beside them, scores, history; or the error that ended it. */
import type { FoldError } from '../core/errors.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { copyTable } from '../metrics/tableRows.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import type { Adjustment } from './adjustment.js';
import type { Outcome } from './foldTraining.js';
import type { FoldContext, HeldMemory } from './frameworkAdapter.js';

interface FoldFacts {
  /** Without its training rows, which the plan gives again: kept for every fold they would take O(n) memory each. */
  readonly fold: Omit<CheckedFold, 'train' | 'inner'>;
  readonly ctx: FoldContext;
  /** What the library held more after the fold than before; null when nothing grew. */
  readonly left: HeldMemory | null;
  /** Wall-clock seconds of build, fit and predict. */
  readonly seconds: number;
  /** Value of each metric on the test rows; null with the reason where there is none. */
  readonly scores: Readonly<Record<string, Score>>;
}

export interface CompletedFold extends FoldFacts, Outcome {
  readonly status: 'completed';
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
  /** The model with `keepModels: 'memory'`, its place with 'save'. */
  readonly model?: unknown;
}

export interface FailedFold extends FoldFacts {
  readonly status: 'failed';
  readonly error: FoldError;
}

export type FoldResult = CompletedFold | FailedFold;

/** A copy of the table: what a callback does to it must not reach the scores. */
export function forCallbacks(result: FoldResult): FoldResult {
  if (result.status !== 'completed') return result;
  const { table, trainTable, adjustment } = result;
  return {
    ...result,
    table: copyTable(table),
    adjustment: structuredClone(adjustment),
    ...(trainTable ? { trainTable: copyTable(trainTable) } : {}),
  };
}
