import { boolean, type InputOf, integer, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldsFromAssignment, stratifiedAssignment } from '../assignment.js';
import { kFoldOptions, ShuffledKFold } from '../shuffledKFold.js';
import type { Fold, SplitInput, SplitterFacts } from '../splitter.js';
import { checkEnoughPerStratum, quantileStrata, strataOf } from '../strata.js';

const options = optionTable('StratifiedKFold', {
  ...kFoldOptions(boolean().default(false).describe('Draw the rows of each class at random instead of in order.')),
  bins: integer({ min: 2 })
    .nullable()
    .default(null)
    .describe('Stratify a continuous y by that many quantile bins instead of by class.'),
});

const facts = {
  name: 'StratifiedKFold',
  aliases: ['StratifiedKFoldMedical'],
  family: 'iid',
  description: 'K folds in which every class (or quantile bin of y) has the same share.',
  options,
  needs: ['y'],
  claims: { partition: true, stratified: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type StratifiedKFoldOptions = InputOf<typeof options>;

/**
 * K folds that each hold every class in its overall share, plus or minus one row. Index for index as scikit-learn's
 * `StratifiedKFold`, shuffled or not.
 *
 * With `bins` a numeric `y` is cut at its quantiles (linear interpolation; a bin includes its upper edge; equal edges
 * merge) and the bins are the classes.
 *
 * Throws `InvalidDataError` without `y`, and for a continuous `y` without `bins`; `InfeasibleSplitError` when the
 * smallest class has fewer rows than there are folds (scikit-learn only warns).
 *
 * @example
 * for (const { train, test } of new StratifiedKFold({ shuffle: true, randomState: 42 }).split(X, y)) { ... }
 */
export class StratifiedKFold extends ShuffledKFold<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: StratifiedKFoldOptions = {}) {
    super(options, input);
  }

  protected plan({ n, y }: SplitInput): Iterable<Fold> {
    const { nSplits, shuffle, randomState, bins } = this.options;
    const strata =
      bins === null
        ? strataOf(y, n, {
            owner: facts.name,
            instead: 'Use new StratifiedKFold({ bins: 5 }) to stratify by quantiles, or KFold.',
          })
        : quantileStrata(facts.name, y, n, bins);
    checkEnoughPerStratum(facts.name, nSplits, strata);
    return foldsFromAssignment(
      stratifiedAssignment(strata, nSplits, shuffle ? randomSource(randomState) : undefined),
      nSplits,
    );
  }
}
