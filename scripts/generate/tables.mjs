/** What the documents are made from, as code: option tables, registries, facts. Bundled by loadTables.mjs, never shipped. */

import { estimatorAdapter } from '../../adapters/estimator/index.ts';
import { onnxAdapter } from '../../adapters/onnx/index.ts';
import { onnxEmbeddingOptions, onnxOptions } from '../../adapters/onnx/options.ts';
import { tfjsOptions } from '../../adapters/tfjs/backend.ts';
import { fromDatasetOptions } from '../../adapters/tfjs/fromDataset.ts';
import { tfjsAdapter } from '../../adapters/tfjs/index.ts';
import { discreteHazardOptions } from '../../adapters/tfjs/survival.ts';
import { bullmqOptions } from '../../src/bullmq/bullmqOptions.ts';
import { classDistributionLoggerOptions } from '../../src/callbacks/classDistributionLogger.ts';
import { earlyStoppingOptions } from '../../src/callbacks/earlyStopping.ts';
import { leakageDetectionCallbackOptions } from '../../src/callbacks/leakageDetectionCallback.ts';
import { learningRateSchedulerOptions } from '../../src/callbacks/learningRateScheduler.ts';
import { modelCheckpointOptions } from '../../src/callbacks/modelCheckpoint.ts';
import { reduceLROnPlateauOptions } from '../../src/callbacks/reduceLROnPlateau.ts';
import { regulatoryComplianceLoggerOptions } from '../../src/callbacks/regulatoryComplianceLogger.ts';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.ts';
import {
  balanceCheckerOptions,
  checkClassBalanceOptions,
} from '../../src/checkers/CVB001-class-balance/balanceOptions.ts';
import { checkCvBalanceOptions } from '../../src/checkers/CVB001-class-balance/cvBalance.ts';
import { checkFeatureDistributionOptions } from '../../src/checkers/CVB001-class-balance/featureDistribution.ts';
import { nearDuplicatesOptions } from '../../src/checkers/CVL003-near-duplicate/checkNearDuplicates.ts';
import { featureTargetOptions } from '../../src/checkers/CVL009-feature-target/featureTarget.ts';
import { preprocessingOptions } from '../../src/checkers/CVL010-preprocessing/assessPreprocessing.ts';
import { dataLeakageCheckerOptions } from '../../src/checkers/checkerSettings.ts';
import { checkCvSplitsOptions, checkOptions, comprehensiveCheckOptions } from '../../src/checkers/checkFolds.ts';
import { toRowsOptions } from '../../src/checkers/findingRows.ts';
import { mergeDuplicatesOptions } from '../../src/checkers/mergedGroups.ts';
import { toSARIFOptions } from '../../src/checkers/sarif.ts';
import { blandAltmanOptions } from '../../src/clinical/agreement/blandAltman.ts';
import { calibrationCurveOptions } from '../../src/clinical/calibration/calibrationCurve.ts';
import { classReportOptions } from '../../src/clinical/classes/classReport.ts';
import {
  calculateAllOptions,
  clinicalMetricsOptions,
  formatReportOptions,
} from '../../src/clinical/clinicalMetrics.ts';
import { chooseThresholdOptions } from '../../src/clinical/decisions/chooseThreshold.ts';
import { decisionCurveOptions } from '../../src/clinical/decisions/decisionCurve.ts';
import { netBenefitOptions } from '../../src/clinical/decisions/netBenefit.ts';
import { recalibrationOptions } from '../../src/clinical/decisions/recalibration.ts';
import { delongTestOptions } from '../../src/clinical/roc/delongTest.ts';
import { partialAucOptions } from '../../src/clinical/roc/partialAuc.ts';
import { rocAtOptions } from '../../src/clinical/roc/rocAt.ts';
import { sampleSizeOptions } from '../../src/clinical/sampleSize.ts';
import { summaryOptions } from '../../src/core/summaryText.ts';
import { verifyTrailOptions } from '../../src/core/trail.ts';
import { resultJSONOptions } from '../../src/data/pseudonyms.ts';
import { CLINICAL, featuresOf, SITES } from '../../src/datasets/clinicalFeatures.ts';
import { generateSyntheticEhrOptions } from '../../src/datasets/generateSyntheticEhr.ts';
import { generateTemporalPatientDataOptions } from '../../src/datasets/generateTemporalPatientData.ts';
import {
  loadCancerImagingOptions,
  loadDiabeticReadmissionOptions,
  loadHeartDiseaseOptions,
} from '../../src/datasets/loaderTables.ts';
import * as estimators from '../../src/estimators/index.ts';
import { registerMaskMetrics } from '../../src/metrics/masks/maskMetrics.ts';
import { defaultMetrics, metricFamilies, namesAt } from '../../src/metrics/metricsFor.ts';
import { metricRegistry } from '../../src/metrics/registry.ts';
import { registerTimedMetrics } from '../../src/metrics/timed/timedMetrics.ts';
import { mergeRunsOptions } from '../../src/node/directory/mergeRunsOptions.ts';
import { readImagesOptions } from '../../src/node/images/readImagesOptions.ts';
import { processesOptions } from '../../src/node/processesOptions.ts';
import { slurmOptions } from '../../src/node/slurmOptions.ts';
import { tensorBoardLoggerOptions } from '../../src/node/tensorBoardLogger.ts';
import { plotCalibrationOptions } from '../../src/plot/plotCalibration.ts';
import { plotComparisonOptions } from '../../src/plot/plotComparison.ts';
import { plotConfusionOptions } from '../../src/plot/plotConfusion.ts';
import { plotDecisionCurveOptions } from '../../src/plot/plotDecisionCurve.ts';
import { plotFoldsOptions } from '../../src/plot/plotFolds.ts';
import { plotForestOptions } from '../../src/plot/plotForest.ts';
import { plotHistoryOptions } from '../../src/plot/plotHistory.ts';
import { plotImportanceOptions } from '../../src/plot/plotImportance.ts';
import { plotInstabilityOptions } from '../../src/plot/plotInstability.ts';
import { plotKaplanMeierOptions } from '../../src/plot/plotKaplanMeier.ts';
import { plotLearningCurveOptions } from '../../src/plot/plotLearningCurve.ts';
import { plotPrecisionRecallOptions } from '../../src/plot/plotPrecisionRecall.ts';
import { plotRocOptions } from '../../src/plot/plotRoc.ts';
import { plotScoresOptions } from '../../src/plot/plotScores.ts';
import { plotSplits, plotSplitsOptions } from '../../src/plot/plotSplits.ts';
import * as preprocessing from '../../src/preprocessing/index.ts';
import { tabularOptions } from '../../src/preprocessing/tabular.ts';
import { reportOptions } from '../../src/report/reportOptions.ts';
import { dataOptions } from '../../src/runner/dataOptions.ts';
import { ensembleOptions } from '../../src/runner/foldEnsemble.ts';
import { importanceOptions } from '../../src/runner/importanceOptions.ts';
import { loadModelOptions } from '../../src/runner/keptModels.ts';
import { saveOptions } from '../../src/runner/modelFolder.ts';
import { progressLoggerOptions } from '../../src/runner/progressLogger.ts';
import { runnerOptions } from '../../src/runner/runnerOptions.ts';
import { runOptions } from '../../src/runner/runOptions.ts';
import { threadsOptions } from '../../src/runner/threadsOptions.ts';
import { foldsFromJSONOptions } from '../../src/splitters/foldsFromJSON.ts';
import { foldsToJSONOptions } from '../../src/splitters/foldsToJSON.ts';
import { splitterRegistry } from '../../src/splitters/registry.ts';
import { splitDataOptions } from '../../src/splitters/splitter.ts';
import { acrossSitesOptions } from '../../src/stats/acrossSites.ts';
import { adjustPValuesOptions } from '../../src/stats/adjustPValues.ts';
import { bbcCVOptions } from '../../src/stats/bbcCV.ts';
import { compareModelsOptions } from '../../src/stats/compareModels.ts';
import { compareReportsOptions } from '../../src/stats/compareReports.ts';
import { modelTableOptions, resultTableOptions } from '../../src/stats/comparison/manyModels.ts';
import { conformalIntervalsOptions } from '../../src/stats/conformalIntervals.ts';
import { conformalSetsOptions } from '../../src/stats/conformalSets.ts';
import { expectedAucWidthOptions } from '../../src/stats/expectedAucWidth.ts';
import { identityConfoundingOptions } from '../../src/stats/identityConfounding.ts';
import { labelPermutationGapOptions } from '../../src/stats/labelPermutationGap.ts';
import { labelsAtHorizonOptions } from '../../src/stats/labelsAtHorizon.ts';
import { leakageInflationOptions } from '../../src/stats/leakageInflation.ts';
import { learningCurveOptions } from '../../src/stats/learningCurve.ts';
import { permutationTestOptions } from '../../src/stats/permutationTest.ts';
import { randomEffectsOptions } from '../../src/stats/randomEffects.ts';
import { subgroupTableOptions } from '../../src/stats/subgroupTable.ts';
import { survivalScoresOptions } from '../../src/stats/survivalScores.ts';
import { validationSampleSizeOptions } from '../../src/stats/validationSampleSize.ts';
import { readTableOptions } from '../../src/table/readTableOptions.ts';
import { journalStorageOptions } from '../../src/tuning/journal/journalStorage.ts';
import { hyperbandPrunerOptions } from '../../src/tuning/pruners/hyperbandPruner.ts';
import { medianPrunerOptions } from '../../src/tuning/pruners/medianPruner.ts';
import { wilcoxonPrunerOptions } from '../../src/tuning/pruners/wilcoxonPruner.ts';
import { tpeSamplerOptions } from '../../src/tuning/samplers/tpeSampler.ts';
import { openStudyOptions, optimizeOptions, studyOptions, tellOptions } from '../../src/tuning/studyOptions.ts';
import { tuningOptions } from '../../src/tuning/tuningOptions.ts';
import { clinicalOptions } from '../../src/validator/clinicalReport.ts';
import { evaluateOptions } from '../../src/validator/evaluateOptions.ts';
import { recommendCvOptions } from '../../src/validator/recommendCvOptions.ts';
import { fitValidateOptions, validateOptions } from '../../src/validator/validateOptions.ts';
import { validatorOptions } from '../../src/validator/validatorOptions.ts';

