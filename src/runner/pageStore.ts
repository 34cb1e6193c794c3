/** Models in the IndexedDB of a page: bytes by name. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';

/** One request in one transaction, which is done or leaves everything as it was. */
export function inPageStore<T>(
  mode: IDBTransactionMode,
  request: (models: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  if (typeof indexedDB === 'undefined') {
    const message = sentence('The place of a model', 'be a path here', phrase('a platform without IndexedDB'));
    throw new InvalidOptionError(message, { code: 'unable' });
  }
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('cvkit', 1);
    opening.onupgradeneeded = () => void opening.result.createObjectStore('models');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('models', mode);
      const query = request(transaction.objectStore('models'));
      const end = (settle: () => void) => () => {
        opening.result.close();
        settle();
      };
      transaction.oncomplete = end(() => resolve(query.result));
      transaction.onabort = end(() => reject(query.error ?? transaction.error));
    };
  });
}
