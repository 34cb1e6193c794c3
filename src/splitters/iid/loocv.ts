import { type InputOf, optionTable } from '../../core/options.js';
import type { LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { consecutiveFolds } from '../assignment.js';
import { BaseSplitter, checkTwo, type Fold, type SplitData, type SplitInput, type SplitterFacts } from '../splitter.js';

const options = optionTable('LOOCV', {});

const facts = {
  name: 'LOOCV',
  aliases: ['LeaveOneOut'],
  family: 'iid',
  description: 'Each row is the test set once; all other rows train.',
  options,
  needs: [],
  claims: { partition: true, exhaustive: true },
} as const satisfies SplitterFacts<typeof options.shape>;

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
export class LOOCV extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: LOOCVOptions = {}) {
    super(options, input);
  }

  getNSplits(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): number {
    return checkTwo(facts.name, this.read(X, y, data).n, 'rows');
  }

  protected plan({ n }: SplitInput): Iterable<Fold> {
    return consecutiveFolds(n, checkTwo(facts.name, n, 'rows'));
  }
}