export { snakeCase } from '../../src/core/names.ts';
export { designTable } from '../../src/validator/designTable.ts';
export { methodName, OWN_METHODS as methods } from '../../src/validator/methods.ts';
export { onnxOptions, plotSplits, tfjsOptions };

/** Adapters by their public name, with the table of their options where it is one. */
export const adapters = {
  tfjsAdapter: { adapter: tfjsAdapter, options: tfjsOptions },
  onnxAdapter: { adapter: onnxAdapter, options: onnxOptions },
  estimatorAdapter: { adapter: estimatorAdapter },
};

export const splitters = [...splitterRegistry];

/**
 * Option tables of `cvkit/preprocessing` and `cvkit/estimators`.
 *
 * @type {import('../../src/core/options.ts').OptionTable<import('../../src/core/options.ts').OptionShape>[]}
 */
const classTables = Object.values({ ...preprocessing, ...estimators }).flatMap(({ options }) =>
  options ? [options] : [],
);
/** What generated patients are drawn from. */
export const generators = { clinical: CLINICAL, featuresOf, sites: SITES };
registerTimedMetrics();
const atTimes = [...metricFamilies].flatMap(([name, { of }]) =>
  of === 'times' && name !== 'calibration_at' ? [name] : [],
);
namesAt(atTimes, { of: 'times', places: ['t'] });
registerMaskMetrics();
export const metrics = [...metricRegistry];
export const defaultMetricsByTask = {
  ...Object.fromEntries(
    ['binary', 'multiclass', 'multilabel', 'regression', 'survival'].map((task) => [task, defaultMetrics(task)]),
  ),
  masks: defaultMetrics('multilabel', true),
};

