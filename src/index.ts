/**
 * cvkit: trustworthy cross-validation of medical machine learning. The closed list of public names; aliases are
 * declared here and nowhere else.
 */

// ---- callbacks ---------------------------------------------------------------------------------------------------

export {
  ClassDistributionLogger,
  type ClassDistributionLoggerOptions,
} from './callbacks/classDistributionLogger.js';
export type { FoldDistribution, SideDistribution } from './callbacks/distributions.js';
export { EarlyStopping, type EarlyStoppingOptions } from './callbacks/earlyStopping.js';
export {
  LeakageDetectionCallback,
  type LeakageDetectionCallbackOptions,
} from './callbacks/leakageDetectionCallback.js';
export {
  LearningRateScheduler,
  type LearningRateSchedulerOptions,
  type Schedule,
} from './callbacks/learningRateScheduler.js';
export { ModelCheckpoint, type ModelCheckpointOptions } from './callbacks/modelCheckpoint.js';
export { ReduceLROnPlateau, type ReduceLROnPlateauOptions } from './callbacks/reduceLROnPlateau.js';
export {
  RegulatoryComplianceLogger,
  type RegulatoryComplianceLoggerOptions,
} from './callbacks/regulatoryComplianceLogger.js';
export { type VerifiedTrail, type VerifyTrailOptions, verifyTrail } from './callbacks/verifyTrail.js';
export type { TrailEntry, TrailEvent, TrailHead } from './core/trail.js';

// ---- checks ------------------------------------------------------------------------------------------------------

export type { FoldChecker } from './checkers/assessRun.js';
export { BalanceChecker, BalanceChecker as ClassBalanceChecker } from './checkers/balanceChecker.js';
export type { ClassBalance } from './checkers/CVB001-class-balance/assessClasses.js';
export type { CvBalance } from './checkers/CVB001-class-balance/balanceOf.js';
export type {
  BalanceCheckerOptions,
  CheckClassBalanceOptions,
} from './checkers/CVB001-class-balance/balanceOptions.js';
export type { CheckCvBalanceOptions } from './checkers/CVB001-class-balance/cvBalance.js';
export type {
  CheckFeatureDistributionOptions,
  FeatureDistribution,
  FeatureSummary,
} from './checkers/CVB001-class-balance/featureDistribution.js';
export type { FoldBalance, MissingClass } from './checkers/CVB001-class-balance/foldShares.js';
export type { NearDuplicatesOptions } from './checkers/CVL003-near-duplicate/checkNearDuplicates.js';
export type { NearDuplicates } from './checkers/CVL003-near-duplicate/nearDuplicates.js';
export type { DomainClassifier } from './checkers/CVL005-feature-statistics/domainClassifier.js';
export type { HierarchicalLeakage } from './checkers/CVL008-hierarchical/idsOnBothSides.js';
export type {
  FeatureTargetLeakage,
  FeatureTargetOptions,
  TargetFeature,
} from './checkers/CVL009-feature-target/featureTarget.js';
export type {
  PreparationDetails,
  PreprocessingOptions,
  SplitIndices,
} from './checkers/CVL010-preprocessing/assessPreprocessing.js';
export type {
  Check,
  CheckCost,
  CheckKind,
  CheckResult,
  Evidence,
  Finding,
  Share,
} from './checkers/check.js';
export type { DataLeakageCheckerOptions } from './checkers/checkerSettings.js';
export type {
  CheckCvSplitsOptions,
  CheckOptions,
  ComprehensiveCheck,
  ComprehensiveCheckOptions,
} from './checkers/checkFolds.js';
export type { CheckInput, CheckParts } from './checkers/checkInput.js';
export type { Design } from './checkers/checkOptions.js';
export { DataLeakageChecker, DataLeakageChecker as LeakageChecker } from './checkers/dataLeakageChecker.js';
export type { Column, Features, ImageFeatures } from './checkers/features/columns.js';
export type { FindingRow, ToRowsOptions } from './checkers/findingRows.js';
export type { AssessedFolds, AssessedFolds as JudgedFolds, LeakageReport } from './checkers/leakageReport.js';
export { type MergeDuplicatesOptions, type MergedDuplicates, mergeDuplicates } from './checkers/mergeDuplicates.js';
export type { SplitExample } from './checkers/overlap.js';
export { registerCheck } from './checkers/registry.js';
export type { SARIFLog, ToSARIFOptions } from './checkers/sarif.js';
export type { ShiftDetails } from './checkers/shift/assessShift.js';
export type { SingleCheck } from './checkers/singleCheck.js';
export type { OverallStatus, Verdict } from './checkers/verdict.js';

// ---- details of checks, from their files ----------------------------------------------------------------------------

