/** The types of `cvkit/snake` besides its classes, under their names in `cvkit`. */
import type * as cvkit from '../index.js';
import type { Given, GivenObject, Snake } from './types.js';

// What callers write for cvkit, with the names of cvkit.
export type {
  AdapterCapabilities,
  AdapterSession,
  Augment,
  AugmentBatch,
  Batch,
  Check,
  CheckCost,
  CheckInput,
  CheckKind,
  CheckParts,
  CheckStatus,
  Column,
  Decision,
  Dense,
  Design,
  EpochControl,
  EpochLogs,
  Evidence,
  Excluded,
  Executor,
  Features,
  Finding,
  FitHistory,
  FitHooks,
  FitOptions,
  FoldChecker,
  FoldEvent,
  FoldLink,
  FoldOutcome,
  FoldReply,
  FoldServices,
  FoldTask,
  FrameworkAdapter,
  GivenFold,
  HeldMemory,
  HeldOut,
  ImageFeatures,
  Label,
  LabelFacts,
  LabelsInput,
  Metric,
  ModelOption,
  ModelPlace,
  Outcome,
  OverallStatus,
  OwnSplitterClass,
  OwnSplitterFacts,
  Predictions,
  PredictOptions,
  RandomSource,
  RandomState,
  RowSource,
  RowsInput,
  Severity,
  Share,
  Task,
  TaskOption,
  TestRows,
  Undefined,
  WeightSnapshot,
} from '../index.js';
export type { SnakeCase } from './nameTypes.js';

