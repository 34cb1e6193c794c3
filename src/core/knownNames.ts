/** Names that options take, for their types alone: an editor proposes them, and names of one's own pass as well. */
import type { METRIC_NAMES, SPLITTER_NAMES } from './memberNames.js';

export type Known<T extends string> = T | (string & {});

export const OPTIMIZER_NAMES = ['adadelta', 'adagrad', 'adam', 'adamax', 'rmsprop', 'sgd'] as const;

export const LOSS_NAMES = [
  'meanSquaredError',
  'meanAbsoluteError',
  'meanAbsolutePercentageError',
  'meanSquaredLogarithmicError',
  'logcosh',
  'poisson',
  'cosineProximity',
  'kullbackLeiblerDivergence',
  'binaryCrossentropy',
  'categoricalCrossentropy',
  'sparseCategoricalCrossentropy',
  'categoricalHinge',
  'hinge',
  'squaredHinge',
] as const;

export const CHECKLIST_NAMES = ['TRIPOD+AI', 'CLAIM', 'STARD-AI', 'PROBAST+AI', 'GMLP', 'FDA', 'Annex IV'] as const;

export const BACKEND_NAMES = ['wasm', 'tensorflow', 'cpu', 'webgl', 'webgpu'] as const;

/** Of outcomes by time, loaded with them; those `at` are of each of the `times`. */
type TimedMetricName =
  | 'concordance'
  | 'concordance_uno'
  | 'integrated_brier'
  | 'log_partial_likelihood'
  | `${'brier' | 'roc_auc' | 'calibration' | 'calibration_slope' | 'observed_expected'}_at`;
export type MetricName = Known<(typeof METRIC_NAMES)[number] | TimedMetricName>;
export type MethodName = Known<
  'patient_grouped_kfold' | 'temporal' | 'holdout' | 'monte_carlo' | 'bootstrap' | (typeof SPLITTER_NAMES)[number]
>;
export type OptimizerName = Known<(typeof OPTIMIZER_NAMES)[number]>;
export type LossName = Known<(typeof LOSS_NAMES)[number]>;
export type BackendName = Known<'auto' | (typeof BACKEND_NAMES)[number]>;
export type FrameworkName = Known<'auto' | 'tfjs' | 'estimator' | 'onnx'>;
export type ChecklistName = (typeof CHECKLIST_NAMES)[number];
