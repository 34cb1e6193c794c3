/** Are equal rows copies of each other, or do rows of so few values coincide? */

import { incompleteBeta } from '../../core/incompleteBeta.js';
import { gather, rowNumbers } from '../../data/labels.js';
import type { Column } from '../features/columns.js';
import { columnHash, contentHash, hashWithin, hashWithout, type RowHash } from '../features/contentHash.js';
import { equalPairs, equalRows, firstRows, twoOfEach } from '../features/equalRows.js';
import { fineColumns, mayFollow } from './fineColumns.js';
import { isOffGrid } from './isOffGrid.js';
import { MORE, type Ruling, rulingColumns } from './rulingColumns.js';

export interface Verdict {
  readonly copies: boolean;
  /** Pairs of equal rows of different units, and how many of them chance would give. */
  readonly pairs: number;
  readonly expected: number;
}

/** Chance must be this unlikely before rows are called copies, though features agree together this many times as often. */
const ALPHA = 0.001;
const DEPENDENCE = 4;
/** Pairs that share rows are not independent: more than this many count as this many. */
const MOST_PAIRS = 1000;
/** Rows that the frequencies of values are taken from. */
const SAMPLE = 20_000;
const TURNS = 20;
/** Equal values in a column alone: fewer may be two limits of detection, or a mean in place of missing values. */
const FEW = 3;
/** In larger tables columns that follow from several others are not looked for, which would take too long. */
const MOST_CELLS = 1e7;
/** How often pairs that differ in two columns are counted: so many tables of rows, of so many cells in all. */
const TABLES = { most: 100, cells: 1e7, least: 10 };
/** Fewer pairs that differ in two columns say nothing; above so many times what they promise, equal rows are copies. */
const TWO_APART = { least: 10, excess: 1.5 };
/** So many pairs of different contents must be expected by chance, and so many more for each that is there. */
const [FEWEST, MARGIN] = [5, 3];
/** One column rules the others where so few of the rows differ. */
const COARSE = 0.2;

/**
 * Weighs pairs of rows that agree in all columns against pairs that agree in all but one.
 *
 * Independent columns: were column j equal by chance in a share c_j of the pairs, the first would be as many as the
 * second over sum_j (1 - c_j) / c_j, and, given both together, binomial. A column in which alone no pair differs says
 * nothing while there are others.
 *
 * Columns that go together: rows that follow a few patterns differ in many columns or in none. The pairs that differ in
 * two columns tell: among independent columns their number times that of equal pairs is at most half the square of the
 * second (Maclaurin's inequality).
 *
 * Columns that follow from others, as an index follows from height and weight, are no further proof: see
 * {@link mayFollow} and {@link rulingColumns}. The others alone are weighed.
 *
 * Common patterns, such as a questionnaire of zeros, make many pairs of one kind: copies must also be found where each
 * content counts once, however many rows have it.
 *
 * Rows of one unit are no pair: what a patient repeats, the folds keep together. One column alone: see
 * {@link isOffGrid}.
 *
 * @param units unit of each row of the columns, which the folds keep whole; left out, each row is one
 */
export function copiesOrChance(columns: readonly Column[], units?: Int32Array): Verdict {
  const n = columns[0].values.length;
  const hash = contentHash({ n, columns });
  const verdict = weighed(columns, units, false, hash);
  if (!verdict.copies) return verdict;
  const rows = twoOfEach(hash, units);
  if (rows.length === n) return verdict;
  return { ...verdict, copies: weighed(gathered(columns, rows), units && gather(units, rows)).copies };
}