export type { ClassBalanceDetails } from './checkers/CVB001-class-balance/classBalance.js';
export type { PatientDetails } from './checkers/CVL001-patient/patientOverlap.js';
export type { DuplicateDetails } from './checkers/CVL002-duplicate/duplicateRows.js';
export type { NearDuplicateDetails } from './checkers/CVL003-near-duplicate/nearDuplicates.js';
export type { TemporalDetails } from './checkers/CVL004-temporal/temporalOrder.js';
export type { FeatureStatisticsDetails } from './checkers/CVL005-feature-statistics/featureStatistics.js';
export type { SpatialDetails } from './checkers/CVL006-spatial-proximity/spatialProximity.js';
export type { LabelDistributionDetails } from './checkers/CVL007-label-distribution/labelDistribution.js';
export type { HierarchyDetails } from './checkers/CVL008-hierarchical/hierarchyOverlap.js';
export type { FeatureTargetDetails } from './checkers/CVL009-feature-target/featureTarget.js';
export type { PreprocessingDetails } from './checkers/CVL010-preprocessing/preprocessing.js';
export type { IdentifierDetails } from './checkers/CVL011-identifier/identifierColumns.js';
export type { SiteDetails } from './checkers/CVL012-site-confounding/siteConfounding.js';

// ---- clinical metrics of predictions -----------------------------------------------------------------------------

export type { CalibrationBin } from './clinical/calibration/calibrationCurve.js';
export {
  type CalibrationCurve,
  type CalibrationCurveOptions,
  calibrationCurve,
} from './clinical/calibration/calibrationCurve.js';
export type { CurvePoint } from './clinical/calibration/flexibleCurve.js';
export {
  type CalculateAllOptions,
  ClinicalMetrics,
  type ClinicalMetricsOptions,
  type FormatReportOptions,
} from './clinical/clinicalMetrics.js';
export { type DecisionCurveOptions, type DecisionPoint, decisionCurve } from './clinical/decisions/decisionCurve.js';
export { type NetBenefitOptions, netBenefit } from './clinical/decisions/netBenefit.js';
export type { ClinicalResults } from './clinical/measures/clinicalResults.js';
export { type DelongTest, type DelongTestOptions, delongTest } from './clinical/roc/delongTest.js';

// ---- data, randomness, errors ------------------------------------------------------------------------------------

export type { CheckOutcome, CheckStatus, Severity } from './core/checkOutcome.js';
export {
  AbortError,
  AdapterError,
  CVKitError,
  FoldError,
  InfeasibleSplitError,
  InvalidDataError,
  InvalidOptionError,
  LeakageError,
  MissingPackageError,
} from './core/errors.js';
export { fingerprint } from './core/fingerprint.js';
export { deriveSeed, type RandomSource, type RandomState, randomSource } from './core/random.js';
export type { Recorded, RecordedOptions } from './core/recorded.js';
export { VERSION } from './core/version.js';
export type { Label, Labels, LabelsInput, Task, TaskOption } from './data/labels.js';
export type { Dense, HeldOut, RowSource, Rows, RowsInput, TestRows } from './data/rows.js';
export type { SideData } from './data/sideData.js';

// ---- data sets ---------------------------------------------------------------------------------------------------

export type { Dataset } from './datasets/dataset.js';
export type { GeneratedDataset, Truth } from './datasets/generatedDataset.js';
export { generateSyntheticEhr } from './datasets/generateSyntheticEhr.js';
export { generateTemporalPatientData } from './datasets/generateTemporalPatientData.js';
export { loadCancerImaging } from './datasets/loadCancerImaging.js';
export { loadDiabeticReadmission } from './datasets/loadDiabeticReadmission.js';
export type {
  LoadCancerImagingOptions,
  LoadDiabeticReadmissionOptions,
  LoadHeartDiseaseOptions,
} from './datasets/loaderTables.js';
export { loadHeartDisease } from './datasets/loadHeartDisease.js';
export type { Encounter } from './datasets/readDiabeticReadmission.js';

// ---- metrics and intervals ---------------------------------------------------------------------------------------

export type { Interval } from './intervals/interval.js';
export { type Metric, type Score, score, type Undefined, undefinedBecause } from './metrics/metric.js';
export { defineMetric, defineMetric as registerMetric } from './metrics/registry.js';
export { type ScoreTable, type ScoreTableInput, scoreTable } from './metrics/scoreTable.js';

// ---- reports -----------------------------------------------------------------------------------------------------

export type { EvidenceItem, EvidenceSection, GuidelineEvidence } from './report/reportModel.js';

// ---- the runner --------------------------------------------------------------------------------------------------

