// Written by `npm run generate` from src/index.ts and scripts/generate/snake.mjs.

/**
 * cvkit in snake_case: the classes and functions of `cvkit` under the names of the Python interface that it began as. The
 * closed list of public names; methods, options and fields follow from one rule, `snakeCase`.
 *
 * What a caller writes for cvkit (adapters, splitters, metrics, checks) keeps the interfaces of `cvkit`, in camelCase.
 */
import * as cvkit from '../index.js';
import { snakeClass, snakeFunction } from './convert.js';
import type { Snake, SnakeInput, SnakeInstance, SnakeOptions } from './types.js';

export {
  AbortError,
  type AdapterCapabilities,
  AdapterError,
  type AdapterSession,
  type Augment,
  type AugmentBatch,
  type Batch,
  CallbackError,
  type Check,
  type CheckCost,
  type CheckInput,
  type CheckKind,
  type CheckParts,
  type CheckStatus,
  type Column,
  CVKitError,
  type Decision,
  type Dense,
  type Design,
  type Difference,
  defineMetric as define_metric,
  deriveSeed as derive_seed,
  type Encounter,
  type EpochControl,
  type EpochLogs,
  type Evidence,
  type Excluded,
  type Executor,
  type Features,
  type Finding,
  type FitHistory,
  type FitHooks,
  type FitOptions,
  type FoldChecker,
  FoldError,
  type FoldEvent,
  type FoldLink,
  type FoldOutcome,
  type FoldReply,
  type FoldServices,
  type FoldTask,
  type FrameworkAdapter,
  type GivenFold,
  type HeldMemory,
  type HeldOut,
  type ImageFeatures,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  inlineExecutor as inline_executor,
  type Label,
  type LabelFacts,
  type LabelsInput,
  LeakageError,
  type Metric,
  MissingPackageError,
  type ModelOption,
  type ModelPlace,
  type Outcome,
  type OverallStatus,
  type OwnSplitterClass,
  type OwnSplitterFacts,
  type Predictions,
  type PredictOptions,
  type RandomSource,
  type RandomState,
  type Recorded,
  type RecordedOptions,
  type RowSource,
  type RowsInput,
  registerAdapter as register_adapter,
  registerCheck as register_check,
  registerMetric as register_metric,
  registerSplitter as register_splitter,
  type SARIFLog,
  type Severity,
  type Share,
  type Task,
  type TaskOption,
  type TestRows,
  type TrailEvent,
  type Undefined,
  undefinedBecause as undefined_because,
  VERSION,
  type WeightSnapshot,
} from '../index.js';
export type { SnakeCase } from './types.js';

