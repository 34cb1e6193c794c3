/**
 * Pairs that share what is known of a clinic, a day or both: there are more of them than columns that know nothing of each
 * other would give, so that one of them comes near in the columns that are left.
 */
import { chiSquaredUpperTail } from '../../core/pValues.js';
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { addColumn, addTo, emptyHash, type RowHash } from '../features/contentHash.js';
import { contentsOf, equalPairs } from '../features/equalRows.js';
import { ALPHA } from './calibration.js';

/** So many times as many pairs share the cells as would if each column were drawn on its own. */
const TIED = 10;
/** Cells that are read in all, to find pairs and to tell how near they are; pairs that are not asked about are reported. */
const [CELLS, SHARES] = [2e8, 2e9];
/** Rows that tell how near two rows are; pairs whose law is looked at, and rows that these are held against. */
const [SORTED, LOOKED, ROWS] = [10_000, 500, 1000];
/** Pairs that it takes to tell their law, from this part with the smallest gaps, or so many. */
const [FEWEST, TAIL, LEAST] = [20, 0.1, 8];

/** Two rows, by their numbers. */
interface Pair {
  readonly first: number;
  readonly second: number;
}

interface Table {
  readonly n: number;
  readonly columns: readonly Column[];
  /** Code of the patient of each row; left out, rows are on their own. */
  readonly codes?: Int32Array | undefined;
  /** Pairs of rows that folds put on two sides, at most. */
  readonly crossPairs: number;
}

/**
 * Tells of pairs that were found near whether chance brings two rows as near, given the columns in which they are equal: so
 * many other pairs are equal there, and so often are the gaps in the other columns as small, by Fisher's product of
 * the shares. Where the pairs that are equal have smaller gaps than that, as where clinics differ in their spread, the law
 * of their own smallest gaps counts. One of the equal columns may be so by chance alone: the pairs that are equal in
 * the others are looked at, too. Pairs that were found do not count among the others, since they may be copies.
 *
 * Source: Fisher 1932, Statistical Methods for Research Workers, section 21.1; Pickands 1975, Annals of Statistics 3:119 (the
 * exceedances of a high threshold, here exponential, as the logarithm of a share is).
 */
export class SharedCells {
  readonly #table: Table;
  /** Of each pair that was found, 1 for each column in which it is equal. */
  readonly #equal: readonly Uint8Array[];
  readonly #isFound: ReadonlySet<number>;
  readonly #hashes = new Map<number, { readonly hash: RowHash; readonly tied: number }>();
  readonly #laws = new Map<string, Law>();
  readonly #sorted = new Map<number, Float64Array>();
  #cells = 0;
  #shares = 0;

  constructor(
    table: Table,
    readonly found: readonly Pair[],
  ) {
    this.#table = table;
    this.#isFound = new Set(found.map(({ first, second }) => first * table.n + second));
    this.#equal = found.map((pair) => Uint8Array.from(table.columns, ({ values }) => Number(isEqual(values, pair))));
  }

