import type { Halves, IntervalFold } from './interval.js';

export interface KeptHalves {
  readonly folds: readonly Omit<IntervalFold, 'score'>[];
  readonly halves: Halves;
}

const KEPT = new WeakMap<object, KeptHalves>();

/** They are no part of what the result shows or saves. */
export function keepHalves<T extends object>(result: T, folds: KeptHalves['folds'], halves: Halves | undefined): T {
  if (halves) KEPT.set(result, { folds, halves });
  return result;
}

export const halvesOf = (result: object): KeptHalves | undefined => KEPT.get(result);
