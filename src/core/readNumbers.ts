import { type AdapterError, InvalidDataError, kindOf, sentence } from './errors.js';

/** A number as it is, and a bigint that a number holds exactly; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : Number.NaN;
}

/** In a fresh array. Throws for the first entry that is no number, or of which `must` does not hold. */
export function readNumbers(
  values: ArrayLike<unknown>,
  name: string,
  {
    must = 'be a finite number',
    holds = Number.isFinite as (value: number) => boolean,
    range = [0, 0] as readonly [number, number],
  } = {},
  Failure: typeof InvalidDataError | typeof AdapterError = InvalidDataError,
): Float64Array {
  const out = new Float64Array(values.length);
  for (let row = 0; row < out.length; row++) {
    out[row] = numberOf(values[row]);
    if (!holds(out[row])) throw new Failure(sentence(`${name} row ${row}`, must, kindOf(values[row], range)), { row });
  }
  return out;
}
