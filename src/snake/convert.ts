/** Values of cvkit under snake_case names (`toSnake`), arguments of callers for cvkit (`fromSnake`), and what does both. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { isClass } from '../core/isClass.js';
import { snakeCase } from '../core/names.js';
import { isPlainObject } from '../core/options.js';
import { recordable } from '../core/recordable.js';
import { INSPECT } from '../core/summaryText.js';
import { isSplitter, type Splitter } from '../splitters/splitter.js';
import {
  bindArguments,
  CALLABLE,
  type Positions,
  positionsOf,
  snakeCaseMessage,
  withSnakeErrors,
} from './arguments.js';
import { type Kind, kindOfField, namesOf, PLACE, unknownNames } from './names.js';
import type { SnakeClass, SnakeFunction } from './types.js';

/** The object of cvkit behind one in snake_case. */
const sources = new WeakMap<object, object>();
/** What was converted before, and the length of a list at that time. A list in which no name changes stands for itself. */
const converted = new WeakMap<object, { readonly form: object; readonly length: unknown }>([
  [Object.prototype, { form: unknownNames, length: undefined }],
]);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const lengthOf = (value: object): unknown => (Array.isArray(value) ? value.length : undefined);

function link<T extends object>(source: object, form: T): T {
  sources.set(form, source);
  converted.set(source, { form, length: lengthOf(source) });
  return form;
}

/** A value of cvkit with snake_case names. What has no name of ours, or is the caller's, stays as it is. `place`: where it is read, for messages. */
export function toSnake(value: unknown, kind: Kind = 'fields', place?: string): unknown {
  if (!isObject(value) || kind === 'caller' || sources.has(value)) return value;
  if (value instanceof Promise) return value.then((each) => toSnake(each, kind, place));
  const isList = Array.isArray(value);
  // Typed arrays, dates, maps, errors, signals have names of the platform.
  if (!isList && Object.prototype.toString.call(value) !== '[object Object]') return value;
  const known = converted.get(value);
  if (known && known.length === lengthOf(value)) return known.form;
  if (isList) return listToSnake(value, kind);
  if (kind === 'record') return recordToSnake(value as Record<string, unknown>);
  // biome-ignore lint/suspicious/useIsArray: a fold is no array, and has the methods of one
  return value instanceof Array ? foldToSnake(value) : wrapped(value, place);
}

function listToSnake(list: readonly unknown[], kind: Kind): readonly unknown[] {
  const form = list.map((each) => toSnake(each, kind));
  if (form.some((each, at) => !Object.is(each, list[at]))) {
    return link(list, Object.isFrozen(list) ? Object.freeze(form) : form);
  }
  // Empty places may be filled later, without a change of length.
  if (Object.isFrozen(list) || !list.includes(undefined)) converted.set(list, { form: list, length: list.length });
  return list;
}

function recordToSnake(record: Record<string, unknown>): object {
  const entries = Object.entries(record).map(([key, each]): [string, unknown] => [key, toSnake(each)]);
  return entries.every(([key, each]) => Object.is(each, record[key]))
    ? record
    : link(record, Object.fromEntries(entries));
}

/** A fold is a pair as well; its names are single words, and its inner splitter has others. */
function foldToSnake(fold: object): object {
  const { inner } = fold as { readonly inner?: object };
  if (!inner) return fold;
  return link(fold, Object.assign(Object.create(Object.getPrototypeOf(fold)), { ...fold, inner: toSnake(inner) }));
}

const isPublic = (name: string) => !name.startsWith('_');

function wrapped(source: object, place: string | undefined): object {
  const wrapper = Object.create(prototypeOf(source));
  Object.defineProperties(wrapper, { [INSPECT]: { value: inspected }, [PLACE]: { value: place } });
  if (isSplitter(source)) Object.defineProperty(wrapper, 'toString', { value: () => splitterText(source) });
  for (const name of Object.keys(source).filter(isPublic)) {
    let bound: unknown;
    const get = () => {
      const value: unknown = Reflect.get(source, name);
      if (typeof value !== 'function' || kindOfField(name, source) === 'caller') return fieldOf(source, name, value);
      bound ??= methodNamed(name, () => source);
      return bound;
    };
    Object.defineProperty(wrapper, snakeCase(name), { enumerable: true, configurable: true, get });
  }
  if (Symbol.iterator in source) Object.defineProperty(wrapper, Symbol.iterator, { value: () => entriesOf(source) });
  return link(source, wrapper);
}

const fieldOf = (source: object, name: string, value: unknown) =>
  toSnake(value, kindOfField(name, source), `\`${snakeCase(name)}\``);

function* entriesOf(source: object): Generator<unknown> {
  for (const each of source as Iterable<unknown>) yield toSnake(each);
}

const prototypeOf = (object: object) => convertedPrototype(Object.getPrototypeOf(object) ?? Object.prototype);

