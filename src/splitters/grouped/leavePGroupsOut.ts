import { InfeasibleSplitError, sentence } from '../../core/errors.js';
import { type InputOf, integer, optionTable } from '../../core/options.js';
import { tally } from '../../data/encode.js';
import { gather, type LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { type Groups, groupsOf } from '../../data/sideData.js';
import { cutOut, foldId } from '../assignment.js';
import { combinations, foldCount } from '../combinations.js';
import {
  BaseSplitter,
  type Fold,
  given,
  type SplitData,
  type SplitInput,
  type SplitterClaims,
  type SplitterFacts,
} from '../splitter.js';

const options = optionTable('LeavePGroupsOut', {
  nGroups: integer({ min: 1 }).describe('Number of groups in each test set.'),
});

const facts = {
  name: 'LeavePGroupsOut',
  family: 'grouped',
  description: 'One fold for every choice of `nGroups` groups: those groups are the test set.',
  options,
  needs: ['groups'],
  claims: { disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

const SUBJECT = 'The `nGroups` option of LeavePGroupsOut';

export type LeavePGroupsOutOptions = InputOf<typeof options>;

/**
 * Every choice of `nGroups` groups as a test set, in lexicographic order of the ascending group ids. Index for index
 * as scikit-learn's `LeavePGroupsOut`. Nothing is drawn. Folds are made when asked for, since there are
 * C(groups, nGroups) of them; with `nGroups` above 1 they overlap, so that their scores are no independent sample.
 *
 * Throws `InvalidDataError` without `groups`, `InfeasibleSplitError` unless there are more groups than `nGroups`, and
 * for 2^53 folds or more.
 *
 * @example
 * for (const { train, test } of new LeavePGroupsOut({ nGroups: 2 }).split(X, y, { groups: sites })) { ... }
 */
export class LeavePGroupsOut extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: LeavePGroupsOutOptions) {
    super(options, input);
  }

  override get claims(): SplitterClaims {
    const single = this.options.nGroups === 1;
    return { ...facts.claims, partition: single, exhaustive: !single };
  }

  /** C(groups, nGroups); needs the groups. */
  getNSplits(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): number {
    const { count } = this.#groups(this.read(X, y, data));
    return foldCount(SUBJECT, count, this.options.nGroups, 'groups');
  }

  protected plan(input: SplitInput): Iterable<Fold> {
    const groups = this.#groups(input);
    foldCount(SUBJECT, groups.count, this.options.nGroups, 'groups');
    return leftOut(groups, this.options.nGroups);
  }

  #groups({ n, data }: SplitInput): Groups {
    const groups = groupsOf(given(facts.name, 'groups', data.groups), n);
    const { nGroups } = this.options;
    if (nGroups < groups.count) return groups;
    throw new InfeasibleSplitError(sentence(SUBJECT, `be below the number of groups, ${groups.count}`, nGroups));
  }
}

function* leftOut({ codes, count }: Groups, nGroups: number): Generator<Fold> {
  const sizes = tally(codes, count);
  let fold = 0;
  for (const chosen of combinations(count, nGroups)) {
    const tested = new Int32Array(count);
    let rows = 0;
    for (const group of chosen) {
      tested[group] = 1;
      rows += sizes[group];
    }
    yield { id: foldId(fold++), ...cutOut(gather(tested, codes), 1, rows) };
  }
}
