import { type InputOf, integer, optionTable } from '../../core/options.js';
import { CutSplitter, cutOptions } from '../cutSplitter.js';
import type { SplitArguments, SplitterFacts } from '../splitter.js';

const options = optionTable('MonteCarloCV', {
  nIterations: integer({ min: 1, max: 1_000_000 }).default(100).describe('Number of random cuts; each is one fold.'),
  ...cutOptions,
});

const facts = {
  name: 'MonteCarloCV',
  family: 'iid',
  description: 'Random cuts into train and test, again and again; stratified on request; groups given stay whole.',
  options,
  needs: [],
  uses: ['groups'],
  claims: { disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type MonteCarloCVOptions = InputOf<typeof options>;

/**
 * Monte Carlo cross-validation (Xu & Liang 2001, Chemom. Intell. Lab. Syst. 56:1): `nIterations` random cuts, each by
 * itself, so that a row may be tested several times or never. One random stream serves all folds. Index for index as
 * scikit-learn's `ShuffleSplit` and, with `stratify`, as its `StratifiedShuffleSplit`.
 *
 * When groups are given they stay whole, with `stratify` too: each cut is drawn as `HoldOut` draws its own.
 *
 * Throws `InfeasibleSplitError` when no row is left to train on, when a class has one row (or group) only, or when a
 * side is too small for all classes; `InvalidDataError` when `stratify` lacks `y` or is continuous.
 *
 * @example
 * new MonteCarloCV({ nIterations: 200, testSize: 0.25, randomState: 42 }).split(X, y, { groups });
 */
export class MonteCarloCV extends CutSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: MonteCarloCVOptions = {}) {
    super(options, input);
  }

  getNSplits(..._input: SplitArguments): number {
    return this.options.nIterations;
  }
}
