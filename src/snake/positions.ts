/**
 * The order of arguments in the original interface. `first` are those that cvkit takes by place, too; `options` are those of
 * cvkit, which are taken by place here as well. What is in neither is given by name. `test/snake/originalInterface.test.ts`
 * holds this table to the original interface.
 */
import type { Positions } from './arranged.js';

const seed = 'random_state';
const kFold = { first: [], options: ['n_splits', 'shuffle', seed] } as const;
const nested = { first: [], options: ['outer_cv', 'inner_cv'] } as const;
const purged = ['n_splits', 'purge_gap', 'embargo_size'] as const;
const windows = ['step_size', 'forecast_horizon', 'gap'] as const;
const none = { first: [], options: [] } as const;
const takes = <const P extends Positions>(positions: P): { readonly constructor: P } => ({
  constructor: positions,
});

export const POSITIONS = {
  CVKitValidator: {
    constructor: {
      first: [],
      options: [
        'method',
        'n_splits',
        seed,
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
    validate: none,
    fit_validate: none,
  },
  UniversalCVRunner: {
    constructor: { first: [], options: ['cv_splitter', 'framework', 'adapter', 'verbose'] },
    run: {
      first: [],
      options: ['model', 'data', 'epochs', 'optimizer', 'loss_fn', 'metrics', 'callbacks', 'groups'],
    },
    run_with_hyperparameter_tuning: { first: [], options: ['model_fn', 'param_grid', 'data', 'scoring', 'n_trials'] },
  },
  DataLeakageChecker: {
    constructor: { first: [], options: ['verbose'] },
    check: { first: ['X', 'y'], options: ['groups', 'timestamps', 'coordinates', 'n_splits', seed] },
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
    generate_report: none,
  },
  ClinicalMetrics: {
    constructor: { first: [], options: ['confidence_level', 'prevalence'] },
    calculate_all: { first: ['y_true', 'y_pred'], options: ['y_proba', 'sample_weight'] },
    format_report: { first: ['metrics'], options: [] },
  },
  /** The methods of every splitter. */
  Splitter: {
    split: { first: ['X', 'y'], options: ['groups'] },
    get_n_splits: { first: ['X', 'y'], options: ['groups'] },
  },
  HoldOut: takes({ first: [], options: ['test_size', seed, 'stratify'] }),
  KFold: takes(kFold),
  StratifiedKFold: takes(kFold),
  RepeatedKFold: takes({ first: [], options: ['n_splits', 'n_repeats', seed, 'stratify'] }),
  LOOCV: takes(none),
  LPOCV: takes({ first: [], options: ['p'] }),
  BootstrapValidation: takes({ first: [], options: ['n_iterations', 'estimator', seed] }),
  MonteCarloCV: takes({ first: [], options: ['n_iterations', 'test_size', seed] }),
  NestedCV: takes(nested),
  GroupKFold: takes(kFold),
  StratifiedGroupKFold: takes(kFold),
  LeaveOneGroupOut: takes(none),
  LeavePGroupsOut: takes({ first: [], options: ['n_groups'] }),
  RepeatedGroupKFold: takes({ first: [], options: ['n_splits', 'n_repeats', seed] }),
  NestedGroupedCV: takes(nested),
  HierarchicalGroupKFold: takes({ first: [], options: ['n_splits', 'hierarchy_level', 'shuffle', seed] }),
  TimeSeriesSplit: takes({ first: [], options: ['n_splits', 'gap', 'test_size', 'max_train_size'] }),
  BlockedTimeSeries: takes({ first: [], options: ['n_splits', 'block_size'] }),
  RollingWindowCV: takes({ first: [], options: ['window_size', ...windows] }),
  ExpandingWindowCV: takes({ first: [], options: ['initial_train_size', ...windows] }),
  PurgedKFoldCV: takes({ first: [], options: purged }),
  CombinatorialPurgedCV: takes({
    first: [],
    options: ['n_splits', 'n_test_splits', 'purge_gap', 'embargo_size', 'strict_order'],
  }),
  PurgedGroupTimeSeriesSplit: takes({ first: [], options: [...purged, 'group_exclusive'] }),
  NestedTemporalCV: takes(nested),
  SpatialBlockCV: takes({ first: [], options: ['n_splits', 'block_shape', 'block_size', seed, 'coordinates'] }),
  BufferedSpatialCV: takes({
    first: [],
    options: ['n_splits', 'buffer_size', 'distance_metric', 'block_shape', seed],
  }),
  SpatiotemporalBlockCV: takes({
    first: [],
    options: ['n_spatial_blocks', 'n_temporal_blocks', 'buffer_space', 'buffer_time', 'block_shape', seed],
  }),
  EnvironmentalHealthCV: takes({
    first: [],
    options: ['spatial_blocks', 'temporal_strategy', 'environmental_vars', 'buffer_config'],
  }),
  MultilabelStratifiedKFold: takes(kFold),
  MultilabelStratifiedGroupKFold: takes({
    first: [],
    options: ['n_splits', 'shuffle', seed, 'alpha', 'beta', 'eps'],
  }),
} as const satisfies Readonly<Record<string, Readonly<Record<string, Positions>>>>;

/** The positions of a method of a class, where there are any. */
export const positionsOf = (owner: string, method: string): Positions | undefined =>
  (POSITIONS as Readonly<Record<string, Readonly<Record<string, Positions>>>>)[owner]?.[method];