// ---- what cvkit gives ----
export type ClassBalance = Snake<cvkit.ClassBalance>;
export type CvBalance = Snake<cvkit.CvBalance>;
export type ClassBalanceDetails = Snake<cvkit.ClassBalanceDetails>;
export type FeatureDistribution = Snake<cvkit.FeatureDistribution>;
export type FeatureSummary = Snake<cvkit.FeatureSummary>;
export type FoldBalance = Snake<cvkit.FoldBalance>;
export type MissingClass = Snake<cvkit.MissingClass>;
export type PatientDetails = Snake<cvkit.PatientDetails>;
export type DuplicateDetails = Snake<cvkit.DuplicateDetails>;
export type NearDuplicateDetails = Snake<cvkit.NearDuplicateDetails>;
export type NearDuplicates = Snake<cvkit.NearDuplicates>;
export type TemporalDetails = Snake<cvkit.TemporalDetails>;
export type DomainClassifier = Snake<cvkit.DomainClassifier>;
export type FeatureStatisticsDetails = Snake<cvkit.FeatureStatisticsDetails>;
export type SpatialDetails = Snake<cvkit.SpatialDetails>;
export type LabelDistributionDetails = Snake<cvkit.LabelDistributionDetails>;
export type HierarchicalLeakage = Snake<cvkit.HierarchicalLeakage>;
export type HierarchyDetails = Snake<cvkit.HierarchyDetails>;
export type FeatureTargetDetails = Snake<cvkit.FeatureTargetDetails>;
export type FeatureTargetLeakage = Snake<cvkit.FeatureTargetLeakage>;
export type TargetFeature = Snake<cvkit.TargetFeature>;
export type PreparationDetails = Snake<cvkit.PreparationDetails>;
export type PreprocessingDetails = Snake<cvkit.PreprocessingDetails>;
export type IdentifierDetails = Snake<cvkit.IdentifierDetails>;
export type SiteDetails = Snake<cvkit.SiteDetails>;
export type CheckResult = Snake<cvkit.CheckResult>;
export type ComprehensiveCheck = Snake<cvkit.ComprehensiveCheck>;
export type AssessedFolds = Snake<cvkit.AssessedFolds>;
export type FindingRow = Snake<cvkit.FindingRow>;
export type SARIFLog = cvkit.SARIFLog;
export type JudgedFolds = Snake<cvkit.JudgedFolds>;
export type LeakageReport = Snake<cvkit.LeakageReport>;
export type MergedDuplicates = Snake<cvkit.MergedDuplicates>;
export type SplitExample = Snake<cvkit.SplitExample>;
export type ShiftDetails = Snake<cvkit.ShiftDetails>;
export type SingleCheck = Snake<cvkit.SingleCheck>;
export type Verdict = Snake<cvkit.Verdict>;
export type CalibrationBin = Snake<cvkit.CalibrationBin>;
export type CalibrationCurve = Snake<cvkit.CalibrationCurve>;
export type CurvePoint = Snake<cvkit.CurvePoint>;
export type DecisionPoint = Snake<cvkit.DecisionPoint>;
export type ClinicalResults = Snake<cvkit.ClinicalResults>;
export type DelongTest = Snake<cvkit.DelongTest>;
export type Labels = Snake<cvkit.Labels>;
export type Rows = Snake<cvkit.Rows>;
export type CheckOutcome = Snake<cvkit.CheckOutcome>;
export type Dataset<X = number[][]> = Snake<cvkit.Dataset<X>>;
export type Encounter = cvkit.Encounter;
export type EvidenceItem = Snake<cvkit.EvidenceItem>;
export type EvidenceSection = Snake<cvkit.EvidenceSection>;
export type FoldDistribution = Snake<cvkit.FoldDistribution>;
export type GeneratedDataset = Snake<cvkit.GeneratedDataset>;
export type GuidelineEvidence = Snake<cvkit.GuidelineEvidence>;
export type Recommendation = Snake<cvkit.Recommendation>;
export type SideDistribution = Snake<cvkit.SideDistribution>;
export type TrailEntry = Snake<cvkit.TrailEntry>;
export type TrailEvent = cvkit.TrailEvent;
export type TrailHead = Snake<cvkit.TrailHead>;
export type Truth = Snake<cvkit.Truth>;
export type VerifiedTrail = Snake<cvkit.VerifiedTrail>;
export type Interval = Snake<cvkit.Interval>;
export type Score = Snake<cvkit.Score>;
export type ScoreTable = Snake<cvkit.ScoreTable>;
export type EpochContext = Snake<cvkit.EpochContext>;
export type EpochModel = Snake<cvkit.EpochModel>;
export type RunContext = Snake<cvkit.RunContext>;
export type CVResults = Snake<cvkit.CVResults>;
export type Progress = Snake<cvkit.Progress>;
export type RunnerEvents = Snake<cvkit.RunnerEvents>;
export type EnsemblePredictions = Snake<cvkit.EnsemblePredictions>;
export type FoldEnsemble = Snake<cvkit.FoldEnsemble>;
export type ModelOrigin = Snake<cvkit.ModelOrigin>;
export type CompletedFold = Snake<cvkit.CompletedFold>;
export type FailedFold = Snake<cvkit.FailedFold>;
export type FoldDetails = Snake<cvkit.FoldDetails>;
export type FoldResult = Snake<cvkit.FoldResult>;
export type FoldContext = Snake<cvkit.FoldContext>;
export type OutOfFold = Snake<cvkit.OutOfFold>;
export type RefittedModel = Snake<cvkit.RefittedModel>;
export type ModelDescription = Snake<cvkit.ModelDescription>;
export type PreprocessingFacts = Snake<cvkit.PreprocessingFacts>;
export type RunMetadata = Snake<cvkit.RunMetadata>;
export type FoldRecord = Snake<cvkit.FoldRecord>;
export type Recorded = cvkit.Recorded;
export type RecordedOptions = cvkit.RecordedOptions;
export type TuningResults = Snake<cvkit.TuningResults>;
export type TuningTrial = Snake<cvkit.TuningTrial>;
export type PreparedModel = Snake<cvkit.PreparedModel>;
export type CheckedFold = Snake<cvkit.CheckedFold>;
export type FoldPlan = Snake<cvkit.FoldPlan>;
export type DistanceMatch = Snake<cvkit.DistanceMatch>;
export type Fold = Snake<cvkit.Fold>;
export type Folds = Snake<cvkit.Folds>;
export type IterableFold = Snake<cvkit.IterableFold>;
export type IterableSplitter = Snake<cvkit.IterableSplitter>;
export type Splitter = Snake<cvkit.Splitter>;
export type SplitterClaims = Snake<cvkit.SplitterClaims>;
export type BacktestPath = Snake<cvkit.BacktestPath>;
export type PathSegment = Snake<cvkit.PathSegment>;
export type ClinicalReport = Snake<cvkit.ClinicalReport>;
export type Manifest = Snake<cvkit.Manifest>;
export type ValidationResult = Snake<cvkit.ValidationResult>;