// ---- classes ----
export const ClassDistributionLogger = snakeClass(cvkit.ClassDistributionLogger, 'ClassDistributionLogger');
export type ClassDistributionLogger = SnakeInstance<cvkit.ClassDistributionLogger, 'ClassDistributionLogger'>;
export const EarlyStopping = snakeClass(cvkit.EarlyStopping, 'EarlyStopping');
export type EarlyStopping = SnakeInstance<cvkit.EarlyStopping, 'EarlyStopping'>;
export const LeakageDetectionCallback = snakeClass(cvkit.LeakageDetectionCallback, 'LeakageDetectionCallback');
export type LeakageDetectionCallback = SnakeInstance<cvkit.LeakageDetectionCallback, 'LeakageDetectionCallback'>;
export const LearningRateScheduler = snakeClass(cvkit.LearningRateScheduler, 'LearningRateScheduler');
export type LearningRateScheduler = SnakeInstance<cvkit.LearningRateScheduler, 'LearningRateScheduler'>;
export const ModelCheckpoint = snakeClass(cvkit.ModelCheckpoint, 'ModelCheckpoint');
export type ModelCheckpoint = SnakeInstance<cvkit.ModelCheckpoint, 'ModelCheckpoint'>;
export const ReduceLROnPlateau = snakeClass(cvkit.ReduceLROnPlateau, 'ReduceLROnPlateau');
export type ReduceLROnPlateau = SnakeInstance<cvkit.ReduceLROnPlateau, 'ReduceLROnPlateau'>;
export const RegulatoryComplianceLogger = snakeClass(cvkit.RegulatoryComplianceLogger, 'RegulatoryComplianceLogger');
export type RegulatoryComplianceLogger = SnakeInstance<cvkit.RegulatoryComplianceLogger, 'RegulatoryComplianceLogger'>;
export const BalanceChecker = snakeClass(cvkit.BalanceChecker, 'BalanceChecker');
export type BalanceChecker = SnakeInstance<cvkit.BalanceChecker, 'BalanceChecker'>;
export { BalanceChecker as ClassBalanceChecker };
export const DataLeakageChecker = snakeClass(cvkit.DataLeakageChecker, 'DataLeakageChecker');
export type DataLeakageChecker = SnakeInstance<cvkit.DataLeakageChecker, 'DataLeakageChecker'>;
export { DataLeakageChecker as LeakageChecker };
export const ClinicalMetrics = snakeClass(cvkit.ClinicalMetrics, 'ClinicalMetrics');
export type ClinicalMetrics = SnakeInstance<cvkit.ClinicalMetrics, 'ClinicalMetrics'>;
export const ProgressLogger = snakeClass(cvkit.ProgressLogger, 'ProgressLogger');
export type ProgressLogger = SnakeInstance<cvkit.ProgressLogger, 'ProgressLogger'>;
export const UniversalCVRunner = snakeClass(cvkit.UniversalCVRunner, 'UniversalCVRunner');
export type UniversalCVRunner = SnakeInstance<cvkit.UniversalCVRunner, 'UniversalCVRunner'>;
export const BootstrapValidation = snakeClass(cvkit.BootstrapValidation, 'BootstrapValidation');
export type BootstrapValidation = SnakeInstance<cvkit.BootstrapValidation, 'BootstrapValidation'>;
export const HoldOut = snakeClass(cvkit.HoldOut, 'HoldOut');
export type HoldOut = SnakeInstance<cvkit.HoldOut, 'HoldOut'>;
export const KFold = snakeClass(cvkit.KFold, 'KFold');
export type KFold = SnakeInstance<cvkit.KFold, 'KFold'>;
export { KFold as KFoldMedical };
export const LOOCV = snakeClass(cvkit.LOOCV, 'LOOCV');
export type LOOCV = SnakeInstance<cvkit.LOOCV, 'LOOCV'>;
export { LOOCV as LeaveOneOut };
export const LPOCV = snakeClass(cvkit.LPOCV, 'LPOCV');
export type LPOCV = SnakeInstance<cvkit.LPOCV, 'LPOCV'>;
export { LPOCV as LeavePOut };
export const MonteCarloCV = snakeClass(cvkit.MonteCarloCV, 'MonteCarloCV');
export type MonteCarloCV = SnakeInstance<cvkit.MonteCarloCV, 'MonteCarloCV'>;
export const NestedCV = snakeClass(cvkit.NestedCV, 'NestedCV');
export type NestedCV = SnakeInstance<cvkit.NestedCV, 'NestedCV'>;
export const PredefinedSplit = snakeClass(cvkit.PredefinedSplit, 'PredefinedSplit');
export type PredefinedSplit = SnakeInstance<cvkit.PredefinedSplit, 'PredefinedSplit'>;
export const RepeatedKFold = snakeClass(cvkit.RepeatedKFold, 'RepeatedKFold');
export type RepeatedKFold = SnakeInstance<cvkit.RepeatedKFold, 'RepeatedKFold'>;
export const StratifiedKFold = snakeClass(cvkit.StratifiedKFold, 'StratifiedKFold');
export type StratifiedKFold = SnakeInstance<cvkit.StratifiedKFold, 'StratifiedKFold'>;
export { StratifiedKFold as StratifiedKFoldMedical };
export const GroupKFold = snakeClass(cvkit.GroupKFold, 'GroupKFold');
export type GroupKFold = SnakeInstance<cvkit.GroupKFold, 'GroupKFold'>;
export { GroupKFold as GroupKFoldMedical };
export const HierarchicalGroupKFold = snakeClass(cvkit.HierarchicalGroupKFold, 'HierarchicalGroupKFold');
export type HierarchicalGroupKFold = SnakeInstance<cvkit.HierarchicalGroupKFold, 'HierarchicalGroupKFold'>;
export const LeaveOneGroupOut = snakeClass(cvkit.LeaveOneGroupOut, 'LeaveOneGroupOut');
export type LeaveOneGroupOut = SnakeInstance<cvkit.LeaveOneGroupOut, 'LeaveOneGroupOut'>;
export const LeavePGroupsOut = snakeClass(cvkit.LeavePGroupsOut, 'LeavePGroupsOut');
export type LeavePGroupsOut = SnakeInstance<cvkit.LeavePGroupsOut, 'LeavePGroupsOut'>;
export const MultilevelCV = snakeClass(cvkit.MultilevelCV, 'MultilevelCV');
export type MultilevelCV = SnakeInstance<cvkit.MultilevelCV, 'MultilevelCV'>;
export const NestedGroupedCV = snakeClass(cvkit.NestedGroupedCV, 'NestedGroupedCV');
export type NestedGroupedCV = SnakeInstance<cvkit.NestedGroupedCV, 'NestedGroupedCV'>;
export const RepeatedGroupKFold = snakeClass(cvkit.RepeatedGroupKFold, 'RepeatedGroupKFold');
export type RepeatedGroupKFold = SnakeInstance<cvkit.RepeatedGroupKFold, 'RepeatedGroupKFold'>;
export const StratifiedGroupKFold = snakeClass(cvkit.StratifiedGroupKFold, 'StratifiedGroupKFold');
export type StratifiedGroupKFold = SnakeInstance<cvkit.StratifiedGroupKFold, 'StratifiedGroupKFold'>;
export const BlockedTimeSeries = snakeClass(cvkit.BlockedTimeSeries, 'BlockedTimeSeries');
export type BlockedTimeSeries = SnakeInstance<cvkit.BlockedTimeSeries, 'BlockedTimeSeries'>;
export { BlockedTimeSeries as BlockedTimeSeriesSplit };
export const CombinatorialPurgedCV = snakeClass(cvkit.CombinatorialPurgedCV, 'CombinatorialPurgedCV');
export type CombinatorialPurgedCV = SnakeInstance<cvkit.CombinatorialPurgedCV, 'CombinatorialPurgedCV'>;
export { CombinatorialPurgedCV as CombinatorialPurgedKFold };
export const ExpandingWindowCV = snakeClass(cvkit.ExpandingWindowCV, 'ExpandingWindowCV');
export type ExpandingWindowCV = SnakeInstance<cvkit.ExpandingWindowCV, 'ExpandingWindowCV'>;
export { ExpandingWindowCV as ExpandingWindowSplit };
export const NestedTemporalCV = snakeClass(cvkit.NestedTemporalCV, 'NestedTemporalCV');
export type NestedTemporalCV = SnakeInstance<cvkit.NestedTemporalCV, 'NestedTemporalCV'>;
export const PurgedGroupTimeSeriesSplit = snakeClass(cvkit.PurgedGroupTimeSeriesSplit, 'PurgedGroupTimeSeriesSplit');
export type PurgedGroupTimeSeriesSplit = SnakeInstance<cvkit.PurgedGroupTimeSeriesSplit, 'PurgedGroupTimeSeriesSplit'>;
export const PurgedKFoldCV = snakeClass(cvkit.PurgedKFoldCV, 'PurgedKFoldCV');
export type PurgedKFoldCV = SnakeInstance<cvkit.PurgedKFoldCV, 'PurgedKFoldCV'>;
export { PurgedKFoldCV as PurgedKFold };
export const RollingWindowCV = snakeClass(cvkit.RollingWindowCV, 'RollingWindowCV');
export type RollingWindowCV = SnakeInstance<cvkit.RollingWindowCV, 'RollingWindowCV'>;
export { RollingWindowCV as RollingWindowSplit };
export const TimeSeriesSplit = snakeClass(cvkit.TimeSeriesSplit, 'TimeSeriesSplit');
export type TimeSeriesSplit = SnakeInstance<cvkit.TimeSeriesSplit, 'TimeSeriesSplit'>;
export const BufferedSpatialCV = snakeClass(cvkit.BufferedSpatialCV, 'BufferedSpatialCV');
export type BufferedSpatialCV = SnakeInstance<cvkit.BufferedSpatialCV, 'BufferedSpatialCV'>;
export { BufferedSpatialCV as BufferedSpatialSplit };
export const ClusterKFold = snakeClass(cvkit.ClusterKFold, 'ClusterKFold');
export type ClusterKFold = SnakeInstance<cvkit.ClusterKFold, 'ClusterKFold'>;
export const EnvironmentalHealthCV = snakeClass(cvkit.EnvironmentalHealthCV, 'EnvironmentalHealthCV');
export type EnvironmentalHealthCV = SnakeInstance<cvkit.EnvironmentalHealthCV, 'EnvironmentalHealthCV'>;
export { EnvironmentalHealthCV as EnvironmentalHealthSplit };
export const KNNDM = snakeClass(cvkit.KNNDM, 'KNNDM');
export type KNNDM = SnakeInstance<cvkit.KNNDM, 'KNNDM'>;
export const SpatialBlockCV = snakeClass(cvkit.SpatialBlockCV, 'SpatialBlockCV');
export type SpatialBlockCV = SnakeInstance<cvkit.SpatialBlockCV, 'SpatialBlockCV'>;
export { SpatialBlockCV as SpatialBlockSplit };
export const SpatiotemporalBlockCV = snakeClass(cvkit.SpatiotemporalBlockCV, 'SpatiotemporalBlockCV');
export type SpatiotemporalBlockCV = SnakeInstance<cvkit.SpatiotemporalBlockCV, 'SpatiotemporalBlockCV'>;
export { SpatiotemporalBlockCV as SpatiotemporalBlockSplit };
export const MultilabelStratifiedGroupKFold = snakeClass(
  cvkit.MultilabelStratifiedGroupKFold,
  'MultilabelStratifiedGroupKFold',
);
export type MultilabelStratifiedGroupKFold = SnakeInstance<
  cvkit.MultilabelStratifiedGroupKFold,
  'MultilabelStratifiedGroupKFold'
