/** What pictures read of results, and risks as they draw them. */
import type { Label } from '../data/labels.js';
import type { OutOfFold } from '../runner/outOfFold.js';
import type { RunMetadata } from '../runner/runMetadata.js';

export type Metadata = Pick<
  RunMetadata,
  'task' | 'classes' | 'positiveLabel' | 'times' | 'survivalTimes' | 'causeOfInterest'
>;

/** What `run`, `validate` and `evaluate` give. */
export type PlottedResults = {
  readonly outOfFold: Pick<
    OutOfFold,
    'row' | 'fold' | 'group' | 'yTrue' | 'yPred' | 'yProba' | 'weight' | 'event' | 'censoring'
  >;
  readonly foldDetails: readonly { readonly index: number; readonly fold: string }[];
} & ({ readonly metadata: Metadata } | { readonly manifest: Metadata });

export interface Risks {
  /** 1 for rows of the class, else 0. */
  readonly y: Uint8Array;
  readonly p: Float64Array;
  readonly weight: Float64Array | undefined;
  readonly groups: readonly Label[] | undefined;
}

export const taskOf = (results: PlottedResults): Metadata =>
  'metadata' in results ? results.metadata : results.manifest;

/** Where each row is for the first time: of repeats the first. */
export const firstPlaces = ({ outOfFold: { row } }: PlottedResults): Int32Array => {
  const known = new Set<number>();
  return Int32Array.from(row.keys()).filter((at) => known.size < known.add(row[at]).size);
};