// ---- what callers give ----
export type SplitIndices = Given<cvkit.SplitIndices>;
export type SideData = Given<cvkit.SideData>;
export type ScoreTableInput = Given<cvkit.ScoreTableInput>;
export type CVCallback = Given<cvkit.CVCallback>;
export type FoldHandlers = Given<cvkit.FoldHandlers>;
export type Schedule = Given<cvkit.Schedule>;
export type DataOption = Given<cvkit.DataOption>;
export type FoldModels = Given<cvkit.FoldModels>;
export type ModelFactory = Given<cvkit.ModelFactory>;
export type PlaceOption = Given<cvkit.PlaceOption>;
export type ValidationOption = Given<cvkit.ValidationOption>;
export type Scoring = Given<cvkit.Scoring>;
export type ScoringFunction = Given<cvkit.ScoringFunction>;
export type ModelFn = Given<cvkit.ModelFn>;
export type BalanceCheckerOptions = GivenObject<cvkit.BalanceCheckerOptions>;
export type CheckClassBalanceOptions = GivenObject<cvkit.CheckClassBalanceOptions>;
export type CheckCvBalanceOptions = GivenObject<cvkit.CheckCvBalanceOptions>;
export type CheckFeatureDistributionOptions = GivenObject<cvkit.CheckFeatureDistributionOptions>;
export type NearDuplicatesOptions = GivenObject<cvkit.NearDuplicatesOptions>;
export type FeatureTargetOptions = GivenObject<cvkit.FeatureTargetOptions>;
export type PreprocessingOptions = GivenObject<cvkit.PreprocessingOptions>;
export type CheckCvSplitsOptions = GivenObject<cvkit.CheckCvSplitsOptions>;
export type ToRowsOptions = GivenObject<cvkit.ToRowsOptions>;
export type ToSARIFOptions = GivenObject<cvkit.ToSARIFOptions>;
export type DataLeakageCheckerOptions = GivenObject<cvkit.DataLeakageCheckerOptions>;
export type CheckOptions = GivenObject<cvkit.CheckOptions>;
export type ComprehensiveCheckOptions = GivenObject<cvkit.ComprehensiveCheckOptions>;
export type MergeDuplicatesOptions = GivenObject<cvkit.MergeDuplicatesOptions>;
export type CalibrationCurveOptions = GivenObject<cvkit.CalibrationCurveOptions>;
export type CalculateAllOptions = GivenObject<cvkit.CalculateAllOptions>;
export type ClinicalMetricsOptions = GivenObject<cvkit.ClinicalMetricsOptions>;
export type FormatReportOptions = GivenObject<cvkit.FormatReportOptions>;
export type DecisionCurveOptions = GivenObject<cvkit.DecisionCurveOptions>;
export type NetBenefitOptions = GivenObject<cvkit.NetBenefitOptions>;
export type DelongTestOptions = GivenObject<cvkit.DelongTestOptions>;
export type ClassDistributionLoggerOptions = GivenObject<cvkit.ClassDistributionLoggerOptions>;
export type LoadCancerImagingOptions = GivenObject<cvkit.LoadCancerImagingOptions>;
export type LoadDiabeticReadmissionOptions = GivenObject<cvkit.LoadDiabeticReadmissionOptions>;
export type LoadHeartDiseaseOptions = GivenObject<cvkit.LoadHeartDiseaseOptions>;
export type RecommendCvOptions = GivenObject<cvkit.RecommendCvOptions>;
export type RegulatoryComplianceLoggerOptions = GivenObject<cvkit.RegulatoryComplianceLoggerOptions>;
export type VerifyTrailOptions = GivenObject<cvkit.VerifyTrailOptions>;
export type EarlyStoppingOptions = GivenObject<cvkit.EarlyStoppingOptions>;
export type LeakageDetectionCallbackOptions = GivenObject<cvkit.LeakageDetectionCallbackOptions>;
export type LearningRateSchedulerOptions = GivenObject<cvkit.LearningRateSchedulerOptions>;
export type ModelCheckpointOptions = GivenObject<cvkit.ModelCheckpointOptions>;
export type ProgressLoggerOptions = GivenObject<cvkit.ProgressLoggerOptions>;
export type ReduceLROnPlateauOptions = GivenObject<cvkit.ReduceLROnPlateauOptions>;
export type EnsembleOptions = GivenObject<cvkit.EnsembleOptions>;
export type LoadModelOptions = GivenObject<cvkit.LoadModelOptions>;
export type SaveOptions = GivenObject<cvkit.SaveOptions>;
export type RunnerOptions = GivenObject<cvkit.RunnerOptions>;
export type RunOptions = GivenObject<cvkit.RunOptions>;
export type TuningOptions = GivenObject<cvkit.TuningOptions>;
export type FoldsFromJSONOptions = GivenObject<cvkit.FoldsFromJSONOptions>;
export type FoldsToJSONOptions = GivenObject<cvkit.FoldsToJSONOptions>;
export type GroupKFoldOptions = GivenObject<cvkit.GroupKFoldOptions>;
export type HierarchicalGroupKFoldOptions = GivenObject<cvkit.HierarchicalGroupKFoldOptions>;
export type LeaveOneGroupOutOptions = GivenObject<cvkit.LeaveOneGroupOutOptions>;
export type LeavePGroupsOutOptions = GivenObject<cvkit.LeavePGroupsOutOptions>;
export type MultilevelCVOptions = GivenObject<cvkit.MultilevelCVOptions>;
export type NestedGroupedCVOptions = GivenObject<cvkit.NestedGroupedCVOptions>;
export type RepeatedGroupKFoldOptions = GivenObject<cvkit.RepeatedGroupKFoldOptions>;
export type StratifiedGroupKFoldOptions = GivenObject<cvkit.StratifiedGroupKFoldOptions>;
export type BootstrapValidationOptions = GivenObject<cvkit.BootstrapValidationOptions>;
export type HoldOutOptions = GivenObject<cvkit.HoldOutOptions>;
export type KFoldOptions = GivenObject<cvkit.KFoldOptions>;
export type LOOCVOptions = GivenObject<cvkit.LOOCVOptions>;
export type LPOCVOptions = GivenObject<cvkit.LPOCVOptions>;
export type MonteCarloCVOptions = GivenObject<cvkit.MonteCarloCVOptions>;
export type NestedCVOptions = GivenObject<cvkit.NestedCVOptions>;
export type PredefinedSplitOptions = GivenObject<cvkit.PredefinedSplitOptions>;
export type RepeatedKFoldOptions = GivenObject<cvkit.RepeatedKFoldOptions>;
export type StratifiedKFoldOptions = GivenObject<cvkit.StratifiedKFoldOptions>;
export type MultilabelStratifiedGroupKFoldOptions = GivenObject<cvkit.MultilabelStratifiedGroupKFoldOptions>;
export type MultilabelStratifiedKFoldOptions = GivenObject<cvkit.MultilabelStratifiedKFoldOptions>;
export type BufferedSpatialCVOptions = GivenObject<cvkit.BufferedSpatialCVOptions>;
export type ClusterKFoldOptions = GivenObject<cvkit.ClusterKFoldOptions>;
export type EnvironmentalHealthCVOptions = GivenObject<cvkit.EnvironmentalHealthCVOptions>;
export type KNNDMOptions = GivenObject<cvkit.KNNDMOptions>;
export type SpatialBlockCVOptions = GivenObject<cvkit.SpatialBlockCVOptions>;
export type SpatiotemporalBlockCVOptions = GivenObject<cvkit.SpatiotemporalBlockCVOptions>;
export type BlockedTimeSeriesOptions = GivenObject<cvkit.BlockedTimeSeriesOptions>;
export type CombinatorialPurgedCVOptions = GivenObject<cvkit.CombinatorialPurgedCVOptions>;
export type ExpandingWindowCVOptions = GivenObject<cvkit.ExpandingWindowCVOptions>;
export type NestedTemporalCVOptions = GivenObject<cvkit.NestedTemporalCVOptions>;
export type PurgedGroupTimeSeriesSplitOptions = GivenObject<cvkit.PurgedGroupTimeSeriesSplitOptions>;
export type PurgedKFoldCVOptions = GivenObject<cvkit.PurgedKFoldCVOptions>;
export type RollingWindowCVOptions = GivenObject<cvkit.RollingWindowCVOptions>;
export type TimeSeriesSplitOptions = GivenObject<cvkit.TimeSeriesSplitOptions>;
export type ClinicalOptions = GivenObject<cvkit.ClinicalOptions>;
export type EvaluateOptions = GivenObject<cvkit.EvaluateOptions>;
export type Difference = cvkit.Difference;
export type ReproduceOptions = GivenObject<cvkit.ReproduceOptions>;
export type Reproduction = Snake<cvkit.Reproduction>;
export type FitValidateOptions = GivenObject<cvkit.FitValidateOptions>;
export type ValidateOptions = GivenObject<cvkit.ValidateOptions>;
export type ValidatorOptions = GivenObject<cvkit.ValidatorOptions>;