/** @param ruled the columns rule each other: none is left out again */
function weighed(
  columns: readonly Column[],
  units: Int32Array | undefined,
  ruled = false,
  hash = contentHash({ n: columns[0].values.length, columns }),
): Verdict {
  const n = columns[0].values.length;
  const pairsIn = pairsOf(units);
  const pairs = pairsIn(hash);
  if (pairs === 0) return { copies: false, pairs, expected: 0 };
  if (columns.length === 1 && isOffGrid(columns[0])) return { copies: pairs >= FEW, pairs, expected: 0 };
  const near = pairsButOne(columns, hash, units).map((count) => count - pairs);
  const total = near.reduce((sum, count) => sum + count, 0);

  const sampled = new Int32Array(Math.min(n, SAMPLE)).map((_, at, { length }) => Math.floor((at * n) / length));
  const [sample, codes] = [gathered(columns, sampled), units && gather(units, sampled)];
  const sampledPairs = pairsOf(codes);
  const equal = sampledPairs(contentHash({ n: sampled.length, columns: sample }));
  const possible = sampledPairs(columnHash({ values: new Float64Array(sampled.length) }));
  const alone = sample.map((column) => sampledPairs(columnHash(column)));
  const agreeing = alone.filter((_, at) => total === 0 || near[at] > 0);
  if (agreeing.every((count) => count === possible)) return { copies: false, pairs, expected: pairs };
  // Copies agree in every column and would make values look frequent: those beyond chance are taken off, in turns.
  let [odds, expected] = [0, 0];
  for (let turn = 0; turn < TURNS; turn++) {
    const copies = equal * Math.max(0, 1 - expected / pairs);
    odds = agreeing.reduce((sum, count) => {
      const rate = (count - copies + 0.5) / (possible - copies + 1);
      return sum + (1 - rate) / rate;
    }, 0);
    expected = total / odds;
  }

  const scale = Math.min(1, Math.min(n / 2, MOST_PAIRS) / (pairs + total));
  const tail = incompleteBeta(DEPENDENCE / (DEPENDENCE + odds), pairs * scale, total * scale + 1);
  if (columns.length < 2 || tail >= ALPHA) return { copies: false, pairs, expected };
  const clusters = equalRows(hash).codes;
  const fine = fineColumns(columns, clusters);
  const coarse = columns.filter((column) => !fine.includes(column));
  const follows = (column: Column) => coarse.length > 0 && fine.includes(column) && mayFollow(column, coarse);
  const kept = columns.filter((column) => !follows(column));
  if (kept.length < columns.length && pairsIn(contentHash({ n, columns: kept })) === pairs) {
    return weighed(kept, units);
  }
  // Of columns that only equal rows agree in, one rules alone, or none does.
  const keys = columns.filter((_, at) => alone[at] === equal);
  const others = columns.filter((column) => !keys.includes(column));
  const small = !ruled && n * columns.length <= MOST_CELLS;
  const rulesAlone = small && firstRows(clusters).length <= COARSE * n;
  const canRule =
    rulesAlone || (small && others.length > 0 && pairsIn(contentHash({ n, columns: others })) <= (1 + MORE) * pairs);
  const found = canRule ? rulingColumns(columns, hash, { pairs, near, alone, pairsIn }) : { ruling: columns, more: 0 };
  const chance = found.ruling.length < columns.length ? chanceIn(found, columns, clusters, pairs, units) : 0;
  if (chance > 0) return { copies: false, pairs, expected: chance };
  const bound = total === 0 ? 0 : boundByTwoApart(columns, hash, { pairs, near, total, pairsIn });
  return { copies: pairs > TWO_APART.excess * bound, pairs, expected: Math.max(expected, bound) };
}

/**
 * Pairs of rows that agree in all columns, that one or not, for each column. Such rows agree in the half of the columns that
 * it is not in: others are not looked at.
 */
function pairsButOne(columns: readonly Column[], hash: RowHash, units: Int32Array | undefined): number[] {
  const middle = columns.length >> 1;
  const halves = [columns.slice(0, middle), columns.slice(middle)];
  return halves.flatMap((half, side) => {
    const other = halves[1 - side];
    const all = rowNumbers(hash.low.length);
    const { codes } = equalRows(contentHash({ n: all.length, columns: other }));
    const rows = other.length > 0 ? all.filter((row) => codes[row] >= 0) : all;
    const ofRows = { low: gather(hash.low, rows), high: gather(hash.high, rows) };
    const count = pairsOf(units && gather(units, rows));
    return gathered(half, rows).map((column, at) => count(hashWithout(ofRows, column, at + side * middle)));
  });
}

/** Counts pairs of equal hashes, but those of rows of one unit. */
const pairsOf = (units: Int32Array | undefined) => (hash: RowHash) =>
  equalPairs(hash) - (units ? equalPairs(hashWithin(hash, units)) : 0);

interface Counts {
  readonly pairs: number;
  /** Pairs that differ in one column alone, by column, and in all. */
  readonly near: readonly number[];
  readonly total: number;
  readonly pairsIn: (hash: RowHash) => number;
}

/** At most so many pairs are equal by chance; 0 when too few differ in two columns to say. Columns are taken in turn. */
function boundByTwoApart(columns: readonly Column[], hash: RowHash, { pairs, near, total, pairsIn }: Counts): number {
  const both = columns.flatMap((_, j) => columns.slice(0, j).map((_, k) => [j, k] as const));
  const tables = Math.min(both.length, TABLES.most, Math.max(TABLES.least, Math.floor(TABLES.cells / hash.low.length)));
  let found = 0;
  for (let at = 0; at < tables; at++) {
    const [j, k] = both[Math.floor((at * both.length) / tables)];
    found += pairsIn(hashWithout(hashWithout(hash, columns[j], j), columns[k], k)) - near[j] - near[k] - pairs;
  }
  return found < TWO_APART.least ? 0 : total ** 2 / 2 / ((found * both.length) / tables);
}

/**
 * How many pairs chance makes, where all columns may follow from the ruling ones and rows coincide in these; else 0. Were
 * the rows copies of independent columns, chance would bring other rows together in the ruling columns, too: rows of equal
 * content count as one there.
 *
 * @param more pairs that are equal in the ruling columns alone
 */
function chanceIn(
  { ruling, more }: Ruling,
  columns: readonly Column[],
  codes: Int32Array,
  pairs: number,
  units?: Int32Array,
) {
  const n = codes.length;
  if (ruling.length > 1) {
    const { copies, expected } = weighed(ruling, units, true);
    const single = (n / (n + 2 * pairs)) ** 2;
    return !copies && expected * single >= FEWEST + MARGIN * more * single ? expected : 0;
  }
  const contents = firstRows(codes);
  return contents.length <= COARSE * n && !gathered(columns, contents).some(isOffGrid) ? pairs : 0;
}

/** Columns at the rows given. */
export const gathered = (columns: readonly Column[], rows: Int32Array): Column[] =>
  columns.map((column) => ({ ...column, values: gather(column.values, rows) }));
