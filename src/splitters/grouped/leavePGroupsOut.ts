import { InfeasibleSplitError, sentence } from '../../core/errors.js';
import { type InputOf, integer, optionTable } from '../../core/options.js';
import { tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
import type { Groups } from '../../data/sideData.js';
import { combinations, cutOut, foldCount, foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { inputGroups } from '../splitInput.js';
import type { Fold } from '../splitter.js';

const options = optionTable('LeavePGroupsOut', {
  nGroups: integer({ min: 1 }).describe('Number of groups in each test set.'),
});

const SUBJECT = 'The `nGroups` option of LeavePGroupsOut';

export type LeavePGroupsOutOptions = InputOf<typeof options>;

/**
 * Every choice of `nGroups` groups as a test set, in lexicographic order of the ascending group ids. Index for index
 * as scikit-learn's `LeavePGroupsOut`. Nothing is drawn. Folds are made when asked for, since there are
 * C(groups, nGroups) of them; with `nGroups` above 1 they overlap, so their scores are not an independent sample.
 *
 * Throws `InvalidDataError` without `groups`, `InfeasibleSplitError` unless there are more groups than `nGroups`, and
 * for 2^53 folds or more.
 *
 * @example
 * for (const { train, test } of new LeavePGroupsOut({ nGroups: 2 }).split(X, y, { groups: sites })) { ... }
 */
export class LeavePGroupsOut extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'One fold for every choice of `nGroups` groups: those groups are the test set.',
    needs: ['groups'],
    claims: { disjointGroups: true },
  },
  claims: ({ nGroups }, claims) => ({ ...claims, partition: nGroups === 1, exhaustive: nGroups !== 1 }),
  nSplits: ({ nGroups }, { input }) => countFolds(inputGroups(input()), nGroups),
  plan(input, { nGroups }) {
    const groups = inputGroups(input);
    countFolds(groups, nGroups);
    return leftOut(groups, nGroups);
  },
})<LeavePGroupsOutOptions> {}

function countFolds({ count }: Groups, nGroups: number): number {
  if (nGroups < count) return foldCount(SUBJECT, count, nGroups, 'groups');
  throw new InfeasibleSplitError(sentence(SUBJECT, `be below the number of groups, ${count}`, nGroups));
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
