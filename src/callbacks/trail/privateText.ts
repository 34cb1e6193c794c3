/** Facts of a run as plain data without ids of patients, texts of others, or anything that JSON does not hold. */
import { CVKitError, show } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isPlainObject } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import type { SideData } from '../../data/sideData.js';

/** Shorter texts, and numbers of fewer digits, stand in sentences for other reasons. */
const SHORTEST = { text: 3, digits: 5 };
/** How deep parameters may be nested, and how long texts may be. */
const DEPTH = 6;
const LONGEST = 1000;

const WORDS = /[\p{L}\p{N}]+/gu;
const wordsOf = (text: string): readonly string[] => text.match(WORDS) ?? [];

/** Finds, in a text, ids of the groups and of every level of the hierarchy, and classes of y that are quoted. */
export function idFinder({ groups, hierarchy = {} }: SideData, classes: readonly Label[]): (text: string) => boolean {
  /** Ids by their longest word: of a hundred thousand ids a text is held against few. */
  const ids = new Map<string, Set<string>>();
  for (const level of [groups, ...Object.values(hierarchy)]) {
    for (let row = 0; row < (level?.length ?? 0); row++) {
      const id = String((level as ArrayLike<unknown>)[row]);
      if (id.length < (/^[\d.]+$/.test(id) ? SHORTEST.digits : SHORTEST.text)) continue;
      const longest = wordsOf(id).reduce((most, word) => (word.length > most.length ? word : most), '');
      const alike = ids.get(longest) ?? new Set<string>();
      ids.set(longest, alike.add(id));
    }
  }
  const quoted = classes.flatMap((label) => (typeof label === 'string' ? [show(label)] : []));
  return (text) =>
    quoted.some((label) => text.includes(label)) ||
    wordsOf(text).some((word) => [...(ids.get(word) ?? [])].some((id) => text.includes(id)));
}

/** A text of others among the facts, which no entry holds. */
class Foreign {
  constructor(readonly text: string) {}
}

/** How the texts of one run are kept out of its trail. */
export interface Privacy {
  readonly holdsId: (text: string) => boolean;
  readonly withheld: (text: string) => string;
}

/** Plain data; a text that holds an id, or is of others, is withheld. */
export function plain(value: unknown, privacy: Privacy, depth = DEPTH): unknown {
  const { holdsId, withheld } = privacy;
  if (value instanceof Foreign) return withheld(value.text);
  if (typeof value === 'string') return holdsId(value) ? withheld(value) : nameText(value, LONGEST);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'bigint') return String(value);
  if (depth === 0) return typeof value;
  if (Array.isArray(value)) return value.map((each) => plain(each, privacy, depth - 1));
  if (!isPlainObject(value)) return typeof value;
  const entries = Object.entries(value).map(([key, each]) => [
    holdsId(key) ? withheld(key) : key,
    plain(each, privacy, depth - 1),
  ]);
  return Object.fromEntries(entries);
}

/** A thrown error with what caused it, the first cause last. */
export function causesOf(thrown: unknown): readonly unknown[] {
  const chain = [thrown];
  for (let each = thrown; each instanceof Error && each.cause instanceof Error && chain.length < 8; each = each.cause)
    chain.push(each.cause);
  return chain;
}

/** An error by the name of its first cause and its code. Its words may hold ids and values, and their hash stands for them. */
export function errorFacts(thrown: unknown): Record<string, unknown> {
  const root = causesOf(thrown).at(-1);
  return {
    name: root instanceof Error ? root.name : typeof root,
    code: thrown instanceof CVKitError ? thrown.code : null,
    message: new Foreign(root instanceof Error ? root.message : String(root)),
  };
}

/** Warnings of a run; all that cvkit did not write itself are withheld. */
export const warningFacts = (warnings: readonly string[], own: readonly string[]): (string | Foreign)[] =>
  warnings.map((text) => (own.includes(text) ? text : new Foreign(text)));
