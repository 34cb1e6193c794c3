/** Groups, and parents of groups, in both of two sets: CVL008 as a single check. */
import { counted } from '../../core/format.js';
import { pseudonyms } from '../../data/pseudonyms.js';
import { SPELL } from '../features/respelled.js';
import type { HierarchicalLeakage } from './hierarchyOverlap.js';
import { idsOnBothSides, type TwoSetsOfIds } from './idsOnBothSides.js';

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
  const withParents = (given.parentGroupsTrain ?? null) !== null;
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
