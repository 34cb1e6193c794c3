/** The two designs that are compared, and whether they can be. */
import { overlapOf } from '../../checkers/overlap.js';
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import type { Task } from '../../data/labels.js';
import { groupsOf, type SideData } from '../../data/sideData.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';
import type { Splitter } from '../../splitters/splitter.js';
import { groupedFolds, plainFolds } from '../designs.js';

/** The folds of both designs, guarded first; refused where they cannot be compared or have nothing to compare. */
export function designsOf(
  task: Task,
  data: SideData,
  { guarded, naive }: { readonly guarded?: Splitter | undefined; readonly naive?: Splitter | undefined },
  randomState: number | string,
  planOf: (cv: Splitter) => FoldPlan,
): [FoldPlan, FoldPlan] {
  if (!guarded && !data.groups) {
    throw new InvalidOptionError(
      sentence('leakageInflation', 'be given `groups`, or the `guarded` design', phrase('neither')),
      { code: 'missing_option' },
    );
  }
  const given = naive && planOf(naive);
  const kept = planOf(guarded ?? groupedFolds(task, { nRepeats: given?.repeats, randomState }));
  const { repeats } = kept;
  const leaking =
    given ?? planOf(plainFolds(task, { nSplits: Math.round(kept.length / repeats), nRepeats: repeats, randomState }));
  if (kept.fingerprint === leaking.fingerprint) {
    const got = phrase(`the same folds twice (${kept.design} and ${leaking.design})`);
    throw new InvalidOptionError(sentence('The two designs of leakageInflation', 'differ', got), {
      code: 'same_folds',
    });
  }
  if (repeats !== leaking.repeats) {
    const got = phrase(`${repeats} (guarded) and ${leaking.repeats} (naive)`);
    throw new InvalidOptionError(sentence('The two designs of leakageInflation', 'have equally many repeats', got));
  }
  checkDesigns(kept, leaking, data);
  return [kept, leaking];
}

/** What a design keeps apart, as far as it is known: what the splitter claims, and whole patients. */
function keptApart({ claims }: FoldPlan, whole: boolean): string[] {
  const { timeOrdered, keepsTies, purged, separated } = claims;
  const kept = {
    'keeps patients whole': whole,
    'trains on earlier rows only': timeOrdered,
    'keeps rows of one time together': keepsTies,
    'keeps label intervals apart': purged,
    'keeps test rows apart in space': separated,
  };
  return Object.entries(kept).flatMap(([what, is]) => (is ? [what] : []));
}

/** Refuses designs that stand in each other's place, and patients whom the naive one keeps whole as the guarded one does. */
function checkDesigns(guarded: FoldPlan, naive: FoldPlan, { groups, hierarchy = {} }: SideData): void {
  const patients = groups && groupsOf(groups, guarded.n);
  const isWhole = (plan: FoldPlan) =>
    patients !== undefined && overlapOf(plan, patients.codes, patients.count).split.length === 0;
  const [kept, leaking] = [guarded, naive].map((plan) => keptApart(plan, isWhole(plan)));
  const more = leaking.filter((what) => !kept.includes(what));
  if (more.length > 0 && kept.every((what) => leaking.includes(what))) {
    throw new InvalidOptionError(
      sentence(
        'The `guarded` design of leakageInflation',
        'keep apart what the `naive` one mixes',
        phrase(`the reverse: ${naive.design} as \`naive\`, which alone ${more.join(' and ')}`),
        'Exchange the two.',
      ),
      { code: 'swapped_designs' },
    );
  }
  // Folds of whole patients guard nothing else, unless a level above the patients is at stake.
  const levels = Object.keys(hierarchy).filter((level) => level !== 'patient');
  if (!patients || levels.length > 0 || !guarded.claims.disjointGroups || kept.length > 1 || leaking.length === 0)
    return;
  const single = patients.count === guarded.n;
  throw new InvalidOptionError(
    sentence(
      'The `naive` design of leakageInflation',
      'have patients with rows on both sides of a fold',
      phrase(single ? 'data with one row per patient' : `${naive.design}, which keeps patients whole, too`),
      single
        ? 'There is no leak between patients that could have a price.'
        : 'Leave it out for shuffled folds of rows.',
    ),
    { code: 'nothing_to_price' },
  );
}
