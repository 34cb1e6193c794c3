import type { RowsInput } from '../data/rows.js';
import type { MergeDuplicatesOptions, MergedDuplicates } from './mergedGroups.js';

export type { MergeDuplicatesOptions, MergedDuplicates } from './mergedGroups.js';

/**
 * Turns duplicates into groups: copies (as CVL002 finds them, equal in all cells or all but one or two), rows that are nearly
 * equal (CVL003) and rows of one patient come together, directly or through others, so that folds of whole groups have
 * none of them on both sides. Near-duplicates are looked for among the groups so far until there are none. Equal rows that
 * chance explains, being of few values or of a common pattern, stay apart, and so do rows without content: a note counts
 * them.
 *
 * The splitter keeps these groups whole: `StratifiedGroupKFold` for classes, `MultilabelStratifiedGroupKFold` for
 * several labels per row, `GroupKFold` otherwise and where the classes cannot be spread over the folds.
 *
 * Throws `InvalidDataError` for `y` or `groups` that do not fit `X`, `InvalidOptionError` for unknown options and for
 * pairs that name no rows, `InfeasibleSplitError` when all rows come into one group.
 *
 * @param X rows of any kind
 *
 * @example
 * const merged = await mergeDuplicates([...X, X[0]], { y: [...y, y[0]] });
 * console.log(merged.summary());
 */
export async function mergeDuplicates(X: RowsInput, input: MergeDuplicatesOptions = {}): Promise<MergedDuplicates> {
  const { mergedGroups } = await import('./mergedGroups.js');
  return mergedGroups(X, input);
}
