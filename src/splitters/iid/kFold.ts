import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { consecutiveFolds, foldsFromAssignment, shuffledAssignment } from '../assignment.js';
import { kFoldOptions, ShuffledKFold } from '../shuffledKFold.js';
import { checkEnough, type Fold, type SplitInput, type SplitterFacts } from '../splitter.js';

const options = optionTable(
  'KFold',
  kFoldOptions(boolean().default(false).describe('Draw the rows of each fold at random instead of in blocks.')),
);

const facts = {
  name: 'KFold',
  aliases: ['KFoldMedical'],
  family: 'iid',
  description: 'Splits rows into k folds of equal size (plus or minus one); each is the test set once.',
  options,
  needs: [],
  claims: { partition: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type KFoldOptions = InputOf<typeof options>;

/**
 * K folds of equal size, the first `n % k` one row larger. Index for index as scikit-learn's `KFold`, shuffled or not.
 *
 * Throws `InfeasibleSplitError` when there are fewer rows than folds.
 *
 * @example
 * for (const { train, test } of new KFold({ nSplits: 5, shuffle: true, randomState: 42 }).split(569)) { ... }
 */
export class KFold extends ShuffledKFold<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: KFoldOptions = {}) {
    super(options, input);
  }

  protected plan({ n }: SplitInput): Iterable<Fold> {
    const { nSplits, shuffle, randomState } = this.options;
    checkEnough(facts.name, nSplits, n, 'rows');
    if (!shuffle) return consecutiveFolds(n, nSplits);
    return foldsFromAssignment(shuffledAssignment(n, nSplits, randomSource(randomState)), nSplits);
  }
}
