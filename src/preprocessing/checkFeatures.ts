/** Rows without a column tell a model nothing, and some models train on them all the same. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import type { Rows } from '../data/rows.js';
import type { Pipeline } from './pipeline.js';

/** Throws {@link InvalidDataError} where prepared rows have no column; choices of columns that matched none are named. */
export function checkFeatures(fitted: Pipeline, after: Pick<Rows, 'rowShape'>): void {
  if (!after.rowShape?.includes(0)) return;
  const choices = fitted.matchedNothing();
  const got =
    choices.length === 0
      ? `none from ${fitted.describe()}`
      : `none: in ColumnTransformer no column was matched by ${choices.join(', ')}`;
  const way =
    choices.length === 0
      ? 'Mend the step that leaves out all columns.'
      : "Choose columns that X has, or pass remainder: 'passthrough'.";
  throw new InvalidDataError(sentence('The prepared rows', 'have at least one column', phrase(got), way), {
    code: 'no_features',
  });
}