/** The methods and getters of a class under snake_case names, once per class, as is what it extends. */
function convertedPrototype(prototype: object): object {
  const known = converted.get(prototype);
  if (known) return known.form;
  const { name } = prototype.constructor;
  const form = Object.create(prototypeOf(prototype));
  converted.set(prototype, { form, length: undefined });
  const define = (key: string | symbol, descriptor: PropertyDescriptor) =>
    Object.defineProperty(form, key, { configurable: true, ...descriptor });
  define('constructor', { writable: true, value: { [name]: class {} }[name] });
  for (const key of Object.getOwnPropertyNames(prototype)) {
    const { value, get } = Object.getOwnPropertyDescriptor(prototype, key) as PropertyDescriptor;
    if (key === 'constructor' || !isPublic(key)) continue;
    if (typeof value === 'function') {
      const method = methodNamed(key, (self) => sources.get(self), positionsOf(name, snakeCase(key)));
      CALLABLE.add(snakeCase(key));
      define(snakeCase(key), { writable: true, value: method });
      // For JSON.stringify, and for programs that print.
      if (key === 'toJSON') define(key, { value: method });
    } else if (get) {
      define(snakeCase(key), {
        get(this: object) {
          const source = sources.get(this);
          return source && fieldOf(source, key, Reflect.get(source, key));
        },
      });
    }
  }
  return form;
}

type SourceOf = (self: object) => object | undefined;

function methodNamed(name: string, sourceOf: SourceOf, positions = positionsOf('Splitter', snakeCase(name))) {
  const spelling = snakeCase(name);
  return {
    [spelling](this: object, ...args: unknown[]) {
      const source = sourceOf(this) as Record<string, (...args: unknown[]) => unknown>;
      return withSnakeErrors(spelling, args, () => {
        const bound = positions ? bindArguments(spelling, args, positions) : args;
        const result = source[name](...fromSnake(bound, positions?.first));
        return toSnake(result, kindOfField(name, source), `The answer of ${spelling}`);
      });
    },
  }[spelling];
}

const splitterText = (splitter: Splitter) => snakeCaseMessage(String(splitter.toJSON?.() ?? splitter.constructor.name));

/** What `console.log` shows: what the object itself would show, or its fields, which are read on demand. */
function inspected(this: object): unknown {
  const source = sources.get(this) as { [INSPECT]?(): unknown };
  const text = source[INSPECT]?.();
  if (typeof text !== 'string') return isSplitter(source) ? splitterText(source) : { ...this };
  // As it is written in code.
  if (text.startsWith(`${source.constructor.name}(`)) return snakeCaseMessage(text);
  return text.replace(/\w+/g, (word) => (Object.hasOwn(source, word) ? snakeCase(word) : word));
}

/**
 * Options that are functions of the caller, with the places of the arguments that have names of ours. All others (a loss, a
 * transformation) are called with values of the caller's own library alone.
 */
export const CALLED: Readonly<Record<string, readonly number[]>> = {
  model: [0],
  model_fn: [1],
  model_path: [0],
  on_trial: [0],
  param_grid: [0],
  path: [0],
  schedule: [2],
  // A function of the score table; of a model, X and y it would have more parameters.
  scoring: [0],
};

export const WITH_LOGS: ReadonlySet<string> = new Set(['batch:end', 'epoch:end', 'on_batch_end', 'on_epoch_end']);

/** An object of options, its values, and theirs: `{ data: [X, y] }`. */
const MOST_LEVELS = 3;

// biome-ignore lint/suspicious/noExplicitAny: a function of the caller
type Listener = (...args: any[]) => unknown;

/** Objects in snake_case become those behind them; functions of the caller get arguments in snake_case. The first argument may name an event. */
export function fromSnake(args: readonly unknown[], first: readonly string[] = []): unknown[] {
  return args.map((value, at) => {
    if (typeof value !== 'function') return unwrapped(value, first[at] ?? '', MOST_LEVELS);
    const event = typeof args[0] === 'string' ? args[0] : '';
    return once(value, event, () => calling(value as Listener, event));
  });
}

/** `value` with the objects of cvkit for those in snake_case in it; itself where there is none. */
function unwrapped(value: unknown, name = '', levels = MOST_LEVELS): unknown {
  if (typeof value === 'function') return Object.hasOwn(CALLED, name) ? callable(value as Listener, name) : value;
  if (!isObject(value)) return value;
  const source = sources.get(value);
  if (source) return source;
  if (name === 'callbacks') return Array.isArray(value) ? value.map(callbackOf) : callbackOf(value);
  // A model is the caller's, whatever its methods are called.
  if (levels === 0 || name === 'model') return value;
  if (Array.isArray(value)) {
    // Rows and labels are the caller's, too.
    if (/^[Xy](_|$)/.test(name) || !value.some(isObject)) return value;
    // Entries of a list are converted when they are pairs or triples; others may be rows.
    const list = value.map((each) => unwrapped(each, name, Array.isArray(each) && each.length <= 3 ? levels - 1 : 0));
    return list.some((each, at) => each !== value[at]) ? list : value;
  }
  if (!isPlainObject(value)) return value;
  // A saved result, behind which nothing stands.
  if (name === 'metrics') return inCamelCase(value);
  const isOptions = levels === MOST_LEVELS && name === '';
  const nameIn = (key: string) => (isOptions ? snakeCase(key) : name === 'scoring' ? name : '');
  const entries = Object.entries(value).map(([key, each]) => [key, unwrapped(each, nameIn(key), levels - 1)] as const);
  return entries.some(([key, each]) => each !== value[key]) ? Object.fromEntries(entries) : value;
}

