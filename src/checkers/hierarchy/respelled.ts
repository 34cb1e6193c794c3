/** Ids that differ in spaces or case alone: `p7` and `P7 ` are one patient, mostly. */
import { encode } from '../../core/encode.js';
import type { Label } from '../../core/labels.js';
import type { Groups } from '../../core/sideData.js';

/** The groups that remain when spaces and case do not count; undefined when all remain apart. */
export function respelled({ codes, ids }: Groups): Groups | undefined {
  if (typeof ids[0] !== 'string') return undefined;
  const { codes: merged, classes } = encode(ids.map((id: Label) => String(id).replace(/\s/g, '').toLowerCase()));
  if (classes.length === ids.length) return undefined;
  return { codes: codes.map((code) => merged[code]), ids: classes, count: classes.length };
}
