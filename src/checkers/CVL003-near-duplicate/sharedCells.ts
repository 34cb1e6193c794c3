/**
 * Pairs that share what is known of a clinic, a day or both: there are more of them than columns that know nothing of each
 * other would give, so that one of them comes near in the columns that are left.
 */
import { sum } from '../../core/numbers.js';
import { chiSquaredUpperTail } from '../../core/pValues.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { addColumn, addTo, emptyHash } from '../features/contentHash.js';
import { equalPairs } from '../features/equalRows.js';
import { ALPHA } from './calibration.js';
import { byRow } from './neighbours.js';

/** So many times as many pairs share the cells as would if each column were drawn on its own. */
const TIED = 10;
/** Values that are read in all; pairs beyond are reported. */
const BUDGET = 2e9;
/** What it takes to hash a cell, in values that are read. */
const HASHED = 10;
/** Values of a column that stand for all. */
const SAMPLE = 10_000;

interface Pair {
  readonly first: number;
  readonly second: number;
}

interface Table {
  readonly n: number;
  readonly columns: readonly Column[];
  readonly codes?: Int32Array | undefined;
  readonly crossPairs: number;
}

/**
 * Says whether chance brings pairs as near as one that was found (by its place), where the columns in which it is equal are
 * given: so many other pairs are equal there, and so often are the gaps in the other columns as small, by Fisher's product of
 * the shares. Pairs that were found do not count among the others, since they may be copies.
 *
 * Source: Fisher 1932, Statistical Methods for Research Workers, section 21.1.
 */
export async function sharedCells(
  { n, columns, codes, crossPairs }: Table,
  found: readonly Pair[],
): Promise<(at: number) => boolean> {
  const inAll = (n * (n - 1)) / 2;
  const equal: Uint8Array[] = [];
  for (const pair of found) {
    await yieldToPage();
    equal.push(Uint8Array.from(columns, ({ values }) => Number(isEqual(values, pair))));
  }
  const counts = new Map<string, number>();
  let read = 0;
  /** The hash of a column, and the share of the pairs of rows that are equal there. */
  const hashOf = byRow((place) => {
    const hash = emptyHash(n);
    addColumn(hash, columns[place], place);
    return { hash, tied: equalPairs(hash) / inAll };
  });
  /** Pairs of different patients that are equal in the marked columns, without those that were found. */
  const pairsEqualIn = (marked: Uint8Array): number => {
    const known = counts.get(marked.join(''));
    if (known !== undefined) return known;
    read += HASHED * n * columns.length;
    const hash = emptyHash(n);
    marked.forEach((mark, place) => {
      if (mark === 1) addTo(hash, hashOf(place).hash);
    });
    let pairs = equalPairs(hash) - equal.filter((each) => marked.every((mark, at) => mark <= each[at])).length;
    if (codes) {
      addColumn(hash, { values: Float64Array.from(codes) }, columns.length);
      pairs -= equalPairs(hash);
    }
    counts.set(marked.join(''), pairs);
    return pairs;
  };
  const sortedOf = byRow((place) => {
    const { values } = columns[place];
    const { order } = columnRanks({ values });
    const step = Math.ceil(order.length / SAMPLE);
    return gather(
      values,
      order.filter((_, at) => at % step === 0),
    );
  });
  /** The share of the pairs of rows that differ by no more than a pair in a column; 1 for names and missing cells, which differ. */
  const shareWithin = (place: number, { first, second }: Pair): number => {
    const { values, kind } = columns[place];
    const gap = Math.abs(values[first] - values[second]);
    if (kind === 'category' || !(gap < Infinity)) return 1;
    const sorted = sortedOf(place);
    read += sorted.length;
    let within = 0;
    for (let from = 0, to = 0; to < sorted.length; to++) {
      while (sorted[to] - sorted[from] > gap) from++;
      within += to - from;
    }
    return Math.max(1, within) / Math.max(1, (sorted.length * (sorted.length - 1)) / 2);
  };
  return (at) => {
    const [unequal, shared] = [0, 1].map((mark) => [...columns.keys()].filter((place) => equal[at][place] === mark));
    if (shared.length < 2 || unequal.length === 0 || read > BUDGET) return false;
    const pairs = pairsEqualIn(equal[at]);
    if (pairs < TIED * shared.reduce((product, place) => product * hashOf(place).tied, inAll)) return false;
    const score = -2 * sum(unequal.map((place) => Math.log(shareWithin(place, found[at]))));
    return (pairs * chiSquaredUpperTail(score, 2 * unequal.length) * crossPairs) / inAll >= ALPHA;
  };
}

const isEqual = (values: Float64Array, { first, second }: Pair) => Object.is(values[first] + 0, values[second] + 0);
