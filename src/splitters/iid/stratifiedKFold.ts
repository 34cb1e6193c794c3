import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldsFromAssignment, stratifiedAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { joinedStrata, outcomeStrata, rareStrata, strataOptions } from '../strata.js';

const options = optionTable('StratifiedKFold', {
  ...kFoldOptions(boolean().default(false).describe('Draw the rows of each class at random instead of in order.')),
  ...strataOptions,
});

export type StratifiedKFoldOptions = InputOf<typeof options>;

/**
 * K folds that each hold every class in its overall share, plus or minus one row. Index for index as scikit-learn's
 * `StratifiedKFold`, shuffled or not.
 *
 * With `bins` a numeric `y` is cut at its quantiles (linear interpolation; a bin includes its upper edge; equal edges
 * merge) and the bins are the classes. With `strata` each combination of a class (or bin) with the values of the columns
 * has its share, as in scikit-learn with the joined labels as `y`.
 *
 * Of more than two classes (or combinations), one with fewer rows than there are folds is missing from some test folds; `Folds.warnings`
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
  plan({ n, y }, { nSplits, shuffle, randomState, bins, strata: columns }) {
    const { owner } = options;
    const outcome = outcomeStrata(y, n, owner, bins);
    const warnings = rareStrata(owner, nSplits, outcome);
    const strata = joinedStrata(outcome, columns, n);
    if (columns) warnings.push(...rareStrata(owner, nSplits, strata, 'combination'));
    const source = shuffle ? randomSource(randomState) : undefined;
    return foldsFromAssignment(stratifiedAssignment(strata, nSplits, source), nSplits, warnings);
  },
})<StratifiedKFoldOptions> {}
