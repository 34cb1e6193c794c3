import type { FrozenTrial } from './frozenTrial.js';

/** A trial of a search that has ended, as `onTrialEnd` of callbacks is told of it. */
export interface TuningTrial {
  /** Id of the outer fold within whose training rows the search takes place; 'all-rows' for the search on all rows. */
  readonly search: string;
  readonly trial: FrozenTrial;
  /** The best value of the search so far: an inner score, optimistic. Null while there is none. */
  readonly bestValue: number | null;
  /** Trials of this search that have ended, and how many it will have at most. */
  readonly done: number;
  readonly nTrials: number;
  /** Searches that have ended, and how many there will be. */
  readonly searchesDone: number;
  readonly nSearches: number;
}
