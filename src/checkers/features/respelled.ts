/** Ids that differ in spelling alone: `p7`, `P7 ` and `P007` are one patient, mostly. */
import { encode } from '../../data/encode.js';
import type { Label } from '../../data/labels.js';
import type { Groups } from '../../data/sideData.js';

/** The groups that remain when spelling does not count; undefined when all remain apart. */
export function respelled({ codes, ids }: Groups): Groups | undefined {
  if (typeof ids[0] !== 'string') return undefined;
  const { codes: merged, classes } = encode(ids.map(plain));
  if (classes.length === ids.length) return undefined;
  return { codes: codes.map((code) => merged[code]), ids: classes, count: classes.length };
}

/** Zeros before the digits of a part that ends with them, `p007` and `12-07`, but no decimals and no `a01b`. */
const LEADING_ZEROS = /(?<!\d\.|[a-z\d])([a-z]*)0+(?=\d+(?![a-z\d]))/g;

/** Without spaces, case, leading zeros, the decimals of a whole number, and the ways to write an accent. */
const plain = (id: Label): string =>
  String(id)
    .normalize('NFKC')
    .replace(/\s/g, '')
    .toLowerCase()
    .replace(/^(\d+)\.0+$/, '$1')
    .replace(LEADING_ZEROS, '$1');

/** `1 id differs from another in spelling alone`. */
export const respelledIds = (count: number): string =>
  `${count} ${count === 1 ? 'id differs' : 'ids differ'} from another in spelling alone`;

/** What to do about them. */
export const SPELL =
  'If two such ids are one, write them in one way: without spaces and leading zeros, in one case and one encoding.';
