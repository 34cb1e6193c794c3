/** A trial as plain data: what was tried, and what came of it. */
import type { Distribution, Params } from './distribution.js';

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
