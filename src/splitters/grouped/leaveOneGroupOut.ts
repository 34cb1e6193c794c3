import { type InputOf, optionTable } from '../../core/options.js';
import type { LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { type Groups, groupsOf } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import {
  BaseSplitter,
  checkTwo,
  type Fold,
  given,
  type SplitData,
  type SplitInput,
  type SplitterFacts,
} from '../splitter.js';

const options = optionTable('LeaveOneGroupOut', {});

const facts = {
  name: 'LeaveOneGroupOut',
  family: 'grouped',
  description: 'One fold per group (site, patient): that group is the test set.',
  options,
  needs: ['groups'],
  claims: { partition: true, disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type LeaveOneGroupOutOptions = InputOf<typeof options>;

/**
 * One fold per group, in ascending order of the group ids: fold `fold-0` tests the group with the smallest id. Index
 * for index as scikit-learn's `LeaveOneGroupOut`. Nothing is drawn. With sites as groups this is internal-external
 * validation: each fold asks how the model does at a site that it has never seen.
 *
 * Throws `InvalidDataError` without `groups`, `InfeasibleSplitError` when there are fewer than two.
 *
 * @example
 * for (const { train, test } of new LeaveOneGroupOut().split(X, y, { groups: sites })) { ... }
 */
export class LeaveOneGroupOut extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: LeaveOneGroupOutOptions = {}) {
    super(options, input);
  }

  /** The number of groups; needs them. */
  getNSplits(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): number {
    return twoOrMore(this.read(X, y, data)).count;
  }

  protected plan(input: SplitInput): Iterable<Fold> {
    const { codes, count } = twoOrMore(input);
    return foldsFromAssignment(codes, count);
  }
}

function twoOrMore({ n, data }: SplitInput): Groups {
  const groups = groupsOf(given(facts.name, 'groups', data.groups), n);
  checkTwo(facts.name, groups.count, 'groups');
  return groups;
}
