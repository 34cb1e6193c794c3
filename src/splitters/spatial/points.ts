import { InvalidDataError, invalidData, kindOf, phrase, sentence } from '../../core/errors.js';
import { checkLength } from '../../data/sideData.js';

/** Squares of larger differences overflow. */
const LARGEST = 1e150;

export interface Points {
  readonly values: Float64Array;
  readonly width: number;
}

export const rowsIn = ({ values, width }: Points): number => values.length / width;

export function pointsOf(rows: ArrayLike<ArrayLike<number>>, name: string): Points {
  if (rows.length === 0) throw new InvalidDataError(sentence(name, 'have at least one row', phrase('none')));
  const width = rows[0]?.length;
  if (!(width > 0)) throw new InvalidDataError(sentence(`Row 0 of ${name}`, 'be an array of numbers', kindOf(rows[0])));
  const values = new Float64Array(rows.length * width);
  for (let row = 0; row < rows.length; row++) {
    const found = rows[row]?.length;
    if (found !== width) {
      const got = found === undefined ? kindOf(rows[row]) : String(found);
      throw invalidData('ragged_rows', `Row ${row} of ${name}`, `have ${width} values, as row 0 has`, got);
    }
    for (let j = 0; j < width; j++) values[row * width + j] = finite(rows[row][j], `${name} row ${row} column ${j}`);
  }
  return { values, width };
}

export function pointsFromColumns(
  columns: Readonly<Record<string, ArrayLike<number>>>,
  n: number,
  name: string,
): Points {
  const named = Object.entries(columns);
  const width = named.length;
  if (width === 0) throw new InvalidDataError(sentence(name, 'hold at least one variable', phrase('none')));
  const values = new Float64Array(n * width);
  for (const [j, [variable, column]] of named.entries()) {
    checkLength(column, n, `${name}.${variable}`);
    for (let row = 0; row < n; row++) values[row * width + j] = finite(column[row], `${name}.${variable} row ${row}`);
  }
  return { values, width };
}

function finite(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new InvalidDataError(sentence(where, 'be a finite number', kindOf(value)));
  }
  if (Math.abs(value) > LARGEST) {
    throw new InvalidDataError(sentence(where, `lie between -${LARGEST} and ${LARGEST}`, kindOf(value)));
  }
  return value;
}

/** Mean 0 and standard deviation 1 over `like` (n - 1 in the denominator, as R's `scale`); constant columns become 0. */
export function standardized({ values, width }: Points, like: Points = { values, width }): Points {
  const out = new Float64Array(values.length);
  for (let j = 0; j < width; j++) {
    const { mean, deviation } = momentsOf(like, j);
    for (let at = j; at < values.length; at += width) out[at] = (values[at] - mean) / deviation;
  }
  return { values: out, width };
}

function momentsOf({ values, width }: Points, column: number): { mean: number; deviation: number } {
  const n = rowsIn({ values, width });
  const sumOf = (each: (value: number) => number) => {
    let sum = 0;
    for (let at = column; at < values.length; at += width) sum += each(values[at]);
    return sum;
  };
  // Counted from the first value, so that equal numbers differ from their mean by 0 without rounding.
  const first = values[column];
  const mean = first + sumOf((value) => value - first) / n;
  return { mean, deviation: Math.sqrt(sumOf((value) => (value - mean) ** 2) / (n - 1)) || 1 };
}
