/** Plain data with typed arrays, NaN and Infinity as JSON values, and back. */
import { isPlainObject } from '../core/options.js';

/** Keys that JSON values of ours have in the place of what JSON does not know. */
const TYPES = { float64: Float64Array, int32: Int32Array } as const;

/** The value as JSON values: numbers keep every bit. */
export function stateToJSON(value: unknown): unknown {
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { number: text(value) };
  if (value === undefined) return { undefined: true };
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof Float64Array) return { float64: Array.from(value, stateToJSON) };
  if (value instanceof Int32Array) return { int32: Array.from(value) };
  if (Array.isArray(value)) return value.map(stateToJSON);
  if (!isPlainObject(value)) return value;
  if (Object.keys(value).length === 0) return {};
  return { record: Object.entries(value).map(([key, each]) => [key, stateToJSON(each)]) };
}

const text = (value: number) => (Object.is(value, -0) ? '-0' : String(value));

/** What {@link stateToJSON} was given. */
export function stateFromJSON(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stateFromJSON);
  if (!isPlainObject(value)) return value;
  if (typeof value.number === 'string') return Number(value.number);
  if (typeof value.bigint === 'string') return BigInt(value.bigint);
  if (value.undefined === true) return undefined;
  for (const [key, Type] of Object.entries(TYPES)) {
    if (Array.isArray(value[key])) return Type.from(value[key].map(stateFromJSON) as number[]);
  }
  if (!Array.isArray(value.record)) return {};
  return Object.fromEntries(value.record.map(([key, each]: [string, unknown]) => [key, stateFromJSON(each)]));
}
