import type { Labels } from '../../data/labels.js';
import type { Column } from '../features/columns.js';

export interface PreparedData {
  readonly before: readonly Column[];
  readonly after: readonly Column[];
  /** Rows that are compared: training and test rows. */
  readonly rows: Int32Array;
  readonly train: Int32Array;
  readonly all: Int32Array;
  readonly y: Labels | undefined;
  /** Half a step of what each processed column is rounded to; all 0 where the values are taken as exact. */
  readonly rounding: readonly number[];
}

export interface FittedRows {
  /** The values of the rows that it is fitted to, without missing ones, and the rows of these values. */
  readonly known: Float64Array;
  readonly rows: Int32Array;
  /** Number of rows that it is fitted to, missing values or not. */
  readonly count: number;
  readonly y: Labels | undefined;
  /** The processed column at the same place: what a parameter of the caller's (a smoothing) is found from. */
  readonly found: Column | undefined;
  readonly values: Float64Array;
  isTrained(row: number): boolean;
}

export type Change = (value: number, row: number) => number;

export type StepFit = (fit: FittedRows) => Change;

/**
 * Known values stay on a straight line, as they are, in order; `fixed`: a curve whatever the rows; `target`: become the
 * label.
 */
type StepShape = 'line' | 'fill' | 'curve' | 'fixed' | 'target';

export interface ColumnStep {
  readonly learn: StepFit;
  readonly shape: StepShape;
  readonly kind: string;
  readonly text?: true;
  /** It uses the label of each row, test rows included. */
  readonly labelled?: true;
}
