/** Apart from recorded.ts, which a page loads with its first run. */
const KEPT = new WeakMap<object, object>();

/** Keeps, for the record, the options that a class has in a private field, or the function behind one; gives them back. */
export function recordable<T extends object>(owner: object, options: T): T {
  KEPT.set(owner, options);
  return options;
}

export const optionsKept = (owner: object): object | undefined => KEPT.get(owner);
