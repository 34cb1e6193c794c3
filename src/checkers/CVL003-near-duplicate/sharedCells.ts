/**
 * Pairs that share what is known of a clinic, a day or both: there are more of them than columns that know nothing of each
 * other would give, so that one of them comes near in the columns that are left.
 */
import { chiSquaredUpperTail } from '../../core/pValues.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { addColumn, addTo, emptyHash, type RowHash } from '../features/contentHash.js';
import { equalPairs } from '../features/equalRows.js';
import { ALPHA } from './calibration.js';

/** So many times as many pairs share the cells as would if each column were drawn on its own. */
const TIED = 10;
/** Values that are read in all; pairs beyond are reported. */
const BUDGET = 2e9;

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
 * Whether chance brings pairs as near as those that were found, where the columns in which they are equal are given: so many other pairs
 * are equal there, and so often are the gaps in the other columns as small, by Fisher's product of the shares. Pairs that
 * were found do not count among the others, since they may be copies.
 *
 * Source: Fisher 1932, Statistical Methods for Research Workers, section 21.1.
 */
export class SharedCells {
  readonly #table: Table;
  /** Of each pair that was found, 1 for each column in which it is equal. */
  readonly #equal: readonly Uint8Array[];
  readonly #hashes = new Map<number, { readonly hash: RowHash; readonly tied: number }>();
  readonly #counts = new Map<string, number>();
  #read = 0;

  constructor(
    table: Table,
    readonly found: readonly Pair[],
  ) {
    this.#table = table;
    this.#equal = found.map((pair) => Uint8Array.from(table.columns, ({ values }) => Number(isEqual(values, pair))));
  }

  /** Whether chance explains a pair, by its place among those that were found. */
  isChance(at: number): boolean {
    const { n, columns, crossPairs } = this.#table;
    const inAll = (n * (n - 1)) / 2;
    const equal = this.#equal[at];
    const [unequal, shared] = [0, 1].map((mark) => [...columns.keys()].filter((place) => equal[place] === mark));
    if (shared.length < 2 || unequal.length === 0 || this.#read > BUDGET) return false;
    const pairs = this.#pairsEqualIn(equal);
    if (pairs < TIED * shared.reduce((product, place) => product * this.#hashOf(place).tied, inAll)) return false;
    const logs = unequal.map((place) => Math.log(this.#shareWithin(place, this.found[at])));
    const score = -2 * logs.reduce((sum, log) => sum + log, 0);
    const share = chiSquaredUpperTail(score, 2 * logs.length);
    return (pairs * share * crossPairs) / inAll >= ALPHA;
  }

  /** Pairs of different patients that are equal in the marked columns, without those that were found. */
  #pairsEqualIn(marked: Uint8Array): number {
    const key = marked.join('');
    let pairs = this.#counts.get(key);
    if (pairs === undefined) {
      const { n, columns, codes } = this.#table;
      this.#read += n * columns.length;
      const hash = emptyHash(n);
      marked.forEach((mark, place) => {
        if (mark === 1) addTo(hash, this.#hashOf(place).hash);
      });
      const found = this.#equal.filter((equal) => marked.every((mark, at) => mark <= equal[at])).length;
      pairs = equalPairs(hash) - found;
      if (codes) {
        addColumn(hash, { values: Float64Array.from(codes) }, columns.length);
        pairs -= equalPairs(hash);
      }
      this.#counts.set(key, pairs);
    }
    return pairs;
  }

  /** The share of the pairs of rows that differ by no more than a pair in a column; 1 for names and missing cells, which differ. */
  #shareWithin(place: number, { first, second }: Pair): number {
    const { values, kind } = this.#table.columns[place];
    const gap = Math.abs(values[first] - values[second]);
    if (kind === 'category' || !(gap < Infinity)) return 1;
    const { order } = columnRanks({ values });
    this.#read += order.length;
    let within = 0;
    for (let from = 0, to = 0; to < order.length; to++) {
      while (values[order[to]] - values[order[from]] > gap) from++;
      within += to - from;
    }
    return Math.max(1, within) / Math.max(1, (order.length * (order.length - 1)) / 2);
  }

  /** The hash of a column, and the share of the pairs of rows that are equal there. */
  #hashOf(place: number): { readonly hash: RowHash; readonly tied: number } {
    const { n, columns } = this.#table;
    let known = this.#hashes.get(place);
    if (!known) {
      const hash = emptyHash(n);
      addColumn(hash, columns[place], place);
      known = { hash, tied: equalPairs(hash) / ((n * (n - 1)) / 2) };
      this.#hashes.set(place, known);
    }
    return known;
  }
}

const isEqual = (values: Float64Array, { first, second }: Pair) => Object.is(values[first] + 0, values[second] + 0);
