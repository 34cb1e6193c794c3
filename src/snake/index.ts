/**
 * cvkit in snake_case: the classes and functions of `cvkit` under the names of the Python interface that it began as. The
 * closed list of public names; methods, options and fields follow from one rule, `snakeCase`.
 *
 * What a caller writes for cvkit (adapters, splitters, metrics, checks) keeps the interfaces of `cvkit`, in camelCase.
 */
import * as cvkit from '../index.js';
import { spelledClass, spelledFunction } from './spelledModule.js';
import type { SnakeInstance } from './types.js';

export {
  AbortError,
  AdapterError,
  CallbackError,
  CVKitError,
  defineMetric as define_metric,
  deriveSeed as derive_seed,
  FoldError,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  inlineExecutor as inline_executor,
  LeakageError,
  MissingPackageError,
  registerAdapter as register_adapter,
  registerCheck as register_check,
  registerMetric as register_metric,
  registerSplitter as register_splitter,
  undefinedBecause as undefined_because,
  VERSION,
} from '../index.js';
export type * from './publicTypes.js';

// ---- classes ----
export const BalanceChecker = spelledClass(cvkit.BalanceChecker, 'BalanceChecker');
export type BalanceChecker = SnakeInstance<cvkit.BalanceChecker, 'BalanceChecker'>;
export const ClassBalanceChecker = spelledClass(cvkit.ClassBalanceChecker, 'BalanceChecker');
export type ClassBalanceChecker = SnakeInstance<cvkit.ClassBalanceChecker, 'BalanceChecker'>;
export const DataLeakageChecker = spelledClass(cvkit.DataLeakageChecker, 'DataLeakageChecker');
export type DataLeakageChecker = SnakeInstance<cvkit.DataLeakageChecker, 'DataLeakageChecker'>;
export const LeakageChecker = spelledClass(cvkit.LeakageChecker, 'DataLeakageChecker');
export type LeakageChecker = SnakeInstance<cvkit.LeakageChecker, 'DataLeakageChecker'>;
export const ClinicalMetrics = spelledClass(cvkit.ClinicalMetrics, 'ClinicalMetrics');
export type ClinicalMetrics = SnakeInstance<cvkit.ClinicalMetrics, 'ClinicalMetrics'>;
export const EarlyStopping = spelledClass(cvkit.EarlyStopping, 'EarlyStopping');
export type EarlyStopping = SnakeInstance<cvkit.EarlyStopping, 'EarlyStopping'>;
export const LeakageDetectionCallback = spelledClass(cvkit.LeakageDetectionCallback, 'LeakageDetectionCallback');
export type LeakageDetectionCallback = SnakeInstance<cvkit.LeakageDetectionCallback, 'LeakageDetectionCallback'>;
export const LearningRateScheduler = spelledClass(cvkit.LearningRateScheduler, 'LearningRateScheduler');
export type LearningRateScheduler = SnakeInstance<cvkit.LearningRateScheduler, 'LearningRateScheduler'>;
export const ModelCheckpoint = spelledClass(cvkit.ModelCheckpoint, 'ModelCheckpoint');
export type ModelCheckpoint = SnakeInstance<cvkit.ModelCheckpoint, 'ModelCheckpoint'>;
export const ClassDistributionLogger = spelledClass(cvkit.ClassDistributionLogger, 'ClassDistributionLogger');
export type ClassDistributionLogger = SnakeInstance<cvkit.ClassDistributionLogger, 'ClassDistributionLogger'>;
export const ProgressLogger = spelledClass(cvkit.ProgressLogger, 'ProgressLogger');
export type ProgressLogger = SnakeInstance<cvkit.ProgressLogger, 'ProgressLogger'>;
export const RegulatoryComplianceLogger = spelledClass(cvkit.RegulatoryComplianceLogger, 'RegulatoryComplianceLogger');
export type RegulatoryComplianceLogger = SnakeInstance<cvkit.RegulatoryComplianceLogger, 'RegulatoryComplianceLogger'>;
export const ReduceLROnPlateau = spelledClass(cvkit.ReduceLROnPlateau, 'ReduceLROnPlateau');
export type ReduceLROnPlateau = SnakeInstance<cvkit.ReduceLROnPlateau, 'ReduceLROnPlateau'>;
export const UniversalCVRunner = spelledClass(cvkit.UniversalCVRunner, 'UniversalCVRunner');
export type UniversalCVRunner = SnakeInstance<cvkit.UniversalCVRunner, 'UniversalCVRunner'>;
export const GroupKFold = spelledClass(cvkit.GroupKFold, 'GroupKFold');
export type GroupKFold = SnakeInstance<cvkit.GroupKFold, 'GroupKFold'>;
export const GroupKFoldMedical = spelledClass(cvkit.GroupKFoldMedical, 'GroupKFold');
export type GroupKFoldMedical = SnakeInstance<cvkit.GroupKFoldMedical, 'GroupKFold'>;
export const HierarchicalGroupKFold = spelledClass(cvkit.HierarchicalGroupKFold, 'HierarchicalGroupKFold');
export type HierarchicalGroupKFold = SnakeInstance<cvkit.HierarchicalGroupKFold, 'HierarchicalGroupKFold'>;
export const LeaveOneGroupOut = spelledClass(cvkit.LeaveOneGroupOut, 'LeaveOneGroupOut');
export type LeaveOneGroupOut = SnakeInstance<cvkit.LeaveOneGroupOut, 'LeaveOneGroupOut'>;
export const LeavePGroupsOut = spelledClass(cvkit.LeavePGroupsOut, 'LeavePGroupsOut');
export type LeavePGroupsOut = SnakeInstance<cvkit.LeavePGroupsOut, 'LeavePGroupsOut'>;
export const MultilevelCV = spelledClass(cvkit.MultilevelCV, 'MultilevelCV');
export type MultilevelCV = SnakeInstance<cvkit.MultilevelCV, 'MultilevelCV'>;
export const NestedGroupedCV = spelledClass(cvkit.NestedGroupedCV, 'NestedGroupedCV');
export type NestedGroupedCV = SnakeInstance<cvkit.NestedGroupedCV, 'NestedGroupedCV'>;
export const RepeatedGroupKFold = spelledClass(cvkit.RepeatedGroupKFold, 'RepeatedGroupKFold');
export type RepeatedGroupKFold = SnakeInstance<cvkit.RepeatedGroupKFold, 'RepeatedGroupKFold'>;
export const StratifiedGroupKFold = spelledClass(cvkit.StratifiedGroupKFold, 'StratifiedGroupKFold');
export type StratifiedGroupKFold = SnakeInstance<cvkit.StratifiedGroupKFold, 'StratifiedGroupKFold'>;
export const BootstrapValidation = spelledClass(cvkit.BootstrapValidation, 'BootstrapValidation');
export type BootstrapValidation = SnakeInstance<cvkit.BootstrapValidation, 'BootstrapValidation'>;
export const HoldOut = spelledClass(cvkit.HoldOut, 'HoldOut');
export type HoldOut = SnakeInstance<cvkit.HoldOut, 'HoldOut'>;
export const KFold = spelledClass(cvkit.KFold, 'KFold');
export type KFold = SnakeInstance<cvkit.KFold, 'KFold'>;
export const KFoldMedical = spelledClass(cvkit.KFoldMedical, 'KFold');
export type KFoldMedical = SnakeInstance<cvkit.KFoldMedical, 'KFold'>;
export const LOOCV = spelledClass(cvkit.LOOCV, 'LOOCV');
export type LOOCV = SnakeInstance<cvkit.LOOCV, 'LOOCV'>;
export const LeaveOneOut = spelledClass(cvkit.LeaveOneOut, 'LOOCV');
export type LeaveOneOut = SnakeInstance<cvkit.LeaveOneOut, 'LOOCV'>;
export const LPOCV = spelledClass(cvkit.LPOCV, 'LPOCV');
export type LPOCV = SnakeInstance<cvkit.LPOCV, 'LPOCV'>;
export const LeavePOut = spelledClass(cvkit.LeavePOut, 'LPOCV');
export type LeavePOut = SnakeInstance<cvkit.LeavePOut, 'LPOCV'>;
export const MonteCarloCV = spelledClass(cvkit.MonteCarloCV, 'MonteCarloCV');
export type MonteCarloCV = SnakeInstance<cvkit.MonteCarloCV, 'MonteCarloCV'>;
export const NestedCV = spelledClass(cvkit.NestedCV, 'NestedCV');
export type NestedCV = SnakeInstance<cvkit.NestedCV, 'NestedCV'>;
export const PredefinedSplit = spelledClass(cvkit.PredefinedSplit, 'PredefinedSplit');
export type PredefinedSplit = SnakeInstance<cvkit.PredefinedSplit, 'PredefinedSplit'>;
export const RepeatedKFold = spelledClass(cvkit.RepeatedKFold, 'RepeatedKFold');
export type RepeatedKFold = SnakeInstance<cvkit.RepeatedKFold, 'RepeatedKFold'>;
export const StratifiedKFold = spelledClass(cvkit.StratifiedKFold, 'StratifiedKFold');
export type StratifiedKFold = SnakeInstance<cvkit.StratifiedKFold, 'StratifiedKFold'>;
export const StratifiedKFoldMedical = spelledClass(cvkit.StratifiedKFoldMedical, 'StratifiedKFold');
export type StratifiedKFoldMedical = SnakeInstance<cvkit.StratifiedKFoldMedical, 'StratifiedKFold'>;
export const MultilabelStratifiedGroupKFold = spelledClass(
  cvkit.MultilabelStratifiedGroupKFold,
  'MultilabelStratifiedGroupKFold',
);
export type MultilabelStratifiedGroupKFold = SnakeInstance<
  cvkit.MultilabelStratifiedGroupKFold,
  'MultilabelStratifiedGroupKFold'
