/** Whether the nearest of a picture are nearer than the steps between the others explain. */
import { mean } from '../../../core/numbers.js';

/** The widest jump between successive distances, in steps of those behind it: about 1 by chance. */
export interface Jump {
  readonly steps: number;
  readonly from: number;
  readonly to: number;
  /** Place of the first behind it. */
  readonly at: number;
}

/** Distances behind a jump tell how wide steps are. */
export const BEHIND = 5;
/** A jump behind more than these is no group of copies but a kind of picture, such as a digit. */
export const FOREMOST = 3;

/** The widest of ascending distances; steps of 0 where they are too few. */
export function jumpIn(gaps: readonly number[]): Jump {
  let widest: Jump = { steps: 0, from: 0, to: 0, at: 0 };
  for (let at = 1; at <= FOREMOST && at + BEHIND <= gaps.length; at++) {
    const steps = stepOf(gaps.slice(at - 1));
    if (steps > widest.steps) widest = { steps, from: gaps[at - 1], to: gaps[at], at };
  }
  return widest;
}

/** How much nearer the first is than the second, in steps of the following ones. */
export function stepOf([first, ...others]: readonly number[]): number {
  if (others.length < BEHIND) return Number.NaN;
  return Math.log(others[0] / first) / Math.max(spreadOf(others), 1e-9);
}

/** Mean step of ascending distances: the reciprocal of the dimensions that they fill (Hill). */
export function spreadOf(gaps: readonly number[]): number {
  const last = gaps[gaps.length - 1];
  return mean(gaps.slice(0, -1).map((gap) => Math.log(last / gap)));
}

/**
 * -log of the chance of a jump as wide as that or wider among exponential steps, of which the mean is known from so many:
 * about the number of such steps in it, and less where few tell.
 */
export function surenessOf({ from, to }: Pick<Jump, 'from' | 'to'>, meanStep: number, count: number): number {
  return count * Math.log1p(Math.log(to / from) / Math.max(meanStep, 1e-9) / count);
}
