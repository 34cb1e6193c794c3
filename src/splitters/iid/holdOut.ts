import { type InputOf, optionTable } from '../../core/options.js';
import { CutSplitter, cutOptions } from '../cutSplitter.js';
import type { SplitArguments, SplitterFacts } from '../splitter.js';

const options = optionTable('HoldOut', cutOptions);

const facts = {
  name: 'HoldOut',
  family: 'iid',
  description: 'One random cut into train and test; stratified on request; whole groups when groups are given.',
  options,
  needs: [],
  uses: ['groups'],
  claims: { disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

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
export class HoldOut extends CutSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: HoldOutOptions = {}) {
    super(options, input);
  }

  getNSplits(..._input: SplitArguments): number {
    return 1;
  }
}
