/** Rows as an adapter gets them: a view, which a library cannot use before it is read. */
import { AdapterError, messageOf, phrase, sentence } from '../core/errors.js';
import type { Rows } from '../data/rows.js';

const MUST = 'read `X`, which is a view, by `await X.toArrays()` (or X.toDense(): one block of numbers)';
const CODE = 'rows_not_read';

/** What lists have and views do not: a library that asks for it takes the view for a list. */
const OF_LISTS: ReadonlySet<string | symbol> = new Set<string | symbol>([
  ...Object.getOwnPropertyNames(Array.prototype).filter((name) => !(name in Object.prototype) && name !== 'length'),
  Symbol.iterator,
  Symbol.asyncIterator,
]);

/** Stands behind the view, so that what the view itself has is read as fast as ever. */
const behindView = (subject: string) =>
  new Proxy(Object.prototype, {
    get(target, key) {
      const refuse = () => {
        const access = typeof key === 'symbol' ? 'a loop over `X`' : /^\d/.test(key) ? `\`X[${key}]\`` : `\`X.${key}\``;
        throw new AdapterError(sentence(subject, MUST, phrase(access)), { code: CODE });
      };
      // Methods are refused when they are called: to ask whether an object has them is no misuse.
      if (OF_LISTS.has(key)) return refuse;
      return typeof key === 'string' && /^\d+$/.test(key) ? refuse() : Reflect.get(target, key);
    },
  });

/** `promise`, with `read` called once somebody waits for it: `await` calls `then` where the constructor is another. */
function awaited<T>(promise: Promise<T>, read: () => void): Promise<T> {
  const own = promise.then((rows) => rows);
  const then = (...handlers: Parameters<typeof own.then>) => {
    read();
    return Promise.prototype.then.apply(own, handlers);
  };
  return Object.assign(own, { constructor: undefined, then });
}

/** The view as it is handed over: `read` is called once something is read of it; rows that nobody waits for are not. */
function handedOver(X: Rows, behind: object, read: () => void): Rows {
  const reading = <T>(get: () => T) => {
    const rows = get();
    if (rows instanceof Promise) return awaited(rows, read) as T;
    read();
    return rows;
  };
  const { parts } = X;
  const view: Rows = Object.create(behind, {
    ...Object.getOwnPropertyDescriptors(X),
    ...Object.getOwnPropertyDescriptors({
      take: (rows: Int32Array) => handedOver(X.take(rows), behind, read),
      toArrays: () => reading(() => X.toArrays()),
      toShaped: () => reading(() => X.toShaped()),
      toColumns: () => reading(() => X.toColumns()),
      toDense: () => reading(() => X.toDense()),
      toInputs: () => reading(() => X.toInputs()),
    }),
    ...(parts ? { parts: { enumerable: true, get: () => reading(() => parts) } } : {}),
  });
  return Object.freeze(view);
}

/**
 * Lets `use`, a method of an adapter, work with rows. Where a library takes the view for a list, or ends in a TypeError
 * without having read anything of it, the error says so.
 *
 * @param subject whose method it is, for messages
 */
export async function readBy<T>(subject: string, X: Rows, use: (X: Rows) => Promise<T>): Promise<T> {
  let wasRead = false;
  const view = handedOver(X, behindView(subject), () => {
    wasRead = true;
  });
  try {
    return await use(view);
  } catch (error) {
    if (wasRead || !(error instanceof TypeError)) throw error;
    throw new AdapterError(
      `${subject} threw before it read \`X\`: ${messageOf(error)}. \`X\` is a view, which is read by \`await X.toArrays()\` (or X.toDense(): one block of numbers).`,
      { code: CODE, cause: error },
    );
  }
}
