/**
 * `cvkit/stats`: numbers of predictions and of many runs. Clinical metrics, calibration and decision curves; comparison,
 * permutation, learning curves, subgroups, sites, sample size; thresholds, recalibration, conformal sets.
 */
export type { CalibrationBin } from '../metrics/calibration/calibrationBins.js';
export type { CurvePoint } from '../metrics/calibration/flexibleCurve.js';
export { type CalibrationCurve, type CalibrationCurveOptions, calibrationCurve } from '../metrics/calibrationCurve.js';
export type { ClinicalResults } from '../metrics/clinical/clinicalResults.js';
export {
  type CalculateAllOptions,
  ClinicalMetrics,
  type ClinicalMetricsOptions,
  type FormatReportOptions,
} from '../metrics/clinicalMetrics.js';
export { type DecisionCurveOptions, type DecisionPoint, decisionCurve } from '../metrics/decisionCurve.js';
export { type DelongTest, type DelongTestOptions, delongTest } from '../metrics/delongTest.js';
export { type NetBenefitOptions, netBenefit } from '../metrics/netBenefit.js';
export { type AcrossSites, type AcrossSitesOptions, acrossSites, type SiteEstimate } from './acrossSites.js';
export { type AdjustPValuesOptions, adjustPValues } from './adjustPValues.js';
export { betaCalibration } from './betaCalibration.js';
export {
  type ChooseThresholdOptions,
  type ChosenThreshold,
  chooseThreshold,
  type ThresholdRule,
} from './chooseThreshold.js';
export { type CompareModelsOptions, compareModels } from './compareModels.js';
export type { DifferenceTest, RopeProbabilities, SignFlipTest } from './comparison/answers.js';
export type { ModelComparison } from './comparison/modelComparison.js';
export type { Guarantee } from './conformal/calibration.js';
export { type ConformalIntervals, type ConformalIntervalsOptions, conformalIntervals } from './conformalIntervals.js';
export { type ConformalSets, type ConformalSetsOptions, conformalSets, type Probabilities } from './conformalSets.js';
export { type ExpectedAucWidth, type ExpectedAucWidthOptions, expectedAucWidth } from './expectedAucWidth.js';
export { isotonicRegression } from './isotonicRegression.js';
export {
  type LearningCurve,
  type LearningCurveOptions,
  type LearningCurvePoint,
  learningCurve,
} from './learningCurve.js';
export { type PermutationTest, type PermutationTestOptions, permutationTest } from './permutationTest.js';
export { plattScaling } from './plattScaling.js';
export { type RandomEffects, type RandomEffectsOptions, randomEffects } from './randomEffects.js';
export type { Recalibration, RecalibrationJSON, RecalibrationOptions } from './recalibration.js';
export { recalibrationFromJSON } from './recalibrationFromJSON.js';
export type { ScoredResults } from './results.js';
export { type SampleSize, type SampleSizeOptions, type SizeCriterion, sampleSize } from './sampleSize.js';
export { type SubgroupRow, type SubgroupTable, type SubgroupTableOptions, subgroupTable } from './subgroupTable.js';
export { type ValidationSampleSizeOptions, validationSampleSize } from './validationSampleSize.js';
