import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { foldsFromAssignment } from '../assignment.js';
import { defineSplitter, kFoldOptions } from '../defineSplitter.js';
import { inputGroups, requireCount } from '../splitInput.js';
import { assignGroups } from './groupPlacement.js';

const options = optionTable(
  'GroupKFold',
  kFoldOptions(boolean().default(true).describe('Draw at random which groups go where; rows stay balanced.')),
);

export type GroupKFoldOptions = InputOf<typeof options>;

/**
 * K folds that keep every group whole and balance rows: the largest groups are placed first, each into the fold with
 * the fewest rows.
 *
 * With `shuffle` (default) groups of similar size are placed in random order and then moved or swapped while that
 * makes the folds more equal, so the draw is random and the rows stay balanced (scikit-learn's shuffle balances
 * groups, not rows). With `shuffle: false` the folds are those of scikit-learn's `GroupKFold(shuffle=False)`, index
 * for index.
 *
 * Throws `InvalidDataError` without `groups`, `InfeasibleSplitError` when there are fewer groups than folds.
 *
 * @example
 * for (const { train, test } of new GroupKFold({ randomState: 42 }).split(X, y, { groups: patientIds })) { ... }
 */
export class GroupKFold extends defineSplitter({
  options,
  facts: {
    aliases: ['GroupKFoldMedical'],
    family: 'grouped',
    description: 'K folds of whole groups (patients) with balanced numbers of rows.',
    needs: ['groups'],
    claims: { partition: true, disjointGroups: true },
  },
  plan(input, { nSplits, shuffle, randomState }) {
    const groups = inputGroups(input);
    requireCount(options.owner, nSplits, groups.count, 'groups');
    const foldOf = assignGroups(groups, nSplits, shuffle ? randomSource(randomState) : undefined);
    return foldsFromAssignment(gather(foldOf, groups.codes), nSplits);
  },
})<GroupKFoldOptions> {}
