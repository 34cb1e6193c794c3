/** Whether a feature gives y away: CVL009 as a single check. */
import { type InputOf, optionTable } from '../../core/options.js';
import { featureNamesOption } from '../../data/featureNames.js';
import { type LabelsInput, labelsOf } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { checkLength, checkSideData } from '../../data/sideData.js';
import { runOptions } from '../../runner/runOptions.js';
import { splitDataOptions } from '../../splitters/splitter.js';
import { featureThresholdOption } from '../checkOptions.js';
import { readFeatures } from '../features/features.js';
import { singleCheck } from '../singleCheck.js';
import { assessFeatureTarget, type FeatureTargetLeakage } from './featureTarget.js';

export const featureTargetOptions = optionTable('checkFeatureTargetLeakage', {
  featureNames: featureNamesOption,
  threshold: featureThresholdOption,
  groups: splitDataOptions.shape.groups,
  task: runOptions.shape.task,
});
export type FeatureTargetOptions = InputOf<typeof featureTargetOptions>;

/** See {@link DataLeakageChecker.checkFeatureTargetLeakage}. */
export async function checkFeatureTargetLeakage(
  X: RowsInput,
  y: LabelsInput,
  input: FeatureTargetOptions,
): Promise<FeatureTargetLeakage> {
  const { threshold, featureNames, groups, task } = featureTargetOptions.resolve(input);
  const rows = rowsOf(X, 'X', featureNames);
  const labels = labelsOf(y, { task });
  checkLength(labels, rows.length, 'y');
  const data = groups ? { groups } : {};
  checkSideData(data, rows.length);
  const all = await readFeatures(rows);
  const { finding, features } = await assessFeatureTarget({
    y: labels,
    data,
    featureThreshold: threshold,
    features: async () => all,
  });
  return { ...singleCheck(finding, { count: features.length, of: all.columns.length, threshold }), features };
}
