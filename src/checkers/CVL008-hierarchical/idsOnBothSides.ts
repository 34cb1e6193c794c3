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

export interface SharedIds {
  readonly overlapping: { readonly groups: readonly string[]; readonly parents: readonly string[] };
  readonly count: number;
  /** Groups and parents that are on both sides in two spellings alone. */
  readonly respelled: number;
  /** Share of the test rows whose group or parent has a training row. */
  readonly fraction: number;
}

/** Throws {@link InvalidDataError} for a missing id, an empty set, and parents of one set alone or of another length. */
export function idsOnBothSides(
  { groupsTrain, groupsTest, parentGroupsTrain, parentGroupsTest }: TwoSetsOfIds,
  nameOf: (id: Label) => string,
): SharedIds {
  if (!parentGroupsTrain !== !parentGroupsTest) {
    const [present, lacking] = parentGroupsTrain ? ['Train', 'Test'] : ['Test', 'Train'];
    const got = phrase(`\`parentGroups${present}\` alone`);
    throw new InvalidDataError(sentence('checkHierarchicalLeakage', `be given \`parentGroups${lacking}\` too`, got));
  }
  const groups = sharedIds(groupsTrain, groupsTest, 'groups', nameOf);
  const { length } = groups.tested;
  const none = { ids: [], tested: new Uint8Array(length), respelled: 0 };
  let parents: Shared = none;
  if (parentGroupsTrain && parentGroupsTest) {
    checkLength(parentGroupsTrain, groupsTrain.length, 'parentGroupsTrain', '`groupsTrain`');
    checkLength(parentGroupsTest, length, 'parentGroupsTest', '`groupsTest`');
    parents = sharedIds(parentGroupsTrain, parentGroupsTest, 'parentGroups', nameOf);
  }
  const concerned = groups.tested.reduce((sum, hit, row) => sum + (hit | parents.tested[row]), 0);
  return {
    overlapping: { groups: groups.ids, parents: parents.ids },
    count: groups.ids.length + parents.ids.length,
    respelled: groups.respelled + parents.respelled,
    fraction: concerned / length,
  };
}

interface Shared {
  readonly ids: readonly string[];
  /** 1 for each test row whose id has a training row. */
  readonly tested: Uint8Array;
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
  const { tested, both } = bothSides(all, train.length);
  const ids = all.ids.filter((_, code) => both[code]).map(nameOf);
  const alike = respelled(all);
  if (!alike) return { ids, tested, respelled: 0 };
  const exact = new Uint8Array(alike.count);
  tested.forEach((hit, row) => {
    if (hit) exact[alike.codes[train.length + row]] = 1;
  });
  const more = bothSides(alike, train.length).both.filter((hit, code) => hit && !exact[code]);
  return { ids, tested, respelled: more.length };
}

/** 1 for each test row whose id has a training row, and 1 for each such id. */
function bothSides({ codes, count }: Groups, from: number) {
  const trained = new Uint8Array(count);
  for (let row = 0; row < from; row++) trained[codes[row]] = 1;
  const tested = Uint8Array.from(codes.subarray(from), (code) => trained[code]);
  const both = new Uint8Array(count);
  tested.forEach((hit, row) => {
    if (hit) both[codes[from + row]] = 1;
  });
  return { tested, both };
}

export interface HierarchicalLeakage extends SingleCheck {
  /** Ids in both sets, as salted hashes unless they were to be revealed. Without parents `parents` is empty. */
  readonly overlapping: SharedIds['overlapping'];
}

export function checkHierarchicalLeakage(
  { revealIds }: { readonly revealIds: boolean },
  sets: TwoSetsOfIds,
): HierarchicalLeakage {
  const { overlapping, count, fraction, respelled } = idsOnBothSides(sets, revealIds ? String : pseudonyms());
  const { groups, parents } = overlapping;
  const found = count > 0;
  const shared = [
    groups.length > 0 ? counted(groups.length, 'group') : '',
    parents.length > 0 ? counted(parents.length, 'parent') : '',
  ].filter(Boolean);
  const withParents = (sets.parentGroupsTrain ?? null) !== null;
  const message = found
    ? `${shared.join(' and ')} ${count === 1 ? 'is' : 'are'} in both sets.`
    : `No group${withParents ? ' or parent of a group' : ''} is in both sets.`;
  const differ = respelled === 1 ? 'id of one set differs from one' : 'ids of one set differ from ids';
  return {
    hasLeakage: found,
    status: found ? 'failed' : respelled > 0 ? 'needs_review' : 'passed',
    count,
    fraction,
    threshold: null,
    evidence: {
      groups: groups.length,
      ...(withParents ? { parents: parents.length } : {}),
      ...(respelled > 0 ? { respelled } : {}),
    },
    message: respelled > 0 ? `${message} ${respelled} ${differ} of the other in spelling alone.` : message,
    fix: found
      ? `Draw the sets from whole ${parents.length > 0 ? 'parents' : 'groups'}: HierarchicalGroupKFold.`
      : respelled > 0
        ? SPELL
        : '',
    overlapping,
  };
}