export { registerAdapter } from './runner/adapterRegistry.js';
export {
  CallbackError,
  type CheckStart,
  type CVCallback,
  type EpochContext,
  type EpochModel,
  type FoldHandlers,
  type RunContext,
} from './runner/callback.js';
export type { CVResults } from './runner/cvResults.js';
export type { DataOption } from './runner/dataOptions.js';
export type { DryRun } from './runner/dryRun.js';
export { type EnsembleOptions, ensemble } from './runner/ensemble.js';
export type { Progress, RunnerEvents } from './runner/events.js';
export type {
  EpochControl,
  Executor,
  FoldEvent,
  FoldLink,
  FoldReply,
  FoldServices,
  FoldTask,
} from './runner/executor.js';
export type { FoldEnsemble } from './runner/foldEnsemble.js';
export type {
  CompletedFold,
  Decision,
  FailedFold,
  FoldDetails,
  FoldOutcome,
  FoldResult,
  Outcome,
} from './runner/foldResult.js';
export type { ValidationOption } from './runner/foldRows.js';
export type {
  AdapterCapabilities,
  AdapterSession,
  Augment,
  AugmentBatch,
  Batch,
  EpochLogs,
  FitHistory,
  FitHooks,
  FitOptions,
  FoldContext,
  FrameworkAdapter,
  HeldMemory,
  LabelFacts,
  ModelFactory,
  ModelPlace,
  Predictions,
  PredictOptions,
  WeightSnapshot,
} from './runner/frameworkAdapter.js';
export type { FeatureImportance, ImportanceChoice, PermutationImportance } from './runner/importanceOptions.js';
export { inlineExecutor } from './runner/inlineExecutor.js';
export type {
  EnsemblePredictions,
  FoldModels,
  ModelDescription,
  ModelOrigin,
  RefittedModel,
} from './runner/keptModels.js';
export { type LoadModelOptions, loadModel } from './runner/loadModel.js';
export type { SaveOptions } from './runner/modelFolder.js';
export type { ModelOption } from './runner/modelSource.js';
export type { OutOfFold } from './runner/outOfFold.js';
export type { PlaceOption } from './runner/placeOption.js';
export { ProgressLogger, type ProgressLoggerOptions } from './runner/progressLogger.js';
export type { FoldRecord, PreprocessingFacts, RunMetadata } from './runner/runMetadata.js';
export type { RunnerOptions } from './runner/runnerOptions.js';
export type { RunOptions } from './runner/runOptions.js';
export type { Scoring, ScoringFunction } from './runner/scoring.js';
export { UniversalCVRunner } from './runner/universalCVRunner.js';
export type { PreparedModel } from './runner/withPreprocessing.js';

// ---- splitters ---------------------------------------------------------------------------------------------------

export { type FoldsFromJSONOptions, foldsFromJSON } from './splitters/foldsFromJSON.js';
export { type CheckedFold, type FoldPlan, foldsOf, innerFoldsOf } from './splitters/foldsOf.js';
export { type FoldsToJSONOptions, foldsToJSON } from './splitters/foldsToJSON.js';
export { type OwnSplitterClass, type OwnSplitterFacts, registerSplitter } from './splitters/registry.js';
export type {
  Excluded,
  Fold,
  Folds,
  GivenFold,
  IterableFold,
  IterableSplitter,
  Splitter,
  SplitterClaims,
} from './splitters/splitter.js';

// ---- splitters, from their files ------------------------------------------------------------------------------------

