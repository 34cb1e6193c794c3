/**
 * Pairs that share what is known of a clinic, a day or both: there are more of them than columns that know nothing of each
 * other would give, so that one of them comes near in the columns that are left.
 */
import { chiSquaredUpperTail } from '../../core/upperTails.js';
import { gather } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column, Features } from '../features/columns.js';
import { addColumn, columnHash, emptyHash, type RowHash } from '../features/contentHash.js';
import { equalPairs } from '../features/equalRows.js';
import { ALPHA } from './calibration.js';

/** So many times as many pairs share the cells as would if each column were drawn on its own. */
const TIED = 10;

interface Rows {
  /** Code of the patient of each row; left out, rows are on their own. */
  readonly codes?: Int32Array | undefined;
  /** Pairs of rows that folds put on two sides, or more. */
  readonly crossPairs: number;
}

/**
 * Whether chance brings two rows of a table as near as they are, given the columns in which they are equal: so many pairs
 * are equal there, and so often are the gaps in the other columns that small, by Fisher's product of the shares. One of
 * the equal columns may be so by chance alone: the pairs that are equal in the others are looked at, too.
 *
 * Source: Fisher 1932, Statistical Methods for Research Workers, section 21.1.
 */
export function isNearByShared({ n, columns }: Features, { codes, crossPairs }: Rows, pair: readonly [number, number]) {
  const [first, second] = pair;
  const isEqual = ({ values }: Column) => Object.is(values[first] + 0, values[second] + 0);
  const equal = columns.filter(isEqual);
  const rest = columns.filter((column) => !isEqual(column));
  if (equal.length < 2 || rest.length === 0) return false;
  const patients = codes && columnHash({ values: Float64Array.from(codes) });
  const pairsIn = (hash: RowHash) => equalPairs(hash) - (patients ? equalPairs(joined(hash, patients, 1)) : 0);
  const all = emptyHash(n);
  equal.forEach((column, at) => {
    addColumn(all, column, at);
  });
  const inAll = (n * (n - 1)) / 2;
  const ties = equal.map((column) => equalPairs(columnHash(column)) / inAll);
  const sharing = pairsIn(all);
  if (sharing < TIED * inAll * ties.reduce((product, share) => product * share, 1)) return false;
  const gaps = rest.map((column) => shareWithin(column, first, second));
  const expected = (pairs: number, shares: readonly number[]) =>
    pairs *
    (crossPairs / inAll) *
    chiSquaredUpperTail(-2 * shares.reduce((logs, share) => logs + Math.log(share), 0), 2 * shares.length);
  return (
    expected(sharing, gaps) >= ALPHA ||
    equal.some((column, at) => {
      const own = emptyHash(n);
      addColumn(own, column, at);
      return expected(pairsIn(joined(all, own, -1)), [...gaps, ties[at]]) >= ALPHA;
    })
  );
}

/** The sum of two hashes, or their difference. */
const joined = (a: RowHash, b: RowHash, sign: 1 | -1): RowHash => ({
  high: a.high.map((word, row) => word + sign * b.high[row]),
  low: a.low.map((word, row) => word + sign * b.low[row]),
});

/** The share of the pairs of rows that are no further apart in a column than two rows are; 1 for names and missing cells. */
function shareWithin({ kind, values }: Column, first: number, second: number): number {
  const gap = Math.abs(values[first] - values[second]);
  if (kind === 'category' || !(gap < Infinity)) return 1;
  const sorted = gather(values, columnRanks({ values }).order);
  let within = 0;
  for (let from = 0, to = 0; to < sorted.length; to++) {
    while (sorted[to] - sorted[from] > gap) from++;
    within += to - from;
  }
  return within / ((sorted.length * (sorted.length - 1)) / 2);
}
