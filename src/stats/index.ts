/**
 * `cvkit/stats`: numbers of many runs and of what one plans. Comparison, tuning, permutation, learning curves,
 * subgroups, sites, sample size; thresholds, recalibration, conformal sets.
 */

export { type BlandAltman, type BlandAltmanOptions, blandAltman } from '../clinical/agreement/blandAltman.js';
export {
  type ClassReport,
  type ClassReportOptions,
  type ClassRow,
  type ClassValues,
  classReport,
} from '../clinical/classes/classReport.js';
export {
  type ChooseThresholdOptions,
  type ChosenThreshold,
  chooseThreshold,
  type ThresholdRule,
} from '../clinical/decisions/chooseThreshold.js';
export type { Recalibration, RecalibrationJSON, RecalibrationOptions } from '../clinical/decisions/recalibration.js';
export {
  betaCalibration,
  isotonicRegression,
  plattScaling,
  recalibrationFromJSON,
} from '../clinical/decisions/recalibration.js';
export { type PartialAucOptions, partialAuc } from '../clinical/roc/partialAuc.js';
export { type RocAtOptions, type RocPlace, rocAt } from '../clinical/roc/rocAt.js';
export { type SampleSize, type SampleSizeOptions, type SizeCriterion, sampleSize } from '../clinical/sampleSize.js';
export { type AcrossSites, type AcrossSitesOptions, acrossSites, type SiteEstimate } from './acrossSites.js';
export { type AdjustPValuesOptions, adjustPValues } from './adjustPValues.js';
export { type BbcCV, type BbcCVOptions, bbcCV } from './bbcCV.js';
export { type CompareModelsOptions, compareModels, type ModelComparison } from './compareModels.js';
export {
  type ComparedReport,
  type CompareReportsOptions,
  compareReports,
  type ManifestDifference,
  type ReportComparison,
} from './compareReports.js';
export type { DifferenceTest, RopeProbabilities, SignFlipTest } from './comparison/answers.js';
export type { ModelTableOptions, ResultTableOptions } from './comparison/manyModels.js';
export type { ModelTable, ModelTableComparison, ModelTableRow } from './comparison/modelTable.js';
export type { Guarantee } from './conformal/calibration.js';
export { type ConformalIntervals, type ConformalIntervalsOptions, conformalIntervals } from './conformalIntervals.js';
export { type ConformalSets, type ConformalSetsOptions, conformalSets, type Probabilities } from './conformalSets.js';
export { type ExpectedAucWidth, type ExpectedAucWidthOptions, expectedAucWidth } from './expectedAucWidth.js';
export {
  type IdentityConfounding,
  type IdentityConfoundingOptions,
  identityConfounding,
} from './identityConfounding.js';
export {
  type LabelPermutationGap,
  type LabelPermutationGapOptions,
  labelPermutationGap,
} from './labelPermutationGap.js';
export { type LabelsAtHorizon, type LabelsAtHorizonOptions, labelsAtHorizon } from './labelsAtHorizon.js';
export { type LeakageInflation, type LeakageInflationOptions, leakageInflation } from './leakageInflation.js';
export {
  type LearningCurve,
  type LearningCurveOptions,
  type LearningCurvePoint,
  learningCurve,
} from './learningCurve.js';
export { type PermutationTest, type PermutationTestOptions, permutationTest } from './permutationTest.js';
export { type RandomEffects, type RandomEffectsOptions, randomEffects } from './randomEffects.js';
export type { ScoredResults } from './results.js';
export { type SubgroupRow, type SubgroupTable, type SubgroupTableOptions, subgroupTable } from './subgroupTable.js';
export { type SurvivalScoresOptions, survivalScores } from './survivalScores.js';
export { type ValidationSampleSizeOptions, validationSampleSize } from './validationSampleSize.js';
