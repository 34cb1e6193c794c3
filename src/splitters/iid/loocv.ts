import { type InputOf, optionTable } from '../../core/options.js';
import { consecutiveFolds } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireAtLeastTwo } from '../splitInput.js';

const options = optionTable('LOOCV', {});

export type LOOCVOptions = InputOf<typeof options>;

/**
 * Leave one row out: as many folds as rows, in their order, nothing drawn. Index for index as scikit-learn's
 * `LeaveOneOut`. Lazy: whatever the number of rows, one fold is in memory at a time.
 *
 * A test set of one row has no AUC and no confidence interval of its own: look at the pooled predictions.
 *
 * Throws `InfeasibleSplitError` when there are fewer than 2 rows.
 *
 * @example
 * for (const { train, test } of new LOOCV().split(X)) { ... }
 */
export class LOOCV extends defineSplitter({
  options,
  facts: {
    aliases: ['LeaveOneOut'],
    family: 'iid',
    description: 'Each row is the test set once; all other rows train.',
    needs: [],
    claims: { partition: true, exhaustive: true },
  },
  nSplits: (_options, { input }) => requireAtLeastTwo(options.owner, input().n, 'rows'),
  plan: ({ n }) => consecutiveFolds(n, requireAtLeastTwo(options.owner, n, 'rows')),
})<LOOCVOptions> {}
