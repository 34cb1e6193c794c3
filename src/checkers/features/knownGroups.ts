/** Ids of which some may be missing. */
import { type Label, rowNumbers } from '../../data/labels.js';
import { type Groups, groupsOf } from '../../data/sideData.js';

/** Codes of ids; rows without an {@link isId} get -1. */
export function knownGroups(ids: ArrayLike<Label>, n: number): Groups {
  const known = rowNumbers(n).filter((row) => isId(ids[row]));
  if (known.length === n) return groupsOf(ids, n);
  const codes = new Int32Array(n).fill(-1);
  if (known.length === 0) return { codes, ids: [], count: 0 };
  const present = Array.from(known, (row) => ids[row]);
  const found = groupsOf(present, known.length);
  known.forEach((row, at) => {
    codes[row] = found.codes[at];
  });
  return { ...found, codes };
}

/** Not null, undefined, NaN or ''. */
export const isId = (id: unknown) => id !== null && id !== undefined && id !== '' && !Number.isNaN(id);
