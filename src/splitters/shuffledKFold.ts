/** What the k-fold splitters share: their three options, and that a seed without a shuffle is refused. */
import { integer, type Option, type OptionTable, randomState, refuseIdle } from '../core/options.js';
import type { RandomState } from '../core/random.js';
import { BaseSplitter, type SplitArguments } from './splitter.js';

/** The options of a k-fold splitter; each has its own default of `shuffle`, and says what it draws. */
export const kFoldOptions = (shuffle: Option<boolean, 'defaulted'>) => ({
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  shuffle,
  randomState: randomState().default(null).describe('Seed of the shuffle.'),
});

type KFoldShape = ReturnType<typeof kFoldOptions>;

/** Base of the splitters that cut the rows, or groups of them, into `nSplits` test sets. */
export abstract class ShuffledKFold<S extends KFoldShape> extends BaseSplitter<S> {
  constructor(table: OptionTable<S>, input: unknown) {
    super(table, input);
    const { shuffle, randomState } = this.options as { shuffle: boolean; randomState: RandomState };
    if (!shuffle && randomState !== null) {
      refuseIdle(table.owner, 'randomState', '`shuffle` is false, so nothing is drawn');
    }
  }

  getNSplits(..._input: SplitArguments): number {
    return (this.options as { nSplits: number }).nSplits;
  }
}
