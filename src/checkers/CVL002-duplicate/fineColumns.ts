import { gather, rowNumbers } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { firstRows } from '../features/equalRows.js';
import { dot, OrthonormalBasis } from '../features/orthonormalBasis.js';

/** A column is fine when it differs in so many of the rows. */
const FINE = 0.95;
/** Rows that are looked at, and those that columns are compared in. */
const [SAMPLE, COMPARED] = [20_000, 1000];
/** A column of which others explain less of the variance of ranks does not follow from them. */
const EXPLAINED = 0.5;

/** Whether the column is different in nearly every row. */
export const isFine = ({ values }: Pick<Column, 'values'>) => new Set(values).size >= FINE * values.length;

/**
 * The columns that are different in nearly every row, where copies are looked at once.
 *
 * @param codes cluster of each row as `equalRows` numbers them, by their first rows
 */
export function fineColumns(columns: readonly Column[], codes: Int32Array): Column[] {
  const rows = thinned(firstRows(codes), SAMPLE);
  return columns.filter(({ values }) => isFine({ values: gather(values, rows) }));
}

/** Whether a column goes along with others so closely that it may be computed from them. */
export function mayFollow({ values }: Column, others: readonly Column[]): boolean {
  const rows = thinned(rowNumbers(values.length), COMPARED);
  const ranksOf = (of: Float64Array) => {
    const { ranks, order } = columnRanks({ values: gather(of, rows) });
    return ranks.map((rank) => (Number.isNaN(rank) ? 0 : rank - (order.length + 1) / 2));
  };
  const ranks = ranksOf(values);
  const rest = new OrthonormalBasis(others.map((other) => ranksOf(other.values))).rest(ranks);
  return dot(rest, rest) <= (1 - EXPLAINED) * dot(ranks, ranks);
}

const thinned = (rows: Int32Array, most: number) => rows.filter((_, at) => at % Math.ceil(rows.length / most) === 0);
