import { LogisticRegression } from 'cvkit/estimators';

/**
 * `--model logistic` of the command line. A search calls it with parameters and the context of a fold, `validate` with the context alone.
 *
 * @param {any} first in a search the options of LogisticRegression, such as `{ C: 0.1 }`
 * @param {any} [fold]
 */
export default (first, fold) => new LogisticRegression(fold ? first : {});
