// Written by `npm run generate` from src/index.ts and scripts/generate/snake.mjs.

/**
 * The order of arguments in the original interface (test/reference/originalInterface.json), by class and method. Those before
 * a bar are taken by place by the method of cvkit, too; the others are its options.
 */
export const POSITIONS = {
  CVKitValidator: {
    constructor:
      'method n_splits random_state shuffle check_leakage check_balance compliance metrics return_confidence_intervals ci_level ci_method n_bootstrap holdout_test_size holdout_stratify repeated_kfold_repeats lpocv_p monte_carlo_iterations monte_carlo_test_size bootstrap_validation_iterations bootstrap_validation_estimator',
    validate: '',
    fit_validate: '',
  },
  UniversalCVRunner: {
    constructor: 'cv_splitter framework adapter verbose',
    run: 'model data epochs optimizer loss_fn metrics callbacks groups',
    run_with_hyperparameter_tuning: 'model_fn param_grid data scoring n_trials',
  },
  DataLeakageChecker: {
    constructor: 'verbose',
    check: 'X y | groups timestamps coordinates n_splits random_state',
    check_cv_splits:
      'X_train X_test | y_train y_test patient_ids_train patient_ids_test timestamps_train timestamps_test coordinates_train coordinates_test spatial_threshold',
    check_feature_target_leakage: 'X y | threshold',
    check_preprocessing_leakage: 'X_original X_processed split_indices | ',
    check_near_duplicates: 'X_train X_test | similarity_threshold',
    check_hierarchical_leakage: 'groups_train groups_test parent_groups_train parent_groups_test | ',
    comprehensive_check: 'X y | groups timestamps coordinates feature_threshold',
  },
  BalanceChecker: {
    constructor: 'threshold',
    check_class_balance: 'y | groups',
    check_cv_balance: 'X y cv_splitter | groups',
    check_feature_distribution: 'X | feature_names',
    generate_report: '',
  },
  ClinicalMetrics: {
    constructor: 'confidence_level prevalence',
    calculate_all: 'y_true y_pred | y_proba sample_weight',
    format_report: 'metrics | ',
  },
  Splitter: { split: 'X y | groups', get_n_splits: 'X y | groups' },
  HoldOut: { constructor: 'test_size random_state stratify' },
  KFold: { constructor: 'n_splits shuffle random_state' },
  StratifiedKFold: { constructor: 'n_splits shuffle random_state' },
  RepeatedKFold: { constructor: 'n_splits n_repeats random_state stratify' },
  LOOCV: { constructor: '' },
  LPOCV: { constructor: 'p' },
  BootstrapValidation: { constructor: 'n_iterations estimator random_state' },
  MonteCarloCV: { constructor: 'n_iterations test_size random_state' },
  NestedCV: { constructor: 'outer_cv inner_cv' },
  GroupKFold: { constructor: 'n_splits shuffle random_state' },
  StratifiedGroupKFold: { constructor: 'n_splits shuffle random_state' },
  LeaveOneGroupOut: { constructor: '' },
  LeavePGroupsOut: { constructor: 'n_groups' },
  RepeatedGroupKFold: { constructor: 'n_splits n_repeats random_state' },
  NestedGroupedCV: { constructor: 'outer_cv inner_cv' },
  HierarchicalGroupKFold: { constructor: 'n_splits hierarchy_level shuffle random_state' },
  TimeSeriesSplit: { constructor: 'n_splits gap test_size max_train_size' },
  BlockedTimeSeries: { constructor: 'n_splits block_size' },
  RollingWindowCV: { constructor: 'window_size step_size forecast_horizon gap' },
  ExpandingWindowCV: { constructor: 'initial_train_size step_size forecast_horizon gap' },
  PurgedKFoldCV: { constructor: 'n_splits purge_gap embargo_size' },
  CombinatorialPurgedCV: { constructor: 'n_splits n_test_splits purge_gap embargo_size strict_order' },
  PurgedGroupTimeSeriesSplit: { constructor: 'n_splits purge_gap embargo_size group_exclusive' },
  NestedTemporalCV: { constructor: 'outer_cv inner_cv' },
  SpatialBlockCV: { constructor: 'n_splits block_shape block_size random_state coordinates' },
  BufferedSpatialCV: { constructor: 'n_splits buffer_size distance_metric block_shape random_state' },
  SpatiotemporalBlockCV: {
    constructor: 'n_spatial_blocks n_temporal_blocks buffer_space buffer_time block_shape random_state',
  },
  EnvironmentalHealthCV: { constructor: 'spatial_blocks temporal_strategy environmental_vars buffer_config' },
  MultilabelStratifiedKFold: { constructor: 'n_splits shuffle random_state' },
  MultilabelStratifiedGroupKFold: { constructor: 'n_splits shuffle random_state alpha beta eps' },
} as const;
