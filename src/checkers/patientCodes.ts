/** Codes of the patients, made once for all checks. */
import type { Label } from '../data/labels.js';
import { type Groups, groupsOf } from '../data/sideData.js';

/** Of lists that are frozen: nobody can change the ids. */
const known = new WeakMap<object, Groups>();

/** As {@link groupsOf}. */
export function patientCodes(ids: ArrayLike<Label>, n: number, name?: string): Groups {
  const found = known.get(ids) ?? groupsOf(ids, n, name);
  if (Object.isFrozen(ids)) known.set(ids, found);
  return found;
}
