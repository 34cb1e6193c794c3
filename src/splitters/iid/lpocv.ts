import { InfeasibleSplitError, sentence } from '../../core/errors.js';
import { type InputOf, integer, optionTable } from '../../core/options.js';
import { combinations, foldCount, foldId, rowsOutside } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import type { Fold } from '../splitter.js';

const options = optionTable('LPOCV', {
  p: integer({ min: 1 }).describe('Number of rows in each test set.'),
});

export type LPOCVOptions = InputOf<typeof options>;

/**
 * Leave p rows out: all C(n, p) test sets in lexicographic order, nothing drawn. Index for index as scikit-learn's
 * `LeavePOut`. Lazy: one fold is in memory at a time, but their number explodes: 100 rows and p = 3 are 161,700 models.
 *
 * For p > 1 test sets overlap, so the scores of the folds are not an independent sample.
 *
 * Throws `InfeasibleSplitError` when `p` leaves no row to train on, and when there are more folds than can be counted
 * exactly (2^53 or more).
 *
 * @example
 * new LPOCV({ p: 2 }).getNSplits(20); // 190
 */
export class LPOCV extends defineSplitter({
  options,
  facts: {
    aliases: ['LeavePOut'],
    family: 'iid',
    description: 'Each set of p rows is the test set once; all other rows train.',
    needs: [],
    claims: { exhaustive: true },
  },
  claims: ({ p }, claims) => ({ ...claims, partition: p === 1 }),
  nSplits: ({ p }, { input }) => countFolds(input().n, p),
  plan({ n }, { p }) {
    countFolds(n, p);
    return leaveOut(n, p);
  },
})<LPOCVOptions> {}

function countFolds(n: number, p: number): number {
  const subject = 'The `p` option of LPOCV';
  if (p >= n) throw new InfeasibleSplitError(sentence(subject, `leave a row to train on, of ${n} in all`, p));
  return foldCount(subject, n, p, 'rows');
}

function* leaveOut(n: number, p: number): Generator<Fold> {
  let fold = 0;
  for (const test of combinations(n, p)) yield { id: foldId(fold++), train: rowsOutside(test, n), test };
}
