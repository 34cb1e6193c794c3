/** What callers give: spelled objects become those of cvkit, and functions of theirs get spelled arguments. */
import { snakeCase } from '../core/names.js';
import { isPlainObject } from '../core/options.js';
import { recordable } from '../core/recordable.js';
import type { Positions } from './arranged.js';
import type { Kind } from './fields.js';
import { sourceOf } from './sources.js';

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

/** Moments whose second argument is a record of logs. */
export const WITH_LOGS = new Set(['batch:end', 'epoch:end', 'on_batch_end', 'on_epoch_end']);

const isHook = (name: string | symbol): boolean => /^(on_|for_fold$)/.test(String(name));

/** An object of options, what stands in it, and what stands in that: `{ data: [X, y] }`. */
const MOST_LEVELS = 3;

// biome-ignore lint/suspicious/noExplicitAny: a function of the caller
type Listener = (...args: any[]) => unknown;

/** Makes the function that reads arguments. `spell` is what it spells arguments of the caller's own functions with. */
export function reader(spell: (value: unknown, kind?: Kind) => unknown) {
  const known = new Map<string, WeakMap<Listener, Listener>>();
  const callbacks = new WeakMap<object, object>();

  /** The arguments of a method or function of cvkit. A function among them listens to what the first argument names. */
  function given(args: readonly unknown[], positions?: Positions): unknown[] {
    return args.map((value, at) =>
      typeof value === 'function'
        ? listenerFor(value as Listener, args[0])
        : read(value, positions?.first[at] ?? '', MOST_LEVELS),
    );
  }

  /** `value` with every spelled object in it replaced by the one behind it; itself where there is none. */
  function read(value: unknown, name: string, levels: number): unknown {
    if (typeof value === 'function') return name in CALLED ? calledBy(value as Listener, name) : value;
    if (!isObject(value)) return value;
    const source = sourceOf(value);
    if (source) return source;
    if (name === 'callbacks') return Array.isArray(value) ? value.map(callbackFor) : callbackFor(value);
    // A model is the caller's, whatever its methods are called.
    if (levels === 0 || name === 'model') return value;
    if (Array.isArray(value)) {
      // Rows and labels are the caller's, too.
      if (/^[Xy](_|$)/.test(name) || !value.some(isObject)) return value;
      // Entries of a list are looked into when they are pairs or triples; others may be rows.
      const made = value.map((each) => read(each, name, Array.isArray(each) && each.length <= 3 ? levels - 1 : 0));
      return made.some((each, at) => each !== value[at]) ? made : value;
    }
    if (!isPlainObject(value)) return value;
    // A saved result, behind which nothing stands.
    if (name === 'metrics') return inCamelCase(value);
    const isOptions = levels === MOST_LEVELS && name === '';
    const nameIn = (key: string) => (isOptions ? snakeCase(key) : name === 'scoring' ? name : '');
    const entries = Object.entries(value).map(([key, each]) => [key, read(each, nameIn(key), levels - 1)] as const);
    return entries.some(([key, each]) => each !== value[key]) ? Object.fromEntries(entries) : value;
  }

  /** The function with its arguments spelled, the same one each time: with its name, its length and its properties. */
  function called(as: string, listener: Listener, kindAt: (at: number) => Kind): Listener {
    const functions = known.get(as) ?? new WeakMap();
    known.set(as, functions);
    const made =
      functions.get(listener) ??
      new Proxy(listener, {
        apply: (target, self, args: unknown[]) =>
          read(
            Reflect.apply(
              target,
              self,
              args.map((each, at) => spell(each, kindAt(at))),
            ),
            '',
            MOST_LEVELS,
          ),
      });
    recordable(made, listener); // the text of a proxy says nothing
    functions.set(listener, made);
    return made;
  }

  function calledBy(listener: Listener, name: string): Listener {
    // A class in the place of a function is refused by cvkit, which must see it.
    if (/^class[\s{]/.test(Function.prototype.toString.call(listener))) return listener;
    if (name === 'scoring' && listener.length > 1) return listener;
    return called(name, listener, (at) => (CALLED[name].includes(at) ? 'fields' : 'caller'));
  }

  function listenerFor(listener: Listener, event: unknown): Listener {
    const logs = WITH_LOGS.has(String(event));
    return called(logs ? 'with logs' : 'moment', listener, (at) => (logs && at === 1 ? 'record' : 'fields'));
  }

  /** A callback whose hooks in snake_case get spelled contexts; one that has none is given as it is. */
  function callbackFor(value: unknown): unknown {
    if (!isObject(value)) return value;
    const before = sourceOf(value) ?? callbacks.get(value);
    if (before) return before;
    if (!hasHooks(value)) return value;
    const part = (name: string | symbol): unknown => {
      const hook: unknown = Reflect.get(value, name, value);
      if (typeof hook !== 'function') return hook;
      if (!isHook(name)) return hook.bind(value);
      const logs = WITH_LOGS.has(String(name));
      const called = (...args: unknown[]) => {
        const answer = hook.apply(
          value,
          args.map((each, at) => spell(each, logs && at === 1 ? 'record' : 'fields')),
        );
        return name === 'for_fold' ? callbackFor(answer) : answer;
      };
      recordable(called, hook);
      return called;
    };
    // Not of the callback itself: one that is frozen may give nothing but what it holds.
    const made = new Proxy(Object.create(Object.getPrototypeOf(value)), {
      get: (_, name) => (name === 'constructor' ? value.constructor : part(name)),
      has: (_, name) => name in value,
      ownKeys: () => Reflect.ownKeys(value),
      getOwnPropertyDescriptor: (_, name) =>
        Object.hasOwn(value, name) ? { value: part(name), enumerable: true, configurable: true } : undefined,
    });
    callbacks.set(value, made);
    return made;
  }

  return given;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function hasHooks(callback: object): boolean {
  for (let each = callback; each && each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    if (Object.getOwnPropertyNames(each).some(isHook)) return true;
  }
  return false;
}

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  if (!isPlainObject(value)) return value;
  const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [camel(key), inCamelCase(each)]));
}
