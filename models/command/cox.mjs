import { CoxRegression } from 'cvkit/estimators';

/**
 * `--model cox` of the command line, with a ridge penalty of 1: columns that `tabular()` makes follow from each other, and rare
 * ones have no finite coefficient. A search calls it with parameters and the context of a fold, `validate` with the context alone.
 *
 * @param {any} first in a search the options of CoxRegression, such as `{ alpha: 0.1 }`
 * @param {any} [fold]
 */
export default (first, fold) => new CoxRegression(fold ? first : { alpha: 1 });
