import { boolean, type InputOf, oneOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { inputGroups } from '../splitInput.js';
import { joinedStrata, outcomeStrata, strataOptions } from '../strata.js';
import { assignStratifiedGroups } from './assignStratifiedGroups.js';

const options = optionTable('StratifiedGroupKFold', {
  ...kFoldOptions(
    boolean().default(true).describe('Draw at random which groups go where; classes and rows stay balanced.'),
  ),
  onInfeasible: oneOf('error', 'pool')
    .default('error')
    .describe('When not every test fold can have two classes: throw, or go on with a warning to pool the metrics.'),
  ...strataOptions,
});

export type StratifiedGroupKFoldOptions = InputOf<typeof options>;

/**
 * K folds that keep every group whole, lack no class where that can be avoided, and balance classes and rows.
 *
 * For patients with several rows: all rows of a patient are in one fold, and each fold has about the share of every
 * class that all rows have.
 *
 * Where not every test fold can have two classes, `InfeasibleSplitError` gives the counts and the largest feasible
 * `nSplits`. With `onInfeasible: 'pool'` as many folds as possible have two classes, and `split(...).warnings` says which
 * lack what and that metrics must be pooled. Two classes or more are possible in every test fold exactly when
 * `several + min(floor(s / 2), s - max s_c) >= nSplits`, where `several` groups hold more than one class, `s` hold one
 * and `s_c` of these the class c. Of more than two classes each goes into as many test folds as the search can reach; a
 * warning tells a class in fewer groups than folds from one for which the search failed.
 *
 * The search starts from the folds of scikit-learn's `StratifiedGroupKFold` (1.9.1, same seed) and moves and swaps
 * groups while the sum of two spreads falls and neither rises: that of the class shares, which scikit-learn minimises,
 * and that of the fold sizes. The result is good, not proved the best. Without `shuffle` nothing is drawn.
 *
 * With `bins` a numeric `y` is cut as by `StratifiedKFold`, and the bins are the classes. With `strata` the combinations
 * of a class (or bin) with the values of the columns are balanced, too, and a warning names those that folds lack; what is
 * promised of classes stays.
 *
 * Throws `InvalidDataError` without `y` or `groups` and for a continuous `y` without `bins`; `InfeasibleSplitError` also for a single
 * class and for fewer groups than folds.
 *
 * @example
 * new StratifiedGroupKFold({ nSplits: 5, randomState: 42 }).split(X, y, { groups: patientIds });
 */
export class StratifiedGroupKFold extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'K folds of whole groups (patients) with balanced classes; no one-class test fold where avoidable.',
    needs: ['y', 'groups'],
    claims: { partition: true, disjointGroups: true, stratified: true },
  },
  plan(input, { nSplits, shuffle, randomState, onInfeasible, bins, strata: columns }) {
    const groups = inputGroups(input);
    const strata = outcomeStrata(input.need('y'), input.n, options.owner, bins);
    const further = columns ? joinedStrata(strata, columns, input.n) : undefined;
    const source = shuffle ? randomSource(randomState) : undefined;
    const { foldOf, warnings } = assignStratifiedGroups(groups, strata, nSplits, source, { onInfeasible, further });
    return foldsFromAssignment(gather(foldOf, groups.codes), nSplits, warnings);
  },
})<StratifiedGroupKFoldOptions> {}
