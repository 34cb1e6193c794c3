/** Dummies (0 or -1, and 1) that were made of one category, as that category again. */
import type { Column } from './columns.js';

export interface JoinedDummies {
  /** A category named by its first column: the levels are the names of the columns, and none of them. */
  readonly column: Column;
  readonly siblings: readonly Column[];
}

/** One for each group of siblings: see {@link siblingDummies}. A row is missing where cells are and none of them is 1. */
export function joinedDummies(columns: readonly Column[]): JoinedDummies[] {
  return siblingDummies(columns).map((group) => {
    const siblings = group.map((at) => columns[at]);
    const none = siblings.length;
    const values = new Float64Array(siblings[0].values.length).fill(none);
    siblings.forEach((sibling, code) => {
      sibling.values.forEach((value, row) => {
        if (value === 1) values[row] = code;
        else if (Number.isNaN(value) && values[row] === none) values[row] = Number.NaN;
      });
    });
    const levels = [...siblings.map(({ name }) => name), 'none of them'];
    return { column: { name: siblings[0].name, kind: 'category', values, levels }, siblings };
  });
}

/** So many rows would have two ones, were the columns of a group independent: else that none has says nothing. */
const SURPRISE = 5;
/** The same for a column that neither its name nor its place puts to the others. */
const STRANGER = 3;
/** Siblings stand no further apart than this: tables of thousands of flags stay quick. */
const REACH = 500;

/** A column of 0 and 1, or of -1 and 1. */
interface Flag {
  readonly at: number;
  /** Its place, not counting dummies of one value: a level that no row has leaves its neighbours side by side. */
  readonly place: number;
  readonly stem: string;
  /** A bit for each row with a 1. */
  readonly ones: Uint32Array;
  readonly count: number;
  readonly known: number;
}

/**
 * Places of columns that were made of one category (one-hot, dummy or indicator coding): 0 or 1, or -1 or 1, and no row has two
 * ones, though some may have none. Flags that are merely rare are no group: independent columns as frequent as these must be
 * expected to meet in five rows or more, unless each row has its one. No column is in two groups.
 */
export function siblingDummies(columns: readonly Pick<Column, 'name' | 'kind' | 'values'>[]): number[][] {
  let place = 0;
  const flags = columns.flatMap((column, at) => {
    const flag = flagOf(column, at, place);
    if (flag && (flag.count === 0 || flag.count === flag.known)) return [];
    place++;
    return flag ?? [];
  });
  const n = columns[0]?.values.length ?? 0;
  const taken = new Set<Flag>();
  const groups: number[][] = [];
  flags.forEach((seed, from) => {
    if (taken.has(seed)) return;
    const near = flags.slice(from + 1, from + 1 + REACH).filter((flag) => !taken.has(flag));
    const sameName = near.filter(({ stem }) => stem !== '' && stem === seed.stem);
    const group = groupAround(seed, [...new Set([...sameName, ...near])], n);
    if (!group) return;
    for (const flag of group) taken.add(flag);
    groups.push(group.map(({ at }) => at).sort((a, b) => a - b));
  });
  return groups;
}

/** The flags that no row has together with the seed or each other; undefined where that is no surprise. */
function groupAround(seed: Flag, others: readonly Flag[], n: number): Flag[] | undefined {
  const union = seed.ones.slice();
  const group = [seed];
  let [covered, surprise] = [seed.count, 0];
  for (const flag of others) {
    if (covered === seed.known) break;
    if (meets(union, flag.ones)) continue;
    const expected = (covered * flag.count) / n;
    const isNeighbour = group.some(({ place }) => Math.abs(place - flag.place) === 1);
    if (!isNeighbour && expected < STRANGER && (flag.stem === '' || flag.stem !== seed.stem)) continue;
    for (let word = 0; word < union.length; word++) union[word] |= flag.ones[word];
    group.push(flag);
    covered += flag.count;
    surprise += expected;
  }
  return group.length > 1 && (covered === seed.known || surprise >= SURPRISE) ? group : undefined;
}

function meets(a: Uint32Array, b: Uint32Array): boolean {
  for (let word = 0; word < a.length; word++) if ((a[word] & b[word]) !== 0) return true;
  return false;
}

function flagOf(
  { name, kind, values }: Pick<Column, 'name' | 'kind' | 'values'>,
  at: number,
  place: number,
): Flag | undefined {
  if (kind !== 'number') return undefined;
  const ones = new Uint32Array(Math.ceil(values.length / 32));
  let [count, known, low] = [0, 0, Number.NaN];
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (value === 1) {
      ones[row >> 5] |= 1 << (row & 31);
      count++;
    } else if (Number.isNaN(value)) {
      continue;
    } else {
      if ((value !== 0 && value !== -1) || (known > count && value !== low)) return undefined;
      low = value;
    }
    known++;
  }
  return { at, place, stem: stemOf(name), ones, count, known };
}

/** What stands before the level: `stage` of `stage_II`; nothing for `feature 7`, which is no name. */
function stemOf(name: string): string {
  const stem = /^(.*)[ _.:=-]/.exec(name)?.[1] ?? '';
  return stem.endsWith('feature') ? '' : stem;
}
