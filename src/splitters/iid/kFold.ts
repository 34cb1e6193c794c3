import { InfeasibleSplitError, sentence } from '../../core/errors.js';
import { boolean, type InputOf, integer, optionTable, randomState, refuseIdle } from '../../core/options.js';
import { permutation, type RandomState, randomSource } from '../../core/random.js';
import { BaseSplitter, type Fold, foldsFromAssignment, type SplitInput, type SplitterFacts } from '../splitter.js';

const options = optionTable('KFold', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  shuffle: boolean().default(false).describe('Draw the rows of each fold at random instead of in blocks.'),
  randomState: randomState().default(null).describe('Seed of the shuffle.'),
});

const facts = {
  name: 'KFold',
  aliases: ['KFoldMedical'],
  family: 'iid',
  description: 'Splits rows into k folds of equal size (plus or minus one); each is the test set once.',
  options,
  needs: [],
  claims: { partition: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type KFoldOptions = InputOf<typeof options>;

/**
 * K folds of equal size, the first `n % k` one row larger. Index for index as scikit-learn's `KFold`, shuffled or not.
 *
 * @example
 * for (const { train, test } of new KFold({ nSplits: 5, shuffle: true, randomState: 42 }).split(569)) { ... }
 */
export class KFold extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: KFoldOptions = {}) {
    super(options, input);
    refuseIdleSeed(facts.name, this.options);
  }

  getNSplits(): number {
    return this.options.nSplits;
  }

  protected plan({ n }: SplitInput): Iterable<Fold> {
    const { nSplits, shuffle, randomState } = this.options;
    if (nSplits > n) {
      throw new InfeasibleSplitError(
        sentence('The `nSplits` option of KFold', `be at most the number of rows, ${n}`, nSplits),
      );
    }
    const order = shuffle ? permutation(randomSource(randomState), n) : undefined;
    const foldOf = new Int32Array(n);
    const small = Math.floor(n / nSplits);
    const large = n % nSplits;
    let at = 0;
    for (let fold = 0; fold < nSplits; fold++) {
      const end = at + small + (fold < large ? 1 : 0);
      if (order) for (; at < end; at++) foldOf[order[at]] = fold;
      else foldOf.fill(fold, at, end);
      at = end;
    }
    return foldsFromAssignment(foldOf, nSplits);
  }
}

/** A seed without a shuffle would have no effect, so it is refused. */
export function refuseIdleSeed(owner: string, options: { shuffle: boolean; randomState: RandomState }): void {
  if (!options.shuffle && options.randomState !== null) {
    refuseIdle(owner, 'randomState', '`shuffle` is false, so nothing is drawn');
  }
}
