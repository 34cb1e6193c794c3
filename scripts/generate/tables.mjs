/** What the documents are made from, as code: option tables, registries, facts. Bundled by loadTables.mjs, never shipped. */
import { tfjsOptions } from '../../adapters/tfjs/backend.ts';
import { fromDatasetOptions } from '../../adapters/tfjs/fromDataset.ts';
import { judgeFolds, checks as madeChecks } from '../../src/checkers/judgeFolds.ts';
import { loadCancerImagingOptions } from '../../src/datasets/loadCancerImaging.ts';
import { blandAltmanOptions } from '../../src/metrics/blandAltman.ts';
import { calibrationCurveOptions } from '../../src/metrics/calibrationCurve.ts';
import { classReportOptions } from '../../src/metrics/classReport.ts';
import { calculateAllOptions, clinicalMetricsOptions, formatReportOptions } from '../../src/metrics/clinicalMetrics.ts';
import { decisionCurveOptions } from '../../src/metrics/decisionCurve.ts';
import { chooseThresholdOptions } from '../../src/metrics/decisions/chooseThreshold.ts';
import { recalibrationOptions } from '../../src/metrics/decisions/recalibration.ts';
import { delongTestOptions } from '../../src/metrics/delongTest.ts';
import { defaultMetrics } from '../../src/metrics/metricsFor.ts';
import { netBenefitOptions } from '../../src/metrics/netBenefit.ts';
import { partialAucOptions } from '../../src/metrics/partialAuc.ts';
import { metricRegistry } from '../../src/metrics/registry.ts';
import { rocAtOptions } from '../../src/metrics/rocAt.ts';
import { plotSplits, plotSplitsOptions } from '../../src/plot/plotSplits.ts';
import { earlyStoppingOptions } from '../../src/runner/callbacks/earlyStopping.ts';
import { learningRateSchedulerOptions } from '../../src/runner/callbacks/learningRateScheduler.ts';
import { modelCheckpointOptions } from '../../src/runner/callbacks/modelCheckpoint.ts';
import { progressLoggerOptions } from '../../src/runner/callbacks/progressLogger.ts';
import { reduceLROnPlateauOptions } from '../../src/runner/callbacks/reduceLROnPlateau.ts';
import { ensembleOptions } from '../../src/runner/ensemble.ts';
import { runnerOptions } from '../../src/runner/runnerOptions.ts';
import { dataOptions, runOptions } from '../../src/runner/runOptions.ts';
import { foldsFromJSONOptions } from '../../src/splitters/foldsFromJSON.ts';
import { foldsToJSONOptions } from '../../src/splitters/foldsToJSON.ts';
import { splitterRegistry } from '../../src/splitters/registry.ts';
import { splitDataOptions } from '../../src/splitters/splitter.ts';
import { acrossSitesOptions } from '../../src/stats/acrossSites.ts';
import { adjustPValuesOptions } from '../../src/stats/adjustPValues.ts';
import { bbcCVOptions } from '../../src/stats/bbcCV.ts';
import { compareModelsOptions } from '../../src/stats/compareModels.ts';
import { conformalIntervalsOptions } from '../../src/stats/conformalIntervals.ts';
import { conformalSetsOptions } from '../../src/stats/conformalSets.ts';
import { expectedAucWidthOptions } from '../../src/stats/expectedAucWidth.ts';
import { learningCurveOptions } from '../../src/stats/learningCurve.ts';
import { permutationTestOptions } from '../../src/stats/permutationTest.ts';
import { randomEffectsOptions } from '../../src/stats/randomEffects.ts';
import { sampleSizeOptions } from '../../src/stats/sampleSize.ts';
import { subgroupTableOptions } from '../../src/stats/subgroupTable.ts';
import { validationSampleSizeOptions } from '../../src/stats/validationSampleSize.ts';
import { fitValidateOptions, validateOptions } from '../../src/validator/validateOptions.ts';
import { validatorOptions } from '../../src/validator/validatorOptions.ts';

export { snakeCase } from '../../src/core/names.ts';
export { methodName } from '../../src/validator/methods.ts';
export { plotSplits, tfjsOptions };

export const splitters = [...splitterRegistry];
export const metrics = [...metricRegistry];
export const defaultMetricsByTask = {
  ...Object.fromEntries(
    ['binary', 'multiclass', 'multilabel', 'regression'].map((task) => [task, defaultMetrics(task)]),
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
    splitDataOptions,
    plotSplitsOptions,
    foldsToJSONOptions,
    foldsFromJSONOptions,
    earlyStoppingOptions,
    modelCheckpointOptions,
    learningRateSchedulerOptions,
    reduceLROnPlateauOptions,
    ensembleOptions,
    progressLoggerOptions,
    loadCancerImagingOptions,
    tfjsOptions,
    fromDatasetOptions,
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
    acrossSitesOptions,
    conformalIntervalsOptions,
    subgroupTableOptions,
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
    ...splitters.map(({ options }) => options),
  ].map((table) => [table.owner, table]),
);

/** Every kind of check by code. `description` is missing where this version cannot make the check. */
export async function checks() {
  const described = new Map(madeChecks.map((check) => [check.code, check]));
  // Without data every row of the list answers that it was not evaluated; only code and type are of interest.
  const results = await judgeFolds({ folds: [], data: {} }, { leakage: true, balance: true });
  return results.map(({ code, type }) => ({ code, type, ...pick(described.get(code)) }));
}

const pick = (check) => (check ? { description: check.description, needs: check.needs } : {});
