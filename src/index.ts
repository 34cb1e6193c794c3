/**
 * cvkit: trustworthy cross-validation of medical machine learning. The closed list of public names; aliases are
 * declared here and nowhere else.
 */

// ---- checks -----------------------------------------------------------------------------------------------------
export type { Check, CheckInput, CheckResult, CheckStatus, Finding, Severity } from './checkers/check.js';
export type { FoldJudge } from './checkers/judgeFolds.js';
// ---- data, randomness, errors -------------------------------------------------------------------------------------
export {
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
export type { Label, Labels, LabelsInput, Task, TaskOption } from './core/labels.js';
export { deriveSeed, type RandomSource, type RandomState, randomSource } from './core/random.js';
export type { Dense, RowSource, Rows, RowsInput } from './core/rows.js';
export type { SideData } from './core/sideData.js';
export { VERSION } from './core/version.js';
// ---- data sets --------------------------------------------------------------------------------------------------
export type { Dataset } from './datasets/dataset.js';
export { loadCancerImaging } from './datasets/loadCancerImaging.js';
// ---- metrics ----------------------------------------------------------------------------------------------------
export type { Interval } from './metrics/intervals/interval.js';
export { type Metric, type Score, score, type Undefined, undefinedBecause } from './metrics/metric.js';
export { defineMetric } from './metrics/registry.js';
export { type ScoreTable, type ScoreTableInput, scoreTable } from './metrics/scoreTable.js';
// ---- the runner -------------------------------------------------------------------------------------------------
export { registerAdapter } from './runner/adapterRegistry.js';
export { CallbackError, type CVCallback, type EpochContext, type RunContext } from './runner/callback.js';
export { EarlyStopping, type EarlyStoppingOptions } from './runner/callbacks/earlyStopping.js';
export { ProgressLogger, type ProgressLoggerOptions } from './runner/callbacks/progressLogger.js';
export type { CVResults, FoldDetails } from './runner/cvResults.js';
export type { Progress, RunnerEvents } from './runner/events.js';
export type { CompletedFold, FailedFold, FoldResult } from './runner/foldResult.js';
export type {
  AdapterCapabilities,
  AdapterSession,
  Batch,
  EpochLogs,
  FitHistory,
  FitHooks,
  FitOptions,
  FoldContext,
  FrameworkAdapter,
  LabelFacts,
  ModelFactory,
  Predictions,
} from './runner/frameworkAdapter.js';
export type { ModelOption } from './runner/modelSource.js';
export type { OutOfFold } from './runner/outOfFold.js';
export type { RunMetadata } from './runner/runMetadata.js';
export type {
  DataOption,
  RunnerOptions,
  RunOptions,
  Scoring,
  ScoringFunction,
  ValidationOption,
} from './runner/runOptions.js';
export { UniversalCVRunner } from './runner/universalCVRunner.js';
// ---- splitters --------------------------------------------------------------------------------------------------
export { type CheckedFold, type FoldPlan, foldsOf } from './splitters/foldsOf.js';
export { GroupKFold, GroupKFold as GroupKFoldMedical, type GroupKFoldOptions } from './splitters/grouped/groupKFold.js';
export { StratifiedGroupKFold, type StratifiedGroupKFoldOptions } from './splitters/grouped/stratifiedGroupKFold.js';
export { HoldOut, type HoldOutOptions } from './splitters/iid/holdOut.js';
export { KFold, KFold as KFoldMedical, type KFoldOptions } from './splitters/iid/kFold.js';
export { RepeatedKFold, type RepeatedKFoldOptions } from './splitters/iid/repeatedKFold.js';
export {
  StratifiedKFold,
  StratifiedKFold as StratifiedKFoldMedical,
  type StratifiedKFoldOptions,
} from './splitters/iid/stratifiedKFold.js';
export type { Fold, Splitter, SplitterClaims } from './splitters/splitter.js';
// ---- validation -------------------------------------------------------------------------------------------------
export { CVKitValidator, CVKitValidator as CVKit } from './validator/cvkitValidator.js';
export type { Manifest, OverallStatus, ValidationResult } from './validator/validationResult.js';
export type { FitValidateOptions, ValidateOptions, ValidatorOptions } from './validator/validatorOptions.js';
