import { Hasher } from '../../core/fingerprint.js';
import { boolean, type InputOf, integer, optionTable, randomState } from '../../core/options.js';
import { type RandomSource, randomSource } from '../../core/random.js';
import { gather, type LabelsInput } from '../../data/labels.js';
import { type Groups, groupsOf } from '../../data/sideData.js';
import { foldsFromAssignment } from '../assignment.js';
import {
  BaseSplitter,
  checkEnough,
  type Fold,
  type Folds,
  given,
  type SplitArguments,
  type SplitInput,
  type SplitterClaims,
  type SplitterFacts,
  withWarnings,
} from '../splitter.js';
import { strataOf } from '../strata.js';
import { assignGroups } from './assignGroups.js';
import { assignStratifiedGroups, type StratifiedGroups } from './assignStratifiedGroups.js';

const options = optionTable('RepeatedGroupKFold', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds per repeat.'),
  nRepeats: integer({ min: 1, max: 1_000_000 }).default(10).describe('How often the groups are split anew.'),
  randomState: randomState().default(null).describe('Seed of the draws.'),
  stratify: boolean().default(false).describe('Balance the classes of y too, as StratifiedGroupKFold.'),
});

const facts = {
  name: 'RepeatedGroupKFold',
  family: 'grouped',
  description: 'K folds of whole groups, drawn anew in each repeat; optionally stratified by class.',
  options,
  needs: ['groups'],
  claims: { partition: true, disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type RepeatedGroupKFoldOptions = InputOf<typeof options>;

/** How often a partition that came before is drawn again before it is taken as one of the few that exist. */
const REDRAWS = 20;

/**
 * `GroupKFold` or, with `stratify`, `StratifiedGroupKFold` `nRepeats` times from one random stream: in each repeat
 * every group is tested once and rows (and classes) are balanced. Fold ids read `repeat-0_fold-0`.
 *
 * A partition that came before is drawn again, so that each repeat is another one. Where few groups allow fewer
 * balanced partitions than repeats, some come twice and a warning says how many there are.
 *
 * Throws `InvalidDataError` without `groups`, and when `stratify` lacks `y` or `y` is continuous;
 * `InfeasibleSplitError` when there are fewer groups than folds, and with `stratify` as `StratifiedGroupKFold` does.
 *
 * @example
 * new RepeatedGroupKFold({ nRepeats: 10, stratify: true, randomState: 42 }).split(X, y, { groups: patientIds });
 */
export class RepeatedGroupKFold extends BaseSplitter<typeof options.shape> {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: RepeatedGroupKFoldOptions = {}) {
    super(options, input);
  }

  override get claims(): SplitterClaims {
    return { ...facts.claims, stratified: this.options.stratify };
  }

  getNSplits(..._input: SplitArguments): number {
    return this.options.nSplits * this.options.nRepeats;
  }

  protected plan({ n, y, data }: SplitInput): Folds {
    const { nSplits, nRepeats, randomState, stratify } = this.options;
    const groups = groupsOf(given(facts.name, 'groups', data.groups), n);
    checkEnough(facts.name, nSplits, groups.count, 'groups');
    const source = randomSource(randomState);
    const draw = stratify
      ? this.#stratified(groups, n, y, source)
      : () => ({ foldOf: assignGroups(groups, nSplits, source), warnings: [] });
    const { draws, warnings } = drawRepeats(nRepeats, draw);
    return withWarnings(warnings, () => repeated(draws, groups.codes, nSplits));
  }

  #stratified(groups: Groups, n: number, y: LabelsInput | undefined, source: RandomSource): () => StratifiedGroups {
    const instead = 'Leave `stratify` out.';
    const strata = strataOf(given(facts.name, 'y', y), n, { owner: facts.name, instead });
    return () => assignStratifiedGroups(groups, strata, this.options.nSplits, source, { owner: facts.name });
  }
}

/**
 * The fold of each group, per repeat. Drawn before the first fold, so that errors and warnings come with `split`, and
 * kept: four bytes per group and repeat, where drawing again would take the time of the search twice.
 */
function drawRepeats(nRepeats: number, draw: () => StratifiedGroups): { draws: Int32Array[]; warnings: string[] } {
  const draws: Int32Array[] = [];
  const warnings = new Set<string>();
  const seen = new Set<string>();
  let redraws = REDRAWS;
  while (draws.length < nRepeats) {
    const drawn = draw();
    const partition = partitionOf(drawn.foldOf);
    // Redraws that found nothing new are used up for good: later repeats cannot expect more.
    if (!seen.has(partition)) redraws = REDRAWS;
    else if (redraws > 0) {
      redraws--;
      continue;
    }
    seen.add(partition);
    draws.push(drawn.foldOf);
    for (const warning of drawn.warnings) warnings.add(warning);
  }
  if (seen.size < nRepeats) {
    const found = `${seen.size} balanced partition${seen.size === 1 ? '' : 's'}`;
    warnings.add(
      `The groups allow only ${found}, so that the ${nRepeats} repeats of ${facts.name} are not all different.`,
    );
  }
  return { draws, warnings: [...warnings] };
}

/** The same digest for assignments that differ in nothing but the numbers of the folds. */
function partitionOf(foldOf: Int32Array): string {
  const order = new Map([...new Set(foldOf)].map((fold, place) => [fold, place]));
  return new Hasher().words(foldOf.map((fold) => order.get(fold) as number)).digest();
}

function* repeated(draws: readonly Int32Array[], codes: Int32Array, nSplits: number): Generator<Fold> {
  for (const [repeat, foldOf] of draws.entries()) yield* foldsFromAssignment(gather(foldOf, codes), nSplits, repeat);
}
