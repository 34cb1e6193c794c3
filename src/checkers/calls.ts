/**
 * What the methods of the checkers call. One module, so that a page loads all of it with the first call: many small ones
 * would make many small files of a bundle.
 */

export { cvBalance } from './CVB001-class-balance/cvBalance.js';
export { featureDistribution } from './CVB001-class-balance/featureDistribution.js';
export { checkNearDuplicates } from './CVL003-near-duplicate/checkNearDuplicates.js';
export { checkHierarchicalLeakage } from './CVL008-hierarchical/checkHierarchicalLeakage.js';
export { checkFeatureTargetLeakage } from './CVL009-feature-target/checkFeatureTargetLeakage.js';
export { checkPreprocessing, checkPreprocessingLeakage } from './CVL010-preprocessing/checkPreprocessing.js';
export { checkCvSplits } from './checkCvSplits.js';
export { assess, check, comprehensiveCheck } from './checkFolds.js';
export { mergedGroups } from './mergedGroups.js';
