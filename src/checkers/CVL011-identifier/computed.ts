/** Is a column computed from others, as a sum score is from its items? */
import { gather, rowNumbers } from '../../data/labels.js';
import type { Column } from '../features/columns.js';
import { dot, OrthonormalBasis } from '../features/orthonormalBasis.js';
import { saysId } from '../features/suspects.js';

/** Rows that are compared; fewer than so many more than columns would give any column. */
const [COMPARED, SPARE] = [1000, 20];
/** What rounding leaves, of the variance. */
const ROUNDING = 1e-9;

/** A sum of multiples of other columns, to rounding. A column whose name says id is none. */
export function isComputed(column: Column, others: readonly Column[]): boolean {
  const numbers = others.filter(({ kind, dates }) => kind === 'number' && !dates);
  if (column.kind === 'category' || saysId(column.name) || numbers.length < 2) return false;
  const complete = rowNumbers(column.values.length).filter((row) =>
    [column, ...numbers].every(({ values }) => Number.isFinite(values[row])),
  );
  const rows = complete.filter((_, at) => at % Math.ceil(complete.length / COMPARED) === 0);
  if (rows.length < numbers.length + SPARE) return false;
  const centred = ({ values }: Column) => {
    const found = gather(values, rows);
    const mean = found.reduce((sum, value) => sum + value, 0) / found.length;
    return found.map((value) => value - mean);
  };
  const values = centred(column);
  const rest = new OrthonormalBasis(numbers.map(centred)).rest(values);
  return dot(rest, rest) <= ROUNDING * dot(values, values);
}