/** What cvkit gets for a function or a callback of the caller, by the option or event that it is for: the same each time. */
const adapted = new WeakMap<object, Map<string, object>>();

function once(value: object, purpose: string, make: () => object): object {
  const forms = adapted.get(value) ?? new Map<string, object>();
  adapted.set(value, forms);
  const form = forms.get(purpose) ?? make();
  forms.set(purpose, form);
  return form;
}

/** The function with its arguments in snake_case: with its name, its length and its properties. */
function calling(call: Listener, purpose: string, owner?: object): Listener {
  const kindAt = (at: number): Kind => {
    if (Object.hasOwn(CALLED, purpose)) return CALLED[purpose].includes(at) ? 'fields' : 'caller';
    return at === 1 && WITH_LOGS.has(purpose) ? 'record' : 'fields';
  };
  const apply = (target: Listener, self: unknown, args: unknown[]) => {
    const inSnakeCase = args.map((each, at) => toSnake(each, kindAt(at)));
    const answer = Reflect.apply(target, owner ?? self, inSnakeCase);
    return purpose === 'for_fold' ? callbackOf(answer) : unwrapped(answer);
  };
  const proxy = new Proxy(call, { apply });
  recordable(proxy, call); // the text of a proxy says nothing
  return proxy;
}

function callable(call: Listener, option: string): object {
  // A class in the place of a function is refused by cvkit, which must see it.
  if (isClass(call)) return call;
  if (option === 'scoring' && call.length > 1) return call;
  return once(call, option, () => calling(call, option));
}

const isHook = (name: string | symbol): boolean => /^(on_|for_fold$)/.test(String(name));

/** A callback whose hooks in snake_case get contexts in snake_case; one that has none stays as it is. */
function callbackOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const source = sources.get(value);
  return source ?? (namesOf(value).some(isHook) ? once(value, 'callback', () => callbackWithHooks(value)) : value);
}

function callbackWithHooks(value: object): object {
  const part = (name: string | symbol): unknown => {
    const hook: unknown = Reflect.get(value, name, value);
    if (typeof hook !== 'function' || name === 'constructor') return hook;
    if (!isHook(name)) return hook.bind(value);
    return calling(hook as Listener, String(name), value);
  };
  // Not of the callback itself: one that is frozen may give nothing but what it holds.
  return new Proxy(Object.create(Object.getPrototypeOf(value)), {
    get: (_, name) => part(name),
    has: (_, name) => name in value,
    ownKeys: () => Reflect.ownKeys(value),
    getOwnPropertyDescriptor: (_, name) =>
      Object.hasOwn(value, name) ? { value: part(name), enumerable: true, configurable: true } : undefined,
  });
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (!isPlainObject(value)) return value;
  const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [camel(key), inCamelCase(each)]));
}

type Class = new (...args: never[]) => object;
const BY_NAME: Positions = { first: [], options: [] };

/** A class of cvkit, to be called with and without `new`, with its options by name or in the order of the original interface. */
export function snakeClass<C extends Class, N extends string>(Original: C, name: N): SnakeClass<C, N> {
  const positions = positionsOf(name, 'constructor') ?? BY_NAME;
  function SnakeCased(...args: unknown[]) {
    return withSnakeErrors(name, args, () => {
      if (new.target && new.target !== (SnakeCased as unknown)) {
        const subject = `${name} of cvkit/snake`;
        const way = `Extend ${name} of cvkit, and give it to cvkit/snake as it is.`;
        throw new InvalidOptionError(sentence(subject, 'be called, not extended', phrase('a subclass'), way));
      }
      return toSnake(new Original(...(fromSnake(bindArguments(name, args, positions)) as never[])));
    });
  }
  const prototype = convertedPrototype(Original.prototype);
  Object.defineProperty(prototype, 'constructor', { value: SnakeCased, writable: true, configurable: true });
  const properties = { name: { value: name }, prototype: { value: prototype } };
  return Object.defineProperties(SnakeCased, properties) as unknown as SnakeClass<C, N>;
}

/** A function of cvkit that takes and gives what has snake_case names. */
// biome-ignore lint/suspicious/noExplicitAny: any function
export function snakeFunction<F extends (...args: any[]) => unknown>(call: F): SnakeFunction<F> {
  const name = snakeCase(call.name);
  CALLABLE.add(name);
  const converting = (...args: unknown[]) =>
    withSnakeErrors(name, args, () => toSnake(call(...fromSnake(args)), 'fields', `The answer of ${name}`));
  return Object.defineProperty(converting, 'name', { value: name }) as unknown as SnakeFunction<F>;
}
