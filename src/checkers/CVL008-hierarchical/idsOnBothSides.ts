import { InvalidDataError, kindOf, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import type { Label } from '../../data/labels.js';
import { pseudonyms } from '../../data/pseudonyms.js';
import { checkLength, type Groups, groupsOf } from '../../data/sideData.js';
import { respelled, SPELL } from '../features/respelled.js';
import type { SingleCheck } from '../singleCheck.js';

/** Ids of each row of two sets, with the ids of a level above where there is one (the patient of a visit). */
export interface TwoSetsOfIds {
  readonly groupsTrain: ArrayLike<Label>;
  readonly groupsTest: ArrayLike<Label>;
  readonly parentGroupsTrain?: ArrayLike<Label> | null | undefined;
  readonly parentGroupsTest?: ArrayLike<Label> | null | undefined;
}

/** Ids that stand on both sides, by level of the hierarchy. */
export interface HierarchicalLeakage extends SingleCheck {
  /** Ids in both sets, as salted hashes unless they were to be revealed. Without parents `parents` is empty. */
  readonly overlapping: { readonly groups: readonly string[]; readonly parents: readonly string[] };
}

/** Throws {@link InvalidDataError} for a missing id, an empty set, and parents of one set alone or of another length. */
export function checkHierarchicalLeakage(
  { revealIds }: { readonly revealIds: boolean },
  { groupsTrain, groupsTest, parentGroupsTrain, parentGroupsTest }: TwoSetsOfIds,
): HierarchicalLeakage {
  const nameOf = revealIds ? String : pseudonyms();
  if (!parentGroupsTrain !== !parentGroupsTest) {
    const [present, lacking] = parentGroupsTrain ? ['Train', 'Test'] : ['Test', 'Train'];
    const got = phrase(`\`parentGroups${present}\` alone`);
    throw new InvalidDataError(sentence('checkHierarchicalLeakage', `be given \`parentGroups${lacking}\` too`, got));
  }
  const groups = sharedIds(groupsTrain, groupsTest, 'groups', nameOf);
  const { length } = groups.tested;
  let parents: Shared = { ids: [], tested: new Uint8Array(length), respelled: 0 };
  const withParents = parentGroupsTrain && parentGroupsTest;
  if (withParents) {
    checkLength(parentGroupsTrain, groupsTrain.length, 'parentGroupsTrain', '`groupsTrain`');
    checkLength(parentGroupsTest, length, 'parentGroupsTest', '`groupsTest`');
    parents = sharedIds(parentGroupsTrain, parentGroupsTest, 'parentGroups', nameOf);
  }
  const concerned = groups.tested.reduce((sum, hit, row) => sum + (hit | parents.tested[row]), 0);
  const count = groups.ids.length + parents.ids.length;
  const respelled = groups.respelled + parents.respelled;
  const shared = [
    groups.ids.length > 0 ? counted(groups.ids.length, 'group') : '',
    parents.ids.length > 0 ? counted(parents.ids.length, 'parent') : '',
  ].filter(Boolean);
  const message =
    count > 0
      ? `${shared.join(' and ')} ${count === 1 ? 'is' : 'are'} in both sets.`
      : `No group${withParents ? ' or parent of a group' : ''} is in both sets.`;
  const differ = respelled === 1 ? 'id of one set differs from one' : 'ids of one set differ from ids';
  const whole = `Draw the sets from whole ${parents.ids.length > 0 ? 'parents' : 'groups'}: HierarchicalGroupKFold.`;
  return {
    hasLeakage: count > 0,
    status: count > 0 ? 'failed' : respelled > 0 ? 'needs_review' : 'passed',
    count,
    fraction: concerned / length,
    threshold: null,
    evidence: {
      groups: groups.ids.length,
      ...(withParents ? { parents: parents.ids.length } : {}),
      ...(respelled > 0 ? { respelled } : {}),
    },
    message: respelled > 0 ? `${message} ${respelled} ${differ} of the other in spelling alone.` : message,
    fix: count > 0 ? whole : respelled > 0 ? SPELL : '',
    overlapping: { groups: groups.ids, parents: parents.ids },
  };
}

interface Shared {
  readonly ids: readonly string[];
  /** 1 for each test row whose id has a training row. */
  readonly tested: Uint8Array;
  /** Those that are on both sides in two spellings alone. */
  readonly respelled: number;
}

function sharedIds(
  train: ArrayLike<Label>,
  test: ArrayLike<Label>,
  name: string,
  nameOf: (id: Label) => string,
): Shared {
  for (const [side, ids] of Object.entries({ Train: train, Test: test })) {
    if (!(ids?.length > 0)) throw new InvalidDataError(sentence(`${name}${side}`, 'hold at least one id', kindOf(ids)));
  }
  // Together, so that 1 and '1' are one id wherever both are written.
  const n = train.length + test.length;
  const all = groupsOf([...Array.from(train), ...Array.from(test)], n, `${name} (train, then test)`);
  const both = codesInBoth(all, train.length);
  const tested = Uint8Array.from(all.codes.subarray(train.length), (code) => Number(both.has(code)));
  const ids = all.ids.filter((_, code) => both.has(code)).map(nameOf);
  const alike = respelled(all);
  if (!alike) return { ids, tested, respelled: 0 };
  const exact = new Set(alike.codes.subarray(train.length).filter((_, row) => tested[row] === 1));
  return { ids, tested, respelled: [...codesInBoth(alike, train.length)].filter((code) => !exact.has(code)).length };
}

function codesInBoth({ codes }: Groups, from: number): Set<number> {
  const trained = new Set(codes.subarray(0, from));
  return new Set(codes.subarray(from).filter((code) => trained.has(code)));
}
