import { boolean, type InputOf, integer, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldsFromAssignment, stratifiedAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { quantileStrata, rareStrata, strataOf } from '../strata.js';

const options = optionTable('StratifiedKFold', {
  ...kFoldOptions(boolean().default(false).describe('Draw the rows of each class at random instead of in order.')),
  bins: integer({ min: 2 })
    .nullable()
    .default(null)
    .describe('Stratify a continuous y by that many quantile bins instead of by class.'),
});

export type StratifiedKFoldOptions = InputOf<typeof options>;

/**
 * K folds that each hold every class in its overall share, plus or minus one row. Index for index as scikit-learn's
 * `StratifiedKFold`, shuffled or not.
 *
 * With `bins` a numeric `y` is cut at its quantiles (linear interpolation; a bin includes its upper edge; equal edges
 * merge) and the bins are the classes.
 *
 * Of more than two classes, one with fewer rows than there are folds is missing from some test folds; `Folds.warnings`
 * says so, as scikit-learn does.
 *
 * Throws `InvalidDataError` without `y`, and for a continuous `y` without `bins`; `InfeasibleSplitError` with more folds
 * than rows of the largest class, as scikit-learn, or than rows of all others (scikit-learn only warns): a test fold would
 * have one class alone.
 *
 * @example
 * for (const { train, test } of new StratifiedKFold({ shuffle: true, randomState: 42 }).split(X, y)) { ... }
 */
export class StratifiedKFold extends defineSplitter({
  options,
  facts: {
    aliases: ['StratifiedKFoldMedical'],
    family: 'iid',
    description: 'K folds in which every class (or quantile bin of y) has the same share.',
    needs: ['y'],
    claims: { partition: true, stratified: true },
  },
  plan({ n, y }, { nSplits, shuffle, randomState, bins }) {
    const { owner } = options;
    const instead = 'Use new StratifiedKFold({ bins: 5 }) to stratify by quantiles, or KFold.';
    const strata = bins === null ? strataOf(y, n, { owner, instead }) : quantileStrata(owner, y, n, bins);
    const warnings = rareStrata(owner, nSplits, strata);
    const source = shuffle ? randomSource(randomState) : undefined;
    return foldsFromAssignment(stratifiedAssignment(strata, nSplits, source), nSplits, warnings);
  },
})<StratifiedKFoldOptions> {}
