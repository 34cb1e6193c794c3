import type { RowsInput } from '../data/rows.js';
import type { GroupKFold } from '../splitters/grouped/groupKFold.js';
import type { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import type { MultilabelStratifiedGroupKFold } from '../splitters/multilabel/multilabelStratifiedGroupKFold.js';
import type { MergeDuplicatesOptions } from './CVL002-duplicate/mergeRows.js';

export type { MergeDuplicatesOptions };

/** Groups that keep duplicates together, and folds of them. */
export interface MergedDuplicates {
  /** Group of each row, 0 ... nGroups - 1: pass it as `groups` or `patientIds`. */
  readonly groups: Int32Array;
  readonly nGroups: number;
  /** Groups that duplicates made: how many, and the rows of the largest. */
  readonly clusters: { readonly count: number; readonly largest: number };
  /** Patients whom duplicates joined, as salted hashes: one list per group. */
  readonly mergedPatients: readonly (readonly string[])[];
  /** A splitter that keeps the groups whole, with as many folds as asked for, or as there are groups. */
  readonly splitter: GroupKFold | StratifiedGroupKFold | MultilabelStratifiedGroupKFold;
  /** The folds as a line of JavaScript. */
  readonly code: string;
  /** What one should know about the groups: full sentences. */
  readonly notes: readonly string[];
  summary(): string;
}

/**
 * Turns duplicates into groups: rows that are equal (as CVL002 finds them) or nearly so (CVL003) and rows of one
 * patient come together, directly or through others, so that folds of whole groups have none of them on both sides.
 * Near-duplicates are looked for among the groups so far until there are none. Equal rows that may coincide, being of few
 * values or of a common pattern, stay apart, and so do rows without content: a note counts them.
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
 * const merged = await mergeDuplicates(X, { y, groups: patientIds });
 * console.log(merged.summary());
 * await new CVKitValidator().validate({ model, X, y, patientIds: merged.groups, cv: merged.splitter });
 */
export async function mergeDuplicates(X: RowsInput, input: MergeDuplicatesOptions = {}): Promise<MergedDuplicates> {
  const { mergeRows } = await import('./CVL002-duplicate/mergeRows.js');
  return mergeRows(X, input);
}
