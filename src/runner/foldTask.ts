/** One fold as a value: what is trained, tested and kept, as plain data that `structuredClone` can copy. */
import type { ErrorRecord } from '../core/errorRecord.js';
import type { Adjustment, AdjustmentOptions } from './adjustment.js';
import type { Decision } from './foldOutcome.js';
import type { FitOptions, FoldContext } from './frameworkAdapter.js';

/** Training settings that are plain data; functions and objects of a library stay in the process that has them. */
export type PlainTraining = Pick<FitOptions, 'epochs' | 'batchSize'> & {
  /** `'balanced'` is counted on the rows that the model is fitted on. */
  readonly classWeight?: FitOptions['classWeight'] | 'balanced';
  readonly optimizer?: string;
  readonly lossFn?: unknown;
};

/**
 * For which rows of a fold the model is asked for labels beside probabilities: all of them where its labels are not
 * those of the highest probability (a cut-off of its own), or where only one of the two is to be had; none where labels do not
 * count; else the rows that are less sure than those where both were seen to agree, by label.
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
