/**
 * `cvkit/stats`: numbers of many runs and of what one plans. Comparison, permutation, learning curves, subgroups, sites,
 * sample size; thresholds, recalibration, conformal sets.
 */
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
