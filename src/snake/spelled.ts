/** What cvkit gives out, under snake_case names. */

import { snakeCase } from '../core/names.js';
import { INSPECT } from '../core/summaryText.js';
import { isSplitter, type Splitter } from '../splitters/splitter.js';
import { arranged, type Positions } from './arranged.js';
import { type Kind, kindOfField } from './fields.js';
import { reader } from './given.js';
import { POSITIONS, positionsOf } from './positions.js';
import { attempt, CALLS, inSnakeCase } from './respelled.js';
import { link, placed, sourceOf, spelledOf } from './sources.js';
import { unknownNames } from './unknownName.js';

/**
 * A value of cvkit with snake_case names. Instances and plain objects are wrapped, once each: their fields are read when
 * they are asked for. Lists are spelled entry by entry. What has no name of ours (numbers, typed arrays, dates, maps,
 * errors) is given as it is, and so is what belongs to the caller.
 */
export function spelled(value: unknown, kind: Kind = 'fields'): unknown {
  if (typeof value !== 'object' || value === null || kind === 'caller') return value;
  if (sourceOf(value)) return value;
  if (Array.isArray(value)) return spelledList(value, kind);
  if (value instanceof Promise) return value.then((each) => spelled(each, kind));
  // Typed arrays, dates, maps, errors, signals: they say what they are.
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  const known = spelledOf(value);
  if (known) return known;
  if (kind === 'record') return spelledRecord(value as Record<string, unknown>);
  // biome-ignore lint/suspicious/useIsArray: a fold is no array, and has the methods of one
  return value instanceof Array ? spelledFold(value) : link(value, wrapperOf(value));
}

/** Reads what callers give. */
export const given = reader(spelled);

/** Lists in which nothing is spelled, with the length that they had; they are read entry by entry in loops. */
const plain = new WeakMap<readonly unknown[], number>();

function spelledList(list: readonly unknown[], kind: Kind): readonly unknown[] {
  if (plain.get(list) === list.length) return list;
  const known = spelledOf(list) as readonly unknown[] | undefined;
  if (known?.length === list.length) return known;
  const made = list.map((each) => spelled(each, kind));
  if (made.some((each, at) => each !== list[at])) {
    return link(list, Object.isFrozen(list) ? Object.freeze(made) : made);
  }
  // Empty places may be filled later, without a change of length.
  if (Object.isFrozen(list) || !list.includes(undefined)) plain.set(list, list.length);
  return list;
}

/** The same keys. */
function spelledRecord(record: Record<string, unknown>): object {
  const entries = Object.entries(record).map(([key, each]): [string, unknown] => [key, spelled(each)]);
  return entries.every(([key, each]) => each === record[key]) ? record : link(record, Object.fromEntries(entries));
}

/** A fold is a pair as well; its names are single words, and its inner splitter is spelled. */
function spelledFold(fold: object): object {
  const { inner } = fold as { readonly inner?: object };
  if (!inner) return fold;
  return link(fold, Object.assign(Object.create(Object.getPrototypeOf(fold)), { ...fold, inner: spelled(inner) }));
}

/** An object whose names are those of `source`, read from it when they are asked for. */
function wrapperOf(source: object): object {
  const wrapper = Object.create(prototypeFor(Object.getPrototypeOf(source) ?? Object.prototype));
  Object.defineProperty(wrapper, INSPECT, { value: inspected });
  if (isSplitter(source)) Object.defineProperty(wrapper, 'toString', { value: () => writtenAs(source) });
  const fields = source as Record<string | symbol, unknown>;
  for (const name of Object.keys(source).filter(isPublic)) {
    let bound: unknown;
    Object.defineProperty(wrapper, snakeCase(name), {
      enumerable: true,
      configurable: true,
      get() {
        const value = fields[name];
        if (typeof value !== 'function') {
          return placed(spelled(value, kindOfField(name, source)), `\`${snakeCase(name)}\``);
        }
        if (kindOfField(name, source) === 'caller') return value;
        bound ??= method(name, () => source);
        return bound;
      },
    });
  }
  if (Object.hasOwn(source, Symbol.iterator)) {
    Object.defineProperty(wrapper, Symbol.iterator, { configurable: true, value: () => entriesOf(source) });
  }
  return wrapper;
}

