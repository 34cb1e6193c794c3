// Written by `npm run generate` from src/index.ts and scripts/generate/snake.mjs.

/** The order of arguments in the original interface (test/reference/originalInterface.json), by class and method. */
export const POSITIONS = {
  CVKitValidator: {
    constructor: {
      first: [],
      options: [
        'method',
        'n_splits',
        'random_state',
        'shuffle',
        'check_leakage',
        'check_balance',
        'compliance',
        'metrics',
        'return_confidence_intervals',
        'ci_level',
        'ci_method',
        'n_bootstrap',
        'holdout_test_size',
        'holdout_stratify',
        'repeated_kfold_repeats',
        'lpocv_p',
        'monte_carlo_iterations',
        'monte_carlo_test_size',
        'bootstrap_validation_iterations',
        'bootstrap_validation_estimator',
      ],
    },
    validate: { first: [], options: [] },
    fit_validate: { first: [], options: [] },
  },
  UniversalCVRunner: {
    constructor: { first: [], options: ['cv_splitter', 'framework', 'adapter', 'verbose'] },
    run: { first: [], options: ['model', 'data', 'epochs', 'optimizer', 'loss_fn', 'metrics', 'callbacks', 'groups'] },
    run_with_hyperparameter_tuning: { first: [], options: ['model_fn', 'param_grid', 'data', 'scoring', 'n_trials'] },
  },
  DataLeakageChecker: {
    constructor: { first: [], options: ['verbose'] },
    check: { first: ['X', 'y'], options: ['groups', 'timestamps', 'coordinates', 'n_splits', 'random_state'] },
    check_cv_splits: {
      first: ['X_train', 'X_test'],
      options: [
        'y_train',
        'y_test',
        'patient_ids_train',
        'patient_ids_test',
        'timestamps_train',
        'timestamps_test',
        'coordinates_train',
        'coordinates_test',
        'spatial_threshold',
      ],
    },
    check_feature_target_leakage: { first: ['X', 'y'], options: ['threshold'] },
    check_preprocessing_leakage: { first: ['X_original', 'X_processed', 'split_indices'], options: [] },
    check_near_duplicates: { first: ['X_train', 'X_test'], options: ['similarity_threshold'] },
    check_hierarchical_leakage: {
      first: ['groups_train', 'groups_test', 'parent_groups_train', 'parent_groups_test'],
      options: [],
    },
    comprehensive_check: { first: ['X', 'y'], options: ['groups', 'timestamps', 'coordinates', 'feature_threshold'] },
  },
  BalanceChecker: {
    constructor: { first: [], options: ['threshold'] },
    check_class_balance: { first: ['y'], options: ['groups'] },
    check_cv_balance: { first: ['X', 'y', 'cv_splitter'], options: ['groups'] },
    check_feature_distribution: { first: ['X'], options: ['feature_names'] },
    generate_report: { first: [], options: [] },
  },
  ClinicalMetrics: {
    constructor: { first: [], options: ['confidence_level', 'prevalence'] },
    calculate_all: { first: ['y_true', 'y_pred'], options: ['y_proba', 'sample_weight'] },
    format_report: { first: ['metrics'], options: [] },
  },
  Splitter: {
    split: { first: ['X', 'y'], options: ['groups'] },
    get_n_splits: { first: ['X', 'y'], options: ['groups'] },
  },
  HoldOut: { constructor: { first: [], options: ['test_size', 'random_state', 'stratify'] } },
  KFold: { constructor: { first: [], options: ['n_splits', 'shuffle', 'random_state'] } },
  StratifiedKFold: { constructor: { first: [], options: ['n_splits', 'shuffle', 'random_state'] } },
  RepeatedKFold: { constructor: { first: [], options: ['n_splits', 'n_repeats', 'random_state', 'stratify'] } },
  LOOCV: { constructor: { first: [], options: [] } },
  LPOCV: { constructor: { first: [], options: ['p'] } },
  BootstrapValidation: { constructor: { first: [], options: ['n_iterations', 'estimator', 'random_state'] } },
  MonteCarloCV: { constructor: { first: [], options: ['n_iterations', 'test_size', 'random_state'] } },
  NestedCV: { constructor: { first: [], options: ['outer_cv', 'inner_cv'] } },
  GroupKFold: { constructor: { first: [], options: ['n_splits', 'shuffle', 'random_state'] } },
  StratifiedGroupKFold: { constructor: { first: [], options: ['n_splits', 'shuffle', 'random_state'] } },
  LeaveOneGroupOut: { constructor: { first: [], options: [] } },
  LeavePGroupsOut: { constructor: { first: [], options: ['n_groups'] } },
  RepeatedGroupKFold: { constructor: { first: [], options: ['n_splits', 'n_repeats', 'random_state'] } },
  NestedGroupedCV: { constructor: { first: [], options: ['outer_cv', 'inner_cv'] } },
  HierarchicalGroupKFold: {
    constructor: { first: [], options: ['n_splits', 'hierarchy_level', 'shuffle', 'random_state'] },
  },
  TimeSeriesSplit: { constructor: { first: [], options: ['n_splits', 'gap', 'test_size', 'max_train_size'] } },
  BlockedTimeSeries: { constructor: { first: [], options: ['n_splits', 'block_size'] } },
  RollingWindowCV: { constructor: { first: [], options: ['window_size', 'step_size', 'forecast_horizon', 'gap'] } },
  ExpandingWindowCV: {
    constructor: { first: [], options: ['initial_train_size', 'step_size', 'forecast_horizon', 'gap'] },
  },
  PurgedKFoldCV: { constructor: { first: [], options: ['n_splits', 'purge_gap', 'embargo_size'] } },
  CombinatorialPurgedCV: {
    constructor: { first: [], options: ['n_splits', 'n_test_splits', 'purge_gap', 'embargo_size', 'strict_order'] },
  },
  PurgedGroupTimeSeriesSplit: {
    constructor: { first: [], options: ['n_splits', 'purge_gap', 'embargo_size', 'group_exclusive'] },
  },
  NestedTemporalCV: { constructor: { first: [], options: ['outer_cv', 'inner_cv'] } },
  SpatialBlockCV: {
    constructor: { first: [], options: ['n_splits', 'block_shape', 'block_size', 'random_state', 'coordinates'] },
  },
  BufferedSpatialCV: {
    constructor: { first: [], options: ['n_splits', 'buffer_size', 'distance_metric', 'block_shape', 'random_state'] },
  },
  SpatiotemporalBlockCV: {
    constructor: {
      first: [],
      options: ['n_spatial_blocks', 'n_temporal_blocks', 'buffer_space', 'buffer_time', 'block_shape', 'random_state'],
    },
  },
  EnvironmentalHealthCV: {
    constructor: { first: [], options: ['spatial_blocks', 'temporal_strategy', 'environmental_vars', 'buffer_config'] },
  },
  MultilabelStratifiedKFold: { constructor: { first: [], options: ['n_splits', 'shuffle', 'random_state'] } },
  MultilabelStratifiedGroupKFold: {
    constructor: { first: [], options: ['n_splits', 'shuffle', 'random_state', 'alpha', 'beta', 'eps'] },
  },
} as const;
