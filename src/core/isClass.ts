export const isClass = (value: unknown): value is new () => object =>
  typeof value === 'function' && /^class[\s{]/.test(Function.prototype.toString.call(value));

/** The way out where a class stands in the place of an object. */
export const MAKE_ONE = 'Make an object of it with `new`.';
