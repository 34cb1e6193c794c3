/** What one fold gave: predictions with the truth beside them, scores, history; or the error that ended it. */
import type { FoldError } from '../core/errors.js';
import type { Score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { CheckedFold } from '../splitters/foldsOf.js';
import type { FitHistory, FoldContext } from './frameworkAdapter.js';

interface FoldFacts {
  /** Without its training rows, which the plan gives again: kept for every fold they would take O(n) memory each. */
  readonly fold: Omit<CheckedFold, 'train' | 'inner'>;
  readonly ctx: FoldContext;
  /** Wall-clock seconds of build, fit and predict. */
  readonly seconds: number;
  /** Value of each metric on the test rows; null with the reason where there is none. */
  readonly scores: Readonly<Record<string, Score>>;
}

export interface CompletedFold extends FoldFacts {
  readonly status: 'completed';
  /** Truth, predictions and weights of the test rows, in the order of `fold.test`. */
  readonly table: ScoreTable;
  readonly history: FitHistory;
  /** Training stopped before the last epoch because a callback said so. */
  readonly stoppedEarly: boolean;
  /** Only with `keepModels: 'memory'`. */
  readonly model?: unknown;
}

export interface FailedFold extends FoldFacts {
  readonly status: 'failed';
  readonly error: FoldError;
}

export type FoldResult = CompletedFold | FailedFold;