  /** Whether chance explains a pair, by its place among those that were found. */
  isChance(at: number): boolean {
    const { columns } = this.#table;
    const equal = this.#equal[at];
    const shared = [...columns.keys()].filter((place) => equal[place] === 1);
    if (shared.length < 2 || shared.length === columns.length || this.#shares > SHARES) return false;
    const inAll = this.#inAll();
    const ties = shared.map((place) => this.#hashOf(place).tied);
    const alike = this.#lawOf(equal);
    if (alike.pairs < TIED * ties.reduce((product, share) => product * share, inAll)) return false;
    const gaps = columns.flatMap((_, place) => (equal[place] === 1 ? [] : [this.#shareWithin(place, this.found[at])]));
    if (this.#expected(alike, gaps) >= ALPHA) return true;
    return shared.some((place, own) => {
      const without = equal.slice();
      without[place] = 0;
      return this.#expected(this.#lawOf(without), [...gaps, ties[own]]) >= ALPHA;
    });
  }

  #inAll(): number {
    return (this.#table.n * (this.#table.n - 1)) / 2;
  }

  /** The pairs across folds that are expected to be equal there, and as near in the other columns. */
  #expected({ pairs, part, from, mean }: Law, gaps: readonly number[]): number {
    const score = scoreOf(gaps);
    const tail = score > from ? part * Math.exp((from - score) / mean) : 0;
    const share = Math.max(chiSquaredUpperTail(score, 2 * gaps.length), tail);
    return (pairs * share * this.#table.crossPairs) / this.#inAll();
  }

  /** What is known of the pairs that are equal in the marked columns; no pairs where finding out would take too long. */
  #lawOf(marked: Uint8Array): Law {
    const key = marked.join('');
    let law = this.#laws.get(key);
    if (!law) {
      const { n, columns, codes } = this.#table;
      this.#cells += n * columns.length;
      if (this.#cells > CELLS) return { pairs: 0, ...NO_LAW };
      const hash = emptyHash(n);
      marked.forEach((mark, place) => {
        if (mark === 1) addTo(hash, this.#hashOf(place).hash);
      });
      let pairs =
        equalPairs(hash) - this.#equal.filter((equal) => marked.every((mark, at) => mark <= equal[at])).length;
      const tail = this.#tailOf(marked, this.#others(hash));
      if (codes) {
        addColumn(hash, { values: Float64Array.from(codes) }, columns.length);
        pairs -= equalPairs(hash);
      }
      law = { pairs, ...tail };
      this.#laws.set(key, law);
    }
    return law;
  }

  /** The law of the largest scores of some pairs, where these are enough. */
  #tailOf(marked: Uint8Array, pairs: readonly Pair[]): Omit<Law, 'pairs'> {
    if (pairs.length < FEWEST) return NO_LAW;
    const count = Math.ceil(Math.max(TAIL * pairs.length, LEAST));
    const { n, columns } = this.#table;
    const step = Math.ceil(n / ROWS);
    const scores = new Float64Array(pairs.length);
    columns.forEach(({ values, kind }, place) => {
      if (marked[place] === 1) return;
      const some = Float64Array.from(values.filter((value, row) => row % step === 0 && !Number.isNaN(value))).sort();
      pairs.forEach((pair, at) => {
        const share = kind === 'category' ? this.#shareWithin(place, pair) : shareOfGaps(some, gapOf(values, pair));
        scores[at] += scoreOf([share]);
      });
    });
    scores.sort().reverse();
    const from = scores[count];
    return {
      part: count / pairs.length,
      from,
      mean: scores.subarray(0, count).reduce((sum, each) => sum + (each - from) / count, 1e-9),
    };
  }

  /** Some pairs of equal hashes and of different patients, none of those that were found. */
  #others(hash: RowHash): Pair[] {
    const { n, codes } = this.#table;
    const contents = contentsOf(hash);
    const before = new Int32Array(n).fill(-1);
    const pairs: Pair[] = [];
    for (let row = 0; row < n && pairs.length < LOOKED; row++) {
      const first = before[contents[row]];
      before[contents[row]] = row;
      if (first < 0 || (codes && codes[first] === codes[row]) || this.#isFound.has(first * n + row)) continue;
      pairs.push({ first, second: row });
    }
    return pairs;
  }

  /** The share of the pairs of rows that are no further apart in a column than two rows are; 1 for a missing cell. */
  #shareWithin(place: number, pair: Pair): number {
    const { values, kind } = this.#table.columns[place];
    if (kind === 'category') return isEqual(values, pair) ? this.#hashOf(place).tied : 1;
    const sorted = this.#sortedOf(place);
    this.#shares += sorted.length;
    return shareOfGaps(sorted, gapOf(values, pair));
  }

  /** Values of a column, ascending: of a long one some. */
  #sortedOf(place: number): Float64Array {
    let known = this.#sorted.get(place);
    if (!known) {
      const { values } = this.#table.columns[place];
      const { order } = columnRanks({ values });
      const step = Math.ceil(order.length / SORTED);
      known = gather(
        values,
        order.filter((_, at) => at % step === 0),
      );
      this.#sorted.set(place, known);
    }
    return known;
  }

  /** The hash of a column, and the share of the pairs of rows that are equal there. */
  #hashOf(place: number): { readonly hash: RowHash; readonly tied: number } {
    let known = this.#hashes.get(place);
    if (!known) {
      const hash = emptyHash(this.#table.n);
      addColumn(hash, this.#table.columns[place], place);
      known = { hash, tied: equalPairs(hash) / this.#inAll() };
      this.#hashes.set(place, known);
    }
    return known;
  }
}

/** Of the pairs that are equal in some columns: how many there are of different patients, without those that were found. */
interface Law {
  readonly pairs: number;
  /** So large a part of them has scores that begin here and are exponential beyond. */
  readonly part: number;
  readonly from: number;
  readonly mean: number;
}

/** Too few pairs tell nothing of how they are spread. */
const NO_LAW = { part: 0, from: Infinity, mean: 1 };

const isEqual = (values: Float64Array, { first, second }: Pair) => Object.is(values[first] + 0, values[second] + 0);

/** Fisher's sum of the logarithms of shares. */
const scoreOf = (shares: readonly number[]) => -2 * shares.reduce((logs, share) => logs + Math.log(share), 0);

const gapOf = (values: Float64Array, { first, second }: Pair) => Math.abs(values[first] - values[second]);

/** The share of the pairs of ascending values that are no further apart than a gap, which is that of one of them. */
function shareOfGaps(sorted: Float64Array, gap: number): number {
  if (!(gap < Infinity)) return 1;
  let within = 0;
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while (sorted[to] - sorted[from] > gap) from++;
    within += to - from;
  }
  return Math.max(1, within) / Math.max(1, (sorted.length * (sorted.length - 1)) / 2);
}
