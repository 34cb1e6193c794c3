/** What is asked: whether these data became those, and which rows the steps may have been fitted to. */
import type { Labels } from '../../data/labels.js';
import type { Column } from '../features/columns.js';

export interface Task {
  readonly before: readonly Column[];
  readonly after: readonly Column[];
  /** Rows that are compared: training and test rows. */
  readonly rows: Int32Array;
  readonly train: Int32Array;
  readonly all: Int32Array;
  readonly y: Labels | undefined;
}
