import { type InputOf, optionTable } from '../../core/options.js';
import { defineSplitter } from '../defineSplitter.js';
import { cutClaims, cutOptions, randomCuts } from '../randomCuts.js';

const options = optionTable('HoldOut', cutOptions);

export type HoldOutOptions = InputOf<typeof options>;

/**
 * One random test set. Index for index as scikit-learn's `ShuffleSplit(n_splits=1)` and, with `stratify`, as its
 * `StratifiedShuffleSplit(n_splits=1)`.
 *
 * When groups are given they stay whole: groups are drawn at random until the test rows are as near to `testSize` as
 * they get. With `stratify` too, a group counts for the rarest class that it holds and the groups of each class are
 * drawn apart, so that both sides hold positive patients.
 *
 * Throws `InfeasibleSplitError` when no row is left to train on, when a class has one row (or group) only, or when a
 * side is too small for all classes; `InvalidDataError` when `stratify` lacks `y` or is continuous.
 *
 * @example
 * const [{ train, test }] = new HoldOut({ testSize: 0.2, stratify: true, randomState: 42 }).split(X, y, { groups });
 */
export class HoldOut extends defineSplitter({
  options,
  facts: {
    family: 'iid',
    description: 'One random cut into train and test; stratified on request; whole groups when groups are given.',
    needs: [],
    uses: ['groups'],
    claims: { disjointGroups: true },
  },
  claims: cutClaims,
  nSplits: () => 1,
  plan: (input, chosen) => randomCuts(options.owner, input, chosen, 1),
})<HoldOutOptions> {}