>;
export const MultilabelStratifiedKFold = spelledClass(cvkit.MultilabelStratifiedKFold, 'MultilabelStratifiedKFold');
export type MultilabelStratifiedKFold = SnakeInstance<cvkit.MultilabelStratifiedKFold, 'MultilabelStratifiedKFold'>;
export const BufferedSpatialCV = spelledClass(cvkit.BufferedSpatialCV, 'BufferedSpatialCV');
export type BufferedSpatialCV = SnakeInstance<cvkit.BufferedSpatialCV, 'BufferedSpatialCV'>;
export const BufferedSpatialSplit = spelledClass(cvkit.BufferedSpatialSplit, 'BufferedSpatialCV');
export type BufferedSpatialSplit = SnakeInstance<cvkit.BufferedSpatialSplit, 'BufferedSpatialCV'>;
export const ClusterKFold = spelledClass(cvkit.ClusterKFold, 'ClusterKFold');
export type ClusterKFold = SnakeInstance<cvkit.ClusterKFold, 'ClusterKFold'>;
export const EnvironmentalHealthCV = spelledClass(cvkit.EnvironmentalHealthCV, 'EnvironmentalHealthCV');
export type EnvironmentalHealthCV = SnakeInstance<cvkit.EnvironmentalHealthCV, 'EnvironmentalHealthCV'>;
export const EnvironmentalHealthSplit = spelledClass(cvkit.EnvironmentalHealthSplit, 'EnvironmentalHealthCV');
export type EnvironmentalHealthSplit = SnakeInstance<cvkit.EnvironmentalHealthSplit, 'EnvironmentalHealthCV'>;
export const KNNDM = spelledClass(cvkit.KNNDM, 'KNNDM');
export type KNNDM = SnakeInstance<cvkit.KNNDM, 'KNNDM'>;
export const SpatialBlockCV = spelledClass(cvkit.SpatialBlockCV, 'SpatialBlockCV');
export type SpatialBlockCV = SnakeInstance<cvkit.SpatialBlockCV, 'SpatialBlockCV'>;
export const SpatialBlockSplit = spelledClass(cvkit.SpatialBlockSplit, 'SpatialBlockCV');
export type SpatialBlockSplit = SnakeInstance<cvkit.SpatialBlockSplit, 'SpatialBlockCV'>;
export const SpatiotemporalBlockCV = spelledClass(cvkit.SpatiotemporalBlockCV, 'SpatiotemporalBlockCV');
export type SpatiotemporalBlockCV = SnakeInstance<cvkit.SpatiotemporalBlockCV, 'SpatiotemporalBlockCV'>;
export const SpatiotemporalBlockSplit = spelledClass(cvkit.SpatiotemporalBlockSplit, 'SpatiotemporalBlockCV');
export type SpatiotemporalBlockSplit = SnakeInstance<cvkit.SpatiotemporalBlockSplit, 'SpatiotemporalBlockCV'>;
export const BlockedTimeSeries = spelledClass(cvkit.BlockedTimeSeries, 'BlockedTimeSeries');
export type BlockedTimeSeries = SnakeInstance<cvkit.BlockedTimeSeries, 'BlockedTimeSeries'>;
export const BlockedTimeSeriesSplit = spelledClass(cvkit.BlockedTimeSeriesSplit, 'BlockedTimeSeries');
export type BlockedTimeSeriesSplit = SnakeInstance<cvkit.BlockedTimeSeriesSplit, 'BlockedTimeSeries'>;
export const CombinatorialPurgedCV = spelledClass(cvkit.CombinatorialPurgedCV, 'CombinatorialPurgedCV');
export type CombinatorialPurgedCV = SnakeInstance<cvkit.CombinatorialPurgedCV, 'CombinatorialPurgedCV'>;
export const CombinatorialPurgedKFold = spelledClass(cvkit.CombinatorialPurgedKFold, 'CombinatorialPurgedCV');
export type CombinatorialPurgedKFold = SnakeInstance<cvkit.CombinatorialPurgedKFold, 'CombinatorialPurgedCV'>;
export const ExpandingWindowCV = spelledClass(cvkit.ExpandingWindowCV, 'ExpandingWindowCV');
export type ExpandingWindowCV = SnakeInstance<cvkit.ExpandingWindowCV, 'ExpandingWindowCV'>;
export const ExpandingWindowSplit = spelledClass(cvkit.ExpandingWindowSplit, 'ExpandingWindowCV');
export type ExpandingWindowSplit = SnakeInstance<cvkit.ExpandingWindowSplit, 'ExpandingWindowCV'>;
export const NestedTemporalCV = spelledClass(cvkit.NestedTemporalCV, 'NestedTemporalCV');
export type NestedTemporalCV = SnakeInstance<cvkit.NestedTemporalCV, 'NestedTemporalCV'>;
export const PurgedGroupTimeSeriesSplit = spelledClass(cvkit.PurgedGroupTimeSeriesSplit, 'PurgedGroupTimeSeriesSplit');
export type PurgedGroupTimeSeriesSplit = SnakeInstance<cvkit.PurgedGroupTimeSeriesSplit, 'PurgedGroupTimeSeriesSplit'>;
export const PurgedKFoldCV = spelledClass(cvkit.PurgedKFoldCV, 'PurgedKFoldCV');
export type PurgedKFoldCV = SnakeInstance<cvkit.PurgedKFoldCV, 'PurgedKFoldCV'>;
export const PurgedKFold = spelledClass(cvkit.PurgedKFold, 'PurgedKFoldCV');
export type PurgedKFold = SnakeInstance<cvkit.PurgedKFold, 'PurgedKFoldCV'>;
export const RollingWindowCV = spelledClass(cvkit.RollingWindowCV, 'RollingWindowCV');
export type RollingWindowCV = SnakeInstance<cvkit.RollingWindowCV, 'RollingWindowCV'>;
export const RollingWindowSplit = spelledClass(cvkit.RollingWindowSplit, 'RollingWindowCV');
export type RollingWindowSplit = SnakeInstance<cvkit.RollingWindowSplit, 'RollingWindowCV'>;
export const TimeSeriesSplit = spelledClass(cvkit.TimeSeriesSplit, 'TimeSeriesSplit');
export type TimeSeriesSplit = SnakeInstance<cvkit.TimeSeriesSplit, 'TimeSeriesSplit'>;
export const CVKitValidator = spelledClass(cvkit.CVKitValidator, 'CVKitValidator');
export type CVKitValidator = SnakeInstance<cvkit.CVKitValidator, 'CVKitValidator'>;
export const CVKit = spelledClass(cvkit.CVKit, 'CVKitValidator');
export type CVKit = SnakeInstance<cvkit.CVKit, 'CVKitValidator'>;

