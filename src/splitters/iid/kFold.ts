import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { assignedFolds, consecutiveFolds, shuffledAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { requireCount } from '../splitInput.js';

const options = optionTable(
  'KFold',
  kFoldOptions(boolean().default(false).describe('Draw the rows of each fold at random instead of in blocks.')),
);

export type KFoldOptions = InputOf<typeof options>;

/**
 * K folds of equal size, the first `n % k` one row larger. Index for index as scikit-learn's `KFold`, shuffled or not.
 *
 * Throws `InfeasibleSplitError` when there are fewer rows than folds.
 *
 * @example
 * for (const { train, test } of new KFold({ nSplits: 5, shuffle: true, randomState: 42 }).split(569)) { ... }
 */
export class KFold extends defineSplitter({
  options,
  facts: {
    aliases: ['KFoldMedical'],
    family: 'iid',
    description: 'Splits rows into k folds of equal size (plus or minus one); each is the test set once.',
    needs: [],
    claims: { partition: true },
  },
  plan({ n }, { nSplits, shuffle, randomState }) {
    requireCount(options.owner, nSplits, n, 'rows');
    if (!shuffle) return consecutiveFolds(n, nSplits);
    return assignedFolds(shuffledAssignment(n, nSplits, randomSource(randomState)), nSplits);
  },
})<KFoldOptions> {}
