import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { kFoldOptions, rejectUnusedSeed } from '../shuffledKFold.js';
import { requireCount } from '../splitInput.js';
import { withWarnings } from '../splitter.js';
import { iterativeStratification } from './iterativeStratification.js';
import { labelSetsOf, labelWarnings, multilabelOf } from './labelSets.js';

const options = optionTable(
  'MultilabelStratifiedKFold',
  kFoldOptions(
    boolean().default(false).describe('Draw at random which rows of equal labels go where; labels stay balanced.'),
  ),
);

export type MultilabelStratifiedKFoldOptions = InputOf<typeof options>;

/**
 * K folds that balance each label of a multilabel `y` (rows of 0 and 1, shape `[n, labels]`): iterative stratification
 * (Sechidis, Tsoumakas & Vlahavas 2011, "On the stratification of multi-label data"), with equal label sets dealt
 * evenly before it and exchanges of rows after it, while they bring the labels nearer to their shares. The result is a
 * good one, not proved the best.
 *
 * The sizes of the folds differ by at most one row, and so do their numbers of rows without any label. Rare labels
 * come first, yet a label may miss some test fold; `Folds.warnings` then says so with the counts, and it names the
 * columns that are constant. Without `shuffle` nothing is drawn; `shuffle` draws the rows, and how ties fall.
 *
 * Throws `InvalidDataError` without `y`, and for a `y` that is not rows of 0 and 1; `InfeasibleSplitError` when there
 * are fewer rows than folds.
 *
 * @example
 * // y: one column per finding, for example [[1, 0, 1], [0, 0, 0], ...]
 * new MultilabelStratifiedKFold({ nSplits: 5, shuffle: true, randomState: 42 }).split(X, y);
 */
export class MultilabelStratifiedKFold extends defineSplitter({
  options,
  facts: {
    family: 'multilabel',
    description: 'K folds in which every label of several per row has the same share.',
    needs: ['y'],
    claims: { partition: true, stratified: true },
  },
  prepare: rejectUnusedSeed(options.owner),
  plan({ n, y }, { nSplits, shuffle, randomState }) {
    const labels = multilabelOf(y, n);
    requireCount(options.owner, nSplits, n, 'rows');
    const source = shuffle ? randomSource(randomState) : undefined;
    const foldOf = iterativeStratification(labelSetsOf(labels), nSplits, source);
    const warnings = labelWarnings(labels, foldOf, nSplits);
    return withWarnings(warnings, () => foldsFromAssignment(foldOf, nSplits));
  },
})<MultilabelStratifiedKFoldOptions> {}
