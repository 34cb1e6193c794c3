/** Groups, and parents of groups, in both of two sets: CVL008 as a single check. */
import { counted } from '../../core/format.js';
import { pseudonyms } from '../../data/pseudonyms.js';
import type { CheckResult } from '../check.js';
import { SPELL } from '../features/respelled.js';
import { answered, type SingleCheck } from '../singleCheck.js';
import type { HierarchyDetails } from './hierarchyOverlap.js';
import { idsOnBothSides, type SharedIds, type TwoSetsOfIds } from './idsOnBothSides.js';

export interface HierarchicalLeakage extends SingleCheck {
  /** Ids in both sets, as salted hashes unless they were to be revealed. Without parents `parents` is empty. */
  readonly overlapping: SharedIds['overlapping'];
}

/** See {@link DataLeakageChecker.checkHierarchicalLeakage}. */
export function checkHierarchicalLeakage(
  { revealIds }: { readonly revealIds: boolean },
  given: TwoSetsOfIds,
): HierarchicalLeakage {
  const { overlapping, count, fraction, respelled } = idsOnBothSides(given, revealIds ? String : pseudonyms());
  const { groups, parents } = overlapping;
  const found = count > 0;
  const shared = [
    groups.length > 0 ? counted(groups.length, 'group') : '',
    parents.length > 0 ? counted(parents.length, 'parent') : '',
  ].filter(Boolean);
  const withParents = given.parentGroupsTrain !== undefined;
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

/**
 * A result on folds as this single check answers it; `overlapping` are the examples of its evidence, and levels above the
 * patients are parents.
 */
export function hierarchicalOf(result: CheckResult<HierarchyDetails>): CheckResult & HierarchicalLeakage {
  const { torn = 0, tornRows = 0, testRows, examples = [] } = result.evidence;
  // An open question has columns for examples, which are no ids.
  const ids = (result.status === 'failed' ? examples : []).flatMap(({ fold, train, test, ...levels }) =>
    Object.values(levels).map(String),
  );
  const above = result.severity === 'high';
  return {
    ...answered(result, { count: torn, share: tornRows, of: testRows, threshold: null }),
    overlapping: { groups: above ? [] : ids, parents: above ? ids : [] },
  };
}
