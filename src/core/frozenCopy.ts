/** A deep copy that cannot be changed; typed arrays and dates are copied, functions and other instances (models) stay the same. */
export function frozenCopy<T>(value: T): T {
  return copyOf(value, new Map()) as T;
}

function copyOf(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return noted(copies, value, (value as Int32Array).slice());
  if (value instanceof Date) return noted(copies, value, new Date(value));
  if (Array.isArray(value) && Object.isFrozen(value) && value.every((each) => Object(each) !== each)) return value;
  if (Array.isArray(value)) {
    const copy: unknown[] = noted(copies, value, []);
    for (const each of value) copy.push(copyOf(each, copies));
    return Object.freeze(copy);
  }
  const prototype = Object.getPrototypeOf(value);
  if (value instanceof Error) {
    return Object.freeze(noted(copies, value, Object.create(prototype, Object.getOwnPropertyDescriptors(value))));
  }
  if (prototype !== Object.prototype && prototype !== null) return value;
  const copy: Record<string, unknown> = noted(copies, value, Object.create(prototype));
  for (const [key, each] of Object.entries(value)) {
    // Not by assignment, which takes the key __proto__ for something else.
    Object.defineProperty(copy, key, { value: copyOf(each, copies), enumerable: true });
  }
  return Object.freeze(copy);
}

function noted<C>(copies: Map<object, unknown>, value: object, copy: C): C {
  copies.set(value, copy);
  return copy;
}
