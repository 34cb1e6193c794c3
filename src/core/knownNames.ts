/**
 * Names that options take, for their types alone: an editor proposes them, and names of one's own pass as well. What
 * metrics and methods are called is decided by their registries, and a test holds these lists against them.
 */

/** One of these names, or any other. */
export type Known<T extends string> = T | (string & {});

/** Names of the metrics, as `metrics` and `scoring` take them. */
export const METRIC_NAMES = [
  'accuracy',
  'balanced_accuracy',
  'roc_auc',
  'sensitivity',
  'specificity',
  'precision',
  'recall',
  'f1',
  'ppv',
  'npv',
  'f1_macro',
  'f1_micro',
  'f1_weighted',
  'f1_samples',
  'mcc',
  'cohen_kappa',
  'average_precision',
  'roc_auc_ovr_macro',
  'roc_auc_ovo_macro',
  'brier',
  'scaled_brier',
  'log_loss',
  'calibration_slope',
  'calibration_intercept',
  'ece',
  'net_benefit',
  'hamming_loss',
  'dice',
  'iou',
  'mse',
  'rmse',
  'mae',
  'r2',
  'explained_variance',
  'concordance_correlation',
] as const;

/** Values of `method` of the validator. */
export const METHOD_NAMES = [
  'kfold',
  'stratified_kfold',
  'patient_grouped_kfold',
  'temporal',
  'holdout',
  'repeated_kfold',
  'loocv',
  'lpocv',
  'monte_carlo',
  'bootstrap',
  'hold_out',
  'bootstrap_validation',
  'monte_carlo_cv',
  'nested_cv',
  'predefined_split',
  'group_kfold',
  'stratified_group_kfold',
  'leave_one_group_out',
  'leave_p_groups_out',
  'repeated_group_kfold',
  'hierarchical_group_kfold',
  'multilevel_cv',
  'nested_grouped_cv',
  'purged_kfold_cv',
  'combinatorial_purged_cv',
  'purged_group_time_series_split',
  'nested_temporal_cv',
  'time_series_split',
  'blocked_time_series',
  'rolling_window_cv',
  'expanding_window_cv',
  'spatial_block_cv',
  'buffered_spatial_cv',
  'spatiotemporal_block_cv',
  'environmental_health_cv',
  'cluster_kfold',
  'knndm',
  'multilabel_stratified_kfold',
  'multilabel_stratified_group_kfold',
] as const;

/** Optimizers of TensorFlow.js. */
export const OPTIMIZER_NAMES = ['adadelta', 'adagrad', 'adam', 'adamax', 'rmsprop', 'sgd'] as const;

/** Losses of TensorFlow.js. */
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

/** Guidelines to which a result has something to say, as `checklists` takes them. */
export const CHECKLIST_NAMES = ['TRIPOD+AI', 'CLAIM', 'STARD-AI', 'PROBAST+AI', 'GMLP', 'FDA', 'Annex IV'] as const;

/** Engines of TensorFlow.js. */
export const BACKEND_NAMES = ['wasm', 'tensorflow', 'cpu', 'webgl', 'webgpu'] as const;

export type MetricName = Known<(typeof METRIC_NAMES)[number]>;
export type MethodName = Known<(typeof METHOD_NAMES)[number]>;
export type OptimizerName = Known<(typeof OPTIMIZER_NAMES)[number]>;
export type LossName = Known<(typeof LOSS_NAMES)[number]>;
export type BackendName = Known<'auto' | (typeof BACKEND_NAMES)[number]>;
export type FrameworkName = Known<'auto' | 'tfjs' | 'estimator'>;
export type ChecklistName = (typeof CHECKLIST_NAMES)[number];
