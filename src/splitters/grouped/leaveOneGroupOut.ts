import { type InputOf, optionTable } from '../../core/options.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { inputGroups, requireAtLeastTwo } from '../splitInput.js';

const options = optionTable('LeaveOneGroupOut', {});

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
export class LeaveOneGroupOut extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'One fold per group (site, patient): that group is the test set.',
    needs: ['groups'],
    claims: { partition: true, disjointGroups: true },
  },
  nSplits: (_options, { input }) => requireAtLeastTwo(options.owner, inputGroups(input()).count, 'groups'),
  plan(input) {
    const { codes, count } = inputGroups(input);
    return foldsFromAssignment(codes, requireAtLeastTwo(options.owner, count, 'groups'));
  },
})<LeaveOneGroupOutOptions> {}
