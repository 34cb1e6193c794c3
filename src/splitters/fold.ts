/** One fold: what splitters yield, what others may yield, and what cvkit gives out. */
import type { Splitter } from './splitter.js';

/** One train/test partition as row numbers of the full data. Values, not views: safe to keep. */
export interface Fold {
  /** Unique in the plan, for example `fold-0` or `repeat-1_fold-0`: letters, digits, `-`, `_` and `.`. */
  readonly id: string;
  /** Ascending row numbers. */
  readonly train: Int32Array;
  /** Ascending row numbers. */
  readonly test: Int32Array;
  /** Which repetition of the whole design, from 0. */
  readonly repeat?: number;
  /** Inner folds, drawn from `train` only and bound to it: `inner.split()` takes nothing. */
  readonly inner?: Splitter;
  /** Rows kept out of `train` to protect the test rows, by reason. Each list ascending; they share no row. */
  readonly excluded?: Excluded;
}

/** The sides of a fold by place. As a list of two, so that the compiler knows that both are there. */
type Pair = readonly [train: Int32Array, test: Int32Array];

/** A fold as cvkit gives it out: its sides by name, or as a pair: `const [train, test] = fold`. */
export interface IterableFold extends Fold, Pair {
  readonly inner?: IterableSplitter;
}

/** A splitter whose folds are {@link IterableFold}s, as all of ours are. */
export interface IterableSplitter extends Splitter {
  split(...input: Parameters<Splitter['split']>): Folds<IterableFold>;
}

/** A fold as other tools and other splitters write it: named sides, or scikit-learn's pair. */
export type GivenFold =
  | {
      readonly train: ArrayLike<number>;
      readonly test: ArrayLike<number>;
      readonly id?: string;
      readonly repeat?: number;
      /** Rows kept out of training, by reason: 'purged', 'embargoed', 'buffered'. */
      readonly excluded?: Readonly<Record<string, ArrayLike<number>>>;
    }
  | readonly [train: ArrayLike<number>, test: ArrayLike<number>];

/**
 * Why a row that could have been trained on is not: its label interval meets that of a test row, it lies in a gap in
 * time or its group is tested (`purged`), it follows a test block too soon (`embargoed`), it is too near a test row in
 * space (`buffered`).
 */
export const REASONS = ['purged', 'embargoed', 'buffered'] as const;

/** Row numbers by reason. */
export type Excluded = Readonly<Partial<Record<(typeof REASONS)[number], Int32Array>>>;

/** What `split` gives: folds, and what the user should know about them. */
export interface Folds<F = Fold> extends Iterable<F> {
  /** Full sentences about folds that are allowed but not what one would wish for. */
  readonly warnings?: readonly string[];
}

/** The folds that `make` gives at each look, and what is to be said about them. */
export const withWarnings = <F>(warnings: readonly string[] | undefined, make: () => Iterator<F>): Folds<F> => ({
  ...(warnings ? { warnings } : {}),
  [Symbol.iterator]: make,
});

/** Stands behind the folds that are given out, so that a copy of a fold (spread, JSON, structuredClone) stays plain. */
const PAIR = Object.create(Array.prototype, {
  // Printed as the plain object that it is.
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

/** The same fold, which can also be taken apart as a pair. */
export const iterableFold = <F extends Fold>(fold: F): F & IterableFold => Object.assign(Object.create(PAIR), fold);

/** The same folds, each an {@link IterableFold}; made one by one, when they are asked for. */
export const iterableFolds = (folds: Folds): Folds<IterableFold> =>
  withWarnings(folds.warnings, function* () {
    for (const fold of folds) yield iterableFold(fold);
  });

/** A pair as named sides; all else as it is. */
export const namedSides = <F extends object>(given: F): Exclude<F, readonly unknown[]> =>
  (Array.isArray(given) ? { train: given[0], test: given[1] } : given) as Exclude<F, readonly unknown[]>;
