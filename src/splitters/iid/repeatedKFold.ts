import { boolean, type InputOf, integer, optionTable, randomState } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { foldsFromAssignment, shuffledAssignment, stratifiedAssignment } from '../assignment.js';
import {
  BaseSplitter,
  checkEnough,
  type Fold,
  given,
  type SplitInput,
  type SplitterClaims,
  type SplitterFacts,
} from '../splitter.js';
import { checkEnoughPerStratum, strataOf } from '../strata.js';

const options = optionTable('RepeatedKFold', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds per repeat.'),
  nRepeats: integer({ min: 1 }).default(10).describe('How often the rows are split anew.'),
  randomState: randomState().default(null).describe('Seed of the shuffles.'),
  stratify: boolean().default(false).describe('Give every class of y the same share in each fold.'),
});

const facts = {
  name: 'RepeatedKFold',
  family: 'iid',
  description: 'Shuffled k-fold, repeated with different shuffles; optionally stratified by class.',
  options,
  needs: [],
  claims: { partition: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type RepeatedKFoldOptions = InputOf<typeof options>;

/**
 * Shuffled k-fold `nRepeats` times from one random stream. Index for index as scikit-learn's `RepeatedKFold` and, with
 * `stratify`, as its `RepeatedStratifiedKFold`. Fold ids read `repeat-0_fold-0`; one repeat is drawn at a time.
 *
 * Throws `InfeasibleSplitError` when the rows (with `stratify`: of the smallest class) are fewer than the folds, and
 * `InvalidDataError` when `stratify` lacks `y` or `y` is continuous.
 *
 * @example
 * new RepeatedKFold({ nSplits: 5, nRepeats: 10, stratify: true, randomState: 42 }).split(X, y);
 */
export class RepeatedKFold extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: RepeatedKFoldOptions = {}) {
    super(options, input);
  }

  override get claims(): SplitterClaims {
    return { ...facts.claims, stratified: Boolean(this.options.stratify) };
  }

  getNSplits(): number {
    return this.options.nSplits * this.options.nRepeats;
  }

  protected plan({ n, y }: SplitInput): Iterable<Fold> {
    const { nSplits, nRepeats, randomState, stratify } = this.options;
    const source = randomSource(randomState);
    if (!stratify) {
      checkEnough(facts.name, nSplits, n, 'rows');
      return repeated(nRepeats, nSplits, () => shuffledAssignment(n, nSplits, source));
    }
    const instead = 'Leave `stratify` out, or use StratifiedKFold with `bins`.';
    const strata = strataOf(given(facts.name, 'y', y), n, { owner: facts.name, instead });
    checkEnoughPerStratum(facts.name, nSplits, strata);
    return repeated(nRepeats, nSplits, () => stratifiedAssignment(strata, nSplits, source));
  }
}

function* repeated(nRepeats: number, nSplits: number, draw: () => Int32Array): Generator<Fold> {
  for (let repeat = 0; repeat < nRepeats; repeat++) yield* foldsFromAssignment(draw(), nSplits, repeat);
}
