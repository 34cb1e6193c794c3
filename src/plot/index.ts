/** `cvkit/plot`: pictures as SVG. */
export { type Instability, instabilityOf } from './instability.js';
export { type PlotCalibrationOptions, plotCalibration } from './plotCalibration.js';
export { type PlotComparisonOptions, plotComparison } from './plotComparison.js';
export { type PlotConfusionOptions, plotConfusion } from './plotConfusion.js';
export { type PlotDecisionCurveOptions, plotDecisionCurve } from './plotDecisionCurve.js';
export { type PlotFoldsOptions, plotFolds } from './plotFolds.js';
export { type ForestRow, type PlotForestOptions, plotForest } from './plotForest.js';
export { type PlotHistoryOptions, plotHistory } from './plotHistory.js';
export { type PlotImportanceOptions, plotImportance } from './plotImportance.js';
export { type PlotInstabilityOptions, plotInstability } from './plotInstability.js';
export { type PlainOutcomes, type PlotKaplanMeierOptions, plotKaplanMeier } from './plotKaplanMeier.js';
export { type PlotLearningCurveOptions, plotLearningCurve } from './plotLearningCurve.js';
export { type PlotPrecisionRecallOptions, plotPrecisionRecall } from './plotPrecisionRecall.js';
export { type PlotRocOptions, plotRoc } from './plotRoc.js';
export { type PlotScoresOptions, plotScores } from './plotScores.js';
export { type PlotSplitsOptions, plotSplits } from './plotSplits.js';
export type { PlotTable, Svg } from './svg.js';
