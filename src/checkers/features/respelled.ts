/** Ids that differ in spelling alone: `p7`, `P-7 ` and `P007` are one patient, mostly. */
import { counted } from '../../core/format.js';
import { encode } from '../../data/encode.js';
import type { Label } from '../../data/labels.js';
import type { Groups } from '../../data/sideData.js';
import { withoutUnseen } from './unseen.js';

/** What remains when spelling does not count; undefined when all groups remain. */
export function respelled(groups: Groups): Groups | undefined {
  const { ids } = groups;
  if (typeof ids[0] !== 'string') return undefined;
  const fold = caseMatters(ids) ? (text: string) => text : (text: string) => text.toLowerCase();
  return joined(
    groups,
    ids.map((id) => plain(id, fold)),
  );
}

/** The groups whose ids have the same key; undefined when all remain apart. */
export function joined({ codes, ids }: Groups, keys: readonly string[]): Groups | undefined {
  if (new Set(keys).size === ids.length) return undefined;
  const { codes: merged, classes } = encode(keys);
  return { codes: codes.map((code) => merged[code]), ids: classes, count: classes.length };
}

/** Signs between parts of an id. A full stop is none: `1.5` and `1-5` are two. */
const SIGNS = /[-\s_/\\:|#,;\u2010-\u2015\u2212]+/g;
/** Between digits a sign parts two numbers; elsewhere it is decoration: `P-7`, `P_7`, `#7`. */
const DECORATION = /(?<!\d)-|-(?!\d)/g;
/** Zeros before the digits of a part that ends with them, `p007` and `12-07`, but no decimals and no `a01b`. */
const LEADING_ZEROS = /(?<!\d\.|[a-z\d])([a-z]*)0+(?=(?!0)\d+(?![a-z\d])|0(?![a-z\d]))/gi;

/** Without spaces, signs, case, leading zeros, the decimals of a whole number, its exponent, and the ways to write an accent. */
const plain = (id: Label, fold: (text: string) => string): string => {
  const text = withoutUnseen(String(id));
  // A sign before a number may be a minus.
  if (/^-?\d+(\.\d+)?e\+?\d+$/i.test(text) && Number.isSafeInteger(Number(text))) return String(Number(text));
  if (/^-?\d+(\.\d+)?$/.test(text)) return text.replace(/\.0+$/, '').replace(LEADING_ZEROS, '$1');
  return fold(text).replace(SIGNS, '-').replace(LEADING_ZEROS, '$1').replace(DECORATION, '');
};

/** So many ids, and this share, whose case changes within a word say that case tells ids apart; one way to write does not. */
const [LEAST, CHANGING, ONE_WAY] = [5, 0.1, 0.6];

/**
 * `aB` and `Ab` are two ids where case is used as in base64: within words, upper and lower case follow each other in many
 * ways, and no way to write prevails. `Anna Meier 1` and `ANNA MEIER 1` have plain words.
 */
function caseMatters(ids: readonly Label[]): boolean {
  const ways = new Map<string, number>();
  for (const id of ids) {
    const words = String(id).match(/[\p{Lu}\p{Ll}]+/gu) ?? [];
    const way = words.map((word) => word.replace(/\p{Ll}+/gu, 'l').replace(/\p{Lu}+/gu, 'U')).join(' ');
    ways.set(way, (ways.get(way) ?? 0) + 1);
  }
  const isPlain = (way: string) => way.split(' ').every((word) => ['', 'l', 'U', 'Ul'].includes(word));
  const changing = [...ways].reduce((sum, [way, count]) => sum + (isPlain(way) ? 0 : count), 0);
  return changing >= Math.max(LEAST, CHANGING * ids.length) && Math.max(...ways.values()) <= ONE_WAY * ids.length;
}

/** `1 id differs from another in spelling alone`. */
export const respelledIds = (count: number): string =>
  `${counted(count, 'id')} ${count === 1 ? 'differs' : 'differ'} from another in spelling alone`;

/** What to do about them. */
export const SPELL =
  'If two such ids are one, write them in one way: without spaces, signs and leading zeros, in one case and one encoding.';
