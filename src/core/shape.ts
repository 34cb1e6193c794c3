/** What values that were read from a file must be: the file may be anybody's. */
import { InvalidDataError, kindOf, nearest, phrase, sentence } from './errors.js';
import { nameText } from './foreignText.js';
import { sum } from './numbers.js';
import { isPlainObject } from './options.js';

interface Fault {
  readonly at: string;
  readonly must: string;
  readonly got: unknown;
}

/** What is wrong with the value at a place; undefined where nothing is. */
export type Shape = (value: unknown, at: string) => Fault | undefined;

export const leaf =
  (must: string, accepts: (value: unknown) => boolean): Shape =>
  (value, at) =>
    accepts(value) ? undefined : { at, must, got: value };

export const anyValue = leaf('be there', (v) => v !== undefined);
export const text = leaf('be a text', (v) => typeof v === 'string');
export const flag = leaf('be true or false', (v) => typeof v === 'boolean');
export const finite = leaf('be a number', Number.isFinite);
export const label = leaf(
  'be a text, a number or a boolean',
  (v) => typeof v === 'string' || typeof v === 'boolean' || Number.isFinite(v),
);
/** A cell of a table; null is a missing one. */
export const cell = leaf('be a text, a number, a boolean or null', (v) => v === null || CELLS.includes(typeof v));
const CELLS = ['string', 'number', 'boolean', 'bigint'];
export const recordOfAny = leaf('be an object', isPlainObject);
export const oneText = (...texts: string[]): Shape =>
  leaf(`be one of ${texts.join(', ')}`, (v) => texts.includes(v as string));
export const whole = (end = Number.MAX_SAFE_INTEGER): Shape =>
  leaf(
    `be a whole number from 0 to before ${end}`,
    (v) => Number.isSafeInteger(v) && Number(v) >= 0 && Number(v) < end,
  );
/** Doubles, NaN among them; `range`: what `fits` asks of the others, in words. */
export const doubles = (length: number, range = '', fits = (_: number) => true): Shape =>
  leaf(
    `be ${length} numbers${range}`,
    (v) => v instanceof Float64Array && v.length === length && v.every((each) => Number.isNaN(each) || fits(each)),
  );
export const notNegative = (length: number): Shape => doubles(length, ' of at least 0', (each) => each >= 0);
export const positive = (length: number): Shape => doubles(length, ' above 0', (each) => each > 0);
const share = leaf('be a share, from 0 to 1', (v) => Number.isFinite(v) && Number(v) >= 0 && Number(v) <= 1);
export const shareList =
  (length: number): Shape =>
  (value, at) => {
    const fault = list(share, length)(value, at);
    if (fault || Math.abs(sum(value as number[]) - 1) <= 1e-6) return fault;
    return { at, must: 'add up to 1', got: value };
  };
export const orNull =
  (shape: Shape): Shape =>
  (value, at) =>
    value === null ? undefined : shape(value, at);
export const leftOutOr =
  (shape: Shape): Shape =>
  (value, at) =>
    value === undefined ? undefined : shape(value, at);

function firstFault<T>(parts: Iterable<T>, faultOf: (part: T) => Fault | undefined): Fault | undefined {
  for (const part of parts) {
    const fault = faultOf(part);
    if (fault) return fault;
  }
  return undefined;
}

export const list =
  (each: Shape, length?: number): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) return { at, must: 'be a list', got: value };
    if (length !== undefined && value.length !== length) return { at, must: `have ${length} entries`, got: value };
    return firstFault(value.entries(), ([place, entry]) => each(entry, `${at}[${place}]`));
  };

const within = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);

export const hasFields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    if (typeof value !== 'object' || value === null) return { at, must: 'be an object', got: value };
    const own = value as Readonly<Record<string, unknown>>;
    return firstFault(Object.entries(shapes), ([name, shape]) =>
      shape(Object.hasOwn(own, name) ? own[name] : undefined, within(at, name)),
    );
  };

export const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    if (!isPlainObject(value)) return { at, must: 'be an object', got: value };
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(shapes, name));
    if (unknown === undefined) return hasFields(shapes)(value, at);
    const known = nearest(unknown, Object.keys(shapes)) ?? Object.keys(shapes).join(', ');
    return { at: within(at, nameText(unknown)), must: `be one of the known fields (${known})`, got: value[unknown] };
  };

/** The value, where it has the shape; else throws an {@link InvalidDataError} that names the field. */
export function checkedShape<T>(shape: Shape, value: unknown, subject: string): T {
  const fault = shape(value, '');
  if (!fault) return value as T;
  const { at, must, got } = fault;
  throw notAsWritten(at === '' ? subject : `The field ${at} of ${lowerFirst(subject)}`, must, kindOf(got));
}

const lowerFirst = (subject: string) => subject.charAt(0).toLowerCase() + subject.slice(1);

export const notAsWritten = (subject: string, must: string, got: unknown, way?: string): InvalidDataError =>
  new InvalidDataError(sentence(subject, must, got, way), { code: 'other_json' });

export function parsedJSON(text: string, subject: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text, reviver);
  } catch {
    // Without the cause: it quotes the text of the file.
    throw notAsWritten(subject, 'be JSON', phrase('text that is none'));
  }
  return checkPlain(value, subject);
}

/** Refuses what JSON does not hold, and what is nested deeper than anything that is saved. */
export function checkPlain<T>(value: T, subject: string): T {
  const isNested = (each: unknown) => (typeof each === 'object' && each !== null) || typeof each === 'function';
  let level: unknown[] = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw notAsWritten(subject, `be nested ${DEEPEST} deep at most`, phrase('more'));
    const foreign = level.find((each) => !Array.isArray(each) && !isPlainObject(each));
    if (foreign !== undefined) throw notAsWritten(subject, 'hold plain JSON values', kindOf(foreign));
    level = level.flatMap((each) => Object.values(each as object).filter(isNested));
  }
  return value;
}

const DEEPEST = 200;
