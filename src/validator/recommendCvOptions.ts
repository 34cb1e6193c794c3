import { checkShape } from '../checkers/checkOptions.js';
import { type InputOf, optionTable } from '../core/options.js';
import { dataOptions, provenanceShape } from '../runner/dataOptions.js';
import { runOptions } from '../runner/runOptions.js';
import { idsOption, validatorOptions } from './validatorOptions.js';

const { X, y, featureNames, timestamps, labelEndTimes, coordinates, hierarchy } = dataOptions.shape;
const { task, positiveLabel } = runOptions.shape;
const PROVENANCE = 'As a Dataset has it, so that one can be given as it is; of no influence.';
const provenance = Object.fromEntries(
  Object.entries(provenanceShape).map(([name, option]) => [name, option.describe(PROVENANCE)]),
) as unknown as typeof provenanceShape;

export const recommendCvOptions = optionTable('recommendCv', {
  X: X.describe('Rows; their number and the names of their columns are read, not their values.'),
  y: y.describe('One label, number, row of 0/1 or mask of 0/1 per row.'),
  featureNames,
  groups: idsOption('Patient (or other unit) of each row.'),
  patientIds: idsOption('The same as `groups`.'),
  timestamps,
  labelEndTimes,
  coordinates,
  hierarchy,
  design: checkShape.design.describe(
    "What the folds are to stand for: 'iid', test rows are drawn like training rows; 'prospective', they come later; 'deployment', they come from elsewhere. Left out: later where `timestamps` are given, else elsewhere where `coordinates` are given, else 'iid'.",
  ),
  task,
  positiveLabel: positiveLabel.describe('The class whose rows the rationale counts; by default the rarest.'),
  randomState: validatorOptions.shape.randomState.describe('Seed of the folds.'),
  ...provenance,
});

export type RecommendCvOptions = InputOf<typeof recommendCvOptions>;
