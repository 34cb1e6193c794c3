import { AdapterError } from '../core/errors.js';
import { isTensor } from './dense.js';

// biome-ignore lint/suspicious/noExplicitAny: objects of the caller
type Instance = any;

export interface CopiedKind {
  /** As messages call it: `model`. */
  readonly noun: string;
  is(copy: unknown): boolean;
}

/**
 * A copy of an instance for one fold: by its own `clone()`; from `getParams()` by its constructor; else property by
 * property, deep, with its prototypes and with functions by reference. What such a copy would share with the caller's
 * instance or would lack is refused with the code `instance_refused` and the reason. State in variables around the methods of
 * an object cannot be seen: such an object needs `clone()` or a factory.
 */
export async function copyInstance<T>(model: T, { noun, is }: CopiedKind): Promise<T> {
  const instance: Instance = model;
  try {
    const copy = await (instance.clone ? instance.clone() : (fromParams(instance) ?? byProperties(instance)));
    if (copy === model || !is(copy)) throw new Refused(`its clone() gives no ${noun} of its own`);
    return copy as T;
  } catch (error) {
    if (error instanceof Refused) throw refused(instance, noun, error.message);
    throw error;
  }
}

class Refused extends Error {}

function fromParams(model: Instance): Promise<unknown> | undefined {
  const Class = model.constructor as new (params: unknown) => unknown;
  const params = model.getParams ?? model.get_params;
  if (!params || (Class as unknown) === Object) return undefined;
  return Promise.resolve(params.call(model)).then((found) => new Class(found));
}

function refused(model: Instance, noun: string, why: string): AdapterError {
  const name = model.constructor?.name;
  const way =
    noun === 'model'
      ? `Pass a factory ${name && name !== 'Object' ? `() => new ${name}(...)` : '() => model'} instead.`
      : 'Give it a clone() that makes one that is not fitted.';
  return new AdapterError(`The ${noun} that was given cannot be copied for each fold: ${why}. ${way}`, {
    code: 'instance_refused',
  });
}

type AnyFunction = (...args: never[]) => unknown;

type Path = { readonly key: string; readonly owner: Path } | undefined;

/** Copies everything that can be reached, each object once; not by recursion, because lists may be long. */
function byProperties(model: Instance): unknown {
  const copies = new Map<object, object>();
  const toFill: (() => void)[] = [];
  const copied = (value: unknown, path: Path, owner?: object): unknown => {
    if (typeof value === 'function') checkFunction(value as AnyFunction, path, owner);
    if (typeof value !== 'object' || value === null) return value;
    const known = copies.get(value);
    if (known) return known;
    const { copy, fill } = shellOf(value, path, copied);
    copies.set(value, copy);
    toFill.push(() => {
      fill?.();
      copyProperties(value, copy, (part, key) => copied(part, { key, owner: path }, value));
    });
    return copy;
  };
  const copy = copied(model, undefined);
  for (const fill of toFill) fill(); // grows while it is gone through
  return copy;
}

function copyProperties(from: object, to: object, copied: (value: unknown, key: string) => unknown): void {
  for (const key of Reflect.ownKeys(from)) {
    const property = Object.getOwnPropertyDescriptor(from, key) as PropertyDescriptor;
    if (ArrayBuffer.isView(from) && property.configurable && property.writable && /^\d+$/.test(String(key))) continue;
    if ('value' in property) property.value = copied(property.value, String(key));
    Object.defineProperty(to, key, property);
  }
  if (Object.isFrozen(from)) Object.freeze(to);
  else if (Object.isSealed(from)) Object.seal(to);
  else if (!Object.isExtensible(from)) Object.preventExtensions(to);
}

type Copied = (value: unknown, path: Path) => unknown;
type Shell = { readonly copy: object; readonly fill?: () => void };

function shellOf(value: object, path: Path, copied: Copied): Shell {
  const kind = kindOf(value, path);
  const make = MAKERS[kind] ?? (ArrayBuffer.isView(value) ? MAKERS.view : undefined);
  if (!make) throw new Refused(`${nameOf(path)} is a ${kind}, whose content cannot be read`);
  const shell = make(value, copied, path);
  if (Object.getPrototypeOf(shell.copy) !== Object.getPrototypeOf(value)) {
    Object.setPrototypeOf(shell.copy, Object.getPrototypeOf(value));
  }
  return shell;
}

