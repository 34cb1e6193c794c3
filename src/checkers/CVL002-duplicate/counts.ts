import { tally } from '../../data/encode.js';
import { DistinctNumbers } from '../features/distinctNumbers.js';
import { type CellColumn, keyAt } from './cells.js';

export interface Counts {
  readonly column: CellColumn;
  readonly places: DistinctNumbers;
  readonly placeOf: Int32Array;
  readonly rows: Int32Array;
  /** Of the values, in nats: how much the column tells. */
  readonly entropy: number;
}

/** A scale of fewer values may be that of a question. */
const SCALE = 13;

export const isScale = ({ places }: Counts): boolean => places.size < SCALE;

/** Whether a column holds numbers, and more of them than a question has answers. */
export const isMeasure = (counts: Counts): boolean =>
  !counts.column.folded && counts.column.columns.length === 1 && !isScale(counts);

export function countsIn(column: CellColumn, sample: Int32Array): Counts {
  const n = sample.length;
  const places = new DistinctNumbers(n);
  const placeOf = new Int32Array(n);
  for (let at = 0; at < n; at++) placeOf[at] = places.add(keyAt(column, sample[at]));
  const counts = tally(placeOf, n);
  const rows = counts.slice(0, places.size);
  const entropy = rows.reduce((nats, count) => nats - (count / n) * Math.log(count / n), 0);
  return { column, places, placeOf, rows, entropy };
}
