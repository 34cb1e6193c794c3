import { CVKitError } from './errors.js';

/**
 * A model knows rows by their places: an error about one of them gets its number in X, or, where `places` are those of some
 * rows among others that are not X, its place there.
 */
export async function withRowNumbers<T>(places: Int32Array, work: () => Promise<T>, areOfX = true): Promise<T> {
  return work().catch((error) => {
    const row = error instanceof CVKitError && error.row !== undefined ? places[error.row] : undefined;
    if (row === undefined) throw error;
    if (!areOfX) throw Object.assign(error, { row });
    delete error.row;
    throw Object.assign(error, { message: `${error.message} This is row ${row} of X.` });
  });
}
