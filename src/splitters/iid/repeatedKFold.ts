import { MOST_DRAWS } from '../../core/numbers.js';
import { boolean, type InputOf, integer, optionTable, randomState } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { repeatedFolds, shuffledAssignment, stratifiedAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireCount } from '../splitInput.js';
import { withWarnings } from '../splitter.js';
import { rareStrata, strataOf } from '../strata.js';

const options = optionTable('RepeatedKFold', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds per repeat.'),
  nRepeats: integer({ min: 1, max: MOST_DRAWS }).default(10).describe('How often the rows are split anew.'),
  randomState: randomState().default(null).describe('Seed of the shuffles.'),
  stratify: boolean().default(false).describe('Give every class of y the same share in each fold.'),
});

export type RepeatedKFoldOptions = InputOf<typeof options>;

/**
 * Shuffled k-fold `nRepeats` times from one random stream. Index for index as scikit-learn's `RepeatedKFold` and, with
 * `stratify`, as its `RepeatedStratifiedKFold`. Fold ids read `repeat-0_fold-0`; one repeat is drawn at a time.
 *
 * Throws `InfeasibleSplitError` when the rows are fewer than the folds, and with `stratify` as `StratifiedKFold`
 * does; `InvalidDataError` when `stratify` lacks `y` or `y` is continuous.
 *
 * @example
 * new RepeatedKFold({ nSplits: 5, nRepeats: 10, stratify: true, randomState: 42 }).split(X, y);
 */
export class RepeatedKFold extends defineSplitter({
  options,
  facts: {
    family: 'iid',
    description: 'Shuffled k-fold, repeated with different shuffles; optionally stratified by class.',
    needs: [],
    claims: { partition: true },
  },
  claims: ({ stratify }, claims) => ({ ...claims, stratified: stratify }),
  nSplits: ({ nSplits, nRepeats }) => nSplits * nRepeats,
  plan({ n, need }, { nSplits, nRepeats, randomState, stratify }) {
    const source = randomSource(randomState);
    if (!stratify) {
      requireCount(options.owner, nSplits, n, 'rows');
      return repeatedFolds(nRepeats, nSplits, () => shuffledAssignment(n, nSplits, source));
    }
    const instead = 'Leave `stratify` out, or use StratifiedKFold with `bins`.';
    const strata = strataOf(need('y'), n, { owner: options.owner, instead });
    const warnings = rareStrata(options.owner, nSplits, strata);
    const draw = () => stratifiedAssignment(strata, nSplits, source);
    return withWarnings(warnings, () => repeatedFolds(nRepeats, nSplits, draw));
  },
})<RepeatedKFoldOptions> {}