/** Option tables by owner, which is how error messages and the documents call them. */
export const tables = new Map(
  [
    runnerOptions,
    runOptions,
    dataOptions,
    validatorOptions,
    validateOptions,
    fitValidateOptions,
    evaluateOptions,
    recommendCvOptions,
    clinicalOptions,
    resultJSONOptions,
    summaryOptions,
    reportOptions,
    splitDataOptions,
    plotSplitsOptions,
    plotCalibrationOptions,
    plotComparisonOptions,
    plotConfusionOptions,
    plotDecisionCurveOptions,
    plotFoldsOptions,
    plotForestOptions,
    plotHistoryOptions,
    plotImportanceOptions,
    plotInstabilityOptions,
    plotKaplanMeierOptions,
    plotLearningCurveOptions,
    plotPrecisionRecallOptions,
    plotRocOptions,
    plotScoresOptions,
    foldsToJSONOptions,
    foldsFromJSONOptions,
    earlyStoppingOptions,
    modelCheckpointOptions,
    learningRateSchedulerOptions,
    reduceLROnPlateauOptions,
    importanceOptions,
    ensembleOptions,
    loadModelOptions,
    saveOptions,
    progressLoggerOptions,
    classDistributionLoggerOptions,
    regulatoryComplianceLoggerOptions,
    verifyTrailOptions,
    mergeRunsOptions,
    tensorBoardLoggerOptions,
    threadsOptions,
    processesOptions,
    slurmOptions,
    bullmqOptions,
    tuningOptions,
    studyOptions,
    openStudyOptions,
    optimizeOptions,
    tellOptions,
    tpeSamplerOptions,
    journalStorageOptions,
    medianPrunerOptions,
    hyperbandPrunerOptions,
    wilcoxonPrunerOptions,
    readTableOptions,
    readImagesOptions,
    generateSyntheticEhrOptions,
    generateTemporalPatientDataOptions,
    loadCancerImagingOptions,
    loadHeartDiseaseOptions,
    loadDiabeticReadmissionOptions,
    tfjsOptions,
    fromDatasetOptions,
    discreteHazardOptions,
    onnxOptions,
    onnxEmbeddingOptions,
    recalibrationOptions,
    sampleSizeOptions,
    expectedAucWidthOptions,
    validationSampleSizeOptions,
    conformalSetsOptions,
    randomEffectsOptions,
    chooseThresholdOptions,
    permutationTestOptions,
    learningCurveOptions,
    adjustPValuesOptions,
    bbcCVOptions,
    compareModelsOptions,
    compareReportsOptions,
    modelTableOptions,
    resultTableOptions,
    acrossSitesOptions,
    conformalIntervalsOptions,
    subgroupTableOptions,
    survivalScoresOptions,
    labelsAtHorizonOptions,
    identityConfoundingOptions,
    leakageInflationOptions,
    labelPermutationGapOptions,
    dataLeakageCheckerOptions,
    checkOptions,
    checkCvSplitsOptions,
    comprehensiveCheckOptions,
    toRowsOptions,
    toSARIFOptions,
    featureTargetOptions,
    preprocessingOptions,
    nearDuplicatesOptions,
    mergeDuplicatesOptions,
    leakageDetectionCallbackOptions,
    balanceCheckerOptions,
    checkClassBalanceOptions,
    checkCvBalanceOptions,
    checkFeatureDistributionOptions,
    clinicalMetricsOptions,
    calculateAllOptions,
    formatReportOptions,
    delongTestOptions,
    netBenefitOptions,
    decisionCurveOptions,
    calibrationCurveOptions,
    rocAtOptions,
    partialAucOptions,
    classReportOptions,
    blandAltmanOptions,
    ...classTables,
    tabularOptions,
    ...splitters.map(({ options }) => options),
  ].map((table) => [table.owner, table]),
);

/** Every check by code. */
export const checks = () =>
  [...leakageChecks, ...balanceChecks].map(({ code, type, kind, description, needs }) => ({
    code,
    type,
    kind,
    description,
    needs,
  }));