// biome-ignore lint/suspicious/noExplicitAny: each is called with its own kind
const MAKERS: Readonly<Record<string, (value: any, copied: Copied, path: Path) => Shell>> = {
  Object: () => ({ copy: {} }),
  Error: () => ({ copy: {} }),
  Array: () => ({ copy: [] }),
  Date: (date: Date) => ({ copy: new Date(Date.prototype.getTime.call(date)) }),
  RegExp: (found: RegExp) => ({ copy: new RegExp(found.source, found.flags) }),
  ArrayBuffer: (buffer: ArrayBuffer) => ({ copy: ArrayBuffer.prototype.slice.call(buffer, 0) }),
  view: (view: DataView, copied, path) => {
    const { buffer, byteOffset, byteLength } = view;
    const kind = Object.prototype.toString.call(view).slice(8, -1) as 'Float64Array';
    const length = (view as unknown as Float64Array).length ?? byteLength;
    return { copy: new globalThis[kind](copied(buffer, path) as ArrayBuffer, byteOffset, length) };
  },
  Map: (map: Map<unknown, unknown>, copied, path) => {
    const copy = new Map();
    const fill = () => {
      for (const [key, value] of Map.prototype.entries.call(map)) {
        Map.prototype.set.call(copy, copied(key, path), copied(value, path));
      }
    };
    return { copy, fill };
  },
  Set: (set: Set<unknown>, copied, path) => {
    const copy = new Set();
    const fill = () => {
      for (const value of Set.prototype.values.call(set)) Set.prototype.add.call(copy, copied(value, path));
    };
    return { copy, fill };
  },
};

/** The kind that the language itself gives an object, under the classes of its own, which must keep nothing private. */
function kindOf(value: object, path: Path): string {
  if (isTensor(value)) throw new Refused(`${nameOf(path)} is a tensor`);
  if (typeof (value as { free?: unknown }).free === 'function') {
    throw new Refused(`${nameOf(path)} holds memory outside JavaScript, for which it has free()`);
  }
  for (let proto = Object.getPrototypeOf(value); proto !== null; proto = Object.getPrototypeOf(proto)) {
    const maker = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value;
    if (typeof maker !== 'function') continue;
    const text = sourceOf(maker);
    if (/\{\s*\[native code\]\s*\}$/.test(text)) return maker.name.endsWith('Error') ? 'Error' : maker.name;
    const field = PRIVATE.exec(text)?.[0];
    if (field) throw new Refused(`${nameOf(path)} has private fields (${field} of the class ${maker.name})`);
  }
  return 'Object';
}

/** Private members as they are written, and as compilers write them for older engines. */
const PRIVATE =
  /#[\p{ID_Start}$_][\p{ID_Continue}$]*|(?<!\w)_\w*(?:classPrivateField|private(?:Get|Set|Add|Method))\w*/u;

/** A function of an object's own that is bound to that object would go on to train it. */
function checkFunction(fn: AnyFunction, path: Path, owner: object | undefined) {
  const text = sourceOf(fn);
  const isArrow = /^(?:async\s*)?\(|^(?:async\s+)?[\w$]+\s*=>/.test(text);
  if (isArrow && /\b(?:this|super)\b/.test(text))
    throw new Refused(`${nameOf(path)} is an arrow function that uses this`);
  if (/^bound /.test(fn.name) && text.includes('[native code]'))
    throw new Refused(`${nameOf(path)} is a bound function`);
  const source = typeof owner?.constructor === 'function' ? sourceOf(owner.constructor as AnyFunction) : '';
  for (const [, alias] of source.matchAll(/(?<![\w$])([\w$]+)\s*=\s*this\s*[;,\n)]/g)) {
    if (text.split(/[^\w$]+/).includes(alias))
      throw new Refused(`${nameOf(path)} uses ${alias}, which is this instance`);
  }
}

/** Comments and strings; in the second group those without an end, in a regular expression, which are passed over once. */
const NO_CODE = /\/\*[\s\S]*?\*\/|\/\/.*|(["'])(?:(?!\1)[^\\\n]|\\.)*\1|(\/\*[\s\S]*|["'].*)/g;

const sourceOf = (fn: AnyFunction) => Function.prototype.toString.call(fn).replace(NO_CODE, '$2');

function nameOf(path: Path): string {
  const keys: string[] = [];
  for (let at = path; at; at = at.owner) keys.unshift(at.key);
  if (keys.length === 0) return 'it';
  return `its property \`${keys.length > 6 ? [...keys.slice(0, 3), '...', ...keys.slice(-2)].join('.') : keys.join('.')}\``;
}
