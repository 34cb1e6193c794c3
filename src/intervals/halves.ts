/** Models trained on half of the units each: what `ciFits` makes, and intervals estimate the part of training from. */
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { IntervalFold } from './interval.js';

/** Rows that the model of one half was tested on, but for those of weight 0. */
export interface HalfTest {
  /** Left out when the model failed; then `error` says why. */
  readonly table?: ScoreTable;
  /** Unit of each test row, coded as those of the folds. */
  readonly units: Int32Array;
  readonly error?: string;
}

export interface Halves {
  /**
   * `crossed`: the units are split at random in two halves, and each is tested by the model that was trained on the other.
   * `test_set`: the training units are split, and both models are tested on the same rows, which trained neither.
   */
  readonly kind: 'crossed' | 'test_set';
  readonly halvings: readonly (readonly [HalfTest, HalfTest])[];
}

/** The folds of a result, and the models of halves that were trained for its intervals. */
export interface KeptHalves {
  readonly folds: readonly Omit<IntervalFold, 'score'>[];
  readonly halves: Halves;
}

const KEPT = new WeakMap<object, KeptHalves>();

/** Keeps them with a result, for comparisons; they are no part of what it shows or saves. */
export function keepHalves<T extends object>(result: T, folds: KeptHalves['folds'], halves: Halves | undefined): T {
  if (halves) KEPT.set(result, { folds, halves });
  return result;
}

export const halvesOf = (result: object): KeptHalves | undefined => KEPT.get(result);
