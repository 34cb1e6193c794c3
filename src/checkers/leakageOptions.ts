/** The options of the methods of `DataLeakageChecker`. */

import { anything, arrayLike, type InputOf, integer, listOf, optionTable } from '../core/options.js';
import { featureNamesOption } from '../data/featureNames.js';
import type { Label, LabelsInput } from '../data/labels.js';
import { runnerOptions } from '../runner/runnerOptions.js';
import { runOptions } from '../runner/runOptions.js';
import { splitDataOptions } from '../splitters/splitter.js';
import { askedShape } from './askedOptions.js';
import { declaredShape, judgeShape } from './checkOptions.js';
import { leakageChecks } from './registry.js';

const { revealIds: _ofTheChecker, ...toldShape } = judgeShape;
const TYPES = leakageChecks.map(({ type }) => type);
const CODES = leakageChecks.map(({ code }) => code);
const only = listOf<string>('type', `be a list of codes or types of checks: ${TYPES.join(', ')}`, (v) =>
  [...TYPES, ...CODES].includes(v as string),
)
  .optional()
  .describe('Make these checks alone, by type or code.');
const randomState = askedShape.randomState.describe('Seed of permutations, and of the folds where `cv` makes none.');
const task = runOptions.shape.task;

const checkShape = {
  featureNames: featureNamesOption,
  ...splitDataOptions.shape,
  cv: runnerOptions.shape.cvSplitter.optional().describe('Makes the folds to judge; left out, plain shuffled ones.'),
  nSplits: integer({ min: 2 }).default(5).describe('Number of plain folds where `cv` makes none.'),
  randomState,
  task,
  ...toldShape,
};

export const checkOptions = optionTable('check', { ...checkShape, only });
export type CheckOptions = InputOf<typeof checkOptions>;

export const comprehensiveCheckOptions = optionTable('comprehensiveCheck', {
  ...checkShape,
  featureThreshold: askedShape.featureThreshold,
});
export type ComprehensiveCheckOptions = InputOf<typeof comprehensiveCheckOptions>;

const ids = (text: string) => arrayLike<Label>('id[]').optional().describe(text);
const { timestamps, labelEndTimes, coordinates, hierarchy } = splitDataOptions.shape;
const labels = anything<LabelsInput>('labels', 'be labels').optional();

export const checkCvSplitsOptions = optionTable('checkCvSplits', {
  featureNames: featureNamesOption,
  yTrain: labels.describe('Labels of the training rows.'),
  yTest: labels.describe('Labels of the test rows.'),
  patientIdsTrain: ids('Patient of each training row.').alias('groupsTrain'),
  patientIdsTest: ids('Patient of each test row.').alias('groupsTest'),
  timestampsTrain: timestamps.describe('Time of each training row.'),
  timestampsTest: timestamps.describe('Time of each test row.'),
  labelEndTimesTrain: labelEndTimes.describe('When the label of each training row is known.'),
  labelEndTimesTest: labelEndTimes.describe('When the label of each test row is known.'),
  coordinatesTrain: coordinates.describe('[x, y] or [lat, lon] of each training row.'),
  coordinatesTest: coordinates.describe('[x, y] or [lat, lon] of each test row.'),
  hierarchyTrain: hierarchy.describe('Ids of each training row per level, outermost first.'),
  hierarchyTest: hierarchy.describe('Ids of each test row per level, outermost first.'),
  task,
  randomState: askedShape.randomState,
  only,
  ...declaredShape,
  design: judgeShape.design,
  spatialThreshold: judgeShape.spatialThreshold,
  embeddingsTrain: judgeShape.embeddings.describe("A model's vectors of the training rows."),
  embeddingsTest: judgeShape.embeddings.describe("A model's vectors of the test rows."),
});
export type CheckCvSplitsOptions = InputOf<typeof checkCvSplitsOptions>;
