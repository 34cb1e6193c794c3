/** Rows of numbers as one flat array: what clusters and nearest neighbours are searched in. */
import { InvalidDataError, sentence } from '../../core/errors.js';
import { checkLength } from '../../core/sideData.js';

/** n points of `width` numbers each, row after row. */
export interface Points {
  readonly values: Float64Array;
  readonly width: number;
}

/**
 * The points behind rows of numbers. Empty, ragged, missing and NaN rows are an {@link InvalidDataError} that names the
 * row.
 */
export function pointsOf(rows: ArrayLike<ArrayLike<number>>, name: string): Points {
  if (rows.length === 0) throw new InvalidDataError(sentence(name, 'have at least one row', { text: 'none' }));
  const width = rows[0]?.length;
  if (!(width > 0)) throw new InvalidDataError(sentence(`Row 0 of ${name}`, 'be an array of numbers', rows[0]));
  const values = new Float64Array(rows.length * width);
  for (let row = 0; row < rows.length; row++) {
    const found = rows[row]?.length;
    if (found !== width) {
      throw new InvalidDataError(
        sentence(`Row ${row} of ${name}`, `have ${width} values, as row 0 has`, { text: String(found ?? rows[row]) }),
        { code: 'ragged_rows' },
      );
    }
    for (let j = 0; j < width; j++) values[row * width + j] = finite(rows[row][j], `${name} row ${row} column ${j}`);
  }
  return { values, width };
}

/** One point per row from columns by name, for example `environment`. */
export function pointsFromColumns(
  columns: Readonly<Record<string, ArrayLike<number>>>,
  n: number,
  name: string,
): Points {
  const named = Object.entries(columns);
  const width = named.length;
  if (width === 0) throw new InvalidDataError(sentence(name, 'hold at least one variable', { text: 'none' }));
  const values = new Float64Array(n * width);
  for (const [j, [variable, column]] of named.entries()) {
    checkLength(column, n, `${name}.${variable}`);
    for (let row = 0; row < n; row++) values[row * width + j] = finite(column[row], `${name}.${variable} row ${row}`);
  }
  return { values, width };
}

function finite(value: unknown, where: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new InvalidDataError(sentence(where, 'be a finite number', value));
}

/**
 * The points with every column shifted to mean 0 and scaled to standard deviation 1 (n - 1 in the denominator, as R's
 * `scale`); a constant column becomes 0. `like` are the points whose mean and deviation count, by default these.
 */
export function standardized({ values, width }: Points, like: Points = { values, width }): Points {
  const out = new Float64Array(values.length);
  for (let j = 0; j < width; j++) {
    const { shift, unit, scale } = momentsOf(like, j);
    for (let at = j; at < values.length; at += width) out[at] = (values[at] / unit - shift) / scale;
  }
  return { values: out, width };
}

/** Mean and deviation of a column in units of its largest value, whose square would overflow for huge numbers. */
function momentsOf({ values, width }: Points, column: number): { shift: number; unit: number; scale: number } {
  const n = values.length / width;
  const each = (sum: (value: number) => number) => {
    let total = 0;
    for (let at = column; at < values.length; at += width) total += sum(values[at]);
    return total;
  };
  let unit = 0;
  for (let at = column; at < values.length; at += width) unit = Math.max(unit, Math.abs(values[at]));
  unit ||= 1;
  const shift = each((value) => value / unit) / n;
  // Equal numbers are 1 (or -1) in this unit, so that their deviation is 0 without rounding; a single one has none.
  const scale = Math.sqrt(each((value) => (value / unit - shift) ** 2) / (n - 1)) || 1;
  return { shift, unit, scale };
}

/**
 * A power of two of the size of the largest value. In this unit no square overflows, and to divide by it rounds nothing.
 */
export function unitOf(...lists: readonly Float64Array[]): number {
  let largest = 0;
  for (const values of lists) for (const value of values) largest = Math.max(largest, Math.abs(value));
  return largest > 0 ? 2 ** Math.floor(Math.log2(largest)) : 1;
}

/** The values in a unit of {@link unitOf}. */
export const inUnit = (values: Float64Array, unit: number): Float64Array => values.map((value) => value / unit);
