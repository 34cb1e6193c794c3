import { type Fold, type Folds, type IterableFold, withWarnings } from './splitter.js';

/**
 * The prototype of the folds that are yielded, so that a copy of a fold (spread, JSON, structuredClone) stays plain.
 */
const PAIR = Object.create(Array.prototype, {
  constructor: { value: Object },
  length: { value: 2 },
  0: {
    get(this: Fold) {
      return this.train;
    },
  },
  1: {
    get(this: Fold) {
      return this.test;
    },
  },
});

/** The same fold, which can also be destructured as a pair. */
export const iterableFold = <F extends Fold>(fold: F): F & IterableFold => Object.assign(Object.create(PAIR), fold);

/** The same folds, each an {@link IterableFold}, one by one. */
export const iterableFolds = (folds: Folds): Folds<IterableFold> =>
  withWarnings(folds.warnings, function* () {
    for (const fold of folds) yield iterableFold(fold);
  });

/** A pair as named sides; all else as it is. */
export const namedSides = <F extends object>(given: F): Exclude<F, readonly unknown[]> =>
  (Array.isArray(given) ? { train: given[0], test: given[1] } : given) as Exclude<F, readonly unknown[]>;
