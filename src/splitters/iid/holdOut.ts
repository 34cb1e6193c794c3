import type { LabelsInput } from '../../core/labels.js';
import { custom, type InputOf, optionTable, randomState, size } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { groupsOf } from '../../core/sideData.js';
import { cutOut, foldId, tally } from '../assignment.js';
import { groupedCut, plainCut, stratifiedCut, TEST, testCount } from '../cut.js';
import {
  BaseSplitter,
  type Fold,
  given,
  type SplitInput,
  type SplitterClaims,
  type SplitterFacts,
} from '../splitter.js';
import { type Strata, strataOf } from '../strata.js';

const options = optionTable('HoldOut', {
  testSize: size().default(0.2).describe('Share of the rows (rounded up) or count of rows in the test set.'),
  randomState: randomState().default(null).describe('Seed of the draw.'),
  stratify: custom<ArrayLike<string | number | boolean> | boolean>(
    'label[] | boolean',
    'be an array of labels, or true for y',
    (value) => typeof value === 'boolean' || Array.isArray(value) || ArrayBuffer.isView(value),
  )
    .nullable()
    .default(null)
    .describe('Give every class the same share on both sides: an array of labels, or true for y.'),
});

const facts = {
  name: 'HoldOut',
  family: 'iid',
  description: 'One random cut into train and test; stratified on request; whole groups when groups are given.',
  options,
  needs: [],
  uses: ['groups'],
  claims: { disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type HoldOutOptions = InputOf<typeof options>;

/**
 * One random test set. Index for index as scikit-learn's `ShuffleSplit(n_splits=1)` and, with `stratify`, as its
 * `StratifiedShuffleSplit(n_splits=1)`.
 *
 * When groups are given they stay whole: groups are drawn at random until the test rows are as near to `testSize` as
 * they get. With `stratify` too, a group counts for the rarest class that it holds and the groups of each class are
 * drawn apart, so that both sides hold positive patients.
 *
 * Throws `InfeasibleSplitError` when no row is left to train on, when a class has one row (or group) only, or when a
 * side is too small for all classes; `InvalidDataError` when `stratify` lacks `y` or is continuous.
 *
 * @example
 * const [{ train, test }] = new HoldOut({ testSize: 0.2, stratify: true, randomState: 42 }).split(X, y, { groups });
 */
export class HoldOut extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: HoldOutOptions = {}) {
    super(options, input);
  }

  override get claims(): SplitterClaims {
    return { ...facts.claims, stratified: Boolean(this.options.stratify) };
  }

  getNSplits(): number {
    return 1;
  }

  protected plan({ n, y, data }: SplitInput): Iterable<Fold> {
    const nTest = testCount(facts.name, this.options.testSize, n);
    const source = randomSource(this.options.randomState);
    const strata = this.#strata(n, y);
    const side = data.groups
      ? groupedCut(facts.name, groupsOf(data.groups, n), nTest, source, strata)
      : strata
        ? stratifiedCut(facts.name, strata, nTest, source)
        : plainCut(n, nTest, source);
    return [{ id: foldId(0), ...cutOut(side, TEST, tally(side, 2)[TEST]) }];
  }

  #strata(n: number, y: LabelsInput | undefined): Strata | undefined {
    const { stratify } = this.options;
    if (stratify === null || stratify === false) return undefined;
    const instead = 'Pass `stratify` an array of classes instead.';
    const asker = { owner: facts.name, instead };
    return stratify === true
      ? strataOf(given(facts.name, 'y', y), n, asker)
      : strataOf(stratify, n, { ...asker, argument: 'stratify' });
  }
}
