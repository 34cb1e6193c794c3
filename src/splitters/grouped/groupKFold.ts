import { boolean, type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { groupsOf } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { kFoldOptions, ShuffledKFold } from '../shuffledKFold.js';
import { checkEnough, type Fold, given, type SplitInput, type SplitterFacts } from '../splitter.js';
import { assignGroups } from './assignGroups.js';

const options = optionTable(
  'GroupKFold',
  kFoldOptions(boolean().default(true).describe('Draw at random which groups go where; rows stay balanced.')),
);

const facts = {
  name: 'GroupKFold',
  aliases: ['GroupKFoldMedical'],
  family: 'grouped',
  description: 'K folds of whole groups (patients) with balanced numbers of rows.',
  options,
  needs: ['groups'],
  claims: { partition: true, disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

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
export class GroupKFold extends ShuffledKFold<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: GroupKFoldOptions = {}) {
    super(options, input);
  }

  protected plan({ n, data }: SplitInput): Iterable<Fold> {
    const { nSplits, shuffle, randomState } = this.options;
    const groups = groupsOf(given(facts.name, 'groups', data.groups), n);
    checkEnough(facts.name, nSplits, groups.count, 'groups');
    const foldOf = assignGroups(groups, nSplits, shuffle ? randomSource(randomState) : undefined);
    return foldsFromAssignment(gather(foldOf, groups.codes), nSplits);
  }
}