export { GroupKFold, GroupKFold as GroupKFoldMedical, type GroupKFoldOptions } from './splitters/grouped/groupKFold.js';
export {
  HierarchicalGroupKFold,
  type HierarchicalGroupKFoldOptions,
} from './splitters/grouped/hierarchicalGroupKFold.js';
export { LeaveOneGroupOut, type LeaveOneGroupOutOptions } from './splitters/grouped/leaveOneGroupOut.js';
export { LeavePGroupsOut, type LeavePGroupsOutOptions } from './splitters/grouped/leavePGroupsOut.js';
export { MultilevelCV, type MultilevelCVOptions } from './splitters/grouped/multilevelCV.js';
export { NestedGroupedCV, type NestedGroupedCVOptions } from './splitters/grouped/nestedGroupedCV.js';
export { RepeatedGroupKFold, type RepeatedGroupKFoldOptions } from './splitters/grouped/repeatedGroupKFold.js';
export { StratifiedGroupKFold, type StratifiedGroupKFoldOptions } from './splitters/grouped/stratifiedGroupKFold.js';
export { BootstrapValidation, type BootstrapValidationOptions } from './splitters/iid/bootstrapValidation.js';
export { HoldOut, type HoldOutOptions } from './splitters/iid/holdOut.js';
export { KFold, KFold as KFoldMedical, type KFoldOptions } from './splitters/iid/kFold.js';
export { LOOCV, LOOCV as LeaveOneOut, type LOOCVOptions } from './splitters/iid/loocv.js';
export { LPOCV, LPOCV as LeavePOut, type LPOCVOptions } from './splitters/iid/lpocv.js';
export { MonteCarloCV, type MonteCarloCVOptions } from './splitters/iid/monteCarloCV.js';
export { NestedCV, type NestedCVOptions } from './splitters/iid/nestedCV.js';
export { PredefinedSplit, type PredefinedSplitOptions } from './splitters/iid/predefinedSplit.js';
export { RepeatedKFold, type RepeatedKFoldOptions } from './splitters/iid/repeatedKFold.js';
export {
  StratifiedKFold,
  StratifiedKFold as StratifiedKFoldMedical,
  type StratifiedKFoldOptions,
} from './splitters/iid/stratifiedKFold.js';
export {
  MultilabelStratifiedGroupKFold,
  type MultilabelStratifiedGroupKFoldOptions,
} from './splitters/multilabel/multilabelStratifiedGroupKFold.js';
export {
  MultilabelStratifiedKFold,
  type MultilabelStratifiedKFoldOptions,
} from './splitters/multilabel/multilabelStratifiedKFold.js';
export {
  BufferedSpatialCV,
  BufferedSpatialCV as BufferedSpatialSplit,
  type BufferedSpatialCVOptions,
} from './splitters/spatial/bufferedSpatialCV.js';
export { ClusterKFold, type ClusterKFoldOptions } from './splitters/spatial/clusterKFold.js';
export {
  EnvironmentalHealthCV,
  EnvironmentalHealthCV as EnvironmentalHealthSplit,
  type EnvironmentalHealthCVOptions,
} from './splitters/spatial/environmentalHealthCV.js';
export { type DistanceMatch, KNNDM, type KNNDMOptions } from './splitters/spatial/knndm.js';
export {
  SpatialBlockCV,
  SpatialBlockCV as SpatialBlockSplit,
  type SpatialBlockCVOptions,
} from './splitters/spatial/spatialBlockCV.js';
export {
  SpatiotemporalBlockCV,
  SpatiotemporalBlockCV as SpatiotemporalBlockSplit,
  type SpatiotemporalBlockCVOptions,
} from './splitters/spatial/spatiotemporalBlockCV.js';
export {
  BlockedTimeSeries,
  BlockedTimeSeries as BlockedTimeSeriesSplit,
  type BlockedTimeSeriesOptions,
} from './splitters/temporal/blockedTimeSeries.js';
export {
  type BacktestPath,
  CombinatorialPurgedCV,
  CombinatorialPurgedCV as CombinatorialPurgedKFold,
  type CombinatorialPurgedCVOptions,
  type PathSegment,
} from './splitters/temporal/combinatorialPurgedCV.js';
export {
  ExpandingWindowCV,
  ExpandingWindowCV as ExpandingWindowSplit,
  type ExpandingWindowCVOptions,
} from './splitters/temporal/expandingWindowCV.js';
export { NestedTemporalCV, type NestedTemporalCVOptions } from './splitters/temporal/nestedTemporalCV.js';
export {
  PurgedGroupTimeSeriesSplit,
  type PurgedGroupTimeSeriesSplitOptions,
} from './splitters/temporal/purgedGroupTimeSeriesSplit.js';
export {
  PurgedKFoldCV,
  PurgedKFoldCV as PurgedKFold,
  type PurgedKFoldCVOptions,
} from './splitters/temporal/purgedKFoldCV.js';
export {
  RollingWindowCV,
  RollingWindowCV as RollingWindowSplit,
  type RollingWindowCVOptions,
} from './splitters/temporal/rollingWindowCV.js';
export { TimeSeriesSplit, type TimeSeriesSplitOptions } from './splitters/temporal/timeSeriesSplit.js';

// ---- the search --------------------------------------------------------------------------------------------------

export type { TuningTrial } from './core/tuningTrial.js';
export type { ModelFn, TuningOptions } from './tuning/tuningOptions.js';
export type { TuningResults } from './tuning/tuningResults.js';

// ---- validation --------------------------------------------------------------------------------------------------

export type { Difference } from './runner/manifestDifferences.js';
export type { Recommendation } from './validator/advice.js';
export type { ClinicalOptions, ClinicalReport } from './validator/clinicalReport.js';
export { CVKitValidator, CVKitValidator as CVKit } from './validator/cvkitValidator.js';
export { evaluate } from './validator/evaluate.js';
export type { EvaluateOptions } from './validator/evaluateOptions.js';
export { type RecommendCvOptions, recommendCv } from './validator/recommendCv.js';
export { reproduce } from './validator/reproduce.js';
export type { ReproduceOptions, Reproduction } from './validator/reproduction.js';
export type { FitValidateOptions, ValidateOptions } from './validator/validateOptions.js';
export type { Manifest, ValidationResult } from './validator/validationResult.js';
export type { ValidatorOptions } from './validator/validatorOptions.js';
