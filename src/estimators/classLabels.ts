import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { type Labels, type LabelsInput, labelsOf } from '../data/labels.js';

/** The labels of a classifier. Numbers that are not whole are refused, as scikit-learn does: each would be a class of its own. */
export function classLabels(y: LabelsInput, owner: string): Labels {
  const labels = labelsOf(y, { task: 'classification' });
  if (labels.classes.every((label) => typeof label !== 'number' || Number.isInteger(label))) return labels;
  const got = phrase('numbers that are not whole');
  const way = 'Use a model of regression, or make classes of the numbers.';
  throw new InvalidDataError(sentence(`The labels for ${owner}`, 'be classes', got, way));
}