const isPublic = (name: string) => !name.startsWith('_');

function* entriesOf(source: object): Generator<unknown> {
  for (const each of source as Iterable<unknown>) yield spelled(each);
}

const prototypes = new WeakMap<object, object>([[Object.prototype, unknownNames]]);

/** The methods and getters of a class under snake_case names; made once per class, as is what it extends. */
export function prototypeFor(prototype: object): object {
  const known = prototypes.get(prototype);
  if (known) return known;
  const { name } = prototype.constructor;
  const made = Object.create(prototypeFor(Object.getPrototypeOf(prototype) ?? Object.prototype));
  prototypes.set(prototype, made);
  const define = (key: string | symbol, descriptor: PropertyDescriptor) =>
    Object.defineProperty(made, key, { configurable: true, ...descriptor });
  for (const key of Object.getOwnPropertyNames(prototype)) {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
    if (key === 'constructor') define(key, { writable: true, value: { [name]: class {} }[name] });
    else if (!isPublic(key)) continue;
    else if (typeof value === 'function') {
      const places = positionsOf(name, snakeCase(key));
      CALLS.add(snakeCase(key));
      define(snakeCase(key), { writable: true, value: method(key, sourceOf, places) });
      // For JSON.stringify, and for programs that print.
      if (key === 'toJSON') define(key, { value: made[snakeCase(key)] });
    } else if (get) {
      define(snakeCase(key), {
        get(this: object) {
          const source = sourceOf(this);
          if (!source) return undefined;
          return placed(spelled(Reflect.get(source, key), kindOfField(key, source)), `\`${snakeCase(key)}\``);
        },
      });
    }
  }
  if (Object.hasOwn(prototype, Symbol.iterator)) {
    define(Symbol.iterator, {
      value(this: object) {
        return entriesOf(sourceOf(this) as object);
      },
    });
  }
  return made;
}

/** Arguments of `split` and `get_n_splits`, whatever the class. */
const OF_SPLITTERS: Readonly<Record<string, Positions>> = {
  split: POSITIONS.Splitter.split,
  getNSplits: POSITIONS.Splitter.get_n_splits,
};

/** A method of cvkit under its snake_case name: takes arguments by place as well, and gives what it gives, spelled. */
function method(name: string, sourceFor: (self: object) => object | undefined, positions = OF_SPLITTERS[name]) {
  const spelling = snakeCase(name);
  return {
    [spelling](this: object, ...args: unknown[]) {
      const source = sourceFor(this) as Record<string, (...args: unknown[]) => unknown>;
      const run = () => source[name](...given(positions ? arranged(spelling, args, positions) : args, positions));
      return attempt(() => placed(spelled(run(), kindOfField(name, source)), `The answer of ${spelling}`), args);
    },
  }[spelling];
}

const writtenAs = (splitter: Splitter) => inSnakeCase(String(splitter.toJSON?.() ?? splitter.constructor.name));

/** What `console.log` shows: what the object itself would show, or its fields, which are read on demand. */
function inspected(this: object): unknown {
  const source = sourceOf(this) as { [INSPECT]?(): unknown } | undefined;
  const text = source?.[INSPECT]?.();
  if (typeof text !== 'string') return isSplitter(source) ? writtenAs(source) : { ...this };
  // As it is written in code.
  if (text.startsWith(`${source?.constructor.name}(`)) return inSnakeCase(text);
  return Object.keys(source as object).reduce(
    (shown, name) => shown.replace(new RegExp(`\\b${name}\\b`, 'g'), snakeCase(name)),
    text,
  );
}
