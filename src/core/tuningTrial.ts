/** A value of a parameter: plain data, so that it can be written to a journal and sent to another thread. */
export type ParamValue =
  | number
  | string
  | boolean
  | null
  | readonly ParamValue[]
  | { readonly [key: string]: ParamValue };

/** Values of the parameters of a trial, by name. */
export type Params = Readonly<Record<string, ParamValue>>;

/** Numbers from `low` to `high`, both included. `log`: drawn on the logarithmic scale. `step`: distance of two values. */
export interface FloatDistribution {
  readonly kind: 'float';
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
  readonly step: number | null;
}

/** Whole numbers from `low` to `high`, both included. */
export interface IntDistribution {
  readonly kind: 'int';
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
  readonly step: number;
}

/** A parameter that takes one of several values. */
export interface CategoricalDistribution {
  readonly kind: 'categorical';
  readonly choices: readonly ParamValue[];
}

export type Distribution = FloatDistribution | IntDistribution | CategoricalDistribution;

export type TrialState = 'running' | 'complete' | 'pruned' | 'failed' | 'waiting';

/** A trial at one moment. Samplers and pruners are given these, and cannot change them. */
export interface FrozenTrial {
  /** Place in the study, from 0. */
  readonly number: number;
  readonly state: TrialState;
  /** What the objective gave; of a pruned trial the last value that it reported, if it reported one. */
  readonly value: number | null;
  readonly params: Params;
  /** What each parameter was drawn from. */
  readonly distributions: Readonly<Record<string, Distribution>>;
  /** Step to the value that was reported at it, in ascending order of steps. */
  readonly intermediateValues: ReadonlyMap<number, number>;
  /** Notes of the caller. */
  readonly userAttrs: Readonly<Record<string, unknown>>;
  /** Why it failed; undefined where it did not. */
  readonly reason?: string;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

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
