/** The folds of predictions that were given. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { fingerprint } from '../core/fingerprint.js';
import { type Labels, rowNumbers } from '../data/labels.js';
import { groupsOf } from '../data/sideData.js';
import { iterableFold } from '../splitters/fold.js';
import { type CheckedFold, type FoldPlan, foldsOf } from '../splitters/foldsOf.js';
import { PredefinedSplit } from '../splitters/iid/predefinedSplit.js';

/** What the summary and errors call the folds and the model of predictions that were given. */
export const GIVEN = 'given predictions';

/** The folds that the caller names: each is tested by a model that all other rows trained. */
export function foldsIn(fold: ArrayLike<number | string>, y: Labels): FoldPlan {
  const { count, codes } = groupsOf(fold, y.length, 'fold', 'yTrue');
  if (count > 1) return foldsOf(new PredefinedSplit({ testFold: codes }), y.length, y);
  const got = phrase('one value in every row');
  throw new InvalidOptionError(
    sentence('The `fold` option of evaluate', 'name two folds or more', got, 'Leave it out for one test set.'),
  );
}

/** One fold that tests every row, by a model of whose training nothing is known. */
export function oneTestSet(n: number): FoldPlan {
  const fold: CheckedFold = iterableFold({
    id: 'all',
    index: 0,
    repeat: 0,
    number: 0,
    train: new Int32Array(0),
    test: rowNumbers(n),
  });
  const plan: FoldPlan = {
    length: 1,
    n,
    splitterName: GIVEN,
    design: GIVEN,
    claims: {},
    ids: [fold.id],
    repeats: 1,
    warnings: [],
    get fingerprint() {
      return fingerprint(plan);
    },
    at: () => fold,
    *[Symbol.iterator]() {
      yield fold;
    },
    *sides() {
      yield fold;
    },
  };
  return plan;
}
