/** Apart from recorded.ts, which a page loads with its first run. */
const KEPT = new WeakMap<object, object>();

/** Keeps the options of an instance whose class has them in a private field, or the function behind one, for the record; gives them back. */
export function recordable<T extends object>(owner: object, options: T): T {
  KEPT.set(owner, options);
  return options;
}

export const optionsKept = (owner: object): object | undefined => KEPT.get(owner);
