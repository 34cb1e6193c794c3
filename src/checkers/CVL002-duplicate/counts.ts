/** How many rows have each value of a column. */
import { DistinctNumbers } from '../features/distinctNumbers.js';
import { type CellColumn, keyAt } from './cells.js';

/** The values of a column among a sample of the rows. */
export interface Counts {
  readonly column: CellColumn;
  /** Places of the values, by their keys. */
  readonly places: DistinctNumbers;
  /** Place of the value of each row of the sample. */
  readonly placeOf: Int32Array;
  /** Number of rows at each place. */
  readonly rows: Int32Array;
  /** Of the values, in nats: how much the column tells. */
  readonly entropy: number;
}

export function countsIn(column: CellColumn, sample: Int32Array): Counts {
  const n = sample.length;
  const places = new DistinctNumbers(n);
  const counts = new Int32Array(n);
  const placeOf = sample.map((row) => places.add(keyAt(column, row)));
  for (const place of placeOf) counts[place]++;
  const rows = counts.slice(0, places.size);
  const entropy = rows.reduce((nats, count) => nats - (count / n) * Math.log(count / n), 0);
  return { column, places, placeOf, rows, entropy };
}
