import { integer, type Option, randomState, rejectUnusedOption } from '../core/options.js';
import type { RandomState } from '../core/random.js';

/** The options of a k-fold splitter; each has its own default of `shuffle`. */
export const kFoldOptions = (shuffle: Option<boolean, 'defaulted'>) => ({
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  shuffle,
  randomState: randomState().default(null).describe('Seed of the shuffle.'),
});

/** Refuses a seed where nothing is drawn. */
export const rejectUnusedSeed =
  (owner: string) =>
  ({ shuffle, randomState }: { readonly shuffle: boolean; readonly randomState: RandomState }): undefined => {
    if (!shuffle && randomState !== null) {
      rejectUnusedOption(owner, 'randomState', '`shuffle` is false, so nothing is drawn');
    }
  };
