import { gather, rowNumbers } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { centred, dot } from '../features/orthonormalBasis.js';

/** So many others go so closely with it (rank correlation), over so many rows at least. */
const [OTHERS, CLOSE, ROWS] = [2, 0.75, 20];
/** Rows that are compared. */
const COMPARED = 1000;

/**
 * One quantity measured again and again, such as the height at nine ages or the points of a curve: several other columns
 * go closely with it. The number of a patient goes with hardly any.
 */
export function isOneOfSeries(column: Column, columns: readonly Column[]): boolean {
  if (column.kind === 'category') return false;
  let found = 0;
  for (const other of columns) {
    if (other === column || other.kind === 'category') continue;
    if (Math.abs(rankCorrelation(column, other)) >= CLOSE && ++found >= OTHERS) return true;
  }
  return false;
}

/** Over the rows that have both values, of ranks among all rows; 0 where they are too few. */
function rankCorrelation(a: Column, b: Column): number {
  const [first, second] = [columnRanks(a).ranks, columnRanks(b).ranks];
  const both = rowNumbers(first.length).filter((row) => !Number.isNaN(first[row] + second[row]));
  if (both.length < ROWS) return 0;
  const step = Math.ceil(both.length / COMPARED);
  const rows = both.filter((_, at) => at % step === 0);
  const [u, v] = [first, second].map((ranks) => centred(gather(ranks, rows)));
  const spread = Math.sqrt(dot(u, u) * dot(v, v));
  return spread > 0 ? dot(u, v) / spread : 0;
}
