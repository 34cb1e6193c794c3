import type { SplitExample } from '../overlap.js';

/** What CVL002 counted: of the clusters of copies that have rows on both sides of a fold. */
export type DuplicateDetails = {
  readonly rows: number;
  readonly clusters: number;
  /** Largest share of a test set. */
  readonly largestShare?: number;
  /** Rows that have a copy with another label. */
  readonly contradicting?: number;
  /** Rows without content. */
  readonly blank?: number;
  /** Columns in which copies differ, those in which most do first. */
  readonly differing?: readonly string[];
  /** Rows that another equals on the other side, though it may be by chance. */
  readonly coincident?: number;
  /** The share of rows of which a single copy would be found: an exact one, one that differs in one column, in two. */
  readonly power?: readonly number[];
  /** So many of the pairs that are called copies are expected to be alike by chance, at most. */
  readonly expectedPairs?: number;
  readonly folds: number | readonly string[];
  readonly examples?: readonly SplitExample[];
};

/** What is counted where there are clusters. */
export type Facts = DuplicateDetails & { readonly largestShare: number; readonly folds: readonly string[] };