>;
export const MultilabelStratifiedKFold = snakeClass(cvkit.MultilabelStratifiedKFold, 'MultilabelStratifiedKFold');
export type MultilabelStratifiedKFold = SnakeInstance<cvkit.MultilabelStratifiedKFold, 'MultilabelStratifiedKFold'>;
export const CVKitValidator = snakeClass(cvkit.CVKitValidator, 'CVKitValidator');
export type CVKitValidator = SnakeInstance<cvkit.CVKitValidator, 'CVKitValidator'>;
export { CVKitValidator as CVKit };

// ---- functions ----
export const verify_trail = snakeFunction(cvkit.verifyTrail);
export const merge_duplicates = snakeFunction(cvkit.mergeDuplicates);
export const calibration_curve = snakeFunction(cvkit.calibrationCurve);
export const decision_curve = snakeFunction(cvkit.decisionCurve);
export const net_benefit = snakeFunction(cvkit.netBenefit);
export const delong_test = snakeFunction(cvkit.delongTest);
export const fingerprint = snakeFunction(cvkit.fingerprint);
export const random_source = snakeFunction(cvkit.randomSource);
export const generate_synthetic_ehr = snakeFunction(cvkit.generateSyntheticEhr);
export const generate_temporal_patient_data = snakeFunction(cvkit.generateTemporalPatientData);
export const load_cancer_imaging = snakeFunction(cvkit.loadCancerImaging);
export const load_diabetic_readmission = snakeFunction(cvkit.loadDiabeticReadmission);
export const load_heart_disease = snakeFunction(cvkit.loadHeartDisease);
export const score = snakeFunction(cvkit.score);
export const score_table = snakeFunction(cvkit.scoreTable);
export const ensemble = snakeFunction(cvkit.ensemble);
export const load_model = snakeFunction(cvkit.loadModel);
export const folds_from_json = snakeFunction(cvkit.foldsFromJSON);
export const folds_of = snakeFunction(cvkit.foldsOf);
export const inner_folds_of = snakeFunction(cvkit.innerFoldsOf);
export const folds_to_json = snakeFunction(cvkit.foldsToJSON);
export const evaluate = snakeFunction(cvkit.evaluate);
export const recommend_cv = snakeFunction(cvkit.recommendCv);
export const reproduce = snakeFunction(cvkit.reproduce);

