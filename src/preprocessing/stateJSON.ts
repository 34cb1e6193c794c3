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
  const entries = Object.entries(value);
  if (entries.length === 0) return {};
  const [[key, inner]] = entries;
  const made = entries.length === 1 ? MADE[key]?.(inner) : undefined;
  if (made === undefined) throw notAsWritten('A value of a saved step', 'be what `toJSON` gave', phrase('another one'));
  return made.value;
}

/** By key, what a value stands for; undefined for one that {@link stateToJSON} does not give. */
const MADE: Readonly<Record<string, (inner: unknown) => { readonly value: unknown } | undefined>> = {
  __proto__: null as never,
  number: (inner) => (NUMBERS.includes(inner) ? { value: Number(inner) } : undefined),
  bigint: (inner) => (typeof inner === 'string' && /^-?\d+$/.test(inner) ? { value: BigInt(inner) } : undefined),
  undefined: (inner) => (inner === true ? { value: undefined } : undefined),
  float64: (inner) => numbersAs(Float64Array, inner),
  int32: (inner) => numbersAs(Int32Array, inner),
  record(inner) {
    const isEntry = (each: unknown) => Array.isArray(each) && each.length === 2 && typeof each[0] === 'string';
    if (!Array.isArray(inner) || !inner.every(isEntry)) return undefined;
    return { value: Object.fromEntries(inner.map(([key, each]) => [key, stateFromJSON(each)])) };
  },
};

const NUMBERS: readonly unknown[] = ['NaN', 'Infinity', '-Infinity', '-0'];

function numbersAs(Type: typeof Float64Array | typeof Int32Array, inner: unknown) {
  if (!Array.isArray(inner)) return undefined;
  const numbers = inner.map(stateFromJSON);
  if (!numbers.every((each) => typeof each === 'number')) return undefined;
  const value = Type.from(numbers as number[]);
  return Type === Int32Array && !numbers.every((each, at) => Object.is(each, value[at])) ? undefined : { value };
}
