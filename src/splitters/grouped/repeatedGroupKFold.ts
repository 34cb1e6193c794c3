import { Hasher } from '../../core/fingerprint.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { boolean, type InputOf, integer, optionTable, randomState } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { repeatedFolds } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { inputGroups, requireCount } from '../splitInput.js';
import { withWarnings } from '../splitter.js';
import { strataOf } from '../strata.js';
import { assignStratifiedGroups, type StratifiedGroups } from './assignStratifiedGroups.js';
import { assignGroups } from './groupPlacement.js';

const options = optionTable('RepeatedGroupKFold', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds per repeat.'),
  nRepeats: integer({ min: 1, max: MOST_DRAWS }).default(10).describe('How often the groups are split anew.'),
  randomState: randomState().default(null).describe('Seed of the draws.'),
  stratify: boolean().default(false).describe('Balance the classes of y too, as StratifiedGroupKFold.'),
});

export type RepeatedGroupKFoldOptions = InputOf<typeof options>;

/** Redraws of partitions that came before; then they count as the few that exist. */
const REDRAWS = 20;

/**
 * `GroupKFold` or, with `stratify`, `StratifiedGroupKFold` `nRepeats` times from one random stream: in each repeat
 * every group is tested once and rows (and classes) are balanced. Fold ids read `repeat-0_fold-0`.
 *
 * A partition that came before is drawn again, so that each repeat is another one. Where few groups allow fewer
 * balanced partitions than repeats, some come twice and a warning of `foldsOf` says how many there are.
 *
 * Throws `InvalidDataError` without `groups`, and when `stratify` lacks `y` or `y` is continuous;
 * `InfeasibleSplitError` when there are fewer groups than folds, and with `stratify` as `StratifiedGroupKFold` does.
 *
 * @example
 * new RepeatedGroupKFold({ nRepeats: 10, stratify: true, randomState: 42 }).split(X, y, { groups: patientIds });
 */
export class RepeatedGroupKFold extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'K folds of whole groups, drawn again in each repeat; optionally stratified by class.',
    needs: ['groups'],
    claims: { partition: true, disjointGroups: true },
  },
  claims: ({ stratify }, claims) => ({ ...claims, stratified: stratify }),
  nSplits: ({ nSplits, nRepeats }) => nSplits * nRepeats,
  plan(input, { nSplits, nRepeats, randomState, stratify }) {
    const groups = inputGroups(input);
    const { owner } = options;
    requireCount(owner, nSplits, groups.count, 'groups');
    const source = randomSource(randomState);
    const strata = stratify && strataOf(input.need('y'), input.n, { owner, instead: 'Leave `stratify` out.' });
    const draw = strata
      ? () => assignStratifiedGroups(groups, strata, nSplits, source, { owner })
      : () => ({ foldOf: assignGroups(groups, nSplits, source), warnings: [] });
    const { draws, warnings } = drawRepeats(nRepeats, draw);
    const perRow = (repeat: number) => gather(draws[repeat], groups.codes);
    return withWarnings(warnings, () => repeatedFolds(nRepeats, nSplits, perRow));
  },
})<RepeatedGroupKFoldOptions> {}

/** Drawn before the first fold, so that errors and warnings come with `split`, and kept: the search takes long. */
function drawRepeats(nRepeats: number, draw: () => StratifiedGroups): { draws: Int32Array[]; warnings: string[] } {
  const draws: Int32Array[] = [];
  const warnings = new Set<string>();
  const known = new Set<string>();
  let redraws = REDRAWS;
  while (draws.length < nRepeats) {
    const drawn = draw();
    const partition = partitionOf(drawn.foldOf);
    // Redraws that found nothing new are used up for good: later repeats cannot expect more.
    if (!known.has(partition)) redraws = REDRAWS;
    else if (redraws > 0) {
      redraws--;
      continue;
    }
    known.add(partition);
    draws.push(drawn.foldOf);
    for (const warning of drawn.warnings) warnings.add(warning);
  }
  return { draws, warnings: [...warnings] };
}

/** Equal for assignments that differ in the numbers of the folds alone. */
function partitionOf(foldOf: Int32Array): string {
  const order = new Map([...new Set(foldOf)].map((fold, place) => [fold, place]));
  return new Hasher().words(foldOf.map((fold) => order.get(fold) as number)).digest();
}
