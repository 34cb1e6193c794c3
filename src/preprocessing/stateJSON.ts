/** Plain data with typed arrays, NaN and Infinity as JSON values, and back. */
import { phrase } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import { notAsWritten } from '../core/shape.js';

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

/** What {@link stateToJSON} was given. Throws {@link InvalidDataError} for anything else. */
export function stateFromJSON(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stateFromJSON);
  if (!isPlainObject(value)) return value;
  const [[key, inner] = [], ...others] = Object.entries(value);
  if (key === undefined) return {};
  if (others.length === 0) {
    if (key === 'number' && NUMBERS.includes(inner)) return Number(inner);
    if (key === 'bigint' && typeof inner === 'string' && /^-?\d+$/.test(inner)) return BigInt(inner);
    if (key === 'undefined' && inner === true) return undefined;
    if (key === 'record' && Array.isArray(inner) && inner.every(isEntry)) {
      return Object.fromEntries(inner.map(([name, each]) => [name, stateFromJSON(each)]));
    }
    const numbers = Array.isArray(inner) ? inner.map(stateFromJSON) : [undefined];
    if (key === 'float64' && numbers.every((each) => typeof each === 'number')) return Float64Array.from(numbers);
    if (key === 'int32' && numbers.every((each) => typeof each === 'number' && Object.is(each, each | 0))) {
      return Int32Array.from(numbers as number[]);
    }
  }
  throw notAsWritten('A value of a saved step', 'be what `toJSON` gave', phrase('another one'));
}

const isEntry = (each: unknown) => Array.isArray(each) && each.length === 2 && typeof each[0] === 'string';
const NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity', '-0'];
