import { gather, rowNumbers } from '../../core/labels.js';
import type { Column } from '../features.js';

/** A column is fine when it differs in so many of the rows. */
const FINE = 0.95;
/** Rows that are looked at. */
const SAMPLE = 20_000;

/** Whether the column is different in nearly every row. */
export const isFine = ({ values }: Pick<Column, 'values'>) => new Set(values).size >= FINE * values.length;

/**
 * The columns that are different in nearly every row, where copies are looked at once.
 *
 * @param codes cluster of each row as `equalRows` numbers them, by their first rows
 */
export function fineColumns(columns: readonly Column[], codes: Int32Array): Column[] {
  let next = 0;
  const single = rowNumbers(codes.length).filter((row) => codes[row] < 0 || (codes[row] === next && next++ >= 0));
  const step = Math.ceil(single.length / SAMPLE);
  const rows = single.filter((_, at) => at % step === 0);
  return columns.filter(({ values }) => isFine({ values: gather(values, rows) }));
}