// ---- functions ----
export const merge_duplicates = spelledFunction(cvkit.mergeDuplicates);
export const calibration_curve = spelledFunction(cvkit.calibrationCurve);
export const decision_curve = spelledFunction(cvkit.decisionCurve);
export const net_benefit = spelledFunction(cvkit.netBenefit);
export const delong_test = spelledFunction(cvkit.delongTest);
export const fingerprint = spelledFunction(cvkit.fingerprint);
export const random_source = spelledFunction(cvkit.randomSource);
export const generate_synthetic_ehr = spelledFunction(cvkit.generateSyntheticEhr);
export const generate_temporal_patient_data = spelledFunction(cvkit.generateTemporalPatientData);
export const load_cancer_imaging = spelledFunction(cvkit.loadCancerImaging);
export const load_diabetic_readmission = spelledFunction(cvkit.loadDiabeticReadmission);
export const load_heart_disease = spelledFunction(cvkit.loadHeartDisease);
export const score = spelledFunction(cvkit.score);
export const score_table = spelledFunction(cvkit.scoreTable);
export const ensemble = spelledFunction(cvkit.ensemble);
export const load_model = spelledFunction(cvkit.loadModel);
export const load_refitted = cvkit.loadRefitted;
export const folds_from_json = spelledFunction(cvkit.foldsFromJSON);
export const folds_of = spelledFunction(cvkit.foldsOf);
export const inner_folds_of = spelledFunction(cvkit.innerFoldsOf);
export const folds_to_json = spelledFunction(cvkit.foldsToJSON);
export const evaluate = spelledFunction(cvkit.evaluate);
export const reproduce = spelledFunction(cvkit.reproduce);
export const recommend_cv = spelledFunction(cvkit.recommendCv);
export const verify_trail = spelledFunction(cvkit.verifyTrail);
