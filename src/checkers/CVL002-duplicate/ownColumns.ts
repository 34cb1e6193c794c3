/** People of one household, or visits of one patient, of whom a table holds little that is their own. */
import { power, sum } from '../../core/numbers.js';
import { chiSquaredUpperTail } from '../../core/upperTails.js';
import { isAlike } from './cells.js';
import type { Counts } from './counts.js';
import type { RowPair } from './pairsButFew.js';

/** Share of the different rows, from which on they are rather people than changed copies. */
const MANY = 0.5;
/** Columns that people have of their own, at most; share of the pairs that differ in these alone, at least. */
const [FEW, NEARLY_ALL] = [3, 0.95];
/** Pairs that tell which columns are own; of fewer, from three on, chance must be unlikely to make all differ in one column. */
const LEAST = { some: 10, ofOne: 3, chance: 0.01 };
/** So many times as many pairs share the other columns as would if each column were drawn on its own. */
const TIED = 10;
/** More pairs of equal people than chance gives so rarely are copies. */
const ALPHA = 0.01;

/** What people of one unit have of their own. */
export interface OwnColumns {
  /** Names of these columns, those in which most pairs differ first. */
  readonly columns: readonly string[];
  /** Rows that differ from a partner in these alone. */
  readonly rows: number;
  /** They are so many that they are rather people than copies that were changed. */
  readonly ofMany: boolean;
  /** Whether so many pairs of people are equal in their own columns, too, by chance. */
  mayEqual(pairs: number): boolean;
}

/**
 * The few columns in which nearly all pairs differ that are equal in the others, though chance gives fewer such pairs: of
 * copies that were changed in the same way, such as a second export, or, of most rows, what a person or visit has of its
 * own, while the others are those of a household or patient. Undefined where pairs differ in any column.
 *
 * How many pairs of people are equal in their own columns as well follows from how often those that differ in one are equal
 * in another.
 *
 * @param pairs rows that differ in one or two columns
 * @param counted the columns that rows are compared by, but times and ids
 * @param distinct number of different rows
 */
export function ownColumns(
  pairs: readonly RowPair[],
  counted: readonly Counts[],
  distinct: number,
): OwnColumns | undefined {
  const rows = new Set(pairs.flatMap(({ first, second }) => [first, second])).size;
  if (pairs.length < LEAST.ofOne) return undefined;
  const differ = counted.map(({ column }) =>
    Uint8Array.from(pairs, ({ first, second }) => Number(!isAlike(column, first, second))),
  );
  const share = differ.map((of) => sum(of) / pairs.length);
  const own = [...share.keys()]
    .filter((at) => share[at] > 1 - NEARLY_ALL)
    .sort((a, b) => share[b] - share[a])
    .slice(0, FEW);
  // In very wide tables some columns are not counted.
  if (own.length === 0) return undefined;
  const isOne = own.length === 1 && columnByChance(own[0], pairs.length, counted) <= LEAST.chance;
  if (pairs.length < LEAST.some && !isOne) return undefined;
  const others = [...share.keys()].filter((at) => !own.includes(at));
  const elsewhere = pairs.filter((_, pair) => others.some((at) => differ[at][pair] === 1)).length;
  if (elsewhere > (1 - NEARLY_ALL) * pairs.length) return undefined;
  const byChance = others.reduce((product, at) => product * tiedShare(counted[at]), (distinct * (distinct - 1)) / 2);
  if (pairs.length < TIED * byChance) return undefined;
  const equal = own.reduce((product, at) => product * equalShare(at, own, differ, counted), 1);
  const expected = (pairs.length * equal) / Math.max(1e-9, 1 - equal);
  return {
    columns: own.flatMap((at) => counted[at].column.columns.map(({ name }) => name)),
    rows,
    ofMany: rows >= MANY * distinct,
    // The Poisson probability of as many or more.
    mayEqual: (seen) => seen === 0 || 1 - chiSquaredUpperTail(2 * expected, 2 * seen) >= ALPHA,
  };
}

/**
 * How likely all pairs differ in one column by chance, which makes rows differ most in the columns of the most values.
 *
 * @param count number of the pairs
 */
function columnByChance(own: number, count: number, counted: readonly Counts[]): number {
  const odds = counted.map((each) => 1 / Math.max(1e-9, tiedShare(each)) - 1);
  return counted.length * power(odds[own] / sum(odds), count);
}

/** The share of the pairs of rows that are equal in a column. */
function tiedShare({ rows, placeOf }: Counts): number {
  const n = placeOf.length;
  return rows.reduce((sum, count) => sum + count * (count - 1), 0) / (n * (n - 1));
}

/** The share of the pairs that are equal in a column, among those that differ in another of a person's own. */
function equalShare(
  at: number,
  own: readonly number[],
  differ: readonly Uint8Array[],
  counted: readonly Counts[],
): number {
  const others = own.filter((other) => other !== at);
  if (others.length === 0) return tiedShare(counted[at]);
  let [all, equal] = [0, 0];
  for (let pair = 0; pair < differ[at].length; pair++) {
    if (!others.some((other) => differ[other][pair] === 1)) continue;
    all++;
    if (differ[at][pair] === 0) equal++;
  }
  return (equal + 0.5) / (all + 1);
}
