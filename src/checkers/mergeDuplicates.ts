/** Groups that keep duplicates together. */
import { anything, custom, type InputOf, integer, type OptionsOf, optionTable } from '../core/options.js';
import { freshSeed } from '../core/random.js';
import { type LabelsInput, labelsOf, taskOption } from '../data/labels.js';
import { type RowsInput, rowsOf } from '../data/rows.js';
import { checkLength, groupsOf } from '../data/sideData.js';
import type { GroupKFold } from '../splitters/grouped/groupKFold.js';
import type { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import type { MultilabelStratifiedGroupKFold } from '../splitters/multilabel/multilabelStratifiedGroupKFold.js';
import { splitDataOptions } from '../splitters/splitter.js';
import type { Pair } from './CVL003-near-duplicate/joinNear.js';
import { checkShape, seedOption } from './checkOptions.js';

const isPairs = (value: unknown) => Array.isArray(value) && value.every((pair) => pair?.length === 2);

export const mergeDuplicatesOptions = optionTable('mergeDuplicates', {
  y: anything<LabelsInput>('array').optional().describe('Labels, which choose the splitter.'),
  task: taskOption(),
  groups: splitDataOptions.shape.groups,
  near: custom<boolean | readonly Pair[]>(
    'boolean | [row, row][]',
    'be true, false or pairs of row numbers',
    (value) => typeof value === 'boolean' || isPairs(value),
  )
    .default(true)
    .describe('Also join near-duplicates: those that are found, or the pairs given.'),
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds of the splitter that is proposed.'),
  randomState: seedOption.describe('Seed of that splitter, and of what is sampled to find near-duplicates.'),
  revealIds: checkShape.revealIds,
});

export type MergeDuplicatesOptions = InputOf<typeof mergeDuplicatesOptions>;

/** Groups that keep duplicates together, and folds of them. */
export interface MergedDuplicates {
  /** Group of each row, 0 ... nGroups - 1: pass it as `groups` or `patientIds`. */
  readonly groups: Int32Array;
  readonly nGroups: number;
  /** Groups that duplicates made: how many, and the rows of the largest. */
  readonly clusters: { readonly count: number; readonly largest: number };
  /** Patients that duplicates joined, as salted hashes: one list per group. */
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
 * const merged = await mergeDuplicates(X, { y, groups: patientIds });
 * console.log(merged.summary());
 * await new CVKitValidator().validate({ model, X, y, patientIds: merged.groups, cv: merged.splitter });
 */
export async function mergeDuplicates(X: RowsInput, input: MergeDuplicatesOptions = {}): Promise<MergedDuplicates> {
  const given = mergeDuplicatesOptions.resolve(input);
  const rows = rowsOf(X);
  const labels = given.y === undefined ? undefined : labelsOf(given.y, { task: given.task });
  if (labels) checkLength(labels, rows.length, 'y');
  const patients = given.groups && groupsOf(given.groups, rows.length);
  // Loaded with the first call: a page that only names this function does not look for copies.
  const { mergedGroups } = await import('./calls.js');
  return mergedGroups(rows, labels, patients, { ...given, randomState: given.randomState ?? freshSeed() });
}

/** The options of {@link mergeDuplicates}, filled in. */
export type MergeSettings = OptionsOf<typeof mergeDuplicatesOptions> & { readonly randomState: number | string };