// ---- types ----
export type ClassDistributionLoggerOptions = SnakeOptions<cvkit.ClassDistributionLoggerOptions>;
export type FoldDistribution = Snake<cvkit.FoldDistribution>;
export type SideDistribution = Snake<cvkit.SideDistribution>;
export type EarlyStoppingOptions = SnakeOptions<cvkit.EarlyStoppingOptions>;
export type LeakageDetectionCallbackOptions = SnakeOptions<cvkit.LeakageDetectionCallbackOptions>;
export type LearningRateSchedulerOptions = SnakeOptions<cvkit.LearningRateSchedulerOptions>;
export type Schedule = SnakeInput<cvkit.Schedule>;
export type ModelCheckpointOptions = SnakeOptions<cvkit.ModelCheckpointOptions>;
export type ReduceLROnPlateauOptions = SnakeOptions<cvkit.ReduceLROnPlateauOptions>;
export type RegulatoryComplianceLoggerOptions = SnakeOptions<cvkit.RegulatoryComplianceLoggerOptions>;
export type VerifiedTrail = Snake<cvkit.VerifiedTrail>;
export type VerifyTrailOptions = SnakeOptions<cvkit.VerifyTrailOptions>;
export type TrailEntry = Snake<cvkit.TrailEntry>;
export type TrailHead = Snake<cvkit.TrailHead>;
export type ClassBalance = Snake<cvkit.ClassBalance>;
export type CvBalance = Snake<cvkit.CvBalance>;
export type BalanceCheckerOptions = SnakeOptions<cvkit.BalanceCheckerOptions>;
export type CheckClassBalanceOptions = SnakeOptions<cvkit.CheckClassBalanceOptions>;
export type CheckCvBalanceOptions = SnakeOptions<cvkit.CheckCvBalanceOptions>;
export type CheckFeatureDistributionOptions = SnakeOptions<cvkit.CheckFeatureDistributionOptions>;
export type FeatureDistribution = Snake<cvkit.FeatureDistribution>;
export type FeatureSummary = Snake<cvkit.FeatureSummary>;
export type FoldBalance = Snake<cvkit.FoldBalance>;
export type MissingClass = Snake<cvkit.MissingClass>;
export type NearDuplicatesOptions = SnakeOptions<cvkit.NearDuplicatesOptions>;
export type NearDuplicates = Snake<cvkit.NearDuplicates>;
export type DomainClassifier = Snake<cvkit.DomainClassifier>;
export type HierarchicalLeakage = Snake<cvkit.HierarchicalLeakage>;
export type FeatureTargetLeakage = Snake<cvkit.FeatureTargetLeakage>;
export type FeatureTargetOptions = SnakeOptions<cvkit.FeatureTargetOptions>;
export type TargetFeature = Snake<cvkit.TargetFeature>;
export type PreparationDetails = Snake<cvkit.PreparationDetails>;
export type PreprocessingOptions = SnakeOptions<cvkit.PreprocessingOptions>;
export type SplitIndices = SnakeInput<cvkit.SplitIndices>;
export type CheckResult = Snake<cvkit.CheckResult>;
export type DataLeakageCheckerOptions = SnakeOptions<cvkit.DataLeakageCheckerOptions>;
export type CheckCvSplitsOptions = SnakeOptions<cvkit.CheckCvSplitsOptions>;
export type CheckOptions = SnakeOptions<cvkit.CheckOptions>;
export type ComprehensiveCheck = Snake<cvkit.ComprehensiveCheck>;
export type ComprehensiveCheckOptions = SnakeOptions<cvkit.ComprehensiveCheckOptions>;
export type FindingRow = Snake<cvkit.FindingRow>;
export type ToRowsOptions = SnakeOptions<cvkit.ToRowsOptions>;
export type AssessedFolds = Snake<cvkit.AssessedFolds>;
export type JudgedFolds = Snake<cvkit.JudgedFolds>;
export type LeakageReport = Snake<cvkit.LeakageReport>;
export type MergeDuplicatesOptions = SnakeOptions<cvkit.MergeDuplicatesOptions>;
export type MergedDuplicates = Snake<cvkit.MergedDuplicates>;
export type SplitExample = Snake<cvkit.SplitExample>;
export type ToSARIFOptions = SnakeOptions<cvkit.ToSARIFOptions>;
export type ShiftDetails = Snake<cvkit.ShiftDetails>;
export type SingleCheck = Snake<cvkit.SingleCheck>;
export type Verdict = Snake<cvkit.Verdict>;
export type ClassBalanceDetails = Snake<cvkit.ClassBalanceDetails>;
export type PatientDetails = Snake<cvkit.PatientDetails>;
export type DuplicateDetails = Snake<cvkit.DuplicateDetails>;
export type NearDuplicateDetails = Snake<cvkit.NearDuplicateDetails>;
export type TemporalDetails = Snake<cvkit.TemporalDetails>;
export type FeatureStatisticsDetails = Snake<cvkit.FeatureStatisticsDetails>;
export type SpatialDetails = Snake<cvkit.SpatialDetails>;
export type LabelDistributionDetails = Snake<cvkit.LabelDistributionDetails>;
export type HierarchyDetails = Snake<cvkit.HierarchyDetails>;
export type FeatureTargetDetails = Snake<cvkit.FeatureTargetDetails>;
export type PreprocessingDetails = Snake<cvkit.PreprocessingDetails>;
export type IdentifierDetails = Snake<cvkit.IdentifierDetails>;
export type SiteDetails = Snake<cvkit.SiteDetails>;
export type CalibrationBin = Snake<cvkit.CalibrationBin>;
export type CalibrationCurve = Snake<cvkit.CalibrationCurve>;
export type CalibrationCurveOptions = SnakeOptions<cvkit.CalibrationCurveOptions>;
export type CurvePoint = Snake<cvkit.CurvePoint>;
export type CalculateAllOptions = SnakeOptions<cvkit.CalculateAllOptions>;
export type ClinicalMetricsOptions = SnakeOptions<cvkit.ClinicalMetricsOptions>;
export type FormatReportOptions = SnakeOptions<cvkit.FormatReportOptions>;
export type DecisionCurveOptions = SnakeOptions<cvkit.DecisionCurveOptions>;
export type DecisionPoint = Snake<cvkit.DecisionPoint>;
export type NetBenefitOptions = SnakeOptions<cvkit.NetBenefitOptions>;
export type ClinicalResults = Snake<cvkit.ClinicalResults>;
export type DelongTest = Snake<cvkit.DelongTest>;
export type DelongTestOptions = SnakeOptions<cvkit.DelongTestOptions>;
export type CheckOutcome = Snake<cvkit.CheckOutcome>;
export type Labels = Snake<cvkit.Labels>;
export type Rows = Snake<cvkit.Rows>;
export type SideData = SnakeInput<cvkit.SideData>;
export type Dataset<X = number[][]> = Snake<cvkit.Dataset<X>>;
export type GeneratedDataset = Snake<cvkit.GeneratedDataset>;
export type Truth = Snake<cvkit.Truth>;
export type LoadCancerImagingOptions = SnakeOptions<cvkit.LoadCancerImagingOptions>;
export type LoadDiabeticReadmissionOptions = SnakeOptions<cvkit.LoadDiabeticReadmissionOptions>;
export type LoadHeartDiseaseOptions = SnakeOptions<cvkit.LoadHeartDiseaseOptions>;
export type Interval = Snake<cvkit.Interval>;
export type Score = Snake<cvkit.Score>;
export type ScoreTable = Snake<cvkit.ScoreTable>;
export type ScoreTableInput = SnakeInput<cvkit.ScoreTableInput>;
export type EvidenceItem = Snake<cvkit.EvidenceItem>;
export type EvidenceSection = Snake<cvkit.EvidenceSection>;
export type GuidelineEvidence = Snake<cvkit.GuidelineEvidence>;
export type CheckStart = Snake<cvkit.CheckStart>;
export type CVCallback = SnakeInput<cvkit.CVCallback>;
export type EpochContext = Snake<cvkit.EpochContext>;
export type EpochModel = Snake<cvkit.EpochModel>;
export type FoldHandlers = SnakeInput<cvkit.FoldHandlers>;
export type RunContext = Snake<cvkit.RunContext>;
export type CVResults = Snake<cvkit.CVResults>;
export type DataOption = SnakeInput<cvkit.DataOption>;
export type DryRun = Snake<cvkit.DryRun>;
export type EnsembleOptions = SnakeOptions<cvkit.EnsembleOptions>;
export type Progress = Snake<cvkit.Progress>;
export type RunnerEvents = Snake<cvkit.RunnerEvents>;
export type FoldEnsemble = Snake<cvkit.FoldEnsemble>;
export type CompletedFold = Snake<cvkit.CompletedFold>;
export type FailedFold = Snake<cvkit.FailedFold>;
export type FoldDetails = Snake<cvkit.FoldDetails>;
export type FoldResult = Snake<cvkit.FoldResult>;
export type ValidationOption = SnakeInput<cvkit.ValidationOption>;
export type FoldContext = Snake<cvkit.FoldContext>;
export type ModelFactory = SnakeInput<cvkit.ModelFactory>;
export type FeatureImportance = Snake<cvkit.FeatureImportance>;
export type ImportanceChoice = Snake<cvkit.ImportanceChoice>;
export type PermutationImportance = Snake<cvkit.PermutationImportance>;
export type EnsemblePredictions = Snake<cvkit.EnsemblePredictions>;
export type FoldModels = SnakeInput<cvkit.FoldModels>;
export type ModelDescription = Snake<cvkit.ModelDescription>;
export type ModelOrigin = Snake<cvkit.ModelOrigin>;
export type RefittedModel = Snake<cvkit.RefittedModel>;
export type LoadModelOptions = SnakeOptions<cvkit.LoadModelOptions>;
export type SaveOptions = SnakeOptions<cvkit.SaveOptions>;
export type OutOfFold = Snake<cvkit.OutOfFold>;
export type PlaceOption = SnakeInput<cvkit.PlaceOption>;
export type ProgressLoggerOptions = SnakeOptions<cvkit.ProgressLoggerOptions>;
export type FoldRecord = Snake<cvkit.FoldRecord>;
export type PreprocessingFacts = Snake<cvkit.PreprocessingFacts>;
export type RunMetadata = Snake<cvkit.RunMetadata>;
export type RunnerOptions = SnakeOptions<cvkit.RunnerOptions>;
export type RunOptions = SnakeOptions<cvkit.RunOptions>;
export type Scoring = SnakeInput<cvkit.Scoring>;
export type ScoringFunction = SnakeInput<cvkit.ScoringFunction>;
export type PreparedModel = Snake<cvkit.PreparedModel>;
export type FoldsFromJSONOptions = SnakeOptions<cvkit.FoldsFromJSONOptions>;
export type CheckedFold = Snake<cvkit.CheckedFold>;
export type FoldPlan = Snake<cvkit.FoldPlan>;
export type FoldsToJSONOptions = SnakeOptions<cvkit.FoldsToJSONOptions>;
export type Fold = Snake<cvkit.Fold>;
export type Folds = Snake<cvkit.Folds>;
export type IterableFold = Snake<cvkit.IterableFold>;
export type IterableSplitter = Snake<cvkit.IterableSplitter>;
export type Splitter = Snake<cvkit.Splitter>;
export type SplitterClaims = Snake<cvkit.SplitterClaims>;
export type BootstrapValidationOptions = SnakeOptions<cvkit.BootstrapValidationOptions>;
export type HoldOutOptions = SnakeOptions<cvkit.HoldOutOptions>;
export type KFoldOptions = SnakeOptions<cvkit.KFoldOptions>;
export type LOOCVOptions = SnakeOptions<cvkit.LOOCVOptions>;
export type LPOCVOptions = SnakeOptions<cvkit.LPOCVOptions>;
export type MonteCarloCVOptions = SnakeOptions<cvkit.MonteCarloCVOptions>;
export type NestedCVOptions = SnakeOptions<cvkit.NestedCVOptions>;
export type PredefinedSplitOptions = SnakeOptions<cvkit.PredefinedSplitOptions>;
export type RepeatedKFoldOptions = SnakeOptions<cvkit.RepeatedKFoldOptions>;
export type StratifiedKFoldOptions = SnakeOptions<cvkit.StratifiedKFoldOptions>;
export type GroupKFoldOptions = SnakeOptions<cvkit.GroupKFoldOptions>;
export type HierarchicalGroupKFoldOptions = SnakeOptions<cvkit.HierarchicalGroupKFoldOptions>;
export type LeaveOneGroupOutOptions = SnakeOptions<cvkit.LeaveOneGroupOutOptions>;
export type LeavePGroupsOutOptions = SnakeOptions<cvkit.LeavePGroupsOutOptions>;
export type MultilevelCVOptions = SnakeOptions<cvkit.MultilevelCVOptions>;
export type NestedGroupedCVOptions = SnakeOptions<cvkit.NestedGroupedCVOptions>;
export type RepeatedGroupKFoldOptions = SnakeOptions<cvkit.RepeatedGroupKFoldOptions>;
export type StratifiedGroupKFoldOptions = SnakeOptions<cvkit.StratifiedGroupKFoldOptions>;
export type BlockedTimeSeriesOptions = SnakeOptions<cvkit.BlockedTimeSeriesOptions>;
export type CombinatorialPurgedCVOptions = SnakeOptions<cvkit.CombinatorialPurgedCVOptions>;
export type PathSegment = Snake<cvkit.PathSegment>;
export type BacktestPath = Snake<cvkit.BacktestPath>;
export type ExpandingWindowCVOptions = SnakeOptions<cvkit.ExpandingWindowCVOptions>;
export type NestedTemporalCVOptions = SnakeOptions<cvkit.NestedTemporalCVOptions>;
export type PurgedGroupTimeSeriesSplitOptions = SnakeOptions<cvkit.PurgedGroupTimeSeriesSplitOptions>;
export type PurgedKFoldCVOptions = SnakeOptions<cvkit.PurgedKFoldCVOptions>;
export type RollingWindowCVOptions = SnakeOptions<cvkit.RollingWindowCVOptions>;
export type TimeSeriesSplitOptions = SnakeOptions<cvkit.TimeSeriesSplitOptions>;
export type BufferedSpatialCVOptions = SnakeOptions<cvkit.BufferedSpatialCVOptions>;
export type ClusterKFoldOptions = SnakeOptions<cvkit.ClusterKFoldOptions>;
export type EnvironmentalHealthCVOptions = SnakeOptions<cvkit.EnvironmentalHealthCVOptions>;
export type KNNDMOptions = SnakeOptions<cvkit.KNNDMOptions>;
export type DistanceMatch = Snake<cvkit.DistanceMatch>;
export type SpatialBlockCVOptions = SnakeOptions<cvkit.SpatialBlockCVOptions>;
export type SpatiotemporalBlockCVOptions = SnakeOptions<cvkit.SpatiotemporalBlockCVOptions>;
export type MultilabelStratifiedGroupKFoldOptions = SnakeOptions<cvkit.MultilabelStratifiedGroupKFoldOptions>;
export type MultilabelStratifiedKFoldOptions = SnakeOptions<cvkit.MultilabelStratifiedKFoldOptions>;
export type TuningTrial = Snake<cvkit.TuningTrial>;
export type ModelFn = SnakeInput<cvkit.ModelFn>;
export type TuningOptions = SnakeOptions<cvkit.TuningOptions>;
export type TuningResults = Snake<cvkit.TuningResults>;
export type Recommendation = Snake<cvkit.Recommendation>;
export type ClinicalOptions = SnakeOptions<cvkit.ClinicalOptions>;
export type ClinicalReport = Snake<cvkit.ClinicalReport>;
export type EvaluateOptions = SnakeOptions<cvkit.EvaluateOptions>;
export type RecommendCvOptions = SnakeOptions<cvkit.RecommendCvOptions>;
export type ReproduceOptions = SnakeOptions<cvkit.ReproduceOptions>;
export type Reproduction = Snake<cvkit.Reproduction>;
export type FitValidateOptions = SnakeOptions<cvkit.FitValidateOptions>;
export type ValidateOptions = SnakeOptions<cvkit.ValidateOptions>;
export type Manifest = Snake<cvkit.Manifest>;
export type ValidationResult = Snake<cvkit.ValidationResult>;
export type ValidatorOptions = SnakeOptions<cvkit.ValidatorOptions>;
