/** Which numbers are one label in several columns. */
import type { Column } from '../features/columns.js';

/**
 * Numbers that repeat, and are the same in the same rows: what is known of a town is one label, not many directions. Where
 * all columns are so, rows are copies.
 */
export function labelColumns(columns: readonly Column[], rows: Int32Array): Set<Column> {
  const alike = new Map<string, Column[]>();
  for (const column of columns) {
    const places = column.kind === 'number' ? firstRows(column.values, rows) : undefined;
    if (places) alike.set(places, [...(alike.get(places) ?? []), column]);
  }
  return new Set([...alike.values()].filter(({ length }) => length > 1 && length < columns.length).flat());
}

/** The first row of the value of each row, as text; undefined where more than half are different. */
function firstRows(values: Float64Array, rows: Int32Array): string | undefined {
  const first = new Map<number, number>();
  const places: number[] = [];
  for (const row of rows) {
    const place = first.get(values[row]) ?? row;
    first.set(values[row], place);
    if (first.size > rows.length / 2) return undefined;
    places.push(place);
  }
  return places.join();
}
