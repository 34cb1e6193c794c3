import { MOST_DRAWS } from '../../core/numbers.js';
import { type InputOf, integer, optionTable } from '../../core/options.js';
import { defineSplitter } from '../defineSplitter.js';
import { cutClaims, cutOptions, randomCuts } from './holdOut.js';

const options = optionTable('MonteCarloCV', {
  nIterations: integer({ min: 1, max: MOST_DRAWS }).default(100).describe('Number of random cuts; each is one fold.'),
  ...cutOptions,
});

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
export class MonteCarloCV extends defineSplitter({
  options,
  facts: {
    family: 'iid',
    description: 'Random cuts into train and test, again and again; stratified on request; groups given stay whole.',
    needs: [],
    uses: ['groups'],
    claims: { disjointGroups: true },
  },
  claims: cutClaims,
  nSplits: ({ nIterations }) => nIterations,
  plan: (input, chosen) => randomCuts(options.owner, input, chosen, chosen.nIterations),
})<MonteCarloCVOptions> {}
