import { InvalidOptionError } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { type Label, listed } from './labels.js';

/** The error for a weight of what is no class. */
export const noClassToWeight = (option: string, name: string, classes: readonly Label[]) =>
  new InvalidOptionError(
    `The ${option} has no class '${nameText(name)}' to weight. The classes are: ${listed(classes)}.`,
  );
