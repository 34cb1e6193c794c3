import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { tally } from '../../data/encode.js';
import { type Labels, labelsOf, writtenShape } from '../../data/labels.js';
import { checkLength, type Groups } from '../../data/sideData.js';
/** Rows by label set: rows of one set have the same labels. Sets are numbered by first appearance. */
export interface LabelSets {
  /** Set of each row. */
  readonly codes: Int32Array;
  readonly counts: Int32Array;
  /** Label columns of each set, ascending. */
  readonly labels: readonly (readonly number[])[];
  readonly width: number;
}

/** `y` as rows of 0 and 1; one-hot rows are taken as labels too. Throws `InvalidDataError` for anything else. */
export function multilabelOf(y: unknown, n: number): Labels {
  const labels = labelsOf(y, { task: 'multilabel' });
  if (labels.shape) {
    const way = 'Use KFold or GroupKFold.';
    throw new InvalidDataError(sentence('y', 'have labels to balance', phrase(writtenShape(labels.shape)), way));
  }
  checkLength(labels, n, 'y');
  return labels;
}

/** The label sets of multilabel rows. O(n x labels) time, O(n) memory. */
export function labelSetsOf({ length: n, classes, indicators }: Labels): LabelSets {
  const width = classes.length;
  const codes = new Int32Array(n);
  let count = 1;
  for (let label = 0; label < width; label++) {
    // Each set so far divides into the rows without and with this label.
    const parts = new Int32Array(2 * count).fill(-1);
    count = 0;
    for (let row = 0; row < n; row++) {
      const part = 2 * codes[row] + indicators[row * width + label];
      if (parts[part] < 0) parts[part] = count++;
      codes[row] = parts[part];
    }
  }
  const labels: number[][] = [];
  for (let row = 0; row < n; row++) {
    if (labels[codes[row]]) continue;
    const held: number[] = [];
    for (let label = 0; label < width; label++) if (indicators[row * width + label]) held.push(label);
    labels[codes[row]] = held;
  }
  return { codes, counts: tally(codes, count), labels, width };
}

const MAX_WARNINGS = 10;

/** Sentences about constant label columns, and about those of which some test fold has no 1 or no 0. */
export function labelWarnings(
  { classes, indicators }: Labels,
  foldOf: Int32Array,
  nSplits: number,
  groups?: Groups,
): string[] {
  const n = foldOf.length;
  const width = classes.length;
  const ones = new Int32Array(nSplits * width);
  for (let row = 0; row < n; row++) {
    for (let label = 0; label < width; label++) ones[foldOf[row] * width + label] += indicators[row * width + label];
  }
  const sizes = tally(foldOf, nSplits);
  const lacks: { label: number; value: number; folds: number }[] = [];
  for (let label = 0; label < width; label++) {
    for (const value of [1, 0]) {
      const folds = sizes.filter((size, fold) => ones[fold * width + label] === (value === 1 ? 0 : size)).length;
      if (folds > 0) lacks.push({ label, value, folds });
    }
  }
  const warnings = lacks.slice(0, MAX_WARNINGS).map(({ label, value, folds }) => {
    const column = `Label column ${label} of y is`;
    if (folds === nSplits) return `${column} ${1 - value} in every row, so there is nothing to balance.`;
    const rows = Array.from(foldOf.keys()).filter((row) => indicators[row * width + label] === value);
    const held = groups ? ` of ${counted(new Set(rows.map((row) => groups.codes[row])).size, 'group')}` : '';
    const where = `${folds} of the ${nSplits} test folds ${folds === 1 ? 'has' : 'have'} no such row`;
    return `${column} ${value} in ${counted(rows.length, 'row')}${held}, and ${where}.`;
  });
  const more = lacks.length - warnings.length;
  return more > 0 ? [...warnings, `${more} more such warnings about label columns.`] : warnings;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
