import { InfeasibleSplitError, sentence } from '../../core/errors.js';
import { gather } from '../../core/labels.js';
import { type InputOf, optionTable } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { type Groups, groupsOf } from '../../core/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import { kFoldOptions, ShuffledKFold } from '../shuffledKFold.js';
import { checkEnough, type Fold, given, type SplitInput, type SplitterFacts } from '../splitter.js';
import { type Strata, strataOf } from '../strata.js';
import { GroupPlacement, groupWeights, largestFirst, shuffledLargestFirst } from './groupPlacement.js';

const options = optionTable(
  'StratifiedGroupKFold',
  kFoldOptions(true, 'Draw at random which groups go where; classes and rows stay balanced.'),
);

const facts = {
  name: 'StratifiedGroupKFold',
  family: 'grouped',
  description: 'K folds of whole groups (patients) with balanced classes; no one-class test fold where avoidable.',
  options,
  needs: ['y', 'groups'],
  claims: { partition: true, disjointGroups: true, stratified: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type StratifiedGroupKFoldOptions = InputOf<typeof options>;

/**
 * K folds that keep every group whole and balance classes and rows. Groups are placed largest first, each where the
 * folds stay most equal, and then moved or swapped while that helps; the result is a good one, not proved the best.
 *
 * Binary `y`: every test fold has both classes. Such folds exist exactly when `both + min(only one class, only the
 * other) >= nSplits`, counting groups by the classes they hold; otherwise `InfeasibleSplitError` says so with the
 * counts and the largest feasible `nSplits`. Multiclass `y`: classes are balanced as well as the groups allow; a class
 * in fewer groups than folds is allowed and then missing from some test folds.
 *
 * Throws `InvalidDataError` without `y` or `groups` and for a continuous `y`; `InfeasibleSplitError` also for a single
 * class and for fewer groups than folds.
 *
 * @example
 * new StratifiedGroupKFold({ nSplits: 5, randomState: 42 }).split(X, y, { groups: patientIds });
 */
export class StratifiedGroupKFold extends ShuffledKFold<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: StratifiedGroupKFoldOptions = {}) {
    super(options, input);
  }

  protected plan({ n, y, data }: SplitInput): Iterable<Fold> {
    const { nSplits, shuffle, randomState } = this.options;
    const groups = groupsOf(given(facts.name, 'groups', data.groups), n);
    const strata = strataOf(y, n, { owner: facts.name, instead: 'Use GroupKFold instead.' });
    checkEnough(facts.name, nSplits, groups.count, 'groups');
    const classes = strata.counts.length;
    if (classes === 1) {
      throw new InfeasibleSplitError(
        sentence(`y of ${facts.name}`, 'have two classes or more', { text: `only ${strata.names[0]}` }),
      );
    }
    const width = classes + 1;
    const counts = countsPerGroup(groups, strata);
    const weights = groupWeights(counts, width);
    const order = shuffle ? shuffledLargestFirst(weights, randomSource(randomState)) : largestFirst(weights);
    let placement = new GroupPlacement(counts, width, nSplits).placeAll(order);
    const covered = classes === 2 ? 2 : 0;
    const cover = classes === 2 ? bothClassesPerFold(counts, order, nSplits, strata.names) : [];
    if (!placement.covers(covered)) {
      placement = new GroupPlacement(counts, width, nSplits);
      for (const [fold, members] of cover.entries()) for (const group of members) placement.place(group, fold);
      placement.placeAll(order);
    }
    placement.improve(order, covered);
    return foldsFromAssignment(gather(placement.foldOf, groups.codes), nSplits);
  }
}

/** Rows per group: of each class, and in all. `[groups, classes + 1]` row-major. */
function countsPerGroup(groups: Groups, strata: Strata): Float64Array {
  const width = strata.counts.length + 1;
  const counts = new Float64Array(groups.count * width);
  for (let row = 0; row < groups.codes.length; row++) {
    counts[groups.codes[row] * width + strata.codes[row]]++;
    counts[groups.codes[row] * width + width - 1]++;
  }
  return counts;
}

/**
 * For each fold the groups that give it both classes: one that holds both, or one of each kind. Throws when there are
 * too few, which proves that no such folds exist: each fold needs a group with both, or a pair.
 */
function bothClassesPerFold(
  counts: Float64Array,
  order: Int32Array,
  nSplits: number,
  names: readonly string[],
): number[][] {
  const both: number[] = [];
  const only: [number[], number[]] = [[], []];
  for (const group of order) {
    if (counts[group * 3] === 0) only[1].push(group);
    else if (counts[group * 3 + 1] === 0) only[0].push(group);
    else both.push(group);
  }
  const largest = both.length + Math.min(only[0].length, only[1].length);
  if (largest < nSplits) {
    const held = `groups with both classes: ${both.length}, with only ${names[0]}: ${only[0].length}, with only ${names[1]}: ${only[1].length}`;
    const proof = `${held}; ${both.length} + min(${only[0].length}, ${only[1].length}) = ${largest}`;
    throw largest < 2
      ? new InfeasibleSplitError(
          sentence(`The groups of ${facts.name}`, 'put both classes into at least two test folds', {
            text: `at most ${largest} such fold (${proof})`,
          }),
        )
      : new InfeasibleSplitError(
          sentence(
            `The \`nSplits\` option of ${facts.name}`,
            `be at most ${largest}, so that every test fold has both classes (${proof})`,
            nSplits,
          ),
        );
  }
  return Array.from({ length: nSplits }, (_, fold) =>
    fold < both.length ? [both[fold]] : [only[0][fold - both.length], only[1][fold - both.length]],
  );
}
